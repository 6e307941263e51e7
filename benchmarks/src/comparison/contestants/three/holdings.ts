/** three.js's memory: complete nodes, children of a scene where they have no other parent. */

import { type Growing, type Held, type Holdings, type Layout, sumOfGrown } from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { createNode, settle as settleBelow } from "./subjects.ts";

function settle({ parents, children, queries }: Layout): Held | undefined {
  if (queries > 0) return undefined;
  const { homes } = settleBelow(children, parents, parentsOf(parents, "block", children));
  return { count: () => homes.reduce((sum, home) => sum + home.children.length, 0) };
}

function grow(entities: number): Growing {
  const scene = createNode();
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        const node = createNode();
        node.position.set(at % 1024, 0, 0);
        node.userData = { x: 1, y: 1 + (at % 3) };
        scene.add(node);
        stamp();
      }
    },
    checksum: () => {
      const { children } = scene;
      return sumOfGrown(
        children.length,
        (at) => children[at]!.position.x,
        (at) => (children[at]!.userData as { y: number }).y,
      );
    },
  };
}

export const holdings: Holdings = { settle, grow };
