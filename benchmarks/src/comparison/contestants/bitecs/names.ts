/** bitECS has no names: it only finds parents, by its relation. */
import { addComponent, addEntity, createWorld, getRelationTargets, type Relation } from "bitecs";
import { namedTree, sumOfNodes } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { type Given, LOOKUPS } from "../../workloads/workloads.ts";

export function naming(ChildOf: Relation<object>, { operation }: Given<"names">): Subject | undefined {
  if (operation !== "parent") return undefined;
  const { parents, leaves } = namedTree();
  const world = createWorld();
  const nodes: number[] = [];
  for (const parent of parents) {
    const node = addEntity(world);
    if (parent >= 0) addComponent(world, node, ChildOf(nodes[parent]!));
    nodes.push(node);
  }
  const asking = Array.from(leaves, (leaf) => nodes[leaf]!);
  const found = [...asking];
  return {
    run: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = getRelationTargets(world, asking[at]!, ChildOf)[0]!;
    },
    checksum: () => {
      const numbers = new Map(nodes.map((node, at) => [node, at]));
      return sumOfNodes((at) => numbers.get(found[at]!) ?? -1);
    },
  };
}
