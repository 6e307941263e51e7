import { grownInt32, type TableId } from "@treeline/core/internal";

/** A chunk holds at most so many tables. */
export const TABLES_PER_CHUNK = 256;

/** Numbers that are noted of each table. */
export const NOTES = 6;
/** Its chunk, or 0; its neighbours there. */
export const CHUNK = 0;
export const NEXT = 1;
export const PREVIOUS = 2;
/** Unless the chunk is marked: where its rows lie, and how many there are. */
export const POSITION = 3;
export const HELD = 4;
/** The index of the holder along the first traversal, or 0. */
export const HOLDER = 5;

/** One shape under holders of the same shapes: its chunks with room, by depth. */
interface Family {
  readonly shape: number;
  readonly holder: number;
  /** Depth -> chunk that takes the next unit; 0 if there is none. */
  open: Int32Array<ArrayBuffer>;
  /** Depth -> chunks there are. */
  chunks: Int32Array<ArrayBuffer>;
}

/**
 * Rows in chunks, by unit. A unit is a table, all rows of which have the same pairs, or one loose entity: its parent is
 * stored as a value, so that its table says nothing of it. A chunk holds units of one depth, shape and holders' shapes,
 * hence tables only or loose entities only. All as numbers by chunk (from 1), by table or by entity index.
 */
export interface Chunks {
  /** How many traversals there are: each unit has so many holders. */
  readonly places: number;
  depth: Int32Array<ArrayBuffer>;
  shape: Int32Array<ArrayBuffer>;
  /** The holder's shape, -1 if there is no holder; of several holders the number of their shapes in `holderShapes`. */
  holder: Int32Array<ArrayBuffer>;
  readonly holderShapes: HolderShapes;
  /** Tables, or loose entities. */
  units: Int32Array<ArrayBuffer>;
  /** 0 in chunks of loose entities. */
  firstTable: Int32Array<ArrayBuffer>;
  lastTable: Int32Array<ArrayBuffer>;
  /** 1 while the tables of the chunk have to be read anew, or loose entities of it wait for room. */
  marked: Int32Array<ArrayBuffer>;
  /** Where its rows lie: `start .. start + rows`, with room for more. */
  start: Int32Array<ArrayBuffer>;
  rows: Int32Array<ArrayBuffer>;
  room: Int32Array<ArrayBuffer>;
  /** Numbers ever given, 0 included. */
  length: number;
  free: number[];
  alive: number;
  /** By table, NOTES numbers side by side, since they are needed together. */
  notes: Int32Array<ArrayBuffer>;
  /** By traversal but the first, then by table: the index of the holder, or 0. */
  readonly holderOf: Int32Array<ArrayBuffer>[];
  /** By entity index: the chunk of a loose entity (0: none), and its place behind `start`; -1 while it waits for room. */
  looseChunk: Int32Array<ArrayBuffer>;
  loosePlace: Int32Array<ArrayBuffer>;
  /** Tables in chunks. */
  filed: number;
  /** Different (depth, shape, holders' shapes) in use. */
  keys: number;
  /** Archetype -> `holder` of chunks -> chunks. */
  readonly families: Map<number, Map<number, Family>>;
  /** The family that was asked for last; most units follow one of the same. */
  lastFamily: Family | undefined;
  /** Chunks by depth, shallow first; stale after a chunk began or ended. */
  order: Int32Array<ArrayBuffer>;
  orderStale: boolean;
}

export function createChunks(places: number): Chunks {
  const none = new Int32Array(0);
  return {
    places,
    depth: none,
    shape: none,
    holder: none,
    holderShapes: createHolderShapes(),
    units: none,
    firstTable: none,
    lastTable: none,
    marked: none,
    start: none,
    rows: none,
    room: none,
    length: 1,
    free: [],
    alive: 0,
    notes: none,
    holderOf: Array.from({ length: places }, () => none),
    looseChunk: none,
    loosePlace: none,
    filed: 0,
    keys: 0,
    families: new Map(),
    lastFamily: undefined,
    order: none,
    orderStale: true,
  };
}

/** The shape of the holders of a chunk's rows along one traversal; -1 if they have none. */
export function holderShapeOf(chunks: Chunks, chunk: number, place: number): number {
  const holder = chunks.holder[chunk]!;
  if (chunks.places === 1) return holder;
  return shapeFromEnd(chunks.holderShapes, holder, chunks.places - 1 - place);
}

