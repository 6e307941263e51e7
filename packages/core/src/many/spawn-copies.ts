// Copies trees row by row, for instances of prefabs (`planCopies`, `spawnCopies`).
import { archetypeWith, closeIfIdle, movePlan, roomyTableFor } from "../graph/graph.ts";
import { ChildOf, isBuiltin, Parent } from "../id/builtins.ts";
import type { Definition, PlainTerm, SpawnTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { reserveFamily } from "../records/families.ts";
import {
  type Archetype,
  columnOf,
  NEEDS_BUILTIN,
  NEEDS_DEPTHS,
  NEEDS_HOOKS,
  NEEDS_TICKS,
} from "../storage/archetype.ts";
import { copyAcross, copyRows, copyRowsAcross, repeatRow } from "../storage/copy-rows.ts";
import { appendRows } from "../storage/rows.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { collectValues, writeTerms } from "../world/change/collect.ts";
import { joinLast, undoSpawns } from "../world/change/insert.ts";
import { ensurePair } from "../world/change/pair.ts";
import { knownPlan, newPlan } from "../world/change/spawn-plans.ts";
import {
  checkTerms,
  copyTerms,
  definitionOfTerm,
  isParental,
  isWhole,
  plainTerms,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
} from "../world/change/terms.ts";
import { type AcceptedList, hooksOf } from "../world/state/hooks.ts";
import { addPending } from "../world/state/lock.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { archetypeAt, readValue, rowAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { requireRoomForEntities } from "../world/verb/spawn.ts";
import { acceptSpawned, needsMoreBelow } from "./bulk.ts";
import { growEntities } from "./spawn-rows.ts";

/** An entity that is copied with others of its tree: parents come before children, and siblings are in order. */
export interface Original {
  readonly index: number;
  /** What a copy has, hidden definitions among them; without its parent. */
  readonly definitions: readonly Definition[];
  /** The place of the parent; -1 for the first. */
  readonly parent: number;
  readonly isValueParent: boolean;
}

/** The children of one original, in order. */
interface Brood {
  readonly parent: number;
  readonly places: readonly number[];
  /** By archetype. */
  readonly lots: readonly Lot[];
}

interface Lot {
  readonly archetype: Archetype;
  readonly places: readonly number[];
}

/** How a tree is copied row by row. Valid until an original gets another archetype or name, or the tree changes. */
export interface CopyPlan {
  readonly originals: readonly Original[];
  /** Handle of an original -> its place. */
  readonly places: ReadonlyMap<number, number>;
  readonly broods: readonly Brood[];
  /** The archetypes of copies but the first. */
  readonly archetypes: readonly Archetype[];
  /** The component with hooks for lists, such as names, and the places of originals below the first that have it. */
  readonly named: Definition | undefined;
  readonly namedPlaces: readonly number[];
  readonly namedValues: readonly unknown[];
  /** What the hook keeps of these values. */
  readonly hashes: number[];
  /** The last archetype of roots that was found to have no builtins but parents. */
  rootArchetype: Archetype | undefined;
  /** The indexes of one copy, while it is made. */
  readonly indexes: Int32Array;
}

/** NEEDS_ bits of rows that are copied; and of roots, which may have an exclusive pair. */
const COPIED: number = NEEDS_TICKS | NEEDS_HOOKS;
const COPIED_ROOT: number = NEEDS_TICKS | NEEDS_HOOKS | NEEDS_BUILTIN | NEEDS_DEPTHS;

/**
 * Plans the copies of a tree.
 *
 * @param link a component that copies get and originals do not have.
 * @returns `undefined` if rows are not enough: for pairs, what is in bits or sparse, builtins, hooks but those of names, and for
 *   originals that lack what their components require.
 */
export function planCopies(
  world: World,
  originals: readonly Original[],
  link: Definition,
): CopyPlan | undefined {
  const { graph, entities } = world;
  const places = new Map<number, number>();
  const all: Archetype[] = [];
  const namedPlaces: number[] = [];
  let named: Definition | undefined;
  for (const [place, { index, definitions, isValueParent }] of originals.entries()) {
    places.set(handleAt(entities, index), place);
    const source = archetypeAt(world, index);
    if (source.bits !== undefined) return undefined;
    let archetype = graph.root;
    if (!isWhole(definitions)) return undefined;
    for (const definition of definitions) {
      const isThere = definition.holds === "nothing" || definition === link || columnOf(source, definition);
      if (
        definition.kind === "relation" ||
        definition.storage !== "table" ||
        isBuiltin(definition) ||
        !isThere
      )
        return undefined;
      archetype = archetypeWith(graph, archetype, definition);
      if (definition.hooks === undefined) continue;
      const { fileNew, copy } = hooksOf(definition);
      if (fileNew === undefined || copy !== undefined || (named ?? definition) !== definition)
        return undefined;
      named = definition;
      if (place > 0) namedPlaces.push(place);
    }
    if (place > 0) all.push(archetypeWith(graph, archetype, isValueParent ? Parent : ChildOf));
  }
  const broods = broodsOf(originals, all);
  const indexes = new Int32Array(originals.length);
  const archetypes = [...new Set(all)];
  const namedValues = namedPlaces.map((place) => readValue(world, originals[place]!.index, named!));
  return {
    originals,
    places,
    broods,
    archetypes,
    named,
    namedPlaces,
    namedValues,
    hashes: [],
    rootArchetype: undefined,
    indexes,
  };
}

function broodsOf(originals: readonly Original[], archetypes: readonly Archetype[]): Brood[] {
  const broods = new Map<number, Brood & { readonly places: number[]; readonly lots: Lot[] }>();
  const lots = new Map<Brood, Map<Archetype, number[]>>();
  for (let place = 1; place < originals.length; place++) {
    const { parent } = originals[place]!;
    let brood = broods.get(parent);
    if (brood === undefined) {
      broods.set(parent, (brood = { parent, places: [], lots: [] }));
      lots.set(brood, new Map());
    }
    brood.places.push(place);
    const archetype = archetypes[place - 1]!;
    const lot = lots.get(brood)!.get(archetype);
    if (lot !== undefined) {
      lot.push(place);
      continue;
    }
    const places = [place];
    lots.get(brood)!.set(archetype, places);
    brood.lots.push({ archetype, places });
  }
  return [...broods.values()];
}

/** Terms of a user, checked, with plain copies of their values. @throws TreelineError as `spawn`. */
export function readSpawnTerms(world: World, terms: readonly SpawnTerm[]): readonly PlainTerm[] {
  if (terms.length === 0) return terms as readonly PlainTerm[];
  const plain = plainTerms(world, terms);
  checkTerms(world, plain);
  collectValues(world, plain);
  return copyTerms(world, plain);
}

/**
 * Spawns copies of a tree, row by row: all of them or none. The rows of one original are filled at once, or, where each parent has a table of
 * its own, copied from the first tree.
 *
 * @param numbers by place, what the field of `link` gets.
 * @param terms all terms of the copies of the first original: without values for what is copied; values of others are plain.
 * @returns the copies of the first original; `undefined`, with nothing changed, if something needs a stage for each entity: observers, hooks, lists of siblings,
 *   disabled parents, prefabs.
 * @throws TreelineError `capacity`; as `spawn` for `terms`. Nothing has changed then.
 */
export function spawnCopies(
  world: World,
  plan: CopyPlan,
  link: Definition,
  numbers: readonly number[],
  terms: readonly PlainTerm[],
  count: number,
): Entity[] | undefined {
  for (const archetype of plan.archetypes) if ((needsOf(world, archetype) & ~COPIED) !== 0) return undefined;
  if (world.slots.scopes !== undefined) return undefined;
  collectValues(world, terms);
  const root = knownPlan(world, terms) ?? newPlan(world, terms);
  const { archetype } = root;
  if (root.tags.length > 0 || (needsOf(world, archetype) & ~COPIED_ROOT) !== 0) return undefined;
  if (plan.rootArchetype !== archetype) {
    if (archetype.definitions.some((one) => isBuiltin(one) && !isParental(one))) return undefined;
    plan.rootArchetype = archetype;
  }
  const { hooked } = archetype;
  if (hooked.length > 1 || (hooked.length > 0 && (count > 1 || hooksOf(hooked[0]!).acceptList === undefined)))
    return undefined;
  const length = plan.originals.length;
  requireRoomForEntities(world, length * count);
  const copies: Copies = {
    world,
    plan,
    link,
    numbers,
    count,
    length,
    indexes: count === 1 ? plan.indexes : new Int32Array(length * count),
  };
  const made = ensureParent(world, terms);
  let accepted: AcceptedList<unknown> | undefined;
  let isDone = false;
  const { indexes } = copies;
  let spawned = 0;
  try {
    if (made !== 0 && needsMoreBelow(world, made)) return undefined;
    if (hooked.length > 0) {
      accepted = acceptRoot(world, hooked[0]!, terms);
      collectValues(world, terms);
    }
    growEntities(world, indexes.length);
    for (; spawned < indexes.length; spawned++) indexes[spawned] = addPending(world);
    copyRoots(copies, archetype, terms, made, accepted?.values[0]);
    for (let at = 0; at < plan.broods.length; at++) {
      copyBrood(copies, plan.broods[at]!);
    }
    fileNames(copies);
    const roots: Entity[] = [];
    for (let at = 0; at < count; at++) roots.push(handleAt(world.entities, indexes[at * length]!));
    accepted?.written([indexes[0]!]);
    isDone = true;
    return roots;
  } finally {
    if (!isDone) undoSpawns(world, Array.from(indexes.subarray(0, spawned)));
    if (made !== 0 && world.graph.pairs.relation[made] !== 0) closeIfIdle(world.graph, made);
  }
}

/** What is being copied. */
interface Copies {
  readonly world: World;
  readonly plan: CopyPlan;
  readonly link: Definition;
  readonly numbers: readonly number[];
  readonly count: number;
  /** Originals. */
  readonly length: number;
  /** Those of the copies, tree by tree. */
  readonly indexes: Int32Array;
}

/** The pair of the parent that terms name, interned; 0 for none. */
function ensureParent(world: World, terms: readonly PlainTerm[]): PairNumber {
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (isParental(definition)) return ensurePair(world, definition, indexOf(targetOfTerm(term) as Entity));
  }
  return 0;
}

