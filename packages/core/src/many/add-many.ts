// `addMany`, with the same values or one for each (`addColumn`): checks for all (`callAllChecks`), then one change; `name-taken`.
import { TreelineError } from "../base/error.ts";
import { archetypeWith, roomyTableFor } from "../graph/graph.ts";
import {
  addRequired,
  type Component,
  type Definition,
  type ListTerm,
  type PlainTerm,
  type SpawnTerm,
} from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { NO_DEFAULT } from "../id/field.ts";
import { findPair } from "../id/pair-index.ts";
import { type Archetype, columnOf, inherits, NEEDS_BUILTIN, NEEDS_HOOKS } from "../storage/archetype.ts";
import type { TableNumber } from "../storage/table.ts";
import { collectValues, writeTerms } from "../world/change/collect.ts";
import { gain, goalAt, NEEDS_PAIRS, NEEDS_REQUIRED, needsFor, wantPairsOf } from "../world/change/goal.ts";
import {
  callAcceptList,
  callChecks,
  checkEach,
  checkTogether,
  requiredFirst,
} from "../world/change/hook-calls.ts";
import { moveEntity } from "../world/change/move-entity.ts";
import {
  checkTerms,
  copyTerms,
  definitionOfTerm,
  isParental,
  liveTerms,
  plainTerms,
  requireDifferent,
  targetOfTerm,
  valueOfTerm,
} from "../world/change/terms.ts";
import { hooksOf } from "../world/state/hooks.ts";
import type { Change, Goal } from "../world/state/plans.ts";
import { requireAlive, requirePlace, requireRoomAt } from "../world/state/require.ts";
import { hasPairAt, parentIndexAt } from "../world/state/targets.ts";
import { archetypeAt, hasAt, rowAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { changesOfAddition, requiredAt } from "../world/verb/add.ts";
import { changeList, type ListChange, NOTHING } from "./change-list.ts";
import { changeOrDefer, indexesIn, isListTerm, requireArray, requireSameLength, termAt } from "./list.ts";
import { destroyWithParent, reparentList } from "./reparent-many.ts";

/**
 * Adds components, tags and pairs to several entities, which get the same values: `add` for each in the order of the list, but all or
 * nothing. One that is listed twice counts once, at its first place. `Name.each(texts)` gives each its own value.
 *
 * `check` hooks are called for all before the first one changes: `checkMoves`, or else `check` for each. Observers are notified entity
 * by entity; the changes that they make follow at the end. Inside an iteration it is deferred to the end, without those that are
 * destroyed by then.
 *
 * @cost as `add` for each, but destinations are found once for each table that the entities leave.
 * @throws TreelineError `bad-value` if it is no list, or a value does not fit; `dead-entity` if one of the list or a target is not
 *   alive; `cycle`, `full`, `bad-term`, `refused`, `capacity`, `iterating` and `bad-definition` as `add`; `name-taken` if a value
 *   that identifies entities is given to several; and what a `check` hook throws. Nothing has changed then.
 *
 * @example
 * addMany(world, crates, Weight({ kilos: 20 }), ChildOf(hold));
 */
export function addMany(
  world: World,
  entities: readonly Entity[],
  ...terms: (SpawnTerm | Component | ListTerm)[]
): void {
  const lists = terms.filter(isListTerm);
  const singles = terms.map((term) => (isListTerm(term) ? termAt(term, 0) : (term as SpawnTerm)));
  const given = plainTerms(world, singles);
  checkTerms(world, given);
  if (given.length > 1) requireDifferent(given);
  const places: number[] = [];
  const indexes = indexesIn(world, "addMany", entities, (place) => places.push(place));
  for (const { each, list } of lists) {
    requireArray(`${each.name}.each`, "values", list);
    requireSameLength("addMany", entities, list);
    if (each.kind === "relation")
      throw new TreelineError("bad-term", "addMany takes lists of values; for parents there is reparentMany");
  }
  if (indexes.length === 0 && lists.length > 0) return;
  collectValues(world, given, takerOf(world, indexes, given));
  for (let at = 0; at < entities.length; at++) requireAlive(world, entities[at]!); // a getter may have destroyed it
  const copies = copyTerms(world, given);
  const shared = copies.filter((_, at) => !isListTerm(terms[at]!));
  /** The lists, with the values of the entities that count. */
  const own = lists.map(({ each, list }): ListTerm => ({ each, list: places.map((place) => list[place]) }));
  const change = (isLeft?: (place: number) => boolean): void => {
    if (isLeft === undefined) {
      addToList(world, indexes, copies, own);
      return;
    }
    const isOn = (_: unknown, place: number): boolean => isLeft(place);
    const left = indexes.filter(isOn);
    const live = liveTerms(world, copies);
    if (live === undefined) destroyWithParent(world, left);
    else if (live.length > 0)
      addToList(
        world,
        left,
        live,
        own.map(({ each, list }) => ({ each, list: list.filter(isOn) })),
      );
  };
  if (world.deferDepth > 0) for (const term of copies) definitionOfTerm(term).installs?.(world.slots); // their values may be dropped
  changeOrDefer(world, indexes, change, shared);
  for (const list of own)
    for (const [at, place] of places.entries())
      world.slots.pending?.give(world, [entities[place]!], [termAt(list, at)]);
}

/** An entity that lacks a component without a default that is given without a value, if there is one: see `collectValues`. */
function takerOf(world: World, indexes: readonly number[], terms: readonly PlainTerm[]): number {
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (valueOfTerm(term) !== undefined || definition.fields[0]?.[1] !== NO_DEFAULT) continue;
    const lacking = indexes.find((index) => !hasAt(world, index, definition));
    if (lacking !== undefined) return lacking;
  }
  return indexes[0] ?? -1;
}

