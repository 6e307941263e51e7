import { bytesIn, grownInt32 } from "../base/growing.ts";
import { Disabled, DisabledFromAbove } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { type Stores, sparseWorkOf } from "./sparse.ts";

/**
 * One bit per row of an archetype, set while the row is used. Runs are computed from the bits alone, without reading tables, and
 * cached until a bit changes.
 */
export class UsedBits {
  /** Row r is bit r % 32 of word r / 32. */
  words: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Runs as last computed: [first, end, first, end, ...], absolute rows; only the first `length` numbers are valid. */
  bounds: Int32Array<ArrayBuffer> = new Int32Array(16);
  length = 0;
  /** A bit has changed since the runs were computed. */
  stale = false;
  /** Increases each time the runs are computed. */
  edition = 0;
}

/** Makes room for `rows` bits; new ones are clear. */
export function resizeBits(bits: UsedBits, rows: number): void {
  const words = new Int32Array((rows + 31) >>> 5);
  words.set(bits.words.subarray(0, words.length));
  bits.words = words;
}

export function markUsed(bits: UsedBits, row: number): void {
  bits.words[row >>> 5]! |= 1 << (row & 31);
  bits.stale = true;
}

export function markUnused(bits: UsedBits, row: number): void {
  bits.words[row >>> 5]! &= ~(1 << (row & 31));
  bits.stale = true;
}

export function isUsed({ words }: UsedBits, row: number): boolean {
  return isSet(words, row);
}

export function markRange(bits: UsedBits, first: number, end: number, used: boolean): void {
  fillBits(bits.words, first, end, used);
  bits.stale = true;
}

