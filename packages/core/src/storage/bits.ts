import { bytesIn, grownInt32 } from "../base/growing.ts";
import { Disabled, DisabledFromAbove } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";

/**
 * One bit per row of an archetype, set while the row is used. Runs are read off the bits, without looking at tables, and
 * kept until a bit changes.
 */
export class UsedBits {
  /** Row r is bit r % 32 of word r / 32. */
  words: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Runs as last read: [first, end, first, end, ...], absolute rows; the first `length` numbers count. */
  bounds: Int32Array<ArrayBuffer> = new Int32Array(16);
  length = 0;
  /** A bit has changed since the runs were read. */
  stale = false;
  /** Another number each time they are read. */
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

/** Those bits of word `at` that are among the bits from `first` to `end`; it has some of them. */
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

/** Reads the runs below `end` if a bit has changed; bounds are where one differs from that before. Cost: 32 rows, or one, a step. */
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

/** A tag of rows of one archetype as one bit a row, beside the used bits. The bits of rows that are not used are clear. */
export interface BitColumn {
  readonly definition: Definition;
  /** Rows that have it match only queries that name it, or a builtin like it. */
  readonly cuts: boolean;
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
 * All bit columns of an archetype, from the first tag of a row on. They are plain arrays, so that a tag can be set and rows can be
 * moved where the memory of columns has ended. Only `setBits` makes them: programs without such tags ship none of this.
 */
export class Bits {
  /** Each definition once, in the order of need. */
  readonly columns: BitColumn[] = [];
  private readonly rows: Rows;
  /** The used rows that no column cuts out; as of `edition`. */
  private readonly uncut: UsedBits = new UsedBits();
  /** The edition of the used bits that `uncut` was made from; -1 after a bit of a column that cuts has changed. */
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

  /** Sets or clears the tag of the used rows `first .. end`. Cost: the words they lie in. */
  set(definition: Definition, first: number, end: number, on: boolean): void {
    let column = this.columnOf(definition);
    if (column === undefined) {
      if (!on) return;
      const cuts = definition === Disabled || definition === DisabledFromAbove;
      column = { definition, cuts, words: new Int32Array(this.rows.used.words.length), count: 0 };
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
    if (column.cuts) this.edition = -1;
  }

  /** Rows are not used any more: what they had is cleared. */
  clear(first: number, end: number): void {
    for (const column of this.columns) if (column.count > 0) this.fill(column, first, end, false);
  }

  /** The last row of a table goes into a hole, over what was there; it may be the hole itself, and is free then. */
  move(from: number, to: number): void {
    this.clear(to, to + 1);
    if (from === to) return;
    this.copy(from, to, 1);
    this.clear(from, from + 1);
  }

  /** Gives a row of another archetype, which has no tags in bits so far, those of a row of this one. */
  copyTo(destination: Rows, from: number, to: number): void {
    const { columns } = this;
    for (let at = 0; at < columns.length; at++) {
      const { definition, words } = columns[at]!;
      if (isSet(words, from)) setBits(destination, definition, to, to + 1, true);
    }
  }

  /** Copies the tags of rows onto as many rows, which have none so far; the two ranges do not overlap. */
  copy(from: number, to: number, count: number): void {
    for (const column of this.columns) {
      if (column.count > 0) column.count += copyBits(column.words, from, column.words, to, count);
    }
    this.edition = -1;
  }

  /** Lays rows anew, with columns as long as the used bits are by now: `eachRun` names all that have rows. */
  lay(eachRun: (copy: (from: number, to: number, count: number) => void) => void): void {
    for (const column of this.columns) {
      const { words } = column;
      column.words = new Int32Array(this.rows.used.words.length);
      if (column.count > 0) eachRun((from, to, count) => copyBits(words, from, column.words, to, count));
    }
    this.edition = -1;
  }

  isCut(): boolean {
    return this.columns.some(({ cuts, count }) => cuts && count > 0);
  }

  cutsOut(row: number): boolean {
    const { columns } = this;
    for (let at = 0; at < columns.length; at++) {
      const { cuts, words } = columns[at]!;
      if (cuts && isSet(words, row)) return true;
    }
    return false;
  }

  /** Used rows that no column cuts out, with their runs. Cost, if rows or tags have changed: a step per 32 rows, and the runs. */
  enabled(): UsedBits {
    const { rows, uncut, columns } = this;
    const { used, end } = rows;
    refreshRuns(used, end);
    if (!this.isCut()) return used;
    if (this.edition === used.edition) return uncut;
    this.edition = used.edition;
    if (uncut.words.length !== used.words.length) resizeBits(uncut, used.words.length << 5);
    const { words } = uncut;
    words.set(used.words);
    for (const { cuts, count, words: cut } of columns) {
      if (!cuts || count === 0) continue;
      for (let at = 0; at < cut.length; at++) words[at]! &= ~cut[at]!;
    }
    uncut.stale = true;
    refreshRuns(uncut, end);
    return uncut;
  }

  /** How many of the used rows from `first` to `end` are enabled. */
  countEnabled(first: number, end: number): number {
    return popCount(this.enabled().words, first, end);
  }

  get bytes(): number {
    return bytesIn(...this.columns, this.uncut);
  }
}

/** The same of an archetype that may have no bit columns so far. */
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

/** Copies bits onto clear ones. @returns how many are set. */
function copyBits(read: Int32Array, from: number, write: Int32Array, to: number, count: number): number {
  let set = 0;
  for (let at = 0; at < count; at++) {
    if (!isSet(read, from + at)) continue;
    write[(to + at) >>> 5]! |= 1 << ((to + at) & 31);
    set++;
  }
  return set;
}