function acceptRoot(world: World, named: Definition, terms: readonly PlainTerm[]): AcceptedList<unknown> {
  const term = terms.find((one) => definitionOfTerm(one) === named)!;
  const parent = terms.find((one) => isParental(definitionOfTerm(one)));
  const above = parent === undefined ? 0 : indexOf(targetOfTerm(parent) as Entity);
  return acceptSpawned(world, named, [valueOfTerm(term)], Int32Array.of(above));
}

function copyRoots(
  copies: Copies,
  archetype: Archetype,
  terms: readonly PlainTerm[],
  parent: PairNumber,
  name: unknown,
): void {
  const { world, count, length, indexes } = copies;
  const { graph } = world;
  const pairs = archetype.hasPairs ? wantPairsOfTerms(world, terms) : 0;
  const table = roomyTableFor(graph, archetype, pairs, count, 0, parent);
  const first = appendRows(graph, archetype, count);
  copyRow(copies, 0, archetype, first);
  writeTerms(world, archetype, terms, first);
  if (name !== undefined)
    archetype.lanes.objects[columnOf(archetype, archetype.hooked[0]!)!.objectSlot]![first] = name;
  if (count > 1) repeatRow(archetype.lanes, first, count);
  archetype.lanes.tracks?.markSpawned(first, first + count);
  placeRows(copies, 0, archetype, table, first);
  if (archetype.lanes.plan.entities.length > 0) {
    const given = terms.filter((term) => valueOfTerm(term) !== undefined).map(definitionOfTerm);
    pointInside(copies, archetype, first, new Set(given));
  }
  for (let at = 0; at < count; at++) joinLast(world, archetype, table, parent, indexes[at * length]!);
}

