// Which chunk an entity is in: by depth, archetype and sources' archetypes, for large families apart (`chunkFor`); their memory.
import { grownInt32 } from "@treeline/core/internal";

/** Numbers that are noted of each entity, adjacent, since they are used together: its chunk, or 0; its place from the chunk's start. */
const CHUNK = 0;
const PLACE = 1;
const NOTES = 2;

const NONE = /* @__PURE__ */ new Int32Array(0);
const FREE = -1;

/** More than there are archetypes, and more than there are numbers for sources. */
const ARCHETYPES = 0x40_0000;
const SOURCES = 0x8000_0000;

/**
 * Rows in chunks: those of one depth, archetype and list of archetypes of sources, in any order; the last one fills the place of one that
 * goes. The children of a parent that has many are in chunks of their own, which get another depth or source as a whole. All as numbers
 * by chunk (from 1), or by entity index.
 */
export class Chunks {
  /** The number of traversals, and so of sources of each row. */
  readonly places: number;
  /** FREE while the number is free. */
  depth: Int32Array<ArrayBuffer> = NONE;
  archetype: Int32Array<ArrayBuffer> = NONE;
  /**
   * The source's archetype, -1 if there is no source; of several sources the number of their archetypes in `sourceArchetypes`.
   */
  source: Int32Array<ArrayBuffer> = NONE;
  readonly sourceArchetypes: SourceArchetypes = new SourceArchetypes();
  /** The positions of its rows, `start .. start + rows`, and the number of positions allocated. */
  start: Int32Array<ArrayBuffer> = NONE;
  rows: Int32Array<ArrayBuffer> = NONE;
  room: Int32Array<ArrayBuffer> = NONE;
  /** The pair whose subjects it is for, or 0; and the next chunk for these. */
  pair: Int32Array<ArrayBuffer> = NONE;
  nextOfPair: Int32Array<ArrayBuffer> = NONE;
  /** Pair -> its first chunk. */
  readonly firstOfPair: Map<number, number> = new Map();
  /** Numbers ever allocated, 0 included. */
  length = 1;
  readonly free: number[] = [];
  alive = 0;
  /** By entity index: its notes. */
  entities: Int32Array<ArrayBuffer> = NONE;
  /** By archetype and source: depth -> chunk; 0 if there is none. */
  readonly open: Map<number, Int32Array<ArrayBuffer>> = new Map();
  /** The last one used; most rows follow one of the same archetype and source. */
  lastKey = -1;
  lastOpen: Int32Array<ArrayBuffer> = NONE;
  /** Chunks by depth, shallow first; stale after a chunk was opened or closed. */
  order: Int32Array<ArrayBuffer> = NONE;
  orderStale = true;

  constructor(places: number) {
    this.places = places;
  }
}

/** The archetype of the sources of a chunk's rows along one traversal; -1 if they have none. */
export function sourceArchetypeOf(
  { source, places, sourceArchetypes }: Chunks,
  chunk: number,
  path: number,
): number {
  return places === 1 ? source[chunk]! : sourceArchetypes.lists[source[chunk]!]![path]!;
}

/** Depth -> chunk of an archetype and source, with an entry for a depth. */
function openFor(chunks: Chunks, depth: number, archetype: number, source: number): Int32Array {
  const key = archetype * SOURCES + source + 1;
  if (key !== chunks.lastKey) {
    chunks.lastKey = key;
    chunks.lastOpen = chunks.open.get(key) ?? NONE;
  }
  if (depth >= chunks.lastOpen.length) {
    chunks.lastOpen = grownInt32(chunks.lastOpen, depth + 1);
    chunks.open.set(key, chunks.lastOpen);
  }
  return chunks.lastOpen;
}

const BY_CHUNK = ["depth", "archetype", "source", "start", "rows", "room", "pair", "nextOfPair"] as const;

/** The chunk of a depth, archetype and source, for the subjects of a pair only, or with 0 for those of others; a new one if there is none. */
export function chunkFor(chunks: Chunks, depth: number, archetype: number, source: number, pair = 0): number {
  if (pair !== 0) {
    const known = chunkOfPair(chunks, depth, archetype, source, pair);
    if (known !== 0) return known;
    const chunk = openChunk(chunks, depth, archetype, source, pair);
    chunks.nextOfPair[chunk] = chunks.firstOfPair.get(pair) ?? 0;
    chunks.firstOfPair.set(pair, chunk);
    return chunk;
  }
  const open = openFor(chunks, depth, archetype, source);
  if (open[depth] === 0) open[depth] = openChunk(chunks, depth, archetype, source, 0);
  return open[depth]!;
}

function chunkOfPair(chunks: Chunks, depth: number, archetype: number, source: number, pair: number): number {
  let chunk = chunks.firstOfPair.get(pair) ?? 0;
  for (; chunk !== 0; chunk = chunks.nextOfPair[chunk]!)
    if (
      chunks.archetype[chunk] === archetype &&
      chunks.depth[chunk] === depth &&
      chunks.source[chunk] === source
    )
      return chunk;
  return 0;
}

