// What an entity will be after a change (`goalAt`, `gain`, `lose`), and what that needs (`needsFor`).
import { grownInt32 } from "../../base/growing.ts";
import { archetypeWith, archetypeWithout, type Graph } from "../../graph/graph.ts";
import { ChildOf, ComponentEntity, Parent } from "../../id/builtins.ts";
import { type Definition, PAIR_EXCLUSIVE, PAIR_KEEPS_DEPTH } from "../../id/definition.ts";
import { type Archetype, NEEDS_HOOKS, NEEDS_OBSERVERS, NEEDS_SYMMETRIC } from "../../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import type { Goal } from "../state/plans.ts";
import type { World } from "../state/world.ts";
import { ensurePair } from "./pair.ts";

const NO_PAIRS: readonly PairNumber[] = [];

/** Inserts a pair number into the sorted first `count` of `graph.wanted`. @returns the new count. */
export function wantPair({ graph }: World, pair: number, count: number): number {
  graph.wanted = grownInt32(graph.wanted, count + 1);
  const { wanted } = graph;
  let at = count;
  while (at > 0 && wanted[at - 1]! > pair) at--;
  if (at > 0 && wanted[at - 1] === pair) return count;
  for (let place = count; place > at; place--) wanted[place] = wanted[place - 1]!;
  wanted[at] = pair;
  return count + 1;
}

/** Removes a pair number from the sorted first `count` of `graph.wanted`, if it is there. @returns the new count. */
export function unwantPair({ graph }: World, pair: number, count: number): number {
  const { wanted } = graph;
  let left = 0;
  for (let at = 0; at < count; at++) if (wanted[at] !== pair) wanted[left++] = wanted[at]!;
  return left;
}

/** Fills `graph.wanted` with the pairs of a table. @returns how many. */
export function wantPairsOf({ graph }: World, table: TableNumber): number {
  const first = graph.tables.nodes[table]!;
  const count = graph.tables.pairs[table]!;
  // It has had at least this length since the table was made.
  for (let place = 0; place < count; place++) graph.wanted[place] = graph.records.nodePair[first + place]!;
  return count;
}

/** The goal, set to the present state of the entity at an index. A world has only one: it is valid until the next call. */
export function goalAt(world: World, index: number): Goal {
  const { goal, graph, entities } = world;
  const from = entities.table[index]!;
  const archetype = graph.archetypes[graph.tables.archetype[from]!]!;
  goal.index = index;
  goal.archetype = archetype;
  goal.count = archetype.hasPairs ? wantPairsOf(world, from) : 0;
  goal.parentPair = entities.family[index]!;
  goal.place = 0;
  goal.needs = 0;
  goal.added = NO_PAIRS;
  goal.turned = undefined;
  return goal;
}

/** In addition to NEEDS_ bits: pairs are added or removed; tags are bits; and lists, depths, orders, or reactions to builtins. */
export const NEEDS_PAIRS = 1024;
export const NEEDS_BITS = 2048;
export const NEEDS_MORE = 4096;
/** It requires others: see `completeAt`. */
export const NEEDS_REQUIRED = 8192;

/**
 * What else is needed, in addition to moving its row, when an entity gets or loses a definition, or a pair of it. Installs what
 * changes definitions that are not in tables.
 */
export function needsFor({ events, slots }: World, definition: Definition): number {
  const { id } = definition;
  let observed = observedOf(events, definition);
  let needs = definition.hooks === undefined ? 0 : NEEDS_HOOKS;
  if (definition.kind === "relation") {
    needs |= NEEDS_PAIRS;
    const isPlain = (definition.pairTraits & (PAIR_KEEPS_DEPTH | PAIR_EXCLUSIVE)) === PAIR_EXCLUSIVE;
    if (definition === Parent) observed |= observedOf(events, ChildOf);
    else if (definition !== ChildOf && !isPlain) needs |= NEEDS_MORE;
    if (definition.symmetric) needs |= NEEDS_SYMMETRIC;
  } else if (id <= ComponentEntity.id) needs |= NEEDS_MORE;
  if (definition.storage !== "table") {
    definition.installs?.(slots);
    needs |= NEEDS_BITS;
  }
  if (definition.requires !== undefined) needs |= NEEDS_REQUIRED;
  return (observed & ~OBSERVES.reordered) === 0 ? needs : needs | NEEDS_OBSERVERS;
}

