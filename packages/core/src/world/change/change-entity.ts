import { closeIfIdle, roomyTableFor } from "../../graph/table-graph.ts";
import { ChildOf } from "../../id/builtins.ts";
import { type Definition, PAIR_DISABLES, PAIR_LISTED } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-book.ts";
import { renewOrder } from "../../records/entity-index.ts";
import {
  NEEDS_ADDING_ORDER,
  NEEDS_LIMITS,
  NEEDS_OBSERVERS,
  NEEDS_PAIR_VALUES,
  NEEDS_SYMMETRIC,
  NEEDS_TICKS,
  type Shape,
} from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { observedOf } from "../state/event-list.ts";
import { needsOf } from "../state/needs-of.ts";
import { type Change, type Goal, NO_CHANGES, NO_TAGS } from "../state/plans.ts";
import { loseOrder, tableHasPair } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import type { PlainTerm } from "./destination.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { followTarget } from "./pair.ts";

const NO_PAIRS: readonly PairNumber[] = [];
const NO_TERMS: readonly PlainTerm[] = [];

/** A goal that only takes something off, or only changes the archetype. */
export function goalOf(
  shape: Shape,
  count: number,
  valuePair: PairNumber,
  untagged: readonly Definition[] = NO_TAGS,
): Goal {
  return { shape, count, valuePair, place: 0, added: NO_PAIRS, tagged: NO_TAGS, untagged };
}

/** What a change may need and still be a row, and an order of adding. */
const SIMPLE: number = NEEDS_LIMITS | NEEDS_PAIR_VALUES | NEEDS_TICKS | NEEDS_ADDING_ORDER;

/**
 * Makes an entity what it was planned to be, after every check: reserve, announce, commit, notify, as far as the archetypes
 * and pairs concerned need it. With no needs it is room and a move.
 *
 * @param terms whose values are written: what `gatherTerms` has read last, or copies of `keptTerms` if the change may call hooks or
 *   observers. Who gives any has brought `changes`.
 * @param calls the hooks that have let it through.
 * @throws TreelineError `capacity`, or what the memory throws; nothing has changed then.
 */
export function changeEntity(
  world: World,
  index: number,
  goal: Goal,
  terms: readonly PlainTerm[] = NO_TERMS,
  calls: readonly Change[] = NO_CHANGES,
): void {
  const { graph, slots } = world;
  const { shape, count, valuePair, added, tagged, untagged } = goal;
  const tags = tagged.length + untagged.length;
  let needs = needsOf(world, shapeAt(world, index)) | needsOf(world, shape);
  if (tags > 0 && [...tagged, ...untagged].some((tag) => observedOf(world.events, tag) !== 0))
    needs |= NEEDS_OBSERVERS;
  const from = world.entities.table[index]!;
  if ((needs & NEEDS_SYMMETRIC) !== 0 && slots.symmetric!.change(world, index, goal, needs, terms, calls))
    return;
  let to: TableNumber;
  try {
    to = roomyTableFor(graph, shape, count, 1, from);
  } catch (error) {
    if (valuePair !== 0) closeIfIdle(graph, valuePair);
    throw error;
  }
  const { traits } = graph.pairs;
  const before = graph.tables.parentPair[from]!;
  const after = graph.tables.parentPair[to]!;
  const isPlaced =
    before !== after && ((traits[before]! | traits[after]!) & (PAIR_LISTED | PAIR_DISABLES)) !== 0;
  if ((needs & ~SIMPLE) !== 0 || isPlaced || terms.length + added.length + tags > 0) {
    slots.changes!.change(world, index, to, goal, needs, terms, calls);
    return;
  }
  if (to === from) return;
  if ((needs & NEEDS_ADDING_ORDER) !== 0) loseOrderIn(world, index, to);
  moveEntity(world, index, to);
  if (before !== after) {
    renewOrder(world.entities, index);
    if (isTarget(graph.pairs, index)) followTarget(world, ChildOf, index, after);
  }
  tidyLeft(world, from);
}

/** Before an entity goes to another table: the order of the pairs that it will not have there is forgotten. */
export function loseOrderIn(world: World, index: number, to: TableNumber): void {
  const order = world.orders.get(index);
  if (order === undefined) return;
  loseOrder(
    world,
    index,
    order.filter((pair) => !tableHasPair(world, to, pair)),
  );
}
