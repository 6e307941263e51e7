/** Hand-written: names in a list, children linked to one another in flat arrays. Steps are searched from sibling to sibling. */
import { lastSign, namedTree, sumOfNodes, sumOfTexts } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { type Given, LOOKUPS } from "../../workloads/workloads.ts";

/** Node -> its first child, and the next one below the same parent; -1 ends a list. The root is node 0. */
interface Links {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

function linksOf(parents: Int32Array): Links {
  const first = new Int32Array(parents.length).fill(-1);
  const next = new Int32Array(parents.length).fill(-1);
  for (let node = parents.length - 1; node > 0; node--) {
    const parent = parents[node]!;
    next[node] = first[parent]!;
    first[parent] = node;
  }
  return { first, next };
}

export function naming({ operation }: Given<"names">): Subject {
  const { parents, names, leaves, paths, leafNames } = namedTree();
  const { first, next } = linksOf(parents);
  const found = new Int32Array(LOOKUPS);
  let signs = 0;
  const findAmong = (sibling: number, name: string): number => {
    let at = sibling;
    while (at >= 0 && names[at] !== name) at = next[at]!;
    return at;
  };
  const find = (path: string): number => {
    const steps = path.split("::");
    let at = findAmong(0, steps[0]!);
    for (let step = 1; step < steps.length && at >= 0; step++) at = findAmong(first[at]!, steps[step]!);
    return at;
  };
  const write = (node: number): string => {
    let path = names[node]!;
    for (let at = parents[node]!; at >= 0; at = parents[at]!) path = `${names[at]}::${path}`;
    return path;
  };
  const run = {
    path: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = find(paths[at]!);
    },
    child: () => {
      for (let at = 0; at < LOOKUPS; at++)
        found[at] = findAmong(first[parents[leaves[at]!]!]!, leafNames[at]!);
    },
    write: () => {
      for (let at = 0; at < LOOKUPS; at++) signs += lastSign(write(leaves[at]!));
    },
    parent: () => {
      for (let at = 0; at < LOOKUPS; at++) found[at] = parents[leaves[at]!]!;
    },
  };
  return {
    run: run[operation],
    checksum: () => {
      return operation === "write"
        ? signs + sumOfTexts((at) => write(leaves[at]!))
        : sumOfNodes((at) => found[at]!);
    },
  };
}
