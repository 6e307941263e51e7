// `spawnRows`: rows appended by table (`insertInBulk`), or one group for each entity (`insertEach`); list terms; `bad-value`.
import { shown, TreelineError } from "../base/error.ts";
import { growAll } from "../base/growing.ts";
import { LAST_ORDER } from "../base/limits.ts";
import { AT_ONCE, closeIfIdle } from "../graph/graph.ts";
import { ChildOf } from "../id/builtins.ts";
import type { Component, Definition, ListTerm, PlainTerm, SpawnTerm, Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { takes } from "../id/field.ts";
import { handleAt, isLiving, renewOrder, takeIndex } from "../records/entity-index.ts";
import { addJoins, type Joins } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import { copyValues } from "../storage/copy-rows.ts";
import { appendRows } from "../storage/rows.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { collectValues } from "../world/change/collect.ts";
import { insertGroups, joinLast, withManyRows, withReserved } from "../world/change/insert.ts";
import { ensurePair } from "../world/change/pair.ts";
import { knownPlan, newPlan } from "../world/change/spawn-plans.ts";
import {
  copyTerms,
  definitionOfTerm,
  isParental,
  targetOfTerm,
  wantPairsOfTerms,
} from "../world/change/terms.ts";
import { collectOne } from "../world/state/collected-values.ts";
import type { AcceptedList } from "../world/state/hooks.ts";
import { defer, mustDefer } from "../world/state/lock.ts";
import { type Change, type Group, groupOf, NO_CHANGES, type SpawnPlan } from "../world/state/plans.ts";
import { requireAlive } from "../world/state/require.ts";
import type { World } from "../world/state/world.ts";
import { planOf, requireRoomForEntities, termsFor } from "../world/verb/spawn.ts";
import { callAllChecks } from "./add-many.ts";
import { acceptSpawned, isAppendable, needsMoreBelow } from "./bulk.ts";
import { isListTerm, marksFor, requireArray, termAt } from "./list.ts";
import {
  requireTexts,
  type StagedRows,
  stagedColumn,
  stagedColumns,
  stagedValue,
  stageList,
  stageRows,
} from "./staged-rows.ts";

/** Returns the columns of a component of new entities, as `columns` of a run does: one typed array per field, or a list of values. */
export type ColumnsOfRows = <Columns>(what: Component<unknown, Columns>) => Columns;

/**
 * Spawns `count` entities by columns, each as by `spawn` with the terms, one after another: all of them or none.
 *
 * A list term gives each entity its own target or value: `ChildOf.each(parents)`, `Parent.each(parents)`, `Name.each(texts)`. `fill`
 * writes the other values: it is called once, before anything is spawned, with the columns of the new entities and their rows
 * `first <= row < end`, in the order of spawning; the columns hold the values of the terms and defaults. If it throws, nothing is spawned.
 * Structural changes that it makes follow at the end.
 *
 * Hooks are called before the first entity is spawned: `checkMoves` once for all, or else `check` for each. Observers are notified
 * entity by entity; the changes that they make follow at the end. Inside an iteration the entities are alive at once, and get what
 * they have when it ends.
 *
 * @cost where no observers, and no hooks other than those of `Name`, are concerned, rows are
 *   appended table by table, a few nanoseconds for each column and entity, and names enter their index together; otherwise as
 *   `spawn`. The columns are filled aside, and copied.
 * @param count a whole number of 0 or more.
 * @param terms as for `spawn`, and list terms, whose lists have `count` members.
 * @returns the handles, in the order of spawning.
 * @throws TreelineError as `spawn`; `bad-value` for a count that is none, a list of another length, and terms that are no list;
 *   `bad-term` if `fill` asks for columns of what is neither among the terms nor required by them; and what `fill` throws. Nothing has changed then.
 *
 * @example
 * const crates = spawnRows(world, 1000, [Position, ChildOf.each(decks)], (columns, first, end) => {
 *   const { x } = columns(Position);
 *   for (let row = first; row < end; row++) x[row] = row - first;
 * });
 */
export function spawnRows(
  world: World,
  count: number,
  terms: readonly (SpawnTerm | ListTerm)[],
  fill?: (columns: ColumnsOfRows, first: number, end: number) => void,
): Entity[] {
  if (!Number.isInteger(count) || count < 0)
    throw new TreelineError("bad-value", `spawnRows takes a whole number of 0 or more, not ${shown(count)}`);
  requireArray("spawnRows", "terms", terms);
  const lists = terms
    .filter(isListTerm)
    .map(({ each, list }) => ({ each, list: readList(world, each, list, count) }));
  const singles = terms.map(
    (term): SpawnTerm => (isListTerm(term) ? termAt(lists.find(({ each }) => each === term.each)!, 0) : term),
  );
  const given = termsFor(
    world,
    count === 0 ? (terms.filter((term) => !isListTerm(term)) as SpawnTerm[]) : singles,
  );
  const plan = planOf(world, given, 0);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  const copies = [...copyTerms(world, given), ...(plan.all.slice(given.length) as readonly PlainTerm[])];
  const isLater = world.deferDepth > 0 && mustDefer(world);
  const staged = stageRows(world, plan.all, copies, count);
  for (const { each, list } of lists) {
    const column = stagedColumn(staged, each);
    if (column !== undefined) stageList(staged, column, list);
  }
  const rows: Rows = { plan, terms: copies, lists, staged };
  return defer(world, () => {
    fill?.((what) => stagedColumns(staged, what), 0, count);
    CHECK: requireTexts(staged);
    if (isLater) return insertLater(world, rows);
    const spawned = insertInBulk(world, rows);
    if (spawned !== undefined) return spawned;
    return insertEach(world, rows, new Array<number>(count).fill(0));
  });
}

/** What is spawned. */
interface Rows {
  readonly plan: SpawnPlan;
  /** The terms of the first entity; values are plain. */
  readonly terms: readonly PlainTerm[];
  readonly lists: readonly ListTerm[];
  readonly staged: StagedRows;
}

/** A copy of a list. @throws TreelineError `bad-value`, `dead-entity`. */
function readList(
  world: World,
  each: Definition,
  list: readonly unknown[],
  count: number,
): readonly unknown[] {
  requireArray(`${each.name}.each`, each.kind === "relation" ? "entities" : "values", list);
  if (list.length !== count)
    throw new TreelineError(
      "bad-value",
      `${each.name}.each has ${list.length} members for ${count} entities`,
    );
  const copy = list.slice();
  if (each.kind === "relation") requireAllAlive(world, copy as Entity[]);
  else if (copy.includes(undefined))
    throw new TreelineError("bad-value", `${each.name}.each needs a value for each entity`);
  else {
    const field = each.fields[0]![1];
    for (const value of copy) if (!takes(field, value)) collectOne(world.collected, each, value); // refuses it
  }
  return copy;
}

/** @throws TreelineError `dead-entity` if one of the list is not alive. */
function requireAllAlive(world: World, list: readonly Entity[]): void {
  for (let at = 0; at < list.length; at++) requireAlive(world, list[at]!);
}

/** The terms of one entity, with its own values. */
function termsAt(world: World, { terms, lists, staged }: Rows, at: number): PlainTerm[] {
  return terms.map((term) => {
    const definition = definitionOfTerm(term);
    const list = lists.find(({ each }) => each === definition);
    if (list !== undefined && definition.kind === "relation") return termAt(list, at);
    const value = stagedValue(world, staged, definition, at);
    return value === undefined ? term : ({ definition, target: 0, value } as Term as PlainTerm);
  });
}

/** Spawns the entities at the end of the iteration, in their order; those whose target is not alive then as `spawn` does. */
function insertLater(world: World, rows: Rows): Entity[] {
  const { terms, lists, staged } = rows;
  const ownTargets = lists.filter(({ each }) => each.kind === "relation");
  const shared = terms.filter((term) => !ownTargets.some(({ each }) => each === definitionOfTerm(term)));
  collectValues(world, shared);
  const spawned = world.slots.spawnDeferred!(world, staged.count, true, shared, (_, live, indexes) => {
    insertEach(world, { ...rows, terms: [...live, ...ownTargets.map((list) => termAt(list, 0))] }, indexes);
  });
  const { pending } = world.slots;
  for (const [at, entity] of spawned.entries()) pending!.give(world, [entity], termsAt(world, rows, at));
  return spawned;
}

/**
 * Spawns entities by groups of one each: check, reserve, announce, commit, notify.
 *
 * @param indexes those of pending entities, else 0.
 */
function insertEach(world: World, rows: Rows, indexes: readonly number[]): Entity[] {
  const groups: Group[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const own = termsAt(world, rows, at);
    const isDead = (term: PlainTerm): boolean =>
      definitionOfTerm(term).kind === "relation" && !isLiving(world.entities, targetOfTerm(term));
    const live = indexes[at] === 0 ? own : own.filter((term) => !isDead(term));
    const goes = live.length < own.length && !world.dropsOrphans;
    if (goes && own.some((term) => isDead(term) && definitionOfTerm(term).onTargetDestroy === "delete"))
      continue;
    groups.push(groupOf(knownPlan(world, live) ?? newPlan(world, live), live, [indexes[at]!]));
  }
  if (groups.length === 0) return [];
  insertChecked(world, groups);
  return groups.map((group) => handleAt(world.entities, group.indexes[0]!));
}

/** Spawns entities by groups of one each, and calls the `check` hooks of all before the first one is spawned. */
export function insertChecked(world: World, groups: readonly Group[]): void {
  if (groups.length === 1) collectValues(world, groups[0]!.terms);
  let calls: ReadonlyMap<Group, readonly Change[]> | undefined;
  insertGroups(world, groups, withManyRows, (_, group) => {
    calls ??= checkAll(world, groups);
    return [calls.get(group) ?? NO_CHANGES];
  });
}

/**
 * Calls the `check` hooks of all, before the first one is spawned.
 *
 * @param isChecked which changes. Default: all. @returns the changes for the other hooks of each.
 */
export function checkAll(
  world: World,
  groups: readonly Group[],
  isChecked?: (change: Change) => boolean,
): ReadonlyMap<Group, readonly Change[]> {
  const calls = new Map<Group, readonly Change[]>();
  for (const group of groups) {
    if (!group.terms.some((term) => definitionOfTerm(term).hooks !== undefined)) continue;
    collectValues(world, group.terms);
    calls.set(group, world.slots.changesOfSpawn!(world, group.terms));
  }
  const checked = [...calls.values()];
  callAllChecks(world, isChecked === undefined ? checked : checked.map((own) => own.filter(isChecked)));
  return calls;
}

/**
 * Appends rows table by table, where nothing needs a stage for each entity.
 *
 * @returns `undefined`, with nothing changed, if something does.
 */
function insertInBulk(world: World, rows: Rows): Entity[] | undefined {
  const { plan, terms, lists, staged } = rows;
  const { archetype } = plan;
  const { graph } = world;
  if (!isAppendable(world, archetype) || plan.tags.length > 0) return undefined;
  if (lists.some(({ each }) => each.kind === "relation" && !isParental(each))) return undefined;
  const parental = terms.find((term) => isParental(definitionOfTerm(term)));
  const { count } = staged;
  const groups = groupByParent(world, rows, parental);
  const { targets, counts } = groups;

  const made: PairNumber[] = [];
  const parentPairs = new Int32Array(targets.length);
  let isSimple = true;
  for (let group = 0; group < targets.length && isSimple; group++) {
    const pair = parental === undefined ? 0 : ensurePair(world, ChildOf, targets[group]!);
    parentPairs[group] = pair;
    if (pair !== 0) made.push(pair);
    isSimple = !needsMoreBelow(world, pair);
  }
  const pairs = isSimple ? [...graph.wanted.subarray(0, wantPairsOfTerms(world, terms))] : [];
  made.push(...pairs);
  try {
    if (!isSimple) return undefined;
    const accepted = accept(world, rows, groups);
    growEntities(world, count);
    let spawned: Entity[] = [];
    const joins: Joins = new Map();
    for (const [group, pair] of parentPairs.entries()) addJoins(joins, pair, counts[group]!);
    withReserved(world, [{ type: { archetype, pairs }, count }], [], joins, ([table]) => {
      spawned = commitInBulk(world, archetype, staged, groups, parentPairs, table!);
      accepted?.written(staged.lanes.i32);
    });
    return spawned;
  } finally {
    for (const pair of made) if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
  }
}

export function growEntities(world: World, count: number): void {
  const { entities } = world;
  const indexes = entities.length + Math.max(0, count - entities.free);
  if (indexes > entities.table.length) growAll(entities, indexes);
}

/** Rows by parent. */
interface Groups {
  readonly groupOfRow: Int32Array;
  /** By group: the index of the parent, 0 without one. */
  readonly targets: readonly number[];
  /** By group: how many rows. */
  readonly counts: readonly number[];
}

/** The entities of one parent are a group. */
function groupByParent(
  world: World,
  { lists, staged: { count } }: Rows,
  parental: PlainTerm | undefined,
): Groups {
  const groupOfRow = new Int32Array(count);
  const parents = lists.find(({ each }) => isParental(each))?.list as readonly Entity[] | undefined;
  if (parents === undefined)
    return {
      groupOfRow,
      targets: [parental === undefined ? 0 : indexOf(targetOfTerm(parental))],
      counts: [count],
    };
  const targets: number[] = [];
  const counts: number[] = [];
  const marks = marksFor(world);
  for (let at = 0; at < count; at++) {
    const target = indexOf(parents[at]!);
    let group = marks[target]! - 1;
    if (group < 0) {
      group = targets.length;
      marks[target] = group + 1;
      targets.push(target);
      counts.push(0);
    }
    groupOfRow[at] = group;
    counts[group]!++;
  }
  for (const target of targets) marks[target] = 0;
  return { groupOfRow, targets, counts };
}

/** Calls the hooks for lists, if the rows have a component with them, and makes what these return the column. */
function accept(
  world: World,
  { plan, staged }: Rows,
  { groupOfRow, targets }: Groups,
): AcceptedList<unknown> | undefined {
  const [hooked] = plan.archetype.hooked;
  if (hooked === undefined) return undefined;
  const column = stagedColumn(staged, hooked)!;
  const parents = new Int32Array(staged.count);
  for (let at = 0; at < parents.length; at++) parents[at] = targets[groupOfRow[at]!]!;
  const values = staged.lanes.objects[column.objectSlot]!.slice(0, staged.count);
  const accepted = acceptSpawned(world, hooked, values, parents);
  stageList(staged, column, accepted.values);
  return accepted;
}

function commitInBulk(
  world: World,
  archetype: Archetype,
  { lanes: source, count }: StagedRows,
  { groupOfRow }: Groups,
  parentPairs: Int32Array,
  table: TableNumber,
): Entity[] {
  const { entities } = world;
  const { lanes } = archetype;
  const first = appendRows(world.graph, archetype, count);
  lanes.tracks?.markSpawned(first, first + count);
  const { i32 } = source;
  const spawned = new Array<Entity>(count);
  for (let from = 0; from < count; from += AT_ONCE) {
    const end = Math.min(from + AT_ONCE, count);
    for (let at = from; at < end; at++) {
      const index = takeIndex(entities);
      entities.table[index] = table;
      entities.row[index] = first + at;
      if (entities.lastOrder === LAST_ORDER) renewOrder(entities, index);
      else entities.order[index] = ++entities.lastOrder;
      i32[at] = index;
      spawned[at] = handleAt(entities, index);
      joinLast(world, archetype, table, parentPairs[groupOfRow[at]!]!, index);
    }
    copyValues(source, from, lanes, first + from, end - from);
  }
  return spawned;
}
