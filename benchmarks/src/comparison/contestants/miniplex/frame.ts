/** miniplex: plain objects, a matrix in a typed array each. Numbers of nodes in the child list are slots. */
import { World } from "miniplex";
import { takeOut } from "../../game-frame/fields.ts";
import { type FrameSpace, placeObject, placeObjectRoot } from "../../game-frame/objects.ts";
import { framePlanOf, frameSubject, LIVE_QUERIES, type Round } from "../../game-frame/work.ts";
import { attach, createChildList, move } from "../../workloads/child-list.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

interface Node {
  position: FrameSpace;
  velocity?: FrameSpace;
  basis: Float32Array;
  place: Float32Array;
}

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, roots, parents } = plan;
  const world = new World<Node>();
  const anyWorld: World<Record<string, unknown>> = world as World;
  // Different ones, because equal queries are shared.
  const live = Array.from({ length: LIVE_QUERIES }, (_, at) => {
    return anyWorld.with("position").without(`other${at}`).connect();
  });
  const moving = world.with("position", "velocity").connect();
  const list = createChildList(slots);
  const queue = new Int32Array(slots);
  /** Slot -> entity. */
  const nodes: Node[] = [];

  const bear = (slot: number, parent: number): void => {
    const { px, py, pz, vx, vy, vz, moves } = plan;
    const position = { x: px[slot]!, y: py[slot]!, z: pz[slot]! };
    const basis = plan.basis.slice(slot * 9, slot * 9 + 9);
    const place = new Float32Array(12);
    nodes[slot] = world.add(
      moves[slot] === 1
        ? { position, velocity: { x: vx[slot]!, y: vy[slot]!, z: vz[slot]! }, basis, place }
        : { position, basis, place },
    );
    if (parent >= 0) attach(list, slot, parent);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]!);

  const placeTree = (root: number): void => {
    const { children } = list;
    const { position, basis, place } = nodes[root]!;
    placeObjectRoot(place, basis, position);
    queue[0] = root;
    let length = 1;
    for (let at = 0; at < length; at++) {
      const below = children[queue[at]!];
      if (below === undefined) continue;
      const { place: above } = nodes[queue[at]!]!;
      for (let child = 0; child < below.length; child++) {
        const { position, basis, place } = nodes[below[child]!]!;
        placeObject(place, above, basis, position);
        queue[length++] = below[child]!;
      }
    }
  };
  const run = ({ movers, goals, victims, homes }: Round): void => {
    for (const { position, velocity } of moving) {
      position.x += velocity.x;
      position.y += velocity.y;
      position.z += velocity.z;
    }
    for (let at = 0; at < roots.length; at++) placeTree(roots[at]!);
    for (let at = 0; at < movers.length; at++) move(list, movers[at]!, goals[at]!);
    for (let at = 0; at < victims.length; at++) {
      for (let deleted = takeOut(list, victims[at]!, queue) - 1; deleted >= 0; deleted--) {
        world.remove(nodes[queue[deleted]!]!);
      }
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, homes[at]!);
  };
  return frameSubject(plan, run, () => ({
    parentOf: (slot) => list.parent[slot]!,
    read: (slot, into) => {
      const { position, place } = nodes[slot]!;
      into.set(place);
      into[12] = position.x;
      into[13] = position.y;
      into[14] = position.z;
    },
    matches: () => live.reduce((sum, { size }) => sum + size, 0),
  }));
}