/** @param terms values are plain. @param lists for some of the terms, a value for each entity. */
function addToList(
  world: World,
  indexes: readonly number[],
  terms: readonly PlainTerm[],
  lists: readonly ListTerm[],
): void {
  if (lists.length === 1 && terms.length === 1 && addColumn(world, indexes, lists[0]!)) return;
  const givenAt = (at: number): readonly PlainTerm[] =>
    lists.length === 0
      ? terms
      : terms.map((term) => {
          const own = lists.find(({ each }) => each === definitionOfTerm(term));
          return own === undefined ? term : termAt(own, at);
        });
  const only = terms.length === 1 ? definitionOfTerm(terms[0]!) : undefined;
  if (only !== undefined && isParental(only)) {
    const target = indexOf(targetOfTerm(terms[0]!) as Entity);
    reparentList(world, indexes, new Array<number>(indexes.length).fill(target), only);
    return;
  }
  let needs = 0;
  const all = addRequired(terms.map(definitionOfTerm));
  for (const definition of all) needs |= needsFor(world, definition);
  const isRequiring = (needs & NEEDS_REQUIRED) !== 0;
  needs &= ~NEEDS_REQUIRED;
  const termsOf = isRequiring
    ? (at: number) => requiredFirst([...givenAt(at), ...requiredAt(world, indexes[at]!, terms)])
    : givenAt;
  if (isRequiring) for (const [at, index] of indexes.entries()) collectValues(world, termsOf(at), index);
  if ((needs & NEEDS_PAIRS) !== 0) for (const term of terms) requirePlaces(world, indexes, term);
  const calls = new Map<number, readonly Change[]>();
  for (const [at, index] of indexes.entries()) {
    if ((needs & NEEDS_HOOKS) === 0 && archetypeAt(world, index).hooked.length === 0) continue;
    const changes = changesOfAddition(world, index, termsOf(at));
    if (changes.length > 0) calls.set(index, changes);
  }
  callAllChecks(world, [...calls.values()]);
  const goalOf = (index: number, at: number): Goal => {
    const goal = goalAt(world, index);
    goal.needs = needs;
    for (const term of isRequiring ? termsOf(at) : terms)
      gain(world, goal, definitionOfTerm(term), indexOf(targetOfTerm(term)));
    return goal;
  };
  world.slots.bits?.reserve(world, all as readonly PlainTerm[], indexes.length);
  collectValues(world, terms);
  const isPlain = needs === 0 && calls.size === 0 && lists.length === 0 && !isRequiring;
  const overrides = indexes.some((index) => isOverride(world, index, terms));
  // Entities of one table may lack different ones of what is required, where that is not in tables.
  const keyOf: ListChange["keyOf"] = isRequiring ? (_, __, at) => at : (_, table) => table;
  const change = { indexes, keyOf, goalOf, calls };
  if (!overrides)
    changeList(world, { ...change, termsOf, commit: isPlain ? committing(world, terms) : undefined });
  else changeList(world, { ...change, termsOf: (at) => completed(world, indexes[at]!, termsOf(at)) });
}

/** Does an entity get a value of its own instead of one that it inherits? */
function isOverride(world: World, index: number, terms: readonly PlainTerm[]): boolean {
  const archetype = archetypeAt(world, index);
  return terms.some((term) => inherits(archetype, definitionOfTerm(term)));
}

/** The terms of one entity, with the fields that it inherits and that are not given. */
function completed(world: World, index: number, terms: readonly PlainTerm[]): readonly PlainTerm[] {
  collectValues(world, terms);
  return world.slots.prefabs!.complete(world, index, terms) ?? terms;
}

