import { grownInt32 } from "@treeline/core/internal";

/** A chunk holds at most so many tables. */
export const TABLES_PER_CHUNK = 256;

/** Numbers that are noted of each unit: its chunk, or 0; its place behind the chunk's start, -1 while it waits for room. */
export const CHUNK = 0;
export const PLACE = 1;
/** Of tables, how many rows they have there. */
export const HELD = 2;
const TABLE_NOTES = 3;
const LOOSE_NOTES = 2;

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
 * stored as a value, so that its table says nothing of it. Its number is that of the table, or the index of the entity
 * with a minus. A chunk holds units of one depth, shape and holders' shapes, hence tables only or loose entities only. All
 * as numbers by chunk (from 1), by table or by entity index.
 */
export interface Chunks {
  /** How many traversals there are: each unit has so many holders. */
  readonly places: number;
  depth: Int32Array<ArrayBuffer>;
  shape: Int32Array<ArrayBuffer>;
  /** The holder's shape, -1 if there is no holder; of several holders the number of their shapes in `holderShapes`. */
  holder: Int32Array<ArrayBuffer>;
  readonly holderShapes: HolderShapes;
  units: Int32Array<ArrayBuffer>;
  /** 1 while some of its positions are nobody's. */
  holed: Int32Array<ArrayBuffer>;
  /** Rows of units that wait for room. */
  waiting: Int32Array<ArrayBuffer>;
  /** Where its rows lie: `start .. start + rows`, with room for more. */
  start: Int32Array<ArrayBuffer>;
  rows: Int32Array<ArrayBuffer>;
  room: Int32Array<ArrayBuffer>;
  /** Numbers ever given, 0 included. */
  length: number;
  free: number[];
  alive: number;
  /** By table, and by index of a loose entity: what is noted, side by side, since it is needed together. */
  tables: Int32Array<ArrayBuffer>;
  loose: Int32Array<ArrayBuffer>;
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
    holed: none,
    waiting: none,
    start: none,
    rows: none,
    room: none,
    length: 1,
    free: [],
    alive: 0,
    tables: none,
    loose: none,
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
  chunks.rows[chunk] = 0;
  chunks.room[chunk] = 0;
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
  chunks.holed = grownInt32(chunks.holed, length);
  chunks.waiting = grownInt32(chunks.waiting, length);
  chunks.start = grownInt32(chunks.start, length);
  chunks.rows = grownInt32(chunks.rows, length);
  chunks.room = grownInt32(chunks.room, length);
}

/** The notes of units of a kind; those of one begin at `notesAt`. */
export function notesOf(chunks: Chunks, unit: number): Int32Array {
  return unit < 0 ? chunks.loose : chunks.tables;
}

export function notesAt(unit: number): number {
  return unit < 0 ? -unit * LOOSE_NOTES : unit * TABLE_NOTES;
}

/** How many rows a unit has in its chunk. */
export function heldBy(chunks: Chunks, unit: number): number {
  return unit < 0 ? 1 : chunks.tables[unit * TABLE_NOTES + HELD]!;
}

/**
 * Puts a unit that is in no chunk into one; of loose entities there is one of each kind, without limit.
 *
 * @returns the chunk; the caller sees to the unit's rows.
 */
export function enterChunk(
  chunks: Chunks,
  unit: number,
  depth: number,
  shape: number,
  holder: number,
): number {
  const family = familyOf(chunks, shape, holder);
  if (depth >= family.open.length) {
    family.open = grownInt32(family.open, depth + 1);
    family.chunks = grownInt32(family.chunks, depth + 1);
  }
  const open = family.open[depth]!;
  const chunk = open === 0 ? openChunk(chunks, family, depth, shape, holder) : open;
  chunks.units[chunk]!++;
  if (unit < 0) chunks.loose[-unit * LOOSE_NOTES + CHUNK] = chunk;
  else {
    chunks.tables[unit * TABLE_NOTES + CHUNK] = chunk;
    chunks.filed++;
    if (chunks.units[chunk] === TABLES_PER_CHUNK) family.open[depth] = 0;
  }
  return chunk;
}

/** Takes a unit out of its chunk, whose rows the caller has seen to; an empty chunk ends. */
export function leaveChunk(chunks: Chunks, unit: number): void {
  const notes = notesOf(chunks, unit);
  const chunk = notes[notesAt(unit) + CHUNK]!;
  notes[notesAt(unit) + CHUNK] = 0;
  if (unit > 0) chunks.filed--;
  if (--chunks.units[chunk]! === 0) closeChunk(chunks, chunk);
}

function closeChunk(chunks: Chunks, chunk: number): void {
  const depth = chunks.depth[chunk]!;
  const family = familyOf(chunks, chunks.shape[chunk]!, chunks.holder[chunk]!);
  if (family.open[depth] === chunk) family.open[depth] = 0;
  if (--family.chunks[depth]! === 0) chunks.keys--;
  chunks.rows[chunk] = 0;
  chunks.holed[chunk] = 0;
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

/** Makes room for all table numbers of a world, and for all entity indexes, or none if nobody stores a parent as a value. */
export function fitUnits(chunks: Chunks, tables: number, entities: number): void {
  chunks.tables = grownInt32(chunks.tables, tables * TABLE_NOTES);
  chunks.loose = grownInt32(chunks.loose, entities * LOOSE_NOTES);
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
