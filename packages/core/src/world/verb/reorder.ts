import { ChildOf } from "../../id/builtins.ts";
import { handleAt } from "../../records/entity-index.ts";
import { linkElsewhere, relist } from "../../records/sibling-links.ts";
import type { PairNumber } from "../../storage/table.ts";
import { bringChanges } from "../change/bring.ts";
import { ensureListed } from "../change/pair.ts";
import { insideVisit } from "../state/lock.ts";
import { orderedSources } from "../state/targets.ts";
import { tellFact } from "../state/tell.ts";
import type { World } from "../state/world.ts";

/** Puts the children of a parent into a list; from now on what is spawned below it needs more than a row. */
export function requireList(world: World, pair: PairNumber): void {
  bringChanges(world.slots);
  ensureListed(world, pair);
}

/**
 * Moves a child within its family. Cost: constant, once the family stands in a list.
 *
 * @param pair (ChildOf, parent).
 * @param after the index of the sibling to stand before; 0 for the end.
 */
export function moveSibling(world: World, pair: PairNumber, index: number, after: number): void {
  requireList(world, pair);
  if (linkElsewhere(world.graph.links, pair, index, after)) tellReordered(world, pair);
}

/** Puts a family into another order, and tells so. */
export function orderSiblings(world: World, pair: PairNumber, order: readonly number[]): void {
  if (relistSiblings(world, pair, order)) tellReordered(world, pair);
}

/**
 * Puts a family into another order. Cost: the children.
 *
 * @param order the indexes of exactly the children.
 * @returns whether that changed anything: then the caller owes listeners the news.
 */
export function relistSiblings(world: World, pair: PairNumber, order: readonly number[]): boolean {
  const present = orderedSources(world, world.graph.pairs.target[pair]!, ChildOf);
  if (present.every((index, place) => index === order[place])) return false;
  requireList(world, pair);
  relist(world.graph.links, pair, order);
  return true;
}

/** The children of a parent stand in another order. */
export function tellReordered(world: World, pair: PairNumber): void {
  const index = world.graph.pairs.target[pair]!;
  insideVisit(world, () => tellFact(world, "reordered", index, ChildOf, handleAt(world.entities, index)));
}
