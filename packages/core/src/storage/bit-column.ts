import { Disabled, Hidden } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { createUsedBits, refreshRuns, resizeBits, type UsedBits } from "./used-bits.ts";

/** A tag of rows of one archetype as one bit a row, beside the used bits. The bits of rows that are not used are clear. */
export interface BitColumn {
  readonly definition: Definition;
  /** Rows that have it match only queries that name it, or a builtin like it. */
  readonly cuts: boolean;
  /** Row r is bit r % 32 of word r / 32; as long as the used bits. */
  words: Int32Array<ArrayBuffer>;
  /** Bits that are set. */
  count: number;
}

/**
 * All bit columns of an archetype; it has none until a row of it first gets such a tag. They are plain arrays, outside
 * the memory that columns come from, so that a tag can be set and rows can be moved where that memory has ended.
 */
export interface Bits {
  /** Each definition once, in the order of need. */
  readonly columns: BitColumn[];
  /** The used rows that no column cuts out, with their runs; right after `enabledOf`. */
  readonly enabled: UsedBits;
  /** How many rows are enabled; right after `enabledOf`. */
  rows: number;
  /** The edition of the used bits that `enabled` was made from; -1 after a bit of a column that cuts has changed. */
  edition: number;
}

/** What of an archetype is needed here. */
interface Rows {
  readonly used: UsedBits;
  readonly end: number;
  bits: Bits | undefined;
}

/** The bit column of a tag; `undefined` if no row of the archetype had it yet. */
export function bitColumnOf({ bits }: Rows, definition: Definition): BitColumn | undefined {
  if (bits === undefined) return undefined;
  const { columns } = bits;
  for (let at = 0; at < columns.length; at++) {
    if (columns[at]!.definition === definition) return columns[at];
  }
  return undefined;
}

/** How many rows of the archetype have the tag. */
export function countBits(shape: Rows, definition: Definition): number {
  return bitColumnOf(shape, definition)?.count ?? 0;
}

