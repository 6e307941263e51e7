/**
 * Javelin: movement is a system, so that its query is iterated in a tick; a second tick applies the changes after it. Matrices
 * are typed arrays, of a custom data type. Numbers of nodes in the child list are slots: entities are never used again.
 */
import { createComponentType, createDataType, createWorld, number, query } from "@javelin/ecs";
import { takeOut } from "../../game-frame/fields.ts";
import { type FrameSpace, placeObject, placeObjectRoot } from "../../game-frame/objects.ts";
import { framePlanOf, frameSubject, LIVE_QUERIES, type Round } from "../../game-frame/work.ts";
import { attach, createChildList, move } from "../../workloads/child-list.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

function matrixOf(numbers: number) {
  return createDataType<Float32Array>({
    name: `matrix${numbers}`,
    create: () => new Float32Array(numbers),
    reset: (component, key) => {
      (component[key] as Float32Array).fill(0);
    },
  });
}

const schema = { x: number, y: number, z: number };
const initialize = (space: FrameSpace, x: number, y: number, z: number): void => {
  space.x = x;
  space.y = y;
  space.z = z;
};
const Position = createComponentType({ type: 40, schema, initialize });
const Velocity = createComponentType({ type: 41, schema, initialize });
const Basis = createComponentType({
  type: 42,
  schema: { m: matrixOf(9) },
  initialize: (basis: { m: Float32Array }, bases: Float32Array, first: number): void => {
    const { m } = basis;
    for (let at = 0; at < 9; at++) m[at] = bases[first + at]!;
  },
});
const Place = createComponentType({ type: 43, schema: { m: matrixOf(12) } });

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, roots, parents, moves } = plan;
  const world = createWorld<void>({ componentPoolSize: slots + 1_000 });
  const list = createChildList(slots);
  const queue = new Int32Array(slots);
  /** Slot -> entity. */
  const handles = new Float64Array(slots);

  const bear = (slot: number, parent: number): void => {
    const { px, py, pz, vx, vy, vz, basis } = plan;
    const position = world.component(Position, px[slot]!, py[slot]!, pz[slot]!);
    const own = world.component(Basis, basis, slot * 9);
    const place = world.component(Place);
    if (moves[slot] === 1) {
      const velocity = world.component(Velocity, vx[slot]!, vy[slot]!, vz[slot]!);
      handles[slot] = world.spawn(position, velocity, own, place);
    } else handles[slot] = world.spawn(position, own, place);
    if (parent >= 0) attach(list, slot, parent);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]!);

  const live = Array.from({ length: LIVE_QUERIES }, () => query(Position));
  const countLive = (): number => {
    let count = 0;
    for (const one of live) for (const [entities] of one) count += entities.length;
    return count;
  };
  // A query is kept up to date in a world in which it has been iterated.
  world.addSystem(countLive);
  world.tick();
  world.removeSystem(countLive);

  const placeTree = (root: number): void => {
    const node = handles[root]!;
    placeObjectRoot(world.get(node, Place).m, world.get(node, Basis).m, world.get(node, Position));
    queue[0] = root;
    let length = 1;
    for (let at = 0; at < length; at++) {
      const below = list.children[queue[at]!];
      if (below === undefined) continue;
      const { m: above } = world.get(handles[queue[at]!]!, Place);
      for (let child = 0; child < below.length; child++) {
        const entity = handles[below[child]!]!;
        const { m } = world.get(entity, Place);
        placeObject(m, above, world.get(entity, Basis).m, world.get(entity, Position));
        queue[length++] = below[child]!;
      }
    }
  };
  const moving = query(Position, Velocity);
  let isMoving = true;
  world.addSystem(() => {
    if (!isMoving) return;
    for (const [entities, [positions, velocities]] of moving) {
      for (let at = 0; at < entities.length; at++) {
        const position = positions[at]!;
        const velocity = velocities[at]!;
        position.x += velocity.x;
        position.y += velocity.y;
        position.z += velocity.z;
      }
    }
    for (let at = 0; at < roots.length; at++) placeTree(roots[at]!);
  });
  const run = ({ movers, goals, victims, homes }: Round): void => {
    isMoving = true;
    world.tick();
    for (let at = 0; at < movers.length; at++) move(list, movers[at]!, goals[at]!);
    for (let at = 0; at < victims.length; at++) {
      for (let deleted = takeOut(list, victims[at]!, queue) - 1; deleted >= 0; deleted--) {
        world.destroy(handles[queue[deleted]!]!);
      }
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, homes[at]!);
    isMoving = false;
    world.tick();
  };
  return frameSubject(plan, run, () => ({
    parentOf: (slot) => list.parent[slot]!,
    read: (slot, into) => {
      const { x, y, z } = world.get(handles[slot]!, Position);
      into.set(world.get(handles[slot]!, Place).m);
      into[12] = x;
      into[13] = y;
      into[14] = z;
    },
    matches: countLive,
  }));
}
