import { ChildOf, type Definition, type World } from "@treeline/core";
import {
  catchUp,
  closeCursor,
  grownInt32,
  isTarget,
  isUsed,
  type JournalCursor,
  kindOfEntry,
  nextNumber,
  numberOfEntry,
  openCursor,
  SLICE_MOVED,
  settleDepths,
  shapesWith,
  stateOf,
  TARGET_MOVED,
  type TableNumber,
} from "@treeline/core/internal";
import {
  areWorn,
  type Chunks,
  createChunks,
  enterChunk,
  fitTables,
  leaveChunk,
  refreshOrder,
} from "./chunks.ts";
import { createHolding, eachTableBelow, type Holding, holderOf } from "./holders.ts";

/**
 * For one component: the rows of all tables with a parent, shallow first, with the absolute rows of the nearest
 * ancestors that have the component beside them. All cascade queries over the component share it. Structural changes
 * are listed by core's journal; the next visit looks at what is listed and refills the chunks it touches.
 */
export interface Stretches {
  readonly holding: Holding;
  readonly cursor: JournalCursor;
  chunks: Chunks;
  /** Position -> absolute row, and absolute row of the holder; chunks own pieces of both. */
  rows: Int32Array<ArrayBuffer>;
  holderRows: Int32Array<ArrayBuffer>;
  /** Position -> table of the row. */
  rowTables: Int32Array<ArrayBuffer>;
  /** Positions handed out. */
  end: number;
  /** Positions handed out that no chunk owns any more. */
  wasted: number;
  /** 0, 1, 2 ...: positions of rows without parent. */
  identity: Int32Array<ArrayBuffer>;
}

const STRETCHES: number = nextNumber();

/** A table with more rows is not written each time it is listed, but once: with its whole chunk. */
const FEW_ROWS = 32;

function allStretches(world: World): Map<number, Stretches> {
  return stateOf(world, STRETCHES, (own) => {
    const map = new Map<number, Stretches>();
    CHECK: own.laws.push(() => [...map.values()].flatMap((stretches) => verifyStretches(own, stretches)));
    return map;
  });
}

/** Gives up the stretches of a component that no query asks for any more; who asks again makes them anew. */
export function forgetStretches(world: World, component: Definition): void {
  const byComponent = allStretches(world);
  const stretches = byComponent.get(component.id);
  if (stretches === undefined) return;
  closeCursor(world.graph.journal, stretches.cursor);
  byComponent.delete(component.id);
}

/** The stretches of a component, as they are now. */
export function currentStretches(world: World, component: Definition): Stretches {
  const byComponent = allStretches(world);
  let stretches = byComponent.get(component.id);
  if (stretches === undefined) {
    stretches = createStretches(world, component);
    byComponent.set(component.id, stretches);
  }
  refresh(world, stretches);
  return stretches;
}

function createStretches(world: World, component: Definition): Stretches {
  return {
    holding: createHolding(component),
    cursor: openCursor(world.graph.journal),
    chunks: createChunks(),
    rows: new Int32Array(0),
    holderRows: new Int32Array(0),
    rowTables: new Int32Array(0),
    end: 0,
    wasted: 0,
    identity: new Int32Array(0),
  };
}

/** Positions for rows that have no holder: position = absolute row. */
export function identityFor(stretches: Stretches, rows: number): Int32Array {
  const { length } = stretches.identity;
  if (length < rows) {
    stretches.identity = grownInt32(stretches.identity, rows);
    for (let row = length; row < stretches.identity.length; row++) stretches.identity[row] = row;
  }
  return stretches.identity;
}

function refresh(world: World, stretches: Stretches): void {
  const { graph } = world;
  settleDepths(world);
  const { cursor } = stretches;
  if (cursor.lost || areWorn(stretches.chunks)) fileAll(world, stretches);
  else if (cursor.at < graph.journal.length) fileListed(world, stretches);
  catchUp(graph.journal, cursor);
  refreshOrder(stretches.chunks);
  refillMarked(world, stretches);
}

/** Files all tables anew, in the order of their rows. */
function fileAll(world: World, stretches: Stretches): void {
  const { graph, entities } = world;
  stretches.chunks = createChunks();
  stretches.end = 0;
  stretches.wasted = 0;
  fitTables(stretches.chunks, graph.tables.length);
  for (const shape of shapesWith(graph, ChildOf)) {
    const { i32 } = shape.lanes;
    for (let row = 0; row < shape.end; ) {
      const index = i32[row]!;
      const table = isUsed(shape.used, row) ? entities.table[index]! : 0;
      if (table !== 0) fileTable(world, stretches, table);
      row += table === 0 ? 1 : graph.tables.count[table]!;
    }
  }
}

