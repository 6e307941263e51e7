/**
 * three.js: its own scene graph. Its matrices have sixteen numbers; they are stored in 32 bits here, which it reads and writes
 * like any others, so that all contestants have the same sums. Local matrices are updated by `setPosition` where a node moved,
 * and `matrixAutoUpdate` is off. It has no queries: a hand-written list contains the nodes that have a velocity, and there are no
 * live ones.
 */
import { Object3D } from "three";
import { framePlanOf, frameSubject, noMatches, type Round } from "../../game-frame/work.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

interface Space {
  x: number;
  y: number;
  z: number;
}

interface Motion extends Space {
  /** In the list of those that move. */
  place: number;
}

interface Matrix {
  elements: Float32Array;
  setPosition(place: Space): unknown;
}

/** With numbers of 32 bits in its matrices, and what this contestant keeps with it. */
type Node = Omit<Object3D, "matrix" | "matrixWorld" | "parent" | "position" | "userData"> & {
  readonly position: Space & { set(x: number, y: number, z: number): unknown };
  readonly matrix: Matrix;
  readonly matrixWorld: Matrix;
  readonly parent: Node | null;
  userData: Motion | undefined;
  removeFromParent(): unknown;
};

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  /** Slot -> node. */
  const handles: Node[] = [];
  const moving: Node[] = [];

  const bear = (slot: number, parent: Node | undefined): void => {
    const node = new Object3D() as object as Node;
    const { px, py, pz, vx, vy, vz, basis, moves } = plan;
    node.matrixAutoUpdate = false;
    node.position.set(px[slot]!, py[slot]!, pz[slot]!);
    const local = new Float32Array(16);
    for (let number = 0; number < 9; number++) {
      local[number + Math.floor(number / 3)] = basis[slot * 9 + number]!;
    }
    local[15] = 1;
    node.matrix.elements = local;
    node.matrix.setPosition(node.position);
    node.matrixWorld.elements = new Float32Array(16);
    node.userData = undefined;
    if (moves[slot] === 1) {
      node.userData = { x: vx[slot]!, y: vy[slot]!, z: vz[slot]!, place: moving.push(node) - 1 };
    }
    if (parent !== undefined) parent.add(node as object as Object3D);
    handles[slot] = node;
  };
  const forget = ({ userData: motion }: Node): void => {
    if (motion === undefined) return;
    const last = moving.pop()!;
    if (last.userData === motion) return;
    moving[motion.place] = last;
    last.userData!.place = motion.place;
  };
  plan.parents.forEach((parent, slot) => {
    bear(slot, handles[parent]);
  });
  const roots = Array.from(plan.roots, (slot) => handles[slot]!);

  const run = ({ movers, goals, victims, homes }: Round): void => {
    for (let at = 0, { length } = moving; at < length; at++) {
      const { position, matrix, userData } = moving[at]!;
      const { x, y, z } = userData!;
      position.x += x;
      position.y += y;
      position.z += z;
      matrix.setPosition(position);
    }
    for (let at = 0; at < roots.length; at++) roots[at]!.updateMatrixWorld(true);
    for (let at = 0; at < movers.length; at++) {
      handles[goals[at]!]!.add(handles[movers[at]!]! as object as Object3D);
    }
    for (let at = 0; at < victims.length; at++) {
      handles[victims[at]!]!.removeFromParent();
      forget(handles[victims[at]!]!);
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const slots = new Map<Node | null, number>(handles.map((node, slot) => [node, slot]));
    return {
      parentOf: (slot) => slots.get(handles[slot]!.parent) ?? -1,
      read: (slot, into) => {
        const { matrixWorld, position } = handles[slot]!;
        for (let number = 0; number < 12; number++) {
          into[number] = matrixWorld.elements[number + Math.floor(number / 3)]!;
        }
        into[12] = position.x;
        into[13] = position.y;
        into[14] = position.z;
      },
      matches: () => noMatches(plan),
    };
  });
}
