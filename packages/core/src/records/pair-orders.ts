import type { PairNumber } from "../storage/table.ts";

/**
 * In which order an entity got its pairs of relations that take many targets: entity index -> pairs, oldest first. Only
 * of entities whose pairs of one relation did not come in the order of their numbers, which is that of their tables:
 * for all others the table tells.
 */
export type PairOrders = Map<number, readonly PairNumber[]>;

/** Keeps an order, unless the numbers of the pairs tell it. */
export function keepOrder(
  orders: PairOrders,
  relationOf: Int32Array,
  index: number,
  order: readonly PairNumber[],
): void {
  const last = new Map<number, PairNumber>();
  const isPlain = order.every((pair) => {
    const before = last.get(relationOf[pair]!) ?? 0;
    last.set(relationOf[pair]!, pair);
    return pair > before;
  });
  if (!isPlain) orders.set(index, order);
  else orders.delete(index);
}

/** The entity has lost pairs; call it before a number is given to another pair. */
export function forgetPairs(
  orders: PairOrders,
  relationOf: Int32Array,
  index: number,
  lost: readonly PairNumber[],
): void {
  const order = orders.get(index);
  if (order === undefined) return;
  keepOrder(
    orders,
    relationOf,
    index,
    order.filter((pair) => !lost.includes(pair)),
  );
}
