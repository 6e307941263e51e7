import { component, type Definition, i32, type Memory } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { isUsed, refreshRuns } from "../../src/storage/bits.ts";
import { Journal } from "../../src/storage/journal.ts";
import {
  appendRow,
  appendRows,
  makeRoomFor,
  NONE,
  type Rows,
  shiftRow,
  takeAllRows,
  takeRow,
} from "../../src/storage/rows.ts";
import { applyLayout, createLayout } from "../../src/storage/slices.ts";
import {
  appendTable,
  giveTableNumber,
  type TableNumber,
  Tables,
  takeTableNumber,
  unlinkTable,
} from "../../src/storage/table.ts";

/** Reserved rows may be this many times the most rows used since the last pack, plus a constant. */
const MOST_RESERVED = 4.5;

/** One number a row: the index of its entity, to check that values stay with their entity. */
export const Self: Definition = component("Self", { self: i32 });

export const Label: Definition = component<number>("Label");

/** The tables of one archetype, and a naive twin of them that records each entity's place. */
export interface Ledger {
  readonly rows: Rows;
  readonly archetype: Archetype;
  /** Table -> entity indexes in the order of their rows. */
  readonly members: Map<TableNumber, number[]>;
  lastIndex: number;
  /** Rows in use, counted by the twin. */
  used: number;
  /** The most of them since the last pack. */
  mostUsed: number;
  /** By how much reserved rows were above their multiple of `mostUsed`, at the worst moment. */
  worstExcess: number;
}

export function createLedger(memory: Memory, definitions: readonly Definition[] = [Self]): Ledger {
  const archetype = new Archetype(0, definitions, memory);
  return {
    rows: {
      tables: new Tables(),
      journal: new Journal(),
      founded: [archetype],
      retained: undefined,
      vacated: undefined,
    },
    archetype,
    members: new Map(),
    lastIndex: 0,
    used: 0,
    mostUsed: 0,
    worstExcess: 0,
  };
}

/** A ledger of entities with a Label, with a table for each count, of that many rows. */
export function ledgerWith(create: () => Memory, ...counts: number[]): Ledger {
  const ledger = createLedger(create(), [Self, Label]);
  for (const count of counts) {
    const table = addTable(ledger);
    for (let row = 0; row < count; row++) append(ledger, table);
  }
  return ledger;
}

/** A new table without rows. */
export function addTable({ rows, archetype, members }: Ledger): TableNumber {
  const table = takeTableNumber(rows.tables, archetype.number);
  appendTable(rows.tables, archetype.empty, table);
  members.set(table, []);
  return table;
}

/** Drops a table, with all its rows at once. */
export function endTable(ledger: Ledger, table: TableNumber): void {
  const { rows, archetype, members } = ledger;
  const { length } = members.get(table)!;
  if (length === 0) unlinkTable(rows.tables, archetype.empty, table);
  else takeAllRows(rows, archetype, table);
  giveTableNumber(rows.tables, table);
  members.delete(table);
  ledger.used -= length;
  note(ledger);
}

function note(ledger: Ledger): void {
  ledger.mostUsed = Math.max(ledger.mostUsed, ledger.used);
  const excess = ledger.archetype.lanes.capacity - MOST_RESERVED * ledger.mostUsed;
  ledger.worstExcess = Math.max(ledger.worstExcess, excess);
}

/** Writes an entity's value where its row is. */
function write({ archetype, rows }: Ledger, table: TableNumber, row: number, index: number): void {
  const at = rows.tables.first[table]! + row;
  archetype.lanes.i32[at] = index;
  for (const { fields } of archetype.lanes.plan.columns) {
    for (const { lane, slot } of fields) {
      if (slot >= 0) archetype.lanes.objects[slot]![at] = index;
      else archetype.lanes.i32[lane * archetype.lanes.stride + at] = index;
    }
  }
}

export function append(ledger: Ledger, table: TableNumber): void {
  const index = ++ledger.lastIndex;
  const members = ledger.members.get(table)!;
  const row = appendRow(ledger.rows, ledger.archetype, table, index);
  if (row !== members.length) throw new Error(`row ${row} instead of ${members.length}`);
  write(ledger, table, row, index);
  members.push(index);
  ledger.used++;
  note(ledger);
}

export function appendMany(ledger: Ledger, table: TableNumber, count: number): void {
  const members = ledger.members.get(table)!;
  const row = appendRows(ledger.rows, ledger.archetype, table, count);
  if (row !== members.length) throw new Error(`row ${row} instead of ${members.length}`);
  for (let at = 0; at < count; at++) {
    const index = ++ledger.lastIndex;
    write(ledger, table, row + at, index);
    members.push(index);
  }
  ledger.used += count;
  note(ledger);
}

