/** Treeline: finds entities by name, and writes paths. */
import { createWorld, type Entity, parentOf, spawn, type World } from "@treeline/core";
import { childNamed, lookup, Name, pathOf } from "@treeline/names";
import { lastSign, namedTree, sumOfNodes, sumOfTexts } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { type Given, LOOKUPS } from "../../workloads/workloads.ts";
import type { Below } from "./loops.ts";

function plant(below: Below, parents: Int32Array, names: readonly string[]): [World, readonly Entity[]] {
  const world = createWorld();
  const nodes: Entity[] = [];
  parents.forEach((parent, node) => {
    const name = Name(names[node]!);
    nodes.push(parent < 0 ? spawn(world, name) : spawn(world, name, below(nodes[parent]!)));
  });
  return [world, nodes];
}

export function naming(below: Below, { operation }: Given<"names">): Subject {
  const { parents, names, leaves, paths, leafNames } = namedTree();
  const [world, nodes] = plant(below, parents, names);
  const entities = Array.from(leaves, (leaf) => nodes[leaf]!);
  const above = Array.from(leaves, (leaf) => nodes[parents[leaf]!]!);
  const found = [...above];
  let signs = 0;
  const run = {
    path: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = lookup(world, paths[at]!)!;
    },
    child: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = childNamed(world, above[at]!, leafNames[at]!)!;
    },
    write: () => {
      for (let at = 0; at < LOOKUPS; at++) signs += lastSign(pathOf(world, entities[at]!));
    },
    parent: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = parentOf(world, entities[at]!)!;
    },
  };
  return {
    run: run[operation],
    checksum: () => {
      if (operation === "write") return signs + sumOfTexts((at) => pathOf(world, entities[at]!));
      const numbers = new Map(nodes.map((node, at) => [node, at]));
      return sumOfNodes((at) => numbers.get(found[at]!) ?? -1);
    },
  };
}