/** Gives adjacent rows, one for each tree, to the copies of one original. */
function placeRows(
  { world, count, length, indexes }: Copies,
  place: number,
  { lanes }: Archetype,
  table: TableNumber,
  row: number,
): void {
  const { i32 } = lanes;
  const { table: tableOf, row: rowOf } = world.entities;
  for (let at = 0; at < count; at++) {
    const index = indexes[at * length + place]!;
    tableOf[index] = table;
    rowOf[index] = row + at;
    i32[row + at] = index;
  }
}

/** Writes the row of a copy from that of its original, with its link. */
function copyRow(
  { world, plan, link, numbers }: Copies,
  place: number,
  archetype: Archetype,
  row: number,
): void {
  const { index } = plan.originals[place]!;
  const source = archetypeAt(world, index);
  copyAcross(movePlan(source, archetype), source.lanes, rowAt(world, index), archetype.lanes, row);
  const { lane } = columnOf(archetype, link)!.fields[0]!;
  archetype.lanes.u32[lane * archetype.lanes.stride + row] = numbers[place]!;
}

/** Writes adjacent rows from those of the originals of a lot, with their links. Copies have no columns but these and the link. */
function copyLot({ world, plan, link, numbers }: Copies, { archetype, places }: Lot, first: number): void {
  const { table, row } = world.entities;
  const { originals } = plan;
  const { lanes } = archetype;
  for (let at = 0; at < places.length; ) {
    const { index } = originals[places[at]!]!;
    let end = at + 1;
    for (; end < places.length; end++) {
      const next = originals[places[end]!]!.index;
      if (table[next] !== table[index] || row[next] !== row[index]! + end - at) break;
    }
    const source = archetypeAt(world, index);
    copyRowsAcross(
      movePlan(source, archetype),
      source.lanes,
      rowAt(world, index),
      lanes,
      first + at,
      end - at,
    );
    at = end;
  }
  const { lane } = columnOf(archetype, link)!.fields[0]!;
  const links = lane * lanes.stride + first;
  for (let at = 0; at < places.length; at++) lanes.u32[links + at] = numbers[places[at]!]!;
}