/** Looks at the state of everything that the journal lists. */
function fileListed(world: World, stretches: Stretches): void {
  const { graph } = world;
  const { journal } = graph;
  fitTables(stretches.chunks, graph.tables.length);
  const file = (table: TableNumber): void => fileTable(world, stretches, table);
  for (let at = stretches.cursor.at; at < journal.length; at++) {
    const entry = journal.entries[at]!;
    const number = numberOfEntry(entry);
    if (kindOfEntry(entry) === TARGET_MOVED) eachTableBelow(world, number, stretches.holding, file);
    else {
      file(number);
      if (kindOfEntry(entry) === SLICE_MOVED) fileBelowRows(world, stretches, number, file);
    }
  }
}

function fileBelowRows(
  world: World,
  stretches: Stretches,
  table: TableNumber,
  file: (table: TableNumber) => void,
): void {
  const { tables, shapes, pairs } = world.graph;
  if (tables.shape[table]! < 0) return;
  const { i32 } = shapes[tables.shape[table]!]!.lanes;
  const first = tables.first[table]!;
  for (let row = first; row < first + tables.count[table]!; row++) {
    if (isTarget(pairs, i32[row]!)) eachTableBelow(world, i32[row]!, stretches.holding, file);
  }
}

/** Puts a table where its state says: out of all chunks, or into one of its depth, shape and holder's shape. */
function fileTable(world: World, stretches: Stretches, table: TableNumber): void {
  const { graph, entities } = world;
  const { tables, records } = graph;
  const { chunks } = stretches;
  const chunk = chunks.chunkOf[table]!;
  const shape = tables.shape[table]!;
  const parentPair = tables.parentPair[table]!;
  if (shape < 0 || tables.count[table] === 0 || parentPair === 0) {
    if (chunk !== 0) takeOut(stretches, table);
    return;
  }
  const depth = records.depth[parentPair]!;
  const holder = holderOf(world, table, stretches.holding);
  const holderShape = holder === 0 ? -1 : tables.shape[entities.table[holder]!]!;
  chunks.holderOf[table] = holder;
  const stays =
    chunk !== 0 &&
    chunks.depth[chunk] === depth &&
    chunks.shape[chunk] === shape &&
    chunks.holder[chunk] === holderShape;
  if (stays) {
    if (chunks.marked[chunk] === 1) return;
    if (tables.count[table]! > FEW_ROWS) chunks.marked[chunk] = 1;
    else if (chunks.held[table] === tables.count[table]) writeRows(world, stretches, table);
    else {
      giveUpRows(stretches, table);
      putIn(world, stretches, table, chunk);
    }
    return;
  }
  if (chunk !== 0) takeOut(stretches, table);
  putIn(world, stretches, table, enterChunk(chunks, table, depth, shape, holderShape));
}

/** Appends the rows of a table that has just entered a chunk, if there is room for them. */
function putIn(world: World, stretches: Stretches, table: TableNumber, chunk: number): void {
  const { chunks } = stretches;
  if (chunks.marked[chunk] === 1) return;
  const rows = chunks.rows[chunk]!;
  const count = world.graph.tables.count[table]!;
  if (rows + count > chunks.room[chunk]!) {
    chunks.marked[chunk] = 1;
    return;
  }
  chunks.position[table] = chunks.start[chunk]! + rows;
  chunks.held[table] = count;
  chunks.rows[chunk] = rows + count;
  writeRows(world, stretches, table);
}

function takeOut(stretches: Stretches, table: TableNumber): void {
  const { chunks } = stretches;
  const chunk = chunks.chunkOf[table]!;
  giveUpRows(stretches, table);
  if (chunks.tables[chunk] === 1) stretches.wasted += chunks.room[chunk]!;
  leaveChunk(chunks, table);
}

/** Takes a table's rows out of its chunk: those of the last table fill their place if they are as many. */
function giveUpRows({ chunks, rows, holderRows, rowTables }: Stretches, table: TableNumber): void {
  const chunk = chunks.chunkOf[table]!;
  if (chunks.marked[chunk] === 1) return;
  const held = chunks.held[table]!;
  const last = rowTables[chunks.start[chunk]! + chunks.rows[chunk]! - 1]!;
  if (chunks.held[last] !== held) {
    chunks.marked[chunk] = 1;
    return;
  }
  const to = chunks.position[table]!;
  const from = chunks.position[last]!;
  for (let row = 0; row < held && last !== table; row++) {
    rows[to + row] = rows[from + row]!;
    holderRows[to + row] = holderRows[from + row]!;
    rowTables[to + row] = last;
  }
  chunks.position[last] = to;
  chunks.rows[chunk]! -= held;
}

