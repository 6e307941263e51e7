/** Hand-written: walks trees along the links between siblings, so that no order must be kept. */
import { multiplyFrame, placeRoot } from "../../game-frame/fields.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { frameHandWritten } from "./frame.ts";

const ignore = (): void => {};

export function frame(given: Given<"frame">): Subject {
  return frameHandWritten(given, ({ parent, first, next }, fields, roots) => {
    const { px, py, pz, basis, world } = fields;
    const placeTree = (root: number): void => {
      placeRoot(fields, root);
      let node = root;
      for (;;) {
        if (first[node]! >= 0) node = first[node]!;
        else {
          while (next[node]! < 0 && node !== root) node = parent[node]!;
          if (node === root) return;
          node = next[node]!;
        }
        multiplyFrame(world, node * 12, world, parent[node]! * 12, basis, node * 9, px, py, pz, node);
      }
    };
    return {
      placeAll: () => {
        for (let at = 0; at < roots.length; at++) placeTree(roots[at]!);
      },
      joined: ignore,
      moved: ignore,
      leaves: ignore,
    };
  });
}