function familyOf(chunks: Chunks, shape: number, holder: number): Family {
  const last = chunks.lastFamily;
  if (last !== undefined && last.shape === shape && last.holder === holder) return last;
  let byHolder = chunks.families.get(shape);
  if (byHolder === undefined) {
    byHolder = new Map();
    chunks.families.set(shape, byHolder);
  }
  let family = byHolder.get(holder);
  if (family === undefined) {
    family = { shape, holder, open: new Int32Array(16), chunks: new Int32Array(16) };
    byHolder.set(holder, family);
  }
  chunks.lastFamily = family;
  return family;
}

function openChunk(chunks: Chunks, family: Family, depth: number, shape: number, holder: number): number {
  const chunk = chunks.free.pop() ?? chunks.length++;
  if (chunk >= chunks.depth.length) growChunks(chunks, chunk + 1);
  chunks.depth[chunk] = depth;
  chunks.shape[chunk] = shape;
  chunks.holder[chunk] = holder;
  chunks.units[chunk] = 0;
  chunks.firstTable[chunk] = 0;
  chunks.lastTable[chunk] = 0;
  chunks.rows[chunk] = 0;
  chunks.room[chunk] = 0;
  chunks.marked[chunk] = 1;
  chunks.alive++;
  if (family.chunks[depth]!++ === 0) chunks.keys++;
  family.open[depth] = chunk;
  chunks.orderStale = true;
  return chunk;
}

function growChunks(chunks: Chunks, length: number): void {
  chunks.depth = grownInt32(chunks.depth, length);
  chunks.shape = grownInt32(chunks.shape, length);
  chunks.holder = grownInt32(chunks.holder, length);
  chunks.units = grownInt32(chunks.units, length);
  chunks.firstTable = grownInt32(chunks.firstTable, length);
  chunks.lastTable = grownInt32(chunks.lastTable, length);
  chunks.marked = grownInt32(chunks.marked, length);
  chunks.start = grownInt32(chunks.start, length);
  chunks.rows = grownInt32(chunks.rows, length);
  chunks.room = grownInt32(chunks.room, length);
}

/** The chunk that takes the next unit of its kind. */
function openChunkOf(chunks: Chunks, depth: number, shape: number, holder: number): number {
  const family = familyOf(chunks, shape, holder);
  if (depth >= family.open.length) {
    family.open = grownInt32(family.open, depth + 1);
    family.chunks = grownInt32(family.chunks, depth + 1);
  }
  const chunk = family.open[depth]!;
  return chunk === 0 ? openChunk(chunks, family, depth, shape, holder) : chunk;
}

/** Puts a table that is in no chunk into one. @returns the chunk; the caller sees to the table's rows. */
export function enterChunk(
  chunks: Chunks,
  table: TableId,
  depth: number,
  shape: number,
  holder: number,
): number {
  const chunk = openChunkOf(chunks, depth, shape, holder);
  const last = chunks.lastTable[chunk]!;
  chunks.notes[table * NOTES + PREVIOUS] = last;
  chunks.notes[table * NOTES + NEXT] = 0;
  if (last === 0) chunks.firstTable[chunk] = table;
  else chunks.notes[last * NOTES + NEXT] = table;
  chunks.lastTable[chunk] = table;
  chunks.notes[table * NOTES + CHUNK] = chunk;
  chunks.filed++;
  if (++chunks.units[chunk]! === TABLES_PER_CHUNK) familyOf(chunks, shape, holder).open[depth] = 0;
  return chunk;
}

/**
 * Puts a loose entity that is in no chunk into one; there is one of each kind, without limit, since it is never read anew.
 *
 * @returns the chunk; the caller sees to the entity's row.
 */
export function enterLoose(
  chunks: Chunks,
  index: number,
  depth: number,
  shape: number,
  holder: number,
): number {
  const chunk = openChunkOf(chunks, depth, shape, holder);
  chunks.looseChunk[index] = chunk;
  chunks.units[chunk]!++;
  return chunk;
}

/** Takes a loose entity out of its chunk, whose rows the caller has seen to; an empty chunk ends. */
export function leaveLoose(chunks: Chunks, index: number): void {
  const chunk = chunks.looseChunk[index]!;
  chunks.looseChunk[index] = 0;
  if (--chunks.units[chunk]! === 0) closeChunk(chunks, chunk);
}

