import { closeIfIdle, type Graph, openPair, spareTableBelow } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, OrderedChildren, Parent, Prefab } from "../../id/builtins.ts";
import { type Definition, PAIR_DISABLES, PAIR_IN_PREFAB } from "../../id/definition.ts";
import { generationOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-index.ts";
import { handleAt, sortByOrder } from "../../records/entity-index.ts";
import { linkBelow, unlinkRecord } from "../../records/pair-records.ts";
import {
  CONCERNS_MORE,
  clearValuePair,
  closeList,
  firstInList,
  isListed,
  linkBefore,
  nextInList,
  openList,
  setValuePair,
  unlink,
  valueCountOf,
  valuePairOf,
} from "../../records/sibling-links.ts";
import { type Archetype, hasDefinition, NEEDS_BUILTIN, NEEDS_HOOKS } from "../../storage/archetype.ts";
import { note, VALUE_PARENT_MOVED } from "../../storage/journal.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { pairAt, parentPairAt, subjectIndexes } from "../state/targets.ts";
import { archetypeAt } from "../state/values.ts";
import type { Slots, World } from "../state/world.ts";
import { disablesBelow } from "./disabled.ts";

/**
 * The number of a pair, interned if it is new; for Parent that of (ChildOf, target). For a relation that records depths, the
 * record of a new pair hangs below the record of its target's own pair. The caller adds the pair to an entity, or calls
 * `closeIfIdle`.
 */
export function ensurePair(world: World, relation: Definition, target: number): PairNumber {
  const { graph } = world;
  const stored = relation === Parent ? ChildOf : relation;
  const known = findPair(graph.pairs, stored.id, target);
  if (known !== 0) return known;

  relation.installs?.(world.slots);
  const pair = openPair(graph, stored, target);
  if (stored.keepsDepth) world.slots.hangPair!(world, stored, pair, target);
  return pair;
}

/** Installs the slots for pairs of relations that record depths. */
export function installTree(slots: object): void {
  const filled = slots as Slots;
  filled.hangPair ??= hangPair;
  filled.leaveTree ??= leaveTree;
  filled.followTargets ??= followTargets;
}

/** Gives the record of a new pair its place in the tree; for a parent, also sets the traits that apply to its children. */
function hangPair(world: World, relation: Definition, pair: PairNumber, target: number): void {
  const { graph } = world;
  if (relation.id !== CHILD_OF) {
    const above = pairAt(world, target, relation);
    if (above !== 0) linkBelow(graph.records, pair, above);
    return;
  }
  const parent = archetypeAt(world, target);
  hangParent(world, pair, target, parent);
  if ((parent.fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(parent, OrderedChildren))
    openList(graph.links, pair);
}

/**
 * Hangs the record of a new parent pair below that of the parent's own; the pair's traits record whether its subjects are
 * disabled, or parts of a prefab.
 */
function hangParent(world: World, pair: PairNumber, parent: number, archetype: Archetype): void {
  const { fixedNeeds, bits } = archetype;
  const { pairs, records } = world.graph;
  const above = parentPairAt(world, parent);
  if (above !== 0) linkBelow(records, pair, above);
  if (((fixedNeeds & NEEDS_BUILTIN) !== 0 || bits !== undefined) && disablesBelow(world, parent))
    pairs.traits[pair]! |= PAIR_DISABLES;
  if ((fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(archetype, Prefab))
    pairs.traits[pair]! |= PAIR_IN_PREFAB;
}

/** No entity has a pair any more: closes its list, and removes its record from the tree. */
export function leaveTree({ links, records }: Graph, pair: PairNumber): void {
  if (isListed(links, pair)) closeList(links, pair);
  unlinkRecord(records, pair);
  records.isStale[pair] = 0;
}

/** A spare table for the first child of an entity, with room for it; 0 if there is none. */
export function spareTableFor(world: World, archetype: Archetype, target: number): TableNumber {
  const { graph } = world;
  const parent = archetypeAt(world, target);
  if ((parent.fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(parent, OrderedChildren)) return 0;
  const table = spareTableBelow(graph, archetype, target);
  if (table === 0) return 0;
  hangParent(world, graph.tables.parentPair[table]!, target, parent);
  return table;
}

/** After an entity got another target of a relation that records depths (0: none): moves its own record below that target's. */
export function followTarget(world: World, relation: Definition, source: number, pair: PairNumber): void {
  const { pairs, records } = world.graph;
  const own = findPair(pairs, relation.id, source);
  if (own !== 0) linkBelow(records, own, pair);
}

/** For an entity that was a target before it got its row: moves the records of its pairs to their places. */
function followTargets(world: World, archetype: Archetype, index: number): void {
  for (const relation of new Set(archetype.definitions)) {
    if (!relation.keepsDepth) continue;
    const stored = relation === Parent ? ChildOf : relation;
    followTarget(world, stored, index, pairAt(world, index, stored));
  }
}

/**
 * Creates the list of a parent's children, in their present order, if there is none.
 *
 * @cost sorting them, once.
 */
export function ensureListed(world: World, pair: PairNumber): void {
  const { links, records } = world.graph;
  if (isListed(links, pair)) return;
  if (records.tables[pair] === 0) openList(links, pair);
  else listPresent(world, pair);
}

/** Puts the present children of an entity into a new list, sorted by order number. */
export function listPresent(world: World, pair: PairNumber): void {
  const { graph, entities } = world;
  const present = sortByOrder(subjectIndexes(world, pair), entities.order);
  openList(graph.links, pair);
  for (const index of present) linkBefore(graph.links, pair, index, 0);
}

/** Puts an entity that has just got its row, with its parent stored by value, at the end of the list. */
export function linkLast(world: World, pair: PairNumber, index: number): void {
  const { links, journal } = world.graph;
  linkBefore(links, pair, index, 0);
  setValuePair(links, pair, index, linkGeneration(world, index));
  if (journal.reading) note(journal, VALUE_PARENT_MOVED, index);
}

/**
 * After OrderedChildren was removed from a parent: closes the list, unless a child needs it, or only the list has the sibling
 * order. Order numbers do not change then, since they are used for more than sibling order.
 */
export function unlist({ graph, entities }: World, pair: PairNumber): void {
  const { links } = graph;
  if (!isListed(links, pair) || valueCountOf(links, pair) > 0) return;
  const { order } = entities;
  for (let child = firstInList(links, pair), last = 0; child !== 0; child = nextInList(links, child)) {
    if (order[child]! < last) return;
    last = order[child]!;
  }
  closeList(links, pair);
}

/**
 * The generation field in the links of an entity with its parent stored by value: its generation, and whether a change of parent
 * concerns more than links.
 */
export function linkGeneration(world: World, index: number): number {
  const generation = generationOf(handleAt(world.entities, index));
  return concernsMore(archetypeAt(world, index)) ? generation + CONCERNS_MORE : generation;
}

/** Does a change of parent concern more than links, for an entity of this archetype? */
export function concernsMore({ fixedNeeds }: Archetype): boolean {
  return (fixedNeeds & (NEEDS_HOOKS | NEEDS_BUILTIN)) !== 0;
}

/**
 * Updates lists after an entity got another parent, or another storage for it, or before it is destroyed.
 *
 * @param move the pairs of the parents before and after, 0 for none; and the index of the child before which it is inserted, 0
 *   for the end.
 */
export function relink(
  world: World,
  index: number,
  { before, after, place }: { before: PairNumber; after: PairNumber; place: number },
  hasValueParent: boolean,
): void {
  const { graph } = world;
  const { links } = graph;
  const hadValueParent = valuePairOf(links, index) !== 0;
  if (hadValueParent) clearValuePair(links, index);
  if (before !== after) {
    if (before !== 0 && isListed(links, before)) unlink(links, before, index);
    if (after !== 0 && isListed(links, after)) linkBefore(links, after, index, place);
  }
  if (hasValueParent) setValuePair(links, after, index, linkGeneration(world, index));
  if (hadValueParent && before !== after) closeIfIdle(graph, before);
}