export function take(ledger: Ledger, table: TableNumber, row: number): void {
  const members = ledger.members.get(table)!;
  const last = members.pop()!;
  const isLast = row === members.length;
  if (!isLast) members[row] = last;
  const moved = takeRow(ledger.rows, ledger.archetype, table, row);
  if (moved !== (isLast ? NONE : last)) throw new Error(`${moved} is said to have moved, not ${last}`);
  ledger.used--;
  note(ledger);
}

/** Moves a row to the end of another table, where room is made first. */
export function shift(ledger: Ledger, from: TableNumber, row: number, to: TableNumber): void {
  const { rows, archetype, members } = ledger;
  const goal = members.get(to)!;
  const present = members.get(from)!;
  const index = present[row]!;
  makeRoomFor(rows, archetype, to, 1);
  const last = present.pop()!;
  const isLast = row === present.length;
  if (!isLast) present[row] = last;
  goal.push(index);
  const moved = shiftRow(rows, archetype, from, row, to);
  if (moved !== (isLast ? NONE : last)) throw new Error(`${moved} is said to have moved, not ${last}`);
  note(ledger);
}

/** Removes all rows, the last one first; the table stays. */
export function empty(ledger: Ledger, table: TableNumber): void {
  for (let row = ledger.members.get(table)!.length - 1; row >= 0; row--) take(ledger, table, row);
}

/** Lays all rows out without holes, in the order of `tables`. */
export function packLedger(ledger: Ledger, tables: Iterable<TableNumber>): void {
  const { archetype, rows } = ledger;
  const layout = createLayout(archetype);
  const first = new Map<TableNumber, number>();
  for (const table of tables) {
    const count = ledger.members.get(table)!.length;
    if (count === 0) continue;
    first.set(table, layout.rows);
    for (let row = 0; row < count; row++) layout.from[layout.rows++] = rows.tables.first[table]! + row;
  }
  applyLayout(archetype, rows.tables, layout);
  for (const [table, row] of first) rows.tables.first[table] = row;
  ledger.mostUsed = ledger.used;
  note(ledger);
}

/** Compares everything with the twin. @returns the differences in words; empty if there are none. */
export function audit(ledger: Ledger): string[] {
  const wrong: string[] = [];
  const { archetype, rows, members } = ledger;
  const { tables } = rows;
  const { lanes } = archetype;
  const owner = new Int32Array(lanes.capacity);
  const inUse = new Uint8Array(lanes.capacity);
  for (const [table, indexes] of members) {
    const first = tables.first[table]!;
    const capacity = tables.capacity[table]!;
    if (tables.count[table] !== indexes.length) wrong.push(`I1: t${table} counts ${tables.count[table]}`);
    if (indexes.length === 0) {
      if (capacity !== 0) wrong.push(`I14: t${table} has no rows and owns a slice of ${capacity}`);
      continue;
    }
    if (capacity < indexes.length) wrong.push(`I2: t${table} has room for ${capacity} rows`);
    if (first < 0 || first + capacity > archetype.end) wrong.push(`I2: t${table} ends behind the last slice`);
    for (let row = first; row < first + capacity; row++) {
      if (owner[row] !== 0) wrong.push(`I2: t${table} and t${owner[row]} share row ${row}`);
      owner[row] = table;
    }
    indexes.forEach((index, row) => {
      inUse[first + row] = 1;
      if (lanes.i32[first + row] !== index) wrong.push(`I1: row ${row} of t${table} is not of e${index}`);
      if (!hasValues(archetype, first + row, index)) wrong.push(`a value of e${index} is not with it`);
    });
  }
  if (archetype.end > lanes.capacity)
    wrong.push(`I2: slices end at ${archetype.end} of ${lanes.capacity} rows`);
  if (archetype.rows !== ledger.used)
    wrong.push(`I1: the archetype counts ${archetype.rows} rows, not ${ledger.used}`);
  for (let row = 0; row < lanes.capacity; row++) {
    if (isUsed(archetype.used, row) !== (inUse[row] === 1)) wrong.push(`I13: the bit of row ${row}`);
    else if (inUse[row] === 0 && lanes.objects.some((values) => values[row] !== undefined)) {
      wrong.push(`row ${row} is free and keeps a JavaScript value`);
    }
  }
  refreshRuns(archetype.used, archetype.end);
  if (runRows(archetype) !== ledger.used)
    wrong.push(`I13: runs have ${runRows(archetype)} rows, not ${ledger.used}`);
  return wrong.slice(0, 10);
}

function hasValues({ lanes }: Archetype, row: number, index: number): boolean {
  return lanes.plan.columns.every(({ fields }) =>
    fields.every(
      ({ lane, slot }) =>
        (slot < 0 ? lanes.i32[lane * lanes.stride + row] : lanes.objects[slot]![row]) === index,
    ),
  );
}

function runRows({ used }: Archetype): number {
  let rows = 0;
  for (let at = 0; at < used.length; at += 2) rows += used.bounds[at + 1]! - used.bounds[at]!;
  return rows;
}