function openChunk(chunks: Chunks, depth: number, archetype: number, source: number, pair: number): number {
  const chunk = chunks.free.pop() ?? chunks.length++;
  if (chunk >= chunks.depth.length)
    for (const list of BY_CHUNK) chunks[list] = grownInt32(chunks[list], chunks.length);
  chunks.depth[chunk] = depth;
  chunks.archetype[chunk] = archetype;
  chunks.source[chunk] = source;
  chunks.rows[chunk] = 0;
  chunks.room[chunk] = 0;
  chunks.pair[chunk] = pair;
  chunks.alive++;
  chunks.orderStale = true;
  return chunk;
}

/** Gives a chunk of the subjects of a pair another depth and source. @returns false, with nothing changed, if there is such a chunk already. */
export function turnChunk(chunks: Chunks, chunk: number, depth: number, source: number): boolean {
  const known = chunkOfPair(chunks, depth, chunks.archetype[chunk]!, source, chunks.pair[chunk]!);
  if (known !== 0) return known === chunk;
  if (chunks.depth[chunk] !== depth) chunks.orderStale = true;
  chunks.depth[chunk] = depth;
  chunks.source[chunk] = source;
  return true;
}

/** The chunk of an entity, or 0. */
export function chunkOf({ entities }: Chunks, index: number): number {
  return entities[index * NOTES + CHUNK]!;
}

/** The position of an entity that is in a chunk. */
export function positionOf({ entities, start }: Chunks, index: number): number {
  return start[entities[index * NOTES + CHUNK]!]! + entities[index * NOTES + PLACE]!;
}

/** Allocates notes for all entity indexes of a world. */
export function fitEntities(chunks: Chunks, entities: number): void {
  chunks.entities = grownInt32(chunks.entities, entities * NOTES);
}

/**
 * Sorts the chunks by depth, equal depths in order of number.
 *
 * @cost the chunks and the depths.
 */
export function refreshOrder(chunks: Chunks): void {
  if (!chunks.orderStale) return;
  chunks.orderStale = false;
  const { depth, length } = chunks;
  let deepest = 0;
  for (let chunk = 1; chunk < length; chunk++) deepest = Math.max(deepest, depth[chunk]!);
  const starts = new Int32Array(deepest + 2);
  for (let chunk = 1; chunk < length; chunk++) if (depth[chunk]! >= 0) starts[depth[chunk]! + 1]!++;
  for (let at = 0; at <= deepest; at++) starts[at + 1]! += starts[at]!;
  chunks.order = grownInt32(chunks.order, chunks.alive);
  for (let chunk = 1; chunk < length; chunk++)
    if (depth[chunk]! >= 0) chunks.order[starts[depth[chunk]!]!++] = chunk;
}

/** Small numbers for lists of archetypes: those of the sources along several traversals. */
export class SourceArchetypes {
  /** By number; the empty list has 0. */
  readonly lists: (readonly number[])[] = [[]];
  /** Number of a list and an archetype, as a key -> number of the list that is longer by this archetype. */
  readonly longer: Map<number, number> = new Map();
}

/** The number of a list that is longer by one archetype, or by -1. */
export function withArchetype({ lists, longer }: SourceArchetypes, list: number, archetype: number): number {
  const key = list * ARCHETYPES + archetype + 1;
  const known = longer.get(key);
  if (known !== undefined) return known;
  longer.set(key, lists.length);
  return lists.push([...lists[list]!, archetype]) - 1;
}

// ---- positions -------------------------------------------------------------------------------------------------------

/** The lists of all batches of one list of traversals. Chunks own slices of them. */
export class RowLists {
  chunks: Chunks;
  /** Position -> row. */
  rows: Int32Array<ArrayBuffer> = NONE;
  /** By traversal: position -> row of the source. */
  readonly sourceRows: Int32Array<ArrayBuffer>[];
  /** Position -> entity index. */
  indexes: Int32Array<ArrayBuffer> = NONE;
  /** Something was filed, or removed, since the batches were last refreshed. */
  isChanged = true;
  /** Positions allocated. */
  end = 0;
  /** Positions allocated that no chunk owns any more. */
  wasted = 0;

  /** @param places how many traversals there are. */
  constructor(places: number) {
    this.chunks = new Chunks(places);
    this.sourceRows = Array.from({ length: places }, () => NONE);
  }
}

/** Drops all chunks. */
export function clearRowLists(rowLists: RowLists): void {
  rowLists.chunks = new Chunks(rowLists.chunks.places);
  rowLists.end = 0;
  rowLists.wasted = 0;
  rowLists.isChanged = true;
}

