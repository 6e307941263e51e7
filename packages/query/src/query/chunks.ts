import { grownInt32, type TableNumber } from "@treeline/core/internal";

/** A chunk holds at most so many tables. */
export const TABLES_PER_CHUNK = 256;

/** One shape under one holder's shape: its chunks with room, by depth. */
interface Family {
  /** Depth -> chunk that takes the next table; 0 if there is none. */
  open: Int32Array<ArrayBuffer>;
  /** Depth -> chunks there are. */
  chunks: Int32Array<ArrayBuffer>;
}

/**
 * Tables in chunks: each holds tables of one depth, shape and holder's shape (-1: no holder). All as numbers by chunk
 * (from 1) or by table number.
 */
export interface Chunks {
  depth: Int32Array<ArrayBuffer>;
  shape: Int32Array<ArrayBuffer>;
  holder: Int32Array<ArrayBuffer>;
  tables: Int32Array<ArrayBuffer>;
  firstTable: Int32Array<ArrayBuffer>;
  lastTable: Int32Array<ArrayBuffer>;
  /** 1 while the rows of the chunk have to be read anew as a whole. */
  marked: Int32Array<ArrayBuffer>;
  /** Where its rows lie: `start .. start + rows`, with room for more. */
  start: Int32Array<ArrayBuffer>;
  rows: Int32Array<ArrayBuffer>;
  room: Int32Array<ArrayBuffer>;
  /** Numbers ever given, 0 included. */
  length: number;
  free: number[];
  alive: number;
  /**
   * By table: its chunk (0: none), its neighbours there, the holder's index; and, unless the chunk is marked, where
   * its rows lie and how many there are.
   */
  chunkOf: Int32Array<ArrayBuffer>;
  next: Int32Array<ArrayBuffer>;
  previous: Int32Array<ArrayBuffer>;
  holderOf: Int32Array<ArrayBuffer>;
  position: Int32Array<ArrayBuffer>;
  held: Int32Array<ArrayBuffer>;
  filed: number;
  /** Different (depth, shape, holder) in use. */
  keys: number;
  /** Shape -> holder's shape -> chunks. */
  readonly families: Map<number, Map<number, Family>>;
  /** Chunks by depth, shallow first; stale after a chunk began or ended. */
  order: Int32Array<ArrayBuffer>;
  orderStale: boolean;
}

export function createChunks(): Chunks {
  const none = new Int32Array(0);
  return {
    depth: none,
    shape: none,
    holder: none,
    tables: none,
    firstTable: none,
    lastTable: none,
    marked: none,
    start: none,
    rows: none,
    room: none,
    length: 1,
    free: [],
    alive: 0,
    chunkOf: none,
    next: none,
    previous: none,
    holderOf: none,
    position: none,
    held: none,
    filed: 0,
    keys: 0,
    families: new Map(),
    order: none,
    orderStale: true,
  };
}

function familyOf(chunks: Chunks, shape: number, holder: number): Family {
  let byHolder = chunks.families.get(shape);
  if (byHolder === undefined) {
    byHolder = new Map();
    chunks.families.set(shape, byHolder);
  }
  let family = byHolder.get(holder);
  if (family === undefined) {
    family = { open: new Int32Array(16), chunks: new Int32Array(16) };
    byHolder.set(holder, family);
  }
  return family;
}

function openChunk(chunks: Chunks, family: Family, depth: number, shape: number, holder: number): number {
  const chunk = chunks.free.pop() ?? chunks.length++;
  if (chunk >= chunks.depth.length) growChunks(chunks, chunk + 1);
  chunks.depth[chunk] = depth;
  chunks.shape[chunk] = shape;
  chunks.holder[chunk] = holder;
  chunks.tables[chunk] = 0;
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
  chunks.tables = grownInt32(chunks.tables, length);
  chunks.firstTable = grownInt32(chunks.firstTable, length);
  chunks.lastTable = grownInt32(chunks.lastTable, length);
  chunks.marked = grownInt32(chunks.marked, length);
  chunks.start = grownInt32(chunks.start, length);
  chunks.rows = grownInt32(chunks.rows, length);
  chunks.room = grownInt32(chunks.room, length);
}

/** Puts a table that is in no chunk into one. @returns the chunk; the caller sees to the table's rows. */
export function enterChunk(
  chunks: Chunks,
  table: TableNumber,
  depth: number,
  shape: number,
  holder: number,
): number {
  const family = familyOf(chunks, shape, holder);
  if (depth >= family.open.length) {
    family.open = grownInt32(family.open, depth + 1);
    family.chunks = grownInt32(family.chunks, depth + 1);
  }
  let chunk = family.open[depth]!;
  if (chunk === 0) chunk = openChunk(chunks, family, depth, shape, holder);

  const last = chunks.lastTable[chunk]!;
  chunks.previous[table] = last;
  chunks.next[table] = 0;
  if (last === 0) chunks.firstTable[chunk] = table;
  else chunks.next[last] = table;
  chunks.lastTable[chunk] = table;
  chunks.chunkOf[table] = chunk;
  chunks.filed++;
  if (++chunks.tables[chunk]! === TABLES_PER_CHUNK) family.open[depth] = 0;
  return chunk;
}

/** Takes a table out of its chunk, whose rows the caller has seen to; an empty chunk ends. */
export function leaveChunk(chunks: Chunks, table: TableNumber): void {
  const chunk = chunks.chunkOf[table]!;
  const before = chunks.previous[table]!;
  const after = chunks.next[table]!;
  if (before === 0) chunks.firstTable[chunk] = after;
  else chunks.next[before] = after;
  if (after === 0) chunks.lastTable[chunk] = before;
  else chunks.previous[after] = before;
  chunks.chunkOf[table] = 0;
  chunks.filed--;
  if (--chunks.tables[chunk]! === 0) closeChunk(chunks, chunk);
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

/** After much coming and going, many chunks hold few tables each; then it is time to file all anew. */
export function areWorn(chunks: Chunks): boolean {
  return chunks.alive > 2 * (chunks.keys + Math.ceil(chunks.filed / TABLES_PER_CHUNK)) + 16;
}

/** Makes room for all table numbers of the world. */
export function fitTables(chunks: Chunks, length: number): void {
  chunks.chunkOf = grownInt32(chunks.chunkOf, length);
  chunks.next = grownInt32(chunks.next, length);
  chunks.previous = grownInt32(chunks.previous, length);
  chunks.holderOf = grownInt32(chunks.holderOf, length);
  chunks.position = grownInt32(chunks.position, length);
  chunks.held = grownInt32(chunks.held, length);
}

/** Sorts the chunks by depth, equal depths in order of number. Cost: the chunks and the depths. */
export function refreshOrder(chunks: Chunks): void {
  if (!chunks.orderStale) return;
  chunks.orderStale = false;
  let deepest = 0;
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.tables[chunk]! > 0) deepest = Math.max(deepest, chunks.depth[chunk]!);
  }
  const starts = new Int32Array(deepest + 2);
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.tables[chunk]! > 0) starts[chunks.depth[chunk]! + 1]!++;
  }
  for (let depth = 0; depth <= deepest; depth++) starts[depth + 1]! += starts[depth]!;
  chunks.order = grownInt32(chunks.order, chunks.alive);
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.tables[chunk]! > 0) chunks.order[starts[chunks.depth[chunk]!]!++] = chunk;
  }
}
