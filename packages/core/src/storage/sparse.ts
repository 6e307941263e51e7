// The values of sparse definitions, by entity (`SparseStore`): pages lead to dense places (`placeIn`); what the storage installs (`sparseWork`).
import { bytesIn } from "../base/growing.ts";
import type { Definition } from "../id/definition.ts";
import { NO_DEFAULT } from "../id/field.ts";
import { clearRow, copyRow, copyRows, forgetRows } from "./copy-rows.ts";
import {
  bytesOfLanes,
  type Column,
  type LanePlan,
  Lanes,
  mayRetain,
  planLanes,
  replaceLanes,
  type ValuePlace,
} from "./lanes.ts";
import type { Memory } from "./memory.ts";

/** The places of so many entity indexes, 2 ** PAGE_BITS, are in one page. */
export const PAGE_BITS = 10;
export const PAGE = 1024;

/** The page of entity indexes of which none has a place. Never written. */
export const NO_PLACES: Int32Array<ArrayBuffer> = /* @__PURE__ */ new Int32Array(1024);

/** A store frees room when no more than this part of it is used. */
const SPARE = 8;
const FIRST_CAPACITY = 16;

/**
 * The entities that have a sparse definition, with their values, for all archetypes of a world.
 *
 *   pages    entity index -> place + 1, or 0
 *   lane 0   place -> entity index
 *   columns  place -> value, without gaps: the last one fills the place of one that goes
 */
export class SparseStore {
  readonly definition: Definition;
  readonly lanes: Lanes;
  /** `undefined` for a tag. */
  readonly column: Column | undefined;
  /** How many entities have it. */
  count = 0;
  pages: Int32Array<ArrayBuffer>[] = [];

  constructor(definition: Definition, memory: Memory) {
    const plan = planOf(definition);
    this.definition = definition;
    this.lanes = new Lanes(plan, memory);
    this.column = plan.columns[0];
  }
}

/** How the stores of a definition are laid out in all worlds. */
export function planOf(definition: Definition): LanePlan {
  return planLanes(definition.holds === "nothing" ? [] : [{ definition, occurrence: 0 }]);
}

/** The place of the entity at an index; -1 if it does not have the definition. */
export function placeIn({ pages }: SparseStore, index: number): number {
  const page = index >>> PAGE_BITS;
  return page < pages.length ? pages[page]![index & (PAGE - 1)]! - 1 : -1;
}

/** Makes room for `count` more entities, so that `insertPlace` cannot fail. If memory is refused, nothing has changed. */
export function reservePlaces(store: SparseStore, count: number): void {
  const { lanes } = store;
  const wanted = store.count + count;
  if (wanted > lanes.capacity) resize(store, Math.max(wanted, lanes.capacity * 2, FIRST_CAPACITY));
}

/** Gives the entity at an index, which has none, a place with the defaults; there is room. */
function insertPlace(store: SparseStore, index: number): void {
  clearRow(store.lanes, takePlace(store, index));
}

/** As `insertPlace`, for a caller that writes all of the value. @returns the place. */
export function takePlace(store: SparseStore, index: number): number {
  const place = store.count++;
  setPlace(store.pages, index, place);
  store.lanes.i32[place] = index;
  return place;
}

/** From now on, the entity at an index has a place; -1 for none. */
export function setPlace(pages: Int32Array[], index: number, place: number): void {
  const page = index >>> PAGE_BITS;
  let own = page < pages.length ? pages[page]! : NO_PLACES;
  if (own === NO_PLACES) {
    while (pages.length <= page) pages.push(NO_PLACES);
    own = new Int32Array(PAGE);
    pages[page] = own;
  }
  own[index & (PAGE - 1)] = place + 1;
}

/** Frees the place of the entity at an index, which has one. */
function dropPlace(store: SparseStore, index: number): void {
  const { lanes, pages } = store;
  const own = pages[index >>> PAGE_BITS]!;
  const place = own[index & (PAGE - 1)]! - 1;
  const last = --store.count;
  own[index & (PAGE - 1)] = 0;
  if (place !== last) {
    copyRow(lanes, last, place);
    const moved = lanes.i32[place]!;
    pages[moved >>> PAGE_BITS]![moved & (PAGE - 1)] = place + 1;
  }
  if (lanes.objects.length > 0) forgetRows(lanes, last, last + 1);
}

/** Is most of the memory of the store unused? */
export function isRoomy({ count, lanes: { capacity } }: SparseStore): boolean {
  return count * SPARE <= capacity && capacity > PAGE;
}

/** Where the stores of a world are. */
export interface Stores {
  /** By number of a definition with sparse storage. */
  readonly sparse: (SparseStore | undefined)[];
  readonly memory: Memory;
  readonly founded: readonly { readonly rows: number }[];
}