/** @throws TreelineError as `requirePlace`; `full` if there is no room for all of them. */
function requirePlaces(world: World, indexes: readonly number[], term: PlainTerm): void {
  const relation = definitionOfTerm(term);
  if (relation.kind !== "relation") return;
  const target = indexOf(targetOfTerm(term) as Entity);
  for (const index of indexes) requirePlace(world, index, relation, target);
  if (relation.maxSubjects === 0) return;
  const pair = findPair(world.graph.pairs, relation.id, target);
  const added = indexes.filter((index) => pair === 0 || !hasPairAt(world, index, pair)).length;
  if (added > 0) requireRoomAt(world, relation, 0, target, added);
}

/**
 * Calls the `check` hooks of several entities that get values, before the first one does.
 *
 * @param calls by entity, in the order of the list.
 * @throws TreelineError `name-taken` if several get one value that identifies entities, and no hook can tell them apart.
 */
export function callAllChecks(world: World, calls: readonly (readonly Change[])[]): void {
  const all = calls.flat();
  if (all.length === 0) return;
  if (calls.length > 1) requireTellable(all);
  callChecks(world, all, (_, changes) => {
    if (calls.length === 1) checkEach(world, changes);
    else checkTogether(world, changes);
    for (const definition of new Set(all.map((change) => change.definition)))
      hooksOf(definition).checkAll?.(world, calls);
  });
}

/** @throws TreelineError `name-taken` if several entities get values that identify them, and no hook sees them together. */
function requireTellable(changes: readonly Change[]): void {
  const given = new Set(changes.filter(({ isGiven }) => isGiven).map(({ definition }) => definition));
  for (const definition of given) {
    const { identifies, checkMoves } = hooksOf(definition);
    if (identifies === undefined || checkMoves !== undefined) continue;
    let text = `${definition.name} needs checkMoves or single calls`;
    CHECK: text = `${definition.name} identifies entities, so they cannot share a value; give it to them one by one, or give it a \`checkMoves\` hook`;
    throw new TreelineError("name-taken", text);
  }
}

/** The common change: components and tags without side effects. Their values have been collected. */
function committing(world: World, terms: readonly PlainTerm[]): (world: World, index: number) => void {
  const hasValues = terms.some((term) => valueOfTerm(term) !== undefined);
  const move = moving(world, terms.map(definitionOfTerm));
  return (_, index) => {
    const archetype = move(index);
    if (hasValues) writeTerms(world, archetype, terms, rowAt(world, index));
  };
}

/** Returns a function that moves entities to the tables where they have some definitions without side effects. */
function moving(world: World, definitions: readonly Definition[]): (index: number) => Archetype {
  const { graph, entities } = world;
  let from: TableNumber = 0;
  let to: TableNumber = 0;
  let was = graph.root;
  let archetype = graph.root;
  return (index) => {
    const table = entities.table[index]!;
    if (table !== from) {
      from = table;
      archetype = was = archetypeAt(world, index);
      for (const definition of definitions) archetype = archetypeWith(graph, archetype, definition);
      to = roomyTableFor(graph, archetype, wantPairsOf(world, table), 1, table);
    }
    if (to !== table) moveEntity(world, index, to);
    if ((archetype.fixedNeeds & NEEDS_BUILTIN) !== 0)
      world.slots.prefabs?.reacted(world, index, was, archetype);
    return archetype;
  };
}

/**
 * Gives each of several entities a JavaScript value of its own, where nothing but hooks for lists is concerned.
 *
 * @returns false, with nothing changed, if something else is.
 */
function addColumn(world: World, indexes: readonly number[], { each, list }: ListTerm): boolean {
  const { acceptList } = hooksOf(each);
  const isPlain = each.holds === "values" && (needsFor(world, each) & ~NEEDS_HOOKS) === 0;
  if (!isPlain || world.slots.scopes !== undefined || (each.hooks !== undefined && acceptList === undefined))
    return false;
  const accepted = acceptList && callAcceptList(world, acceptList, indexes, list, parentsOf(world, indexes));
  const values = accepted?.values ?? list;
  const move = moving(world, [each]);
  let last: Archetype | undefined;
  let slot = 0;
  const goalOf = (index: number): Goal => {
    const goal = goalAt(world, index);
    goal.archetype = archetypeWith(world.graph, goal.archetype, each);
    return goal;
  };
  changeList(world, {
    indexes,
    keyOf: (_, table) => table,
    goalOf,
    termsOf: NOTHING,
    calls: new Map(),
    commit: (_, index, at) => {
      const archetype = move(index);
      if (archetype !== last) slot = columnOf(archetype, each)!.objectSlot;
      last = archetype;
      const row = rowAt(world, index);
      archetype.lanes.objects[slot]![row] = values[at];
      archetype.lanes.tracks?.written(each, row);
    },
    end: () => accepted?.written(indexes),
  });
  return true;
}

/** The indexes of the parents, 0 for roots. */
function parentsOf(world: World, indexes: readonly number[]): Int32Array {
  const parents = new Int32Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) parents[at] = parentIndexAt(world, indexes[at]!);
  return parents;
}
