import { type Definition, PAIR_EXCLUSIVE } from "../../id/definition.ts";
import { forgetPairs, keepOrder } from "../../records/pair-records.ts";
import type { PairNumber } from "../../storage/table.ts";
import { pairsAt } from "./targets.ts";
import type { World } from "./world.ts";

/** The pairs of a relation that an entity has, in the order in which they were added. A fresh list. */
export function orderedPairsAt(world: World, index: number, relation: Definition): PairNumber[] {
  const found = pairsAt(world, index, relation);
  const order = found.length > 1 ? world.orders.get(index) : undefined;
  return order === undefined ? found : order.filter((pair) => found.includes(pair));
}

/**
 * After an entity got pairs of relations that take many targets.
 *
 * @param added in the order of adding; the entity has them by now.
 */
export function rememberOrder(world: World, index: number, added: readonly PairNumber[]): void {
  const { graph, orders, entities } = world;
  const { tables, records, pairs } = graph;
  const table = entities.table[index]!;
  const first = tables.nodes[table]!;
  const present = records.nodePair.subarray(first, first + tables.pairs[table]!);
  const known = orders.get(index);
  if (known === undefined && added.length === 1 && present.at(-1) === added[0]) return;
  const earlier = known ?? [...present].filter((pair) => (pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0);
  keepOrder(orders, pairs.relation, index, [...earlier.filter((pair) => !added.includes(pair)), ...added]);
}

/** Before an entity loses pairs. */
export function loseOrder(world: World, index: number, lost: readonly PairNumber[]): void {
  if (world.orders.size > 0) forgetPairs(world.orders, world.graph.pairs.relation, index, lost);
}