/**
 * Adds a component, tag or pair to the goal; a pair of an exclusive relation replaces the present one. The caller sets the needs.
 */
export function gain(world: World, goal: Goal, definition: Definition, target: number): void {
  const { graph } = world;
  if (definition.storage !== "table") {
    turn(goal, definition, true, target);
    return;
  }
  if (definition.kind !== "relation") {
    goal.archetype = archetypeWith(graph, goal.archetype, definition);
    return;
  }
  const pair = ensurePair(world, definition, target);
  if (definition === ChildOf || definition === Parent) {
    gainParent(world, goal, pair, definition === Parent);
    return;
  }
  const count = wantPair(world, pair, goal.count);
  if (count === goal.count) return;
  const old = definition.exclusive ? wantedOf(graph, definition.id, pair, count) : 0;
  if (old === 0) goal.archetype = archetypeWith(graph, goal.archetype, definition);
  goal.count = old === 0 ? count : unwantPair(world, old, count);
  if (!definition.exclusive) goal.added = [...goal.added, pair];
}

function turn(goal: Goal, definition: Definition, on: boolean, target?: number): void {
  (goal.turned ??= []).push({ definition, on, target });
}

/** Removes a component or tag from the goal, if it is there, or all pairs of a sparse relation. */
export function lose(world: World, goal: Goal, definition: Definition): void {
  goal.needs |= needsFor(world, definition);
  if (definition.storage !== "table") turn(goal, definition, false);
  else goal.archetype = archetypeLeft(world, goal.index, goal.archetype, definition);
}

/** The archetype of an entity without a component or tag, which an instance inherits again. */
export function archetypeLeft(
  world: World,
  index: number,
  archetype: Archetype,
  definition: Definition,
): Archetype {
  const { left } = world.slots.prefabs ?? {};
  return left?.(world, index, archetype, definition) ?? archetypeWithout(world.graph, archetype, definition);
}

/** Another one of the wanted pairs of a relation, or 0. */
function wantedOf({ pairs, wanted }: Graph, relation: number, pair: PairNumber, count: number): PairNumber {
  for (let at = 0; at < count; at++) {
    const one = wanted[at]!;
    if (one !== pair && pairs.relation[one] === relation) return one;
  }
  return 0;
}

/** Sets the parent in the goal, replacing the present one. @param byValue the storage: `Parent`, else `ChildOf`. */
export function gainParent(world: World, goal: Goal, pair: PairNumber, byValue: boolean): void {
  const { graph } = world;
  const { archetype } = goal;
  const before = goal.parentPair;
  goal.parentPair = pair;
  goal.needs |= needsFor(world, Parent);
  const bare =
    archetype.hasValueParent === byValue
      ? archetype
      : archetypeWithout(graph, archetype, byValue ? ChildOf : Parent);
  goal.archetype = archetypeWith(graph, bare, byValue ? Parent : ChildOf);
  world.slots.prefabs?.gain(world, goal, before, pair);
}

/** Removes a pair from the goal; (ChildOf, parent) in either storage. */
export function losePairOf(world: World, goal: Goal, pair: PairNumber): void {
  const { graph } = world;
  const id = graph.pairs.relation[pair]!;
  const isParent = pair === goal.parentPair;
  const sparse = graph.sparse[id]?.definition;
  const relation =
    sparse ??
    (isParent
      ? goal.archetype.hasValueParent
        ? Parent
        : ChildOf
      : goal.archetype.definitions.find((definition) => definition.id === id)!);
  goal.needs |= needsFor(world, relation);
  if (sparse !== undefined) {
    turn(goal, sparse, false, graph.pairs.target[pair]);
    return;
  }
  if (isParent) goal.parentPair = 0;
  else goal.count = unwantPair(world, pair, goal.count);
  // An archetype has a relation once, or, if its pairs carry values, once for each of them.
  if (relation.holds !== "nothing" || isParent || wantedOf(graph, id, pair, goal.count) === 0)
    goal.archetype = archetypeWithout(graph, goal.archetype, relation);
  world.slots.prefabs?.gain(world, goal, pair, 0);
}
