import { pairFor } from "../graph/table-graph.ts";
import type { Definition } from "../id/definition.ts";
import { findPair } from "../id/pair-book.ts";
import { hangBelow } from "../records/pair-tree.ts";
import type { PairNumber } from "../storage/table.ts";
import { pairAt } from "./targets.ts";
import type { World } from "./world.ts";

/**
 * The number of a pair, interned if it is new. The record of a new pair of an acyclic relation hangs below the
 * record of its target's own pair.
 */
export function ensurePair(world: World, relation: Definition, target: number): PairNumber {
  const { graph } = world;
  const known = findPair(graph.pairs, relation.id, target);
  if (known !== 0) return known;

  const pair = pairFor(graph, relation, target);
  if (relation.acyclic) {
    const above = pairAt(world, target, relation);
    if (above !== 0) hangBelow(graph.records, pair, above);
  }
  return pair;
}

/** After an entity got another target of an acyclic relation (0: none), its own record follows. */
export function followTarget(world: World, relation: Definition, source: number, pair: PairNumber): void {
  const { pairs, records } = world.graph;
  const own = findPair(pairs, relation.id, source);
  if (own !== 0) hangBelow(records, own, pair);
}