/** @param row absolute. */
export function hasBit(shape: Rows, definition: Definition, row: number): boolean {
  const column = bitColumnOf(shape, definition);
  return column !== undefined && (column.words[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/** The column of a tag, opened if there is none. */
function openBitColumn(shape: Rows, definition: Definition): BitColumn {
  const known = bitColumnOf(shape, definition);
  if (known !== undefined) return known;
  const bits = shape.bits ?? { columns: [], enabled: createUsedBits(), rows: 0, edition: -1 };
  shape.bits = bits;
  const cuts = definition === Disabled || definition === Hidden;
  const column = { definition, cuts, words: new Int32Array(shape.used.words.length), count: 0 };
  bits.columns.push(column);
  return column;
}

/** Sets or clears the tag of a used row. */
export function setBit(shape: Rows, definition: Definition, row: number, on: boolean): void {
  const column = on ? openBitColumn(shape, definition) : bitColumnOf(shape, definition);
  if (column === undefined) return;
  const { words } = column;
  const at = row >>> 5;
  const mask = 1 << (row & 31);
  if (((words[at]! & mask) !== 0) === on) return;
  words[at]! ^= mask;
  column.count += on ? 1 : -1;
  if (column.cuts) shape.bits!.edition = -1;
}

/** Sets or clears the tag of the used rows `first .. end`. Cost: the words they lie in. */
export function setBits(shape: Rows, definition: Definition, first: number, end: number, on: boolean): void {
  const column = on ? openBitColumn(shape, definition) : bitColumnOf(shape, definition);
  if (column === undefined) return;
  const before = popCount(column.words, first, end);
  const after = on ? end - first : 0;
  if (before === after) return;
  fillBits(column.words, first, end, on);
  column.count += after - before;
  if (column.cuts) shape.bits!.edition = -1;
}

/** Rows are not used any more: what they had is cleared. */
export function clearBits(bits: Bits, first: number, end: number): void {
  for (const column of bits.columns) {
    if (column.count === 0) continue;
    const before = popCount(column.words, first, end);
    if (before === 0) continue;
    fillBits(column.words, first, end, false);
    column.count -= before;
  }
}

/** The last row of a table goes into a hole, over what was there; it may be the hole itself, and is free then. */
export function moveBit({ columns }: Bits, from: number, to: number): void {
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at]!;
    if (column.count === 0) continue;
    const { words } = column;
    const isSet = (words[from >>> 5]! >>> (from & 31)) & 1;
    column.count -= (words[to >>> 5]! >>> (to & 31)) & 1;
    words[from >>> 5]! &= ~(1 << (from & 31));
    words[to >>> 5]! &= ~(1 << (to & 31));
    if (from !== to) words[to >>> 5]! |= isSet << (to & 31);
  }
}

/** Gives a row, which has no tags in bits so far, those of a row of another archetype or of the same. */
export function copyBit(origin: Rows, from: number, destination: Rows, to: number): void {
  const { columns } = origin.bits!;
  for (let at = 0; at < columns.length; at++) {
    const { definition, words } = columns[at]!;
    if ((words[from >>> 5]! & (1 << (from & 31))) !== 0) setBit(destination, definition, to, true);
  }
}

/** Copies the tags of rows onto as many rows, which have none so far; the two ranges do not overlap. */
export function copyBits(bits: Bits, from: number, to: number, count: number): void {
  for (const column of bits.columns) {
    if (column.count > 0) column.count += copyRange(column.words, from, column.words, to, count);
  }
  bits.edition = -1;
}

/** Makes the columns as long as the used bits are by now; new bits are clear. */
export function growBits({ columns }: Bits, { words: used }: UsedBits): void {
  for (const column of columns) {
    const words = new Int32Array(used.length);
    words.set(column.words);
    column.words = words;
  }
}

/** Begins to lay rows anew: the columns are clear, as long as the used bits are by now. @returns the words they had. */
export function renewBits({ columns }: Bits, { words: used }: UsedBits): readonly Int32Array[] {
  return columns.map((column) => {
    const { words } = column;
    column.words = new Int32Array(used.length);
    return words;
  });
}

/** Lays rows anew: those that had the tags of rows `from ..` in the former words have them as rows `to ..`. */
export function layBits(
  { columns }: Bits,
  former: readonly Int32Array[],
  from: number,
  to: number,
  count: number,
): void {
  columns.forEach((column, at) => {
    if (column.count > 0) copyRange(former[at]!, from, column.words, to, count);
  });
}

/** Is some row of the archetype cut out of what queries match? */
export function isCut({ bits }: Rows): boolean {
  if (bits === undefined) return false;
  const { columns } = bits;
  for (let at = 0; at < columns.length; at++) if (columns[at]!.cuts && columns[at]!.count > 0) return true;
  return false;
}

/**
 * The used rows that no column cuts out, and their runs: the used bits themselves where none does.
 *
 * Cost: one step per 32 rows and one per run, if rows or tags have changed.
 */
export function enabledOf(shape: Rows): UsedBits {
  const { used, bits } = shape;
  refreshRuns(used, shape.end);
  if (bits === undefined || !isCut(shape)) return used;
  const { enabled, columns } = bits;
  if (bits.edition === used.edition) return enabled;
  bits.edition = used.edition;
  if (enabled.words.length !== used.words.length) resizeBits(enabled, used.words.length << 5);
  const { words } = enabled;
  words.set(used.words);
  for (const { cuts, count, words: cut } of columns) {
    if (!cuts || count === 0) continue;
    for (let at = 0; at < cut.length; at++) words[at]! &= ~cut[at]!;
  }
  enabled.stale = true;
  refreshRuns(enabled, shape.end);
  bits.rows = popCount(words, 0, shape.end);
  return enabled;
}

/** How many rows of the archetype are enabled. Cost: as `enabledOf`. */
export function enabledRows(shape: Rows & { readonly rows: number }): number {
  if (!isCut(shape)) return shape.rows;
  enabledOf(shape);
  return shape.bits!.rows;
}

/** How many rows from `first` to `end` are enabled. */
export function countEnabled(shape: Rows, first: number, end: number): number {
  return isCut(shape) ? popCount(enabledOf(shape).words, first, end) : end - first;
}

export function bytesOfBits({ columns, enabled }: Bits): number {
  const own = columns.reduce((bytes, { words }) => bytes + words.byteLength, 0);
  return own + enabled.words.byteLength + enabled.bounds.byteLength;
}

/** The bits of one word from bit `from` up to bit `to`, of 32 at most. */
function maskOf(from: number, to: number): number {
  return (-1 << from) & (-1 >>> (32 - to));
}

function fillBits(words: Int32Array, first: number, end: number, on: boolean): void {
  const last = (end - 1) >> 5;
  for (let at = first >>> 5; at <= last; at++) {
    const base = at << 5;
    const mask = maskOf(first > base ? first & 31 : 0, end < base + 32 ? end & 31 : 32);
    if (on) words[at]! |= mask;
    else words[at]! &= ~mask;
  }
}

/** How many bits from `first` to `end` are set. */
function popCount(words: Int32Array, first: number, end: number): number {
  let count = 0;
  const last = (end - 1) >> 5;
  for (let at = first >>> 5; at <= last; at++) {
    let word = words[at]!;
    if (word === 0) continue;
    const base = at << 5;
    word &= maskOf(first > base ? first & 31 : 0, end < base + 32 ? end & 31 : 32);
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Copies bits onto clear ones, a word of those that are written at a time. @returns how many are set. */
function copyRange(read: Int32Array, from: number, write: Int32Array, to: number, count: number): number {
  const end = to + count;
  const shift = (from - to) & 31;
  let set = 0;
  for (let at = to >>> 5; at <= (end - 1) >> 5; at++) {
    const base = at << 5;
    /** The bit that is copied to the first one of this word; it may lie before what is copied. */
    const source = from - to + base;
    const low = read[source >> 5] ?? 0;
    const high = shift === 0 ? 0 : (read[(source >> 5) + 1] ?? 0) << (32 - shift);
    const mask = maskOf(to > base ? to & 31 : 0, end < base + 32 ? end & 31 : 32);
    const word = ((low >>> shift) | high) & mask;
    if (word === 0) continue;
    write[at]! |= word;
    set += popCount(write, Math.max(to, base), Math.min(end, base + 32));
  }
  return set;
}
