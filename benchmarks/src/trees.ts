/**
 * Trees by their usual letters. Node -> its parent in order of making, -1 for roots; parents stand before their
 * children.
 *
 *   a      10-ary, 5 levels below the root     111,111 nodes, level by level
 *   b      binary, 16 levels below the root    131,071 nodes, level by level
 *   c      100 chains of 1,000                 chain by chain
 *   c2     1,000 chains of 100                 chain by chain
 *   d      a root with 100,000 children
 *   small  10-ary, 4 levels below the root     11,111 nodes, level by level
 */
export type TreeName = "a" | "b" | "c" | "c2" | "d" | "small";

export function treeOf(name: TreeName): Int32Array {
  switch (name) {
    case "a":
      return bushy(10, 5);
    case "b":
      return bushy(2, 16);
    case "c":
      return chains(100, 1_000);
    case "c2":
      return chains(1_000, 100);
    case "d":
      return bushy(100_000, 1);
    case "small":
      return bushy(10, 4);
  }
}

function bushy(branches: number, levels: number): Int32Array {
  let nodes = 1;
  for (let level = 1; level <= levels; level++) nodes += branches ** level;
  return Int32Array.from({ length: nodes }, (_, node) =>
    node === 0 ? -1 : Math.floor((node - 1) / branches),
  );
}

export function chains(count: number, length: number): Int32Array {
  return Int32Array.from({ length: count * length }, (_, node) => (node % length === 0 ? -1 : node - 1));
}

/** Node -> steps to its root. Parents need not stand before their children. */
export function depthsOf(parents: Int32Array): Int32Array {
  const depths = new Int32Array(parents.length).fill(-1);
  const path: number[] = [];
  for (let node = 0; node < parents.length; node++) {
    let at = node;
    for (; at >= 0 && depths[at]! < 0; at = parents[at]!) path.push(at);
    let depth = at < 0 ? -1 : depths[at]!;
    while (path.length > 0) depths[path.pop()!] = ++depth;
  }
  return depths;
}

/** Nodes level by level, in order of making within a level. */
export function levelOrder(parents: Int32Array): Int32Array {
  const depths = depthsOf(parents);
  const nodes = Int32Array.from(parents, (_, node) => node);
  return nodes.sort((one, other) => depths[one]! - depths[other]! || one - other);
}