/** Gives adjacent rows to the copies of a lot in one tree. */
function placeLot(
  { world, length, indexes }: Copies,
  { archetype, places }: Lot,
  tree: number,
  table: TableNumber,
  row: number,
): void {
  const { table: tableOf, row: rowOf } = world.entities;
  const { i32 } = archetype.lanes;
  for (let at = 0; at < places.length; at++) {
    const index = indexes[tree * length + places[at]!]!;
    tableOf[index] = table;
    rowOf[index] = row + at;
    i32[row + at] = index;
  }
}

/** Children: all copies of one original are adjacent. */
function copyBrood(copies: Copies, { parent, lots, places: all }: Brood): void {
  const { world, count, length, indexes } = copies;
  const { graph, entities } = world;
  for (let tree = 0; tree < indexes.length; tree += length) {
    const pair = ensurePair(world, ChildOf, indexes[tree + parent]!);
    reserveFamily(graph.families, entities, pair, all.length);
  }
  for (let at = 0; at < lots.length; at++) {
    const lot = lots[at]!;
    const { archetype, places } = lot;
    const { lanes } = archetype;
    const rows = places.length * count;
    const table = roomyTableFor(graph, archetype, 0, rows, 0);
    const first = appendRows(graph, archetype, rows);
    copyLot(copies, lot, first);
    if (count === 1) placeLot(copies, lot, 0, table, first);
    else {
      // Rows of one original are next to each other, so that loops find what they inherit once.
      for (let place = places.length - 1; place >= 0; place--) {
        const own = first + place * count;
        if (place > 0) copyRows(lanes, first + place, lanes, own, 1);
        repeatRow(lanes, own, count);
        placeRows(copies, places[place]!, archetype, table, own);
      }
    }
    if (lanes.plan.entities.length > 0)
      for (let place = 0; place < places.length; place++)
        pointInside(copies, archetype, first + place * count);
    lanes.tracks?.markSpawned(first, first + rows);
  }
  for (let tree = 0; tree < indexes.length; tree += length) {
    const pair = ensurePair(world, ChildOf, indexes[tree + parent]!);
    for (let at = 0; at < all.length; at++) {
      const index = indexes[tree + all[at]!]!;
      joinLast(world, archetypeAt(world, index), entities.table[index]!, pair, index);
    }
  }
}

/** Lets entity fields of adjacent rows, one for each tree, point into their trees. @param kept definitions whose values were given. */
function pointInside(
  copies: Copies,
  archetype: Archetype,
  first: number,
  kept?: ReadonlySet<Definition>,
): void {
  for (let at = 0; at < copies.count; at++) pointRow(copies, archetype, first + at, at, kept);
}

function pointRow(
  { world, plan, length, indexes }: Copies,
  archetype: Archetype,
  row: number,
  tree: number,
  kept?: ReadonlySet<Definition>,
): void {
  const { lanes } = archetype;
  for (const { definition, fields } of lanes.plan.columns) {
    if (kept?.has(definition)) continue;
    for (const { kind, lane } of fields) {
      if (kind !== "entity") continue;
      const cell = lane * lanes.stride + row;
      const target = lanes.f64[cell]!;
      if (target === 0) continue;
      const place = plan.places.get(target);
      if (place !== undefined) lanes.f64[cell] = handleAt(world.entities, indexes[tree * length + place]!);
      else if (!isLiving(world.entities, target)) lanes.f64[cell] = 0;
    }
  }
}

/** Files the names of copies below the first: their parents are new, so no name is taken. */
function fileNames({ world, plan, count, length, indexes }: Copies): void {
  const { named, namedPlaces, namedValues, hashes, originals } = plan;
  if (named === undefined || namedPlaces.length === 0) return;
  const own = new Int32Array(namedPlaces.length * count);
  const parents = new Int32Array(namedPlaces.length * count);
  let next = 0;
  for (let at = 0; at < count; at++) {
    for (const place of namedPlaces) {
      own[next] = indexes[at * length + place]!;
      parents[next++] = indexes[at * length + originals[place]!.parent]!;
    }
  }
  hooksOf(named).fileNew!(world, own, namedValues, parents, hashes);
}
