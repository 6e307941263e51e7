import { ChildOf, DisabledTree, OrderedChildren, Parent } from "../../id/builtins.ts";
import { type Definition, PAIR_DISABLES, PAIR_LISTED } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-book.ts";
import { renewOrder } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import { LOOSE_MOVED, note, TARGET_MOVED } from "../../storage/journal.ts";
import {
  hasDefinition,
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_DEPTHS,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
  type Shape,
} from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { bitTagsAt, turnBit } from "../state/bit-tags.ts";
import { insideVisit, whileChanging } from "../state/lock.ts";
import type { Change, ChangeEvents, Effects, Goal } from "../state/plans.ts";
import { pairAt, rememberOrder } from "../state/targets.ts";
import { tellAll } from "../state/tell.ts";
import { rowAt, shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { loseOrderIn } from "./change-entity.ts";
import type { PlainTerm } from "./destination.ts";
import { ensureListed, listChildren, relink, unlistChildren } from "./family.ts";
import { tellRemoved, tellReplaced, tellSetTerms, tellWritten } from "./hook-calls.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { followTarget } from "./pair.ts";
import { gatherTerms, writeTerms } from "./spawn-plan.ts";

/** Announces a change of one entity, makes it, and tells of it, as far as it is needed. Room in table `to` has been made. */
export function applyChange(
  world: World,
  index: number,
  to: TableNumber,
  goal: Goal,
  needs: number,
  terms: readonly PlainTerm[],
  calls: readonly Change[],
  effects?: Effects,
): void {
  if ((needs & (NEEDS_HOOKS | NEEDS_OBSERVERS)) === 0) {
    commitChange(world, index, to, goal, terms, effects);
    return;
  }
  insideVisit(world, () => {
    const events: ChangeEvents = { removed: [], added: [] };
    if ((needs & NEEDS_OBSERVERS) !== 0) {
      const from = world.entities.table[index]!;
      const others: ChangeEvents = { removed: [], added: [] };
      effects?.list(others);
      const tags = tagsAfter(world, index, goal);
      world.slots.events!.list(world, events, index, from, to, goal.valuePair, tags);
      events.removed.push(...others.removed);
      events.added.unshift(...others.added);
    }
    whileChanging(world, () => {
      tellAll(world, events.removed);
      const { hooked } = shapeAt(world, index);
      const lost = hooked.filter((definition) => !hasDefinition(goal.shape, definition));
      if (lost.length > 0) tellRemoved(world, index, lost);
      if (terms.length > 0) gatherTerms(world, terms);
      commitChange(world, index, to, goal, terms, effects);
      if (calls.length > 0) tellWritten(world, index, calls);
    });
    tellAll(world, events.added);
    if (terms.length > 0) tellSetTerms(world, index, terms, calls);
    tellReplaced(world, index, calls);
  });
}

/** @param terms what `gatherTerms` has read last. */
function commitChange(
  world: World,
  index: number,
  to: TableNumber,
  { valuePair, place, added, tagged, untagged }: Goal,
  terms: readonly PlainTerm[],
  effects: Effects | undefined,
): void {
  commitMove(world, index, to, valuePair, place);
  effects?.commit();
  if (added.length > 0) rememberOrder(world, index, added);
  for (const tag of untagged) turnBit(world, index, tag, false);
  for (const tag of tagged) turnBit(world, index, tag, true);
  if (terms.length > 0)
    writeTerms(world, shapeAt(world, index), terms, world.entities.table[index]!, rowAt(world, index));
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

/**
 * Moves the row of an entity, and lets lists, order, depths and what is below it follow. Needs no memory of columns: room in `to`
 * has been made.
 *
 * @param place of a new parent: the index of the child that it will stand before; 0 for the end.
 */
function commitMove(
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
  if ((needs & NEEDS_ADDING_ORDER) !== 0 && to !== from) loseOrderIn(world, index, to);
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