function isSet(words: Int32Array, row: number): boolean {
  return (words[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/** A mask of the bits of word `at` that are in `first .. end`. The word must have some of them. */
function maskOf(at: number, first: number, end: number): number {
  const base = at << 5;
  return (-1 << (first > base ? first & 31 : 0)) & (-1 >>> (end < base + 32 ? 32 - (end & 31) : 0));
}

function fillBits(words: Int32Array, first: number, end: number, on: boolean): void {
  const last = (end - 1) >> 5;
  for (let at = first >>> 5; at <= last; at++) {
    const mask = maskOf(at, first, end);
    if (on) words[at]! |= mask;
    else words[at]! &= ~mask;
  }
}

/**
 * Computes the runs below `end` if a bit has changed; bounds are where adjacent bits differ. Cost: a step per 32 rows and bound.
 */
export function refreshRuns(bits: UsedBits, end: number): void {
  if (!bits.stale) return;
  bits.stale = false;
  bits.edition++;
  const { words } = bits;
  const count = (end + 31) >>> 5;
  let { bounds } = bits;
  let length = 0;
  let carry = 0;
  for (let at = 0; at < count; at++) {
    const word = words[at]!;
    let changes = word ^ ((word << 1) | carry);
    if (changes === 0) continue;
    carry = word >>> 31;
    if (length + 33 > bounds.length) bounds = grownInt32(bounds, bounds.length * 2 + 64);
    const base = at << 5;
    while (changes !== 0) {
      bounds[length++] = base + 31 - Math.clz32(changes & -changes);
      changes &= changes - 1;
    }
  }
  if (carry !== 0) bounds[length++] = count << 5;
  bits.bounds = bounds;
  bits.length = length;
}

/** How many times rows may have become disabled or enabled, in all worlds. */
let turns = 0;

/** A number that grows whenever rows may have become disabled or enabled; 0 while no program part has disabled any. */
export function disabledEdition(): number {
  return turns;
}

/** A tag stored as one bit per row of one archetype, parallel to the used bits. Bits of unused rows are clear. */
export interface BitColumn {
  readonly definition: Definition;
  /** Rows that have it match only queries that name it, or another such builtin. */
  readonly disables: boolean;
  /** Row r is bit r % 32 of word r / 32; as long as the used bits. */
  words: Int32Array<ArrayBuffer>;
  count: number;
}

interface Rows {
  readonly used: UsedBits;
  readonly end: number;
  bits: Bits | undefined;
}

/**
 * All bit columns of an archetype, created when a row first gets such a tag. They are plain arrays, so that tags can be set and
 * rows moved even if the memory of columns is exhausted. Only `setBits` creates them: without such tags bundles omit this class.
 */
export class Bits {
  /** Each definition once, in the order of first use. */
  readonly columns: BitColumn[] = [];
  private readonly rows: Rows;
  /** The used rows that are not disabled; as of `edition`. */
  private readonly enabledRows: UsedBits = new UsedBits();
  /** The edition of the used bits that `enabledRows` was made from; -1 after a bit of a column with `disables` has changed. */
  private edition = -1;

  constructor(rows: Rows) {
    this.rows = rows;
  }

  columnOf(definition: Definition): BitColumn | undefined {
    const { columns } = this;
    for (let at = 0; at < columns.length; at++) {
      if (columns[at]!.definition === definition) return columns[at];
    }
    return undefined;
  }

  count(definition: Definition): number {
    return this.columnOf(definition)?.count ?? 0;
  }

  /** @param row absolute. */
  has(definition: Definition, row: number): boolean {
    const column = this.columnOf(definition);
    return column !== undefined && isSet(column.words, row);
  }

  /** The absolute rows that have the tag, ascending. */
  rowsWith(definition: Definition): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.rows.end; row++) if (this.has(definition, row)) rows.push(row);
    return rows;
  }

  /** Sets or clears the tag of the used rows `first .. end`. Cost: the words of these rows. */
  set(definition: Definition, first: number, end: number, on: boolean): void {
    let column = this.columnOf(definition);
    if (column === undefined) {
      if (!on) return;
      const disables = definition === Disabled || definition === DisabledFromAbove;
      column = { definition, disables, words: new Int32Array(this.rows.used.words.length), count: 0 };
      this.columns.push(column);
    }
    this.fill(column, first, end, on);
  }

  private fill(column: BitColumn, first: number, end: number, on: boolean): void {
    const before = popCount(column.words, first, end);
    const after = on ? end - first : 0;
    if (before === after) return;
    fillBits(column.words, first, end, on);
    column.count += after - before;
    if (column.disables) this.turn();
  }

  private turn(): void {
    this.edition = -1;
    turns++;
  }

  /** The entities of rows, by index in a list, are being destroyed: drops their values from sparse stores. */
  forget(stores: Stores, list: Int32Array, first: number, end: number): void {
    for (const { definition, count, words } of this.columns) {
      const sparse = sparseWorkOf(definition);
      if (sparse === undefined || count === 0) continue;
      for (let row = first; row < end; row++)
        if (isSet(words, row)) sparse.turn(stores, definition, list, row, row + 1, false);
    }
  }

  /** Clears all tags of rows that are no longer used. */
  clear(first: number, end: number): void {
    for (const column of this.columns) if (column.count > 0) this.fill(column, first, end, false);
  }

  /**
   * Moves the tags of the last row of a table to another row, overwriting them. If both are the same row, its tags are cleared.
   */
  move(from: number, to: number): void {
    this.clear(to, to + 1);
    if (from === to) return;
    this.copy(from, to, 1);
    this.clear(from, from + 1);
  }

  /** Copies the tags of a row to a row of another archetype, which has no tags in bits so far. */
  copyTo(destination: Rows, from: number, to: number): void {
    const { columns } = this;
    for (let at = 0; at < columns.length; at++) {
      const { definition, words } = columns[at]!;
      if (isSet(words, from)) setBits(destination, definition, to, to + 1, true);
    }
  }

  /** Copies the tags of `count` rows to rows that have none so far; the two ranges must not overlap. */
  copy(from: number, to: number, count: number): void {
    for (const column of this.columns) {
      if (column.count > 0) column.count += copyBits(column.words, from, column.words, to, count);
    }
    this.turn();
  }

  /** Moves all rows, with columns as long as the used bits now are: `eachRun` calls its argument for each run of used rows. */
  relocate(eachRun: (copy: (from: number, to: number, count: number) => void) => void): void {
    for (const column of this.columns) {
      const { words } = column;
      column.words = new Int32Array(this.rows.used.words.length);
      if (column.count > 0) eachRun((from, to, count) => copyBits(words, from, column.words, to, count));
    }
    this.edition = -1;
  }

  disablesAny(): boolean {
    return this.columns.some(({ disables, count }) => disables && count > 0);
  }

  isDisabled(row: number): boolean {
    const { columns } = this;
    for (let at = 0; at < columns.length; at++) {
      const { disables, words } = columns[at]!;
      if (disables && isSet(words, row)) return true;
    }
    return false;
  }

  /** The enabled rows, with their runs. Cost, if rows or tags have changed: a step per 32 rows and per run. */
  enabled(): UsedBits {
    const { rows, enabledRows, columns } = this;
    const { used, end } = rows;
    refreshRuns(used, end);
    if (!this.disablesAny()) return used;
    if (this.edition === used.edition) return enabledRows;
    this.edition = used.edition;
    if (enabledRows.words.length !== used.words.length) resizeBits(enabledRows, used.words.length << 5);
    const { words } = enabledRows;
    words.set(used.words);
    for (const { disables, count, words: cut } of columns) {
      if (!disables || count === 0) continue;
      for (let at = 0; at < cut.length; at++) words[at]! &= ~cut[at]!;
    }
    enabledRows.stale = true;
    refreshRuns(enabledRows, end);
    return enabledRows;
  }

  /** How many of the used rows from `first` to `end` are enabled. */
  countEnabled(first: number, end: number): number {
    return popCount(this.enabled().words, first, end);
  }

  get bytes(): number {
    return bytesIn(...this.columns, this.enabledRows);
  }
}

/** The same for an archetype that may have no bit columns yet. */
export function setBits(rows: Rows, definition: Definition, first: number, end: number, on: boolean): void {
  if (on) rows.bits ??= new Bits(rows);
  rows.bits?.set(definition, first, end, on);
}

function popCount(words: Int32Array, first: number, end: number): number {
  let count = 0;
  const last = (end - 1) >> 5;
  for (let at = first >>> 5; at <= last; at++) {
    let word = words[at]! & maskOf(at, first, end);
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Copies bits onto clear bits. @returns how many are set. */
function copyBits(read: Int32Array, from: number, write: Int32Array, to: number, count: number): number {
  let set = 0;
  for (let at = 0; at < count; at++) {
    if (!isSet(read, from + at)) continue;
    write[(to + at) >>> 5]! |= 1 << ((to + at) & 31);
    set++;
  }
  return set;
}
