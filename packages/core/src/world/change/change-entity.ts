// Makes the change of one entity: reserve, announce, commit, notify (`changeEntity`); fast path without effects (`changeArchetype`).
import { closeIfIdle, roomyTableFor } from "../../graph/graph.ts";
import { ChildOf, DisabledFromAbove, Parent } from "../../id/builtins.ts";
import { PAIR_DISABLES, type PlainTerm } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-index.ts";
import { renewOrder } from "../../records/entity-index.ts";
import { reserveBefore } from "../../records/families.ts";
import {
  type Archetype,
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_DEPTHS,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
} from "../../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { observedOf } from "../state/event-list.ts";
import { endDeferred, whileChanging, whileDeferred } from "../state/lock.ts";
import { notifyAll } from "../state/notify.ts";
import { type Change, type ChangeEvents, type Effects, type Goal, NO_CHANGES } from "../state/plans.ts";
import { hasPairAt, loseOrder, pairAt, parentPairAt, rememberOrder, tableHasPair } from "../state/targets.ts";
import { hookedAt, rowAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { collectValues, writeTerms } from "./collect.ts";
import { goalAt, losePairOf, wantPairsOf } from "./goal.ts";
import { callRemoved, callWritten } from "./hook-calls.ts";
import { moveEntity, noteMove, tidyLeft } from "./move-entity.ts";
import { followTarget, rejoin } from "./pair.ts";
import { copyTerms } from "./terms.ts";

const NO_TERMS: readonly PlainTerm[] = [];

/**
 * The common change: another archetype, with no other effects but those of prefabs, which the caller makes follow. Reserves room, then
 * moves the row. @throws as `changeEntity`.
 */
export function changeArchetype(world: World, index: number, archetype: Archetype): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const was = graph.archetypes[graph.tables.archetype[from]!]!;
  if (archetype === was) return;
  const count = was.hasPairs ? wantPairsOf(world, from) : 0;
  moveEntity(world, index, roomyTableFor(graph, archetype, count, 1, from));
  tidyLeft(world, from);
}

/**
 * Makes a planned change of an entity, after all checks: reserve, announce, commit, notify, as far as the added or removed
 * definitions need it.
 *
 * @param terms the terms whose values are written: the last ones that `collectValues` has read.
 * @param calls the changes that hooks have accepted.
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
  const { archetype, count, parentPair, place, needs } = goal;
  if (place !== 0) reserveBefore(graph.families, graph.entities, place);
  if ((needs & NEEDS_SYMMETRIC) !== 0 && slots.symmetric!.change(world, index, goal, terms, calls)) return;
  let to: TableNumber;
  try {
    const { table, family } = world.entities;
    const joined = parentPair === family[index] ? -1 : parentPair;
    to = roomyTableFor(graph, archetype, count, 1, table[index]!, joined);
  } catch (error) {
    if (parentPair !== 0) closeIfIdle(graph, parentPair);
    throw error;
  }
  if ((needs & (NEEDS_HOOKS | NEEDS_OBSERVERS)) === 0 && calls.length === 0)
    commit(world, index, to, goal, terms);
  else makeChange(world, index, to, goal, terms, calls);
}

/** Announces a change of one entity, makes it, and notifies observers. Room in table `to` has been reserved. */
export function makeChange(
  world: World,
  index: number,
  to: TableNumber,
  goal: Goal,
  terms: readonly PlainTerm[],
  calls: readonly Change[],
  effects?: Effects,
): void {
  const { entities } = world;
  const { turned } = goal; // an observer may make other changes
  const copies = terms.length > 0 ? copyTerms(world, terms) : terms;
  whileDeferred(world, () => {
    const events: ChangeEvents = { removed: [], added: [] };
    if ((goal.needs & NEEDS_OBSERVERS) !== 0) {
      world.slots.events!.list(world, events, index, entities.table[index]!, to, goal.parentPair, goal);
      if (effects !== undefined) {
        const others: ChangeEvents = { removed: [], added: [] };
        effects.list(others);
        events.removed.push(...others.removed);
        events.added.unshift(...others.added);
      }
    }
    whileChanging(world, () => {
      notifyAll(world, events.removed);
      const hooked = hookedAt(world, index);
      if (hooked.length > 0) {
        const lost = hooked.filter((one) =>
          one.storage === "table"
            ? !goal.archetype.definitions.includes(one)
            : turned?.some(({ definition, on }) => definition === one && !on),
        );
        if (lost.length > 0) callRemoved(world, index, lost);
      }
      if (copies.length > 0) collectValues(world, copies);
      commit(world, index, to, goal, copies, effects);
      if (calls.length > 0) callWritten(world, index, calls);
    });
    notifyAll(world, events.added);
    world.slots.events?.set(world, index, calls, copies);
  });
}