/** Takes a table out of its chunk, whose rows the caller has seen to; an empty chunk ends. */
export function leaveChunk(chunks: Chunks, table: TableId): void {
  const chunk = chunks.notes[table * NOTES + CHUNK]!;
  const before = chunks.notes[table * NOTES + PREVIOUS]!;
  const after = chunks.notes[table * NOTES + NEXT]!;
  if (before === 0) chunks.firstTable[chunk] = after;
  else chunks.notes[before * NOTES + NEXT] = after;
  if (after === 0) chunks.lastTable[chunk] = before;
  else chunks.notes[after * NOTES + PREVIOUS] = before;
  chunks.notes[table * NOTES + CHUNK] = 0;
  chunks.filed--;
  if (--chunks.units[chunk]! === 0) closeChunk(chunks, chunk);
}

function closeChunk(chunks: Chunks, chunk: number): void {
  const depth = chunks.depth[chunk]!;
  const family = familyOf(chunks, chunks.shape[chunk]!, chunks.holder[chunk]!);
  if (family.open[depth] === chunk) family.open[depth] = 0;
  if (--family.chunks[depth]! === 0) chunks.keys--;
  chunks.rows[chunk] = 0;
  chunks.marked[chunk] = 0;
  chunks.free.push(chunk);
  chunks.alive--;
  chunks.orderStale = true;
}

/**
 * After much coming and going, many chunks hold few tables each; then it is time to file all anew. Asked right after filing
 * what is news: later, a visit may be going through the chunks.
 */
export function areWorn(chunks: Chunks): boolean {
  return chunks.alive > 2 * (chunks.keys + Math.ceil(chunks.filed / TABLES_PER_CHUNK)) + 16;
}

/** Makes room for all table numbers of the world. */
export function fitTables(chunks: Chunks, length: number): void {
  chunks.notes = grownInt32(chunks.notes, length * NOTES);
  for (let place = 1; place < chunks.places; place++)
    chunks.holderOf[place] = grownInt32(chunks.holderOf[place]!, length);
}

/** Makes room for all entity indexes of the world. */
export function fitLoose(chunks: Chunks, length: number): void {
  chunks.looseChunk = grownInt32(chunks.looseChunk, length);
  chunks.loosePlace = grownInt32(chunks.loosePlace, length);
}

/** Sorts the chunks by depth, equal depths in order of number. Cost: the chunks and the depths. */
export function refreshOrder(chunks: Chunks): void {
  if (!chunks.orderStale) return;
  chunks.orderStale = false;
  let deepest = 0;
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk]! > 0) deepest = Math.max(deepest, chunks.depth[chunk]!);
  }
  const starts = new Int32Array(deepest + 2);
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk]! > 0) starts[chunks.depth[chunk]! + 1]!++;
  }
  for (let depth = 0; depth <= deepest; depth++) starts[depth + 1]! += starts[depth]!;
  chunks.order = grownInt32(chunks.order, chunks.alive);
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk]! > 0) chunks.order[starts[chunks.depth[chunk]!]!++] = chunk;
  }
}

// ---- lists of shapes -------------------------------------------------------------------------------------------------

/**
 * Small numbers for lists of shapes: those of the holders along several traversals. They are kept as ways in a tree: a
 * number stands for the last shape of a list, and for the number of the list without it.
 */
export interface HolderShapes {
  /** By number, from 1: its last shape, -1 if there is no holder; and the number of what comes before, 0 at the start. */
  shape: Int32Array<ArrayBuffer>;
  before: Int32Array<ArrayBuffer>;
  /** Numbers ever given, 0 included. */
  length: number;
  /** number * STEP + shape + 1 -> number of the list that is longer by this shape. */
  readonly longer: Map<number, number>;
}

/** Shapes are fewer. */
const STEP = 0x40_0000;

export function createHolderShapes(): HolderShapes {
  return { shape: new Int32Array(0), before: new Int32Array(0), length: 1, longer: new Map() };
}

/** The number of a list that is longer by one shape, or by -1; the empty list has 0. */
export function withShape(lists: HolderShapes, list: number, shape: number): number {
  const key = list * STEP + shape + 1;
  const known = lists.longer.get(key);
  if (known !== undefined) return known;
  const number = lists.length++;
  lists.shape = grownInt32(lists.shape, lists.length);
  lists.before = grownInt32(lists.before, lists.length);
  lists.shape[number] = shape;
  lists.before[number] = list;
  lists.longer.set(key, number);
  return number;
}

/** The shape that stands so many places before the end of a list. */
export function shapeFromEnd(lists: HolderShapes, list: number, places: number): number {
  let at = list;
  for (let place = 0; place < places; place++) at = lists.before[at]!;
  return lists.shape[at]!;
}
