import { endReservation, reserveRows } from "../../graph/reserve.ts";
import { closeIfIdle, roomyTableFor } from "../../graph/table-graph.ts";
import { ChildOf, DisabledTree, OrderedChildren, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-book.ts";
import { PAIR_DISABLES, PAIR_LISTED } from "../../id/pair-traits.ts";
import { renewOrder } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import { LOOSE_MOVED, note, TARGET_MOVED } from "../../storage/journal.ts";
import {
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_DEPTHS,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
} from "../../storage/needs.ts";
import { hasDefinition, type Shape } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { loseOrder, rememberOrder } from "../state/adding-order.ts";
import { bitTagsAt, turnBit } from "../state/bit-tags.ts";
import { observedOf } from "../state/event-list.ts";
import { enterVisit, insideVisit, leaveVisit } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { pairAt, tableHasPair } from "../state/targets.ts";
import { rowAt, shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import type { PlainTerm } from "./destination.ts";
import { commitEffects, type Effect, listEffectEvents, planEffects, typeOfTable } from "./effects.ts";
import { type ChangeEvents, listEvents, tellAll } from "./events.ts";
import { ensureListed, listChildren, relink, unlistChildren } from "./family.ts";
import { type Change, tellRemovedOne, tellReplaced, tellSetTerms, tellWritten } from "./hook-calls.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { followTarget } from "./pair.ts";
import { gatherTerms, writeTerms } from "./spawn-plan.ts";

/** What an entity is to become. Its pairs are the first `count` of `graph.wanted`. */
export interface Goal {
  readonly shape: Shape;
  readonly count: number;
  /** The pair of its parent if that will be stored by value, else 0. */
  readonly valuePair: PairNumber;
  /** Of a new parent: the index of the child that it will stand before; 0 for the end. */
  readonly place: number;
  /** New pairs of relations with many targets, in the order given. */
  readonly added: readonly PairNumber[];
  /** Tags stored as bits that it gets, and those that it loses. */
  readonly tagged: readonly Definition[];
  readonly untagged: readonly Definition[];
}

const NO_PAIRS: readonly never[] = [];
const NO_TERMS: readonly PlainTerm[] = [];
const NO_CALLS: readonly Change[] = [];

export const NO_TAGS: readonly Definition[] = [];

/** A goal that only takes something off, or only changes the archetype. */
export function goalOf(
  shape: Shape,
  count: number,
  valuePair: PairNumber,
  untagged: readonly Definition[] = NO_TAGS,
): Goal {
  return { shape, count, valuePair, place: 0, added: NO_PAIRS, tagged: NO_TAGS, untagged };
}

/**
 * Makes an entity what it was planned to be, after every check: reserve, announce, commit, notify, as far as the archetypes
 * and pairs concerned need it.
 *
 * @param terms whose values are written: what `gatherTerms` has read last, or copies of `keptTerms` if the change may call hooks or
 *   observers.
 * @param calls the hooks that have let it through.
 * @throws TreelineError `capacity`, or what the memory throws; nothing has changed then.
 */
export function changeEntity(
  world: World,
  index: number,
  goal: Goal,
  terms: readonly PlainTerm[] = NO_TERMS,
  calls: readonly Change[] = NO_CALLS,
): void {
  const { shape, count, valuePair } = goal;
  const was = shapeAt(world, index);
  const needs = needsOf(world, was) | needsOf(world, shape) | needsOfTags(world, goal);
  const from = world.entities.table[index]!;
  if ((needs & NEEDS_SYMMETRIC) !== 0 && changeSymmetric(world, index, goal, needs, terms, calls)) return;
  let to: TableNumber;
  try {
    to = roomyTableFor(world.graph, shape, count, 1, from);
  } catch (error) {
    if (valuePair !== 0) closeIfIdle(world.graph, valuePair);
    throw error;
  }
  applyChange(world, index, to, goal, needs, terms, calls, NO_EFFECTS, NO_PAIRS);
}

function needsOfTags({ events }: World, { tagged, untagged }: Goal): number {
  let observed = 0;
  for (let at = 0; at < tagged.length; at++) observed |= observedOf(events, tagged[at]!);
  for (let at = 0; at < untagged.length; at++) observed |= observedOf(events, untagged[at]!);
  return observed === 0 ? 0 : NEEDS_OBSERVERS;
}

const NO_EFFECTS: readonly Effect[] = [];

/** @returns false, and nothing has changed, if no symmetric pair comes or goes. */
function changeSymmetric(
  world: World,
  index: number,
  goal: Goal,
  needs: number,
  terms: readonly PlainTerm[],
  calls: readonly Change[],
): boolean {
  const { graph } = world;
  const was = typeOfTable(world, world.entities.table[index]!);
  const is = { shape: goal.shape, pairs: [...graph.wanted.subarray(0, goal.count)] };
  const effects = planEffects(world, [{ index, was, is }]);
  if (effects.length === 0) {
    graph.wanted.set(is.pairs);
    return false;
  }
  let tables: readonly TableNumber[];
  try {
    const arrivals = [is, ...effects.map(({ type }) => type)].map((type) => ({ type, count: 1 }));
    tables = reserveRows(graph, arrivals);
  } catch (error) {
    closeIdlePairs(world, [...is.pairs, goal.valuePair, ...effects.flatMap(({ tied }) => tied)]);
    throw error;
  }
  // What observers have queued is done after the reservation has ended: it may need rooms of its own.
  insideVisit(world, () => {
    try {
      applyChange(world, index, tables[0]!, goal, needs, terms, calls, effects, tables.slice(1));
    } finally {
      endReservation(graph);
      // A pair may have come and gone while effects were planned.
      closeIdlePairs(
        world,
        effects.flatMap(({ tied }) => tied),
      );
    }
  });
  return true;
}

/** Of pairs that may have got their number for a change that was refused: those that nobody has go. */
export function closeIdlePairs({ graph }: World, pairs: readonly PairNumber[]): void {
  for (const pair of pairs) if (pair !== 0 && graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
}

/** Announce, commit, notify. */
function applyChange(
  world: World,
  index: number,
  to: TableNumber,
  goal: Goal,
  needs: number,
  terms: readonly PlainTerm[],
  calls: readonly Change[],
  effects: readonly Effect[],
  tables: readonly TableNumber[],
): void {
  const { valuePair, place, added, shape } = goal;
  const was = shapeAt(world, index);
  if ((needs & (NEEDS_HOOKS | NEEDS_OBSERVERS)) === 0) {
    commitMove(world, index, to, valuePair, place);
    if (effects.length > 0) commitEffects(world, effects, tables);
    if (added.length > 0) rememberOrder(world, index, added);
    turnTags(world, index, goal);
    if (terms.length > 0) writeGiven(world, index, terms);
    return;
  }
  enterVisit(world);
  let isDone = false;
  try {
    const events: ChangeEvents = { removed: [], added: [] };
    if ((needs & NEEDS_OBSERVERS) !== 0) {
      const from = world.entities.table[index]!;
      const others: ChangeEvents = { removed: [], added: [] };
      listEffectEvents(world, others, effects, tables);
      listEvents(world, events, index, from, to, valuePair, tagsAfter(world, index, goal));
      events.removed.push(...others.removed);
      events.added.unshift(...others.added);
    }
    world.changes++;
    try {
      tellAll(world, events.removed);
      for (const definition of was.hooked) {
        if (!hasDefinition(shape, definition)) tellRemovedOne(world, index, definition);
      }
      commitMove(world, index, to, valuePair, place);
      if (effects.length > 0) commitEffects(world, effects, tables);
      if (added.length > 0) rememberOrder(world, index, added);
      turnTags(world, index, goal);
      if (terms.length > 0) {
        gatherTerms(world, terms);
        writeGiven(world, index, terms);
      }
      if (calls.length > 0) tellWritten(world, index, calls);
    } finally {
      world.changes--;
    }
    tellAll(world, events.added);
    if (terms.length > 0) tellSetTerms(world, index, terms, calls);
    tellReplaced(world, index, calls);
    isDone = true;
  } finally {
    leaveVisit(world, isDone);
  }
}

function turnTags(world: World, index: number, { tagged, untagged }: Goal): void {
  for (const tag of untagged) turnBit(world, index, tag, false);
  for (const tag of tagged) turnBit(world, index, tag, true);
}

/** The tags stored as bits that an entity will have, if they will be others than now. */
function tagsAfter(
  world: World,
  index: number,
  { tagged, untagged }: Goal,
): readonly Definition[] | undefined {
  if (tagged.length + untagged.length === 0) return undefined;
  const kept = bitTagsAt(world, index).filter((tag) => !untagged.includes(tag));
  return [...new Set([...kept, ...tagged])];
}

function writeGiven(world: World, index: number, terms: readonly PlainTerm[]): void {
  writeTerms(world, shapeAt(world, index), terms, world.entities.table[index]!, rowAt(world, index));
}

/**
 * Moves the row of an entity, and lets lists, order, depths and what is below it follow. Needs no memory of columns: room in `to`
 * has been made.
 *
 * @param place of a new parent: the index of the child that it will stand before; 0 for the end.
 */
export function commitMove(
  world: World,
  index: number,
  to: TableNumber,
  valuePair: PairNumber,
  place: number,
): void {
  const { graph, entities } = world;
  const { tables, links, pairs } = graph;
  const from = entities.table[index]!;
  const oldValue = loosePairOf(links, index);
  const before = tables.parentPair[from]! + oldValue;
  const after = tables.parentPair[to]! + valuePair;
  const was = graph.shapes[tables.shape[from]!]!;
  const is = graph.shapes[tables.shape[to]!]!;
  const needs = was.fixedNeeds | is.fixedNeeds;
  if ((needs & NEEDS_ADDING_ORDER) !== 0 && to !== from && world.orders.has(index)) {
    loseOrder(
      world,
      index,
      world.orders.get(index)!.filter((pair) => !tableHasPair(world, to, pair)),
    );
  }
  if (valuePair !== 0) ensureListed(world, valuePair);
  if (to !== from) moveEntity(world, index, to);
  const isListed = before !== after && ((pairs.traits[before]! | pairs.traits[after]!) & PAIR_LISTED) !== 0;
  const isOtherwise =
    before !== after && ((pairs.traits[before]! ^ pairs.traits[after]!) & PAIR_DISABLES) !== 0;
  if (isListed || oldValue !== valuePair) relink(world, index, { before, after, place }, valuePair !== 0);
  if (before !== after) {
    renewOrder(entities, index);
    if (isTarget(pairs, index)) followTarget(world, ChildOf, index, after);
    if (to === from && graph.journal.reading) noteLinkMove(world, index);
  }
  if (to !== from) tidyLeft(world, from);
  if ((needs & NEEDS_DEPTHS) !== 0 && isTarget(pairs, index)) followOthers(world, index, was, is);
  if (was !== is && (needs & NEEDS_BUILTIN) !== 0) reactToBuiltins(world, index, was, is);
  if (isOtherwise) world.slots.settleDisabled!(world, index, after);
}

/** The records of other relations that keep depths follow the targets that an entity has now. */
function followOthers(world: World, index: number, was: Shape, is: Shape): void {
  for (const relation of new Set([...was.definitions, ...is.definitions])) {
    if (!relation.keepsDepth || relation === ChildOf || relation === Parent) continue;
    followTarget(world, relation, index, pairAt(world, index, relation));
  }
}

/** A child that stores its parent by value got another parent without leaving its row. */
export function noteLinkMove({ graph }: World, index: number): void {
  note(graph.journal, LOOSE_MOVED, index);
  if (isTarget(graph.pairs, index)) note(graph.journal, TARGET_MOVED, index);
}

/** What core itself does when an entity gets or loses a builtin. */
export function reactToBuiltins(world: World, index: number, was: Shape, is: Shape): void {
  const hadList = hasDefinition(was, OrderedChildren);
  const hasList = hasDefinition(is, OrderedChildren);
  if (hasList && !hadList) listChildren(world, index);
  if (hadList && !hasList) unlistChildren(world, index);
  if (hasDefinition(was, DisabledTree) !== hasDefinition(is, DisabledTree))
    world.slots.disableBelow!(world, index);
}