/**
 * Moves the row of an entity; updates lists, order, depths, the entities below it and the other sides of pairs; then writes
 * values. Allocates no memory for columns: room in `to` has been reserved.
 *
 * @param terms the last ones that `collectValues` has read.
 */
function commit(
  world: World,
  index: number,
  to: TableNumber,
  { parentPair: after, place, added, turned }: Goal,
  terms: readonly PlainTerm[],
  effects?: Effects,
): void {
  const { graph, entities } = world;
  const { tables, pairs, archetypes } = graph;
  const from = entities.table[index]!;
  const was = archetypes[tables.archetype[from]!]!;
  const is = archetypes[tables.archetype[to]!]!;
  const needs = was.fixedNeeds | is.fixedNeeds;
  const before = entities.family[index]!;
  // Observers of the disabled state from above are notified after the whole change has been made.
  const isObserved = observedOf(world.events, DisabledFromAbove) !== 0;
  if (isObserved) world.deferDepth++;
  const disablingDiffers = ((pairs.traits[before]! ^ pairs.traits[after]!) & PAIR_DISABLES) !== 0;
  if (to !== from) {
    if ((needs & NEEDS_ADDING_ORDER) !== 0) loseOrderIn(world, index, to);
    moveEntity(world, index, to);
  }
  rejoin(world, index, { before, after, place }, was.hasValueParent, is.hasValueParent);
  if (before !== after) {
    renewOrder(entities, index);
    if (isTarget(pairs, index)) followTarget(world, ChildOf, index, after);
    if (to === from && graph.journal.reading) noteMove(world, index);
    if (graph.journal.reading) world.slots.markTargets?.(world, index, 0);
  }
  if (to !== from) tidyLeft(world, from);
  if ((needs & NEEDS_DEPTHS) !== 0 && isTarget(pairs, index)) followOthers(world, index, was, is);
  if ((needs & NEEDS_BUILTIN) !== 0) world.slots.disableBelow?.(world, index);
  if (disablingDiffers) world.slots.settleDisabled!(world, index, after);
  effects?.commit();
  if (added.length > 0) rememberOrder(world, index, added);
  if (turned !== undefined) world.slots.bits!.turn(world, index, turned);
  if (terms.length > 0) writeTerms(world, is, terms, rowAt(world, index));
  if ((needs & NEEDS_BUILTIN) !== 0) world.slots.prefabs?.reacted(world, index, was, is);
  if (isObserved) endDeferred(world, true);
}

/** Before an entity moves to another table: forgets the order of the pairs that it will not have there. */
function loseOrderIn(world: World, index: number, to: TableNumber): void {
  const lost = world.orders.get(index)?.filter((pair) => !tableHasPair(world, to, pair));
  if (lost !== undefined) loseOrder(world, index, lost);
}

/** Hangs the records of other relations that record depths below the targets that an entity has now. */
function followOthers(world: World, index: number, was: Archetype, is: Archetype): void {
  for (const relation of new Set([...was.definitions, ...is.definitions])) {
    if (!relation.keepsDepth || relation === ChildOf || relation === Parent) continue;
    followTarget(world, relation, index, pairAt(world, index, relation));
  }
}

/**
 * Removes pairs from an entity that has them; (ChildOf, parent) in either storage.
 *
 * @param calls the changes that hooks have accepted, if it loses its parent.
 */
export function losePairs(
  world: World,
  index: number,
  lost: readonly PairNumber[],
  calls: readonly Change[],
): void {
  const goal = goalAt(world, index);
  for (const pair of lost) losePairOf(world, goal, pair);
  changeEntity(world, index, goal, undefined, calls);
}

/** Removes the parent of a child, which becomes a root. @param calls the changes that hooks have accepted. */
export function loseParent(world: World, index: number, calls: readonly Change[]): void {
  losePairs(world, index, [parentPairAt(world, index)], calls);
}

/**
 * Removes a pair from an entity because its target is destroyed: no hook can refuse this. The other side of a symmetric pair is
 * destroyed as well, or is removed by a call of its own. Not for parents. Must be called inside an iteration.
 */
export function losePair(world: World, index: number, pair: PairNumber): void {
  if (!hasPairAt(world, index, pair)) return;
  const goal = goalAt(world, index);
  losePairOf(world, goal, pair);
  goal.needs &= ~NEEDS_SYMMETRIC;
  changeEntity(world, index, goal);
}
