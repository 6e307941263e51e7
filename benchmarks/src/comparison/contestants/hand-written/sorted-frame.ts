/** Hand-written: nodes are listed level by level, and put into another level when they move. */
import { type FrameFields, multiplyFrame, placeRoot } from "../../game-frame/fields.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { addTo, type Crowd, frameHandWritten, takeFrom } from "./frame.ts";

function placeLevel(
  { px, py, pz, basis, world }: FrameFields,
  members: Int32Array,
  count: number,
  parents: Int32Array,
): void {
  for (let at = 0; at < count; at++) {
    const node = members[at]!;
    multiplyFrame(world, node * 12, world, parents[node]! * 12, basis, node * 9, px, py, pz, node);
  }
}

export function frame(given: Given<"frame">): Subject {
  return frameHandWritten(given, ({ parent, first, next }, fields) => {
    const { length } = parent;
    const levels: Crowd[] = [];
    /** Node -> its place in its level, and the level. */
    const places = new Int32Array(length);
    const depths = new Int32Array(length);
    const enter = (node: number): void => {
      const depth = parent[node]! < 0 ? 0 : depths[parent[node]!]! + 1;
      depths[node] = depth;
      const level = (levels[depth] ??= { members: new Int32Array(64), length: 0 });
      addTo(level, places, node);
    };
    const leaves = (node: number): void => takeFrom(levels[depths[node]!]!, places, node);
    return {
      placeAll: () => {
        for (let depth = 0; depth < levels.length; depth++) {
          const { members, length: count } = levels[depth]!;
          if (depth === 0) for (let at = 0; at < count; at++) placeRoot(fields, members[at]!);
          else placeLevel(fields, members, count, parent);
        }
      },
      joined: enter,
      moved: (top) => {
        let node = top;
        for (;;) {
          leaves(node);
          enter(node);
          if (first[node]! >= 0) node = first[node]!;
          else {
            while (next[node]! < 0 && node !== top) node = parent[node]!;
            if (node === top) return;
            node = next[node]!;
          }
        }
      },
      leaves,
    };
  });
}