/** Writes a table's rows, and the row of their holder, at the table's position. */
function writeRows({ graph, entities }: World, stretches: Stretches, table: TableNumber): void {
  const { chunks, rows, holderRows, rowTables } = stretches;
  const { first, count } = graph.tables;
  const holder = chunks.holderOf[table]!;
  const holderRow = holder === 0 ? 0 : first[entities.table[holder]!]! + entities.row[holder]!;
  let at = chunks.position[table]!;
  const end = first[table]! + count[table]!;
  for (let row = first[table]!; row < end; row++) {
    rows[at] = row;
    holderRows[at] = holderRow;
    rowTables[at] = table;
    at++;
  }
}

function refillMarked(world: World, stretches: Stretches): void {
  const { chunks } = stretches;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    if (chunks.marked[chunk] === 1) refill(world, stretches, chunk);
  }
}

/** Reads the rows of a chunk's tables, and of their holders, anew. */
function refill(world: World, stretches: Stretches, chunk: number): void {
  const { chunks } = stretches;
  const { count } = world.graph.tables;
  chunks.marked[chunk] = 0;
  let length = 0;
  for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.next[table]!)
    length += count[table]!;
  if (length > chunks.room[chunk]!) takeRoom(stretches, chunk, length);

  let at = chunks.start[chunk]!;
  chunks.rows[chunk] = length;
  for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.next[table]!) {
    chunks.position[table] = at;
    chunks.held[table] = count[table]!;
    writeRows(world, stretches, table);
    at += count[table]!;
  }
}

/**
 * Gives a chunk positions for `length` rows and a quarter more, or half more if it has outgrown some before. What it
 * had is wasted until all is laid anew.
 */
function takeRoom(stretches: Stretches, chunk: number, length: number): void {
  const { chunks } = stretches;
  const isFirst = chunks.room[chunk] === 0;
  const room = isFirst ? length + (length >> 2) + 1 : length + (length >> 1) + 16;
  stretches.wasted += chunks.room[chunk]!;
  chunks.room[chunk] = 0;
  if (stretches.end + room > stretches.rows.length && stretches.wasted * 2 > stretches.end)
    layAnew(stretches);
  chunks.start[chunk] = stretches.end;
  chunks.room[chunk] = room;
  stretches.end += room;
  stretches.rows = grownInt32(stretches.rows, stretches.end);
  stretches.holderRows = grownInt32(stretches.holderRows, stretches.end);
  stretches.rowTables = grownInt32(stretches.rowTables, stretches.end);
}

/** Moves the pieces of all chunks together. */
function layAnew(stretches: Stretches): void {
  const { chunks } = stretches;
  const old = { ...stretches };
  stretches.rows = new Int32Array(old.rows.length);
  stretches.holderRows = new Int32Array(old.rows.length);
  stretches.rowTables = new Int32Array(old.rows.length);
  stretches.end = 0;
  stretches.wasted = 0;
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.tables[chunk] === 0) continue;
    const start = chunks.start[chunk]!;
    const end = start + chunks.room[chunk]!;
    const to = stretches.end;
    stretches.rows.set(old.rows.subarray(start, end), to);
    stretches.holderRows.set(old.holderRows.subarray(start, end), to);
    stretches.rowTables.set(old.rowTables.subarray(start, end), to);
    for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.next[table]!) {
      chunks.position[table]! += to - start;
    }
    chunks.start[chunk] = to;
    stretches.end += end - start;
  }
}

/** L12: each row with a parent stands once, below the right holder, at its depth. */
function verifyStretches(world: World, stretches: Stretches): string[] {
  refresh(world, stretches);
  const { graph, entities } = world;
  const { chunks, rows, holderRows, holding } = stretches;
  const broken: string[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    const shape = graph.shapes[chunks.shape[chunk]!]!;
    const start = chunks.start[chunk]!;
    if (at > 0 && chunks.depth[chunk]! < chunks.depth[chunks.order[at - 1]!]!)
      broken.push("L12: chunks out of order");
    for (let place = start; place < start + chunks.rows[chunk]!; place++) {
      seen.add(chunks.shape[chunk]! * 2 ** 26 + rows[place]!);
      const index = shape.lanes.i32[rows[place]!]!;
      const table = entities.table[index]!;
      const holder = holderOf(world, table, holding);
      const holderRow =
        holder === 0 ? 0 : graph.tables.first[entities.table[holder]!]! + entities.row[holder]!;
      const isRight =
        isUsed(shape.used, rows[place]!) &&
        holderRow === holderRows[place] &&
        chunks.depth[chunk] === graph.records.depth[graph.tables.parentPair[table]!];
      if (!isRight) broken.push(`L12: e${index} stands wrong in the stretches of ${holding.component.name}`);
    }
  }
  const wanted = shapesWith(graph, ChildOf).reduce((sum, shape) => sum + shape.rows, 0);
  if (seen.size !== wanted)
    broken.push(`L12: the stretches of ${holding.component.name} hold ${seen.size} rows of ${wanted}`);
  return broken;
}
