/** koota has no names: parents by its relation. */
import type { Entity } from "koota";
import { namedTree, sumOfNodes } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { type Given, LOOKUPS } from "../../workloads/workloads.ts";
import { ChildOf, createOnlyWorld } from "./world.ts";

export function naming({ operation }: Given<"names">): Subject | undefined {
  if (operation !== "parent") return undefined;
  const { parents, leaves } = namedTree();
  const world = createOnlyWorld();
  const nodes: Entity[] = [];
  for (const parent of parents) {
    nodes.push(parent < 0 ? world.spawn() : world.spawn(ChildOf(nodes[parent]!)));
  }
  const asking = Array.from(leaves, (leaf) => nodes[leaf]!);
  const found = [...asking];
  return {
    run: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = asking[at]!.targetFor(ChildOf)!;
    },
    checksum: () => {
      const numbers = new Map(nodes.map((node, at) => [node, at]));
      return sumOfNodes((at) => numbers.get(found[at]!) ?? -1);
    },
  };
}
