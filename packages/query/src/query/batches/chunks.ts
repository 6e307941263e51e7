import { grownInt32 } from "@treeline/core/internal";

/** The maximum number of tables in a chunk. */
export const TABLES_PER_CHUNK = 256;

/** Numbers that are noted of each unit: its chunk, or 0; its place from the chunk's start, -1 while it is pending. */
export const CHUNK = 0;
export const PLACE = 1;
/** For tables, how many rows they have there. */
export const COUNT = 2;
const TABLE_NOTES = 3;
const ENTITY_NOTES = 2;

const NONE = /* @__PURE__ */ new Int32Array(0);

/** More than there are archetypes, and more than there are numbers for sources. */
const ARCHETYPES = 0x40_0000;
const SOURCES = 0x8000_0000;

/**
 * Rows in chunks, by unit. A unit is a table, all rows of which have the same pairs, or one entity with a parent stored by
 * value, which its table does not determine. The number of a unit is that of the table, or the negated index of the entity. A
 * chunk has units of one depth, archetype and list of archetypes of sources, so only tables or only entities. All as numbers by
 * chunk (from 1), by table or by entity index.
 */
export class Chunks {
  /** The number of traversals, and so of sources of each unit. */
  readonly places: number;
  depth: Int32Array<ArrayBuffer> = NONE;
  archetype: Int32Array<ArrayBuffer> = NONE;
  /**
   * The source's archetype, -1 if there is no source; of several sources the number of their archetypes in `sourceArchetypes`.
   */
  source: Int32Array<ArrayBuffer> = NONE;
  readonly sourceArchetypes: SourceArchetypes = new SourceArchetypes();
  units: Int32Array<ArrayBuffer> = NONE;
  /** 1 while some of its positions are unused. */
  holed: Int32Array<ArrayBuffer> = NONE;
  /** Rows of pending units. */
  pending: Int32Array<ArrayBuffer> = NONE;
  /** The positions of its rows, `start .. start + rows`, and the number of positions allocated. */
  start: Int32Array<ArrayBuffer> = NONE;
  rows: Int32Array<ArrayBuffer> = NONE;
  room: Int32Array<ArrayBuffer> = NONE;
  /** Numbers ever allocated, 0 included. */
  length = 1;
  readonly free: number[] = [];
  alive = 0;
  /** Chunks that get no more units, since they were full once. */
  closed = 0;
  /** By table, and by index of an entity with a parent by value: its notes, adjacent, since they are used together. */
  tables: Int32Array<ArrayBuffer> = NONE;
  entities: Int32Array<ArrayBuffer> = NONE;
  /** Tables in chunks. */
  filed = 0;
  /** By archetype and source: depth -> chunk that gets the next unit; 0 if there is none. */
  readonly open: Map<number, Int32Array<ArrayBuffer>> = new Map();
  /** The last one used; most units follow one of the same archetype and source. */
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

/** Depth -> chunk that gets the next unit of an archetype and source, with an entry for a depth. */
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

const BY_CHUNK = [
  "depth",
  "archetype",
  "source",
  "units",
  "holed",
  "pending",
  "start",
  "rows",
  "room",
] as const;

function openChunk(chunks: Chunks, depth: number, archetype: number, source: number): number {
  const chunk = chunks.free.pop() ?? chunks.length++;
  if (chunk >= chunks.depth.length)
    for (const list of BY_CHUNK) chunks[list] = grownInt32(chunks[list], chunks.length);
  chunks.depth[chunk] = depth;
  chunks.archetype[chunk] = archetype;
  chunks.source[chunk] = source;
  chunks.units[chunk] = 0;
  chunks.rows[chunk] = 0;
  chunks.room[chunk] = 0;
  chunks.alive++;
  chunks.orderStale = true;
  return chunk;
}

/** The list with the notes of a unit, which begin at `notesAt`. */
export function notesFor(chunks: Chunks, unit: number): Int32Array {
  return unit < 0 ? chunks.entities : chunks.tables;
}

export function notesAt(unit: number): number {
  return unit < 0 ? -unit * ENTITY_NOTES : unit * TABLE_NOTES;
}

/** How many rows a unit has in its chunk. */
export function countOfUnit(chunks: Chunks, unit: number): number {
  return unit < 0 ? 1 : chunks.tables[unit * TABLE_NOTES + COUNT]!;
}

/** Puts a unit that is in no chunk into one; for entities there is one of each kind, without limit. The caller handles rows. */
export function enterChunk(
  chunks: Chunks,
  unit: number,
  depth: number,
  archetype: number,
  source: number,
): number {
  const open = openFor(chunks, depth, archetype, source);
  const chunk = open[depth]! || openChunk(chunks, depth, archetype, source);
  open[depth] = chunk;
  chunks.units[chunk]!++;
  notesFor(chunks, unit)[notesAt(unit) + CHUNK] = chunk;
  if (unit < 0) return chunk;
  chunks.filed++;
  if (chunks.units[chunk] === TABLES_PER_CHUNK) {
    open[depth] = 0;
    chunks.closed++;
  }
  return chunk;
}

/** Removes a unit from its chunk, whose rows the caller has handled; an empty chunk is freed. */
export function leaveChunk(chunks: Chunks, unit: number): void {
  const notes = notesFor(chunks, unit);
  const chunk = notes[notesAt(unit) + CHUNK]!;
  notes[notesAt(unit) + CHUNK] = 0;
  if (unit > 0) chunks.filed--;
  if (--chunks.units[chunk]! > 0) return;
  const depth = chunks.depth[chunk]!;
  const open = openFor(chunks, depth, chunks.archetype[chunk]!, chunks.source[chunk]!);
  if (open[depth] === chunk) open[depth] = 0;
  else chunks.closed--;
  chunks.rows[chunk] = 0;
  chunks.holed[chunk] = 0;
  chunks.free.push(chunk);
  chunks.alive--;
  chunks.orderStale = true;
}

/** After many additions and removals, many chunks have few tables each; then all must be filed again. */
export function areStale({ closed, filed }: Chunks): boolean {
  return closed > 2 * Math.ceil(filed / TABLES_PER_CHUNK) + 16;
}

/** Allocates notes for all table numbers of a world, and for all entity indexes, or none if no parent is stored as a value. */
export function fitUnits(chunks: Chunks, tables: number, entities: number): void {
  chunks.tables = grownInt32(chunks.tables, tables * TABLE_NOTES);
  chunks.entities = grownInt32(chunks.entities, entities * ENTITY_NOTES);
}

/**
 * Sorts the chunks by depth, equal depths in order of number.
 *
 * @cost the chunks and the depths.
 */
export function refreshOrder(chunks: Chunks): void {
  if (!chunks.orderStale) return;
  chunks.orderStale = false;
  const { units, depth, length } = chunks;
  let deepest = 0;
  for (let chunk = 1; chunk < length; chunk++)
    if (units[chunk]! > 0) deepest = Math.max(deepest, depth[chunk]!);
  const starts = new Int32Array(deepest + 2);
  for (let chunk = 1; chunk < length; chunk++) if (units[chunk]! > 0) starts[depth[chunk]! + 1]!++;
  for (let at = 0; at <= deepest; at++) starts[at + 1]! += starts[at]!;
  chunks.order = grownInt32(chunks.order, chunks.alive);
  for (let chunk = 1; chunk < length; chunk++)
    if (units[chunk]! > 0) chunks.order[starts[depth[chunk]!]!++] = chunk;
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
  /** Position -> absolute row. */
  rows: Int32Array<ArrayBuffer> = NONE;
  /** By traversal: position -> absolute row of the source. */
  readonly sourceRows: Int32Array<ArrayBuffer>[];
  /** Position -> the unit whose row it is; 0 for a hole. */
  rowUnits: Int32Array<ArrayBuffer> = NONE;
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
    rowLists.rowUnits = grownInt32(rowLists.rowUnits, rowLists.end);
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
function listsOf({ rows, rowUnits, sourceRows }: RowLists): Int32Array[] {
  return [rows, rowUnits, ...sourceRows];
}

/** Moves the slices of all chunks together, in the order of iteration. */
function compact(rowLists: RowLists): void {
  const { chunks } = rowLists;
  const lists = listsOf(rowLists);
  const former = lists.map((list) => list.slice(0, rowLists.end));
  rowLists.end = 0;
  rowLists.wasted = 0;
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
