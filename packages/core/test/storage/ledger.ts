import { component, type Definition, i32, type Memory } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { allRowsOf } from "../../src/storage/bits.ts";
import { appendRow, appendRows, Rows, takeRow, takeRows } from "../../src/storage/rows.ts";

/** Reserved rows may be this many times the most rows ever used, plus those of one alignment. */
const MOST_RESERVED = 1.5;

/** One number a row: the index of its entity, to check that values stay with their entity. */
export const Self: Definition = component("Self", { self: i32 });

export const Label: Definition = component<number>("Label");

/** Records of entities, which may be longer at any time. */
class Records {
  row: Int32Array = new Int32Array(64);
  length = 1;
}

/** The rows of one archetype, and a naive twin of them. */
export interface Ledger {
  readonly rows: Rows;
  readonly records: Records;
  readonly archetype: Archetype;
  /** Entity indexes by row. */
  readonly members: number[];
  lastIndex: number;
  mostUsed: number;
  /** By how much reserved rows were above their multiple of `mostUsed`, at the worst moment. */
  worstExcess: number;
}

export function createLedger(memory: Memory, definitions: readonly Definition[] = [Self]): Ledger {
  const records = new Records();
  const rows = new Rows(records);
  return addLedger(rows, records, new Archetype(0, definitions, memory));
}

/** Rows of another archetype of the same world. */
export function ledgerBeside({ rows, records }: Ledger, memory: Memory): Ledger {
  return addLedger(rows, records, new Archetype(rows.founded.length, [Self], memory));
}

function addLedger(rows: Rows, records: Records, archetype: Archetype): Ledger {
  rows.founded.push(archetype);
  const first = archetype.number * 100_000; // indexes of their own
  return { rows, records, archetype, members: [], lastIndex: first, mostUsed: 0, worstExcess: 0 };
}

/** A ledger of entities with a Label, of so many rows. */
export function ledgerOf(create: () => Memory, count: number): Ledger {
  const ledger = createLedger(create(), [Self, Label]);
  for (let row = 0; row < count; row++) append(ledger);
  return ledger;
}

function note(ledger: Ledger): void {
  ledger.mostUsed = Math.max(ledger.mostUsed, ledger.members.length);
  const excess = ledger.archetype.lanes.capacity - MOST_RESERVED * ledger.mostUsed;
  ledger.worstExcess = Math.max(ledger.worstExcess, excess);
}

/** Writes an entity's values into its row, and its record. */
function write({ archetype, records }: Ledger, row: number, index: number): void {
  const { lanes } = archetype;
  lanes.i32[row] = index;
  for (const { fields } of lanes.plan.columns) {
    for (const { lane, slot } of fields) {
      if (slot >= 0) lanes.objects[slot]![row] = index;
      else lanes.i32[lane * lanes.stride + row] = index;
    }
  }
  if (index >= records.row.length) {
    const longer = new Int32Array(index * 2);
    longer.set(records.row);
    records.row = longer;
  }
  records.row[index] = row;
  records.length = Math.max(records.length, index + 1);
}

export function append(ledger: Ledger): void {
  const index = ++ledger.lastIndex;
  const row = appendRow(ledger.rows, ledger.archetype, index);
  if (row !== ledger.members.length) throw new Error(`row ${row} instead of ${ledger.members.length}`);
  write(ledger, row, index);
  ledger.members.push(index);
  note(ledger);
}

export function appendMany(ledger: Ledger, count: number): void {
  const first = appendRows(ledger.rows, ledger.archetype, count);
  if (first !== ledger.members.length) throw new Error(`row ${first} instead of ${ledger.members.length}`);
  for (let row = first; row < first + count; row++) {
    write(ledger, row, ++ledger.lastIndex);
    ledger.members.push(ledger.lastIndex);
  }
  note(ledger);
}

export function take(ledger: Ledger, row: number): void {
  const last = ledger.members.pop()!;
  if (row < ledger.members.length) ledger.members[row] = last;
  takeRow(ledger.rows, ledger.archetype, row);
  note(ledger);
}

/** Removes several rows at once. Which of the last ones fills which hole is not promised: the twin reads the new order. */
export function takeMany(ledger: Ledger, rows: readonly number[]): void {
  const { archetype, members } = ledger;
  const gone = new Set(rows.map((row) => members[row]!));
  const left = members.filter((index) => !gone.has(index));
  const kept = members.slice(0, left.length).map((index) => (gone.has(index) ? 0 : index));
  const holes = Int32Array.from([-1, ...rows, -1]);

  takeRows(ledger.rows, archetype, holes, 1, rows.length + 1);

  const order = [...archetype.lanes.i32.subarray(0, archetype.rows)];
  const isSame = order.toSorted(byNumber).join() === left.toSorted(byNumber).join();
  if (!isSame) throw new Error(`rows of ${order.join()} are left, not of ${left.join()}`);
  kept.forEach((index, row) => {
    if (index !== 0 && order[row] !== index) throw new Error(`e${index} has left row ${row}`);
  });
  members.splice(0, members.length, ...order);
  note(ledger);
}

function byNumber(one: number, other: number): number {
  return one - other;
}

/** Removes all rows, the last one first. */
export function empty(ledger: Ledger): void {
  for (let row = ledger.members.length - 1; row >= 0; row--) take(ledger, row);
}

/** Compares everything with the twin. @returns the differences in words; empty if there are none. */
export function audit({ archetype, records, members }: Ledger): string[] {
  const wrong: string[] = [];
  const { lanes, rows } = archetype;
  if (rows !== members.length) wrong.push(`I1: the archetype counts ${rows} rows, not ${members.length}`);
  if (rows > lanes.capacity) wrong.push(`I2: ${rows} rows in columns of ${lanes.capacity}`);
  members.forEach((index, row) => {
    if (lanes.i32[row] !== index) wrong.push(`I1: row ${row} is not of e${index}`);
    if (records.row[index] !== row) wrong.push(`I1: e${index} is said to be in row ${records.row[index]}`);
    if (!hasValues(archetype, row, index)) wrong.push(`a value of e${index} is not with it`);
  });
  for (let row = rows; row < lanes.capacity; row++) {
    if (lanes.objects.some((values) => values[row] !== undefined))
      wrong.push(`row ${row} is free and keeps a JavaScript value`);
  }
  const { bounds, length } = allRowsOf(archetype);
  const runs = bounds.subarray(0, length).join();
  if (runs !== (rows === 0 ? "" : `0,${rows}`)) wrong.push(`the runs of ${rows} rows are ${runs}`);
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