/** What a definition with sparse storage does in a world: its property `store`, which no other definition has. */
export interface SparseWork {
  /**
   * The entity at an index gets it with its defaults, or loses it.
   *
   * @returns false, with nothing changed, if that needs more room, or a value.
   */
  turnOne(stores: Stores, definition: Definition, index: number, on: boolean): boolean;
  /** Makes room for `count` more entities. If memory is refused, nothing has changed. */
  reserve(stores: Stores, definition: Definition, count: number): void;
  /** Entities, by index in `first .. end` of a list, get it with its defaults, or lose it. Room has been reserved. */
  turn(
    stores: Stores,
    definition: Definition,
    list: Int32Array,
    first: number,
    end: number,
    on: boolean,
  ): void;
  /** Copies the value of the first one of such entities to the others. */
  repeat(stores: Stores, definition: Definition, list: Int32Array, first: number, end: number): void;
  /** Where the value of the entity at an index is, or that of its pair with a target; `undefined` if it has none. */
  valueAt(
    world: { readonly graph: Stores },
    definition: Definition,
    index: number,
    target: number,
  ): ValuePlace | undefined;
  /** Adds a value: see `addSparse`; or a pair, with its value. */
  add?(world: object, entity: number, definition: Definition, value: unknown, target: number): void;
  /** Makes a `SparseCursor`. */
  cursor?(world: { readonly graph: Stores }, definition: Definition): object;
  /** What `field` returns for a field of it, at a place in the schema; for a list possibly of one item. */
  access?(definition: Definition, at: number, item: number | undefined): object;
  /** Relations: the entity at an index gets the pair with the target at an index, or loses it. */
  turnPair?(world: object, index: number, definition: Definition, target: number, on: boolean): void;
  /** Relations: an entity that is spawned gets the pairs among its terms. */
  give?(world: object, index: number, definition: Definition, terms: readonly unknown[]): void;
  /** Relations: `requireDifferent` for all terms of a call. */
  requireDifferent?(terms: readonly unknown[]): true;
}

/** @returns `undefined` for definitions with another storage. */
export function sparseWorkOf(definition: Definition | undefined): SparseWork | undefined {
  return definition?.store as SparseWork | undefined;
}

export const sparseWork: SparseWork = { turnOne, reserve, turn, repeat, valueAt };

export function storeOf({ sparse, memory }: Stores, definition: Definition): SparseStore {
  const { id } = definition;
  while (sparse.length <= id) sparse.push(undefined);
  return (sparse[id] ??= new SparseStore(definition, memory));
}

/** A component that is removed from all entities one by one often comes back: while the world has them, their room stays. */
function turnOne(stores: Stores, { id, fields }: Definition, index: number, on: boolean): boolean {
  const store = stores.sparse[id];
  if (store === undefined) return false;
  if (!on) {
    dropPlace(store, index);
    const { count, lanes } = store;
    if ((count & (count - 1)) === 0 && isRoomy(store) && !mayRetain(stores, lanes)) shrink(store);
  } else if (!hasRoom(store) || fields[0]?.[1] === NO_DEFAULT) return false;
  else insertPlace(store, index);
  return true;
}

/** For one more entity. */
export function hasRoom({ count, lanes }: SparseStore): boolean {
  return count < lanes.capacity;
}

function reserve(stores: Stores, definition: Definition, count: number): void {
  reservePlaces(storeOf(stores, definition), count);
}

function turn(
  stores: Stores,
  definition: Definition,
  list: Int32Array,
  first: number,
  end: number,
  on: boolean,
): void {
  const store = storeOf(stores, definition);
  for (let at = first; at < end; at++) {
    if (on) insertPlace(store, list[at]!);
    else dropPlace(store, list[at]!);
  }
  if (!on && isRoomy(store)) shrink(store);
}

function repeat(stores: Stores, definition: Definition, list: Int32Array, first: number, end: number): void {
  const store = storeOf(stores, definition);
  const { lanes } = store;
  const from = placeIn(store, list[first]!);
  for (let at = first + 1; at < end; at++) {
    const place = placeIn(store, list[at]!);
    copyRow(lanes, from, place);
    lanes.i32[place] = list[at]!;
  }
}

function valueAt(
  { graph }: { readonly graph: Stores },
  { id }: Definition,
  index: number,
): ValuePlace | undefined {
  const store = graph.sparse[id];
  const place = store === undefined ? -1 : placeIn(store, index);
  const column = store?.column;
  return place < 0 || column === undefined ? undefined : { lanes: store!.lanes, column, row: place };
}

function resize(store: SparseStore, capacity: number): void {
  const { lanes, count } = store;
  const rounded = Math.ceil(capacity / FIRST_CAPACITY) * FIRST_CAPACITY;
  replaceLanes(lanes, rounded, (from) => copyRows(from, 0, lanes, 0, count));
}

/** Frees memory that is not used. Where the memory refuses smaller columns, the present ones stay. */
export function shrink(store: SparseStore): void {
  if (store.count === 0) store.pages = [];
  try {
    resize(store, store.count * 2);
  } catch {}
}

/** Frees all memory, for a world that ends. */
export function emptyStore(store: SparseStore): void {
  store.count = 0;
  store.pages = [];
  replaceLanes(store.lanes, 0);
}

export function bytesOfSparse(store: SparseStore): number {
  const pages = store.pages.filter((page) => page !== NO_PLACES).map((words) => ({ words }));
  return bytesOfLanes(store.lanes) + bytesIn(store, ...pages);
}
