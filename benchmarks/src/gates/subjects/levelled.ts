/** Trees of a given number of nodes, level by level. */

/** Node -> its parent, -1 for the root: node 0 has the first `branches` nodes below it, node 1 the next ones, and so on. */
export function levelled(nodes: number, branches: number): Int32Array {
  return Int32Array.from({ length: nodes }, (_, node) =>
    node === 0 ? -1 : Math.floor((node - 1) / branches),
  );
}