/** Adds a last position to a chunk for an entity; the caller writes the row of its source. @returns the position. */
export function enterChunk(rowLists: RowLists, chunk: number, index: number, row: number): number {
  const { chunks } = rowLists;
  const place = chunks.rows[chunk]!;
  if (place === chunks.room[chunk]) allocateRoom(rowLists, chunk, place + 1);
  chunks.rows[chunk] = place + 1;
  chunks.entities[index * NOTES + CHUNK] = chunk;
  chunks.entities[index * NOTES + PLACE] = place;
  const position = chunks.start[chunk]! + place;
  rowLists.isChanged = true;
  rowLists.rows[position] = row;
  rowLists.indexes[position] = index;
  return position;
}

/** Removes an entity from its chunk: the last position fills its place, and an empty chunk is freed. */
export function leaveChunk(rowLists: RowLists, index: number): void {
  const { chunks, rows, indexes, sourceRows } = rowLists;
  const { entities } = chunks;
  const note = index * NOTES;
  const chunk = entities[note + CHUNK]!;
  const start = chunks.start[chunk]!;
  const last = chunks.rows[chunk]! - 1;
  const place = entities[note + PLACE]!;
  entities[note + CHUNK] = 0;
  rowLists.isChanged = true;
  chunks.rows[chunk] = last;
  if (place !== last) {
    const moved = indexes[start + last]!;
    rows[start + place] = rows[start + last]!;
    indexes[start + place] = moved;
    for (let path = 0; path < sourceRows.length; path++)
      sourceRows[path]![start + place] = sourceRows[path]![start + last]!;
    entities[moved * NOTES + PLACE] = place;
  } else if (last === 0) closeChunk(rowLists, chunk);
}

function closeChunk(rowLists: RowLists, chunk: number): void {
  const { chunks } = rowLists;
  const depth = chunks.depth[chunk]!;
  if (chunks.pair[chunk] !== 0) forgetOfPair(chunks, chunk);
  else openFor(chunks, depth, chunks.archetype[chunk]!, chunks.source[chunk]!)[depth] = 0;
  chunks.depth[chunk] = FREE;
  rowLists.wasted += chunks.room[chunk]!;
  chunks.free.push(chunk);
  chunks.alive--;
  chunks.orderStale = true;
}

/** Takes a chunk out of those of its pair. */
function forgetOfPair({ pair, nextOfPair, firstOfPair }: Chunks, chunk: number): void {
  const own = pair[chunk]!;
  let at = firstOfPair.get(own)!;
  if (at !== chunk) {
    while (nextOfPair[at] !== chunk) at = nextOfPair[at]!;
    nextOfPair[at] = nextOfPair[chunk]!;
  } else if (nextOfPair[chunk] === 0) firstOfPair.delete(own);
  else firstOfPair.set(own, nextOfPair[chunk]!);
}

/**
 * Allocates positions of a chunk for `length` rows and a quarter more, or half more if it had some before; the rows that it has
 * move there. The former positions are wasted until all is compacted, unless they are the last.
 */
export function allocateRoom(rowLists: RowLists, chunk: number, length: number): void {
  const { chunks, sourceRows } = rowLists;
  const had = chunks.room[chunk]!;
  const room = had === 0 ? length + (length >> 2) + 1 : length + (length >> 1) + 16;
  if (rowLists.end + room > rowLists.rows.length && rowLists.wasted * 2 > rowLists.end) compact(rowLists);
  const former = chunks.start[chunk]!;
  const start = had > 0 && former + had === rowLists.end ? former : rowLists.end;
  rowLists.end = start + room;
  if (rowLists.end > rowLists.rows.length) {
    rowLists.rows = grownInt32(rowLists.rows, rowLists.end);
    rowLists.indexes = grownInt32(rowLists.indexes, rowLists.end);
    for (let place = 0; place < sourceRows.length; place++)
      sourceRows[place] = grownInt32(sourceRows[place]!, rowLists.end);
  }
  if (start !== former && had > 0) {
    rowLists.wasted += had;
    for (const list of listsOf(rowLists)) list.copyWithin(start, former, former + chunks.rows[chunk]!);
  }
  chunks.start[chunk] = start;
  chunks.room[chunk] = room;
}

/** All lists by position; they have one length. */
function listsOf({ rows, indexes, sourceRows }: RowLists): Int32Array[] {
  return [rows, indexes, ...sourceRows];
}

/** Moves the slices of all chunks together, in the order of iteration. */
function compact(rowLists: RowLists): void {
  const { chunks } = rowLists;
  const lists = listsOf(rowLists);
  const former = lists.map((list) => list.slice(0, rowLists.end));
  rowLists.end = 0;
  rowLists.wasted = 0;
  chunks.orderStale = true;
  refreshOrder(chunks);
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    const start = chunks.start[chunk]!;
    const moved = rowLists.end - start;
    const end = start + chunks.rows[chunk]!;
    for (let place = 0; place < lists.length; place++)
      for (let row = start; row < end; row++) lists[place]![row + moved] = former[place]![row]!;
    chunks.start[chunk] = rowLists.end;
    rowLists.end += chunks.room[chunk]!;
  }
}
