import { CHILD_OF } from "../id/builtins.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { renewOrder } from "../records/entity-index.ts";
import { makeRoomFor } from "../storage/rows.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { disableDifferently } from "./disabled.ts";
import { moveWithin, tidyLeft } from "./move-entity.ts";
import type { World } from "./world.ts";

/**
 * The everyday reparent by itself: a leaf, whose parent is its only pair, goes to a parent that has such children already.
 * Nobody listens, no hook is asked, nothing stands in lists: it is one row that moves within its columns.
 *
 * @param target the index of the new parent, which is alive.
 * @returns false if it is not that simple; nothing has changed then.
 * @throws TreelineError `capacity`, or what the memory throws; nothing has changed then.
 */
export function rehome(world: World, index: number, target: number): boolean {
  const { graph, entities } = world;
  const { tables, pairs, links, shapes } = graph;
  const from = entities.table[index]!;
  const old = tables.parentPair[from]!;
  if (old === 0 || tables.pairs[from] !== 1 || isTarget(pairs, index)) return false;
  if (links.used || world.standsFor.size > 0) return false;
  const shape = shapes[tables.shape[from]!]!;
  if (!shape.isSimple || shape.hooked.length > 0) return false;
  const pair = findPair(pairs, CHILD_OF, target);
  if (pair === old) return true;
  if (disableDifferently(world, old, pair)) return false;
  const to = pair === 0 ? 0 : twinTable(world, shape.number, pair);
  if (to === 0) return false;

  if (tables.count[to] === tables.capacity[to]) makeRoomFor(world.rows, shape, to, 1);
  moveWithin(world, index, to);
  renewOrder(entities, index);
  tidyLeft(world, from);
  return true;
}

/** The main table of a pair, if it is of the shape; else 0. */
function twinTable({ graph }: World, shape: number, pair: PairNumber): TableNumber {
  const { tables, records } = graph;
  const table = records.main[pair]!;
  return table !== 0 && tables.shape[table] === shape ? table : 0;
}
