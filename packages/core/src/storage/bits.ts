// Tags as one bit per row (`Bits`), which rows a `Cut` leaves, and their runs (`RowBits`).
import { bytesIn, grownInt32 } from "../base/growing.ts";
import { Disabled, DisabledFromAbove } from "../id/builtins.ts";
import { Any, type Definition } from "../id/definition.ts";
import { CutIntervals, type Intervals, type Lists } from "./cut-intervals.ts";
import { NEEDS_HOOKS } from "./needs.ts";
import { type SparseWork, type Stores, sparseWorkOf } from "./sparse.ts";

/** One bit per row of an archetype, and the runs of set bits. */
export class RowBits {
  /** Row r is bit r % 32 of word r / 32. */
  words: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Runs as last computed: [first, end, first, end, ...]; only the first `length` numbers are valid. */
  bounds: Int32Array<ArrayBuffer> = new Int32Array(16);
  length = 0;
  /** Increases each time the runs are computed. */
  edition = 0;
}

export function isSet(words: Int32Array, row: number): boolean {
  return (words[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/** All rows of an archetype as one run, up to date: bits of as many rows or more are set. */
export function allRowsOf({ whole, rows }: Pick<Rows, "whole" | "rows">): RowBits {
  const { bounds, length } = whole;
  if (length === 0 ? rows === 0 : bounds[1] === rows) return whole;
  bounds[1] = rows;
  whole.length = rows === 0 ? 0 : 2;
  whole.edition++;
  return whole;
}

/** The same with the bits themselves. */
function allBitsOf(rows: Pick<Rows, "whole" | "rows">): RowBits {
  const whole = allRowsOf(rows);
  const count = (rows.rows + 31) >>> 5;
  if (count > whole.words.length) whole.words = new Int32Array(count + (count >> 1)).fill(-1);
  return whole;
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
 * Computes the runs of set bits; bounds are where adjacent bits differ.
 *
 * @cost a step per 32 rows and bound.
 */
function computeRuns(bits: RowBits): void {
  bits.edition++;
  const { words } = bits;
  const count = words.length;
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

/** A tag stored as one bit per row of one archetype. Bits behind its last row are clear. */
export interface BitColumn {
  readonly definition: Definition;
  /** Rows that have it are disabled. */
  readonly disables: boolean;
  /** Row r is bit r % 32 of word r / 32; as long as the columns. */
  words: Int32Array<ArrayBuffer>;
  count: number;
  /** Increases when a bit changes. */
  version: number;
  /** The epoch of the world's events in which the tag was found to have neither hooks nor observers; -1 for none. */
  plainEpoch: number;
  /** What changes the values of a sparse definition. */
  readonly sparse: SparseWork | undefined;
}

/** Changes one bit of a row to `on`; it is not, and does not disable. */
export function flip(column: BitColumn, row: number, on: boolean): void {
  column.words[row >>> 5]! ^= 1 << row; // of the row, the low five bits
  countTurned(column, 1, on);
}

/** After the bits of some rows were turned to `on`, without `flip`. */
export function countTurned(column: BitColumn, rows: number, on: boolean): void {
  column.count += on ? rows : -rows;
  column.version++;
}

/** Does a column say which rows have pairs of a sparse relation? */
function isOfPairs({ definition }: BitColumn): boolean {
  return definition.kind === "relation";
}

/** Which rows are meant: those that have all of some tags that are stored as bits, and none of others. */
export interface Cut {
  /** Equal for equal lists; empty until `Bits` sets it. */
  key: string;
  readonly required: readonly Definition[];
  readonly excluded: readonly Definition[];
}

/** The share of the rows that a cut leaves. */
export type Share = typeof NONE | typeof ALL | typeof SOME;
const NONE = 0;
export const ALL = 1;
const SOME = 2;

/** The rows that a cut leaves. */
class CutRows extends RowBits {
  readonly cut: Cut;
  /** What they were computed from: the number of rows, and the sum of the versions of the columns. */
  rows = -1;
  versions = -1;

  constructor(cut: Cut) {
    super();
    this.cut = cut;
  }
}

export const NO_ROWS: RowBits = /* @__PURE__ */ new RowBits();

interface Rows {
  /** All rows, as `allRowsOf` last returned them. */
  readonly whole: RowBits;
  readonly rows: number;
  bits: Bits | undefined;
  readonly lanes: {
    readonly capacity: number;
    /** Lane 0: the entity index of each row. */
    readonly i32: Int32Array;
    /** Knows, while changes are tracked, that rows became disabled or enabled. */
    readonly tracks: { readonly tracking: { disabledEdition: number } } | undefined;
  };
  hooked: readonly Definition[];
  fixedNeeds: number;
  needsEpoch: number;
}

/**
 * All bit columns of an archetype, created when a row first gets such a tag. They are plain arrays, so that tags can be set and
 * rows moved even if the memory of columns is exhausted. Only `setBits` creates them: without such tags bundles omit this class.
 */
export class Bits {
  /** Each definition once, in the order of first use. */
  readonly columns: BitColumn[] = [];
  private readonly rows: Rows;
  /** The one that was turned last: usually the next one too. */
  private last: BitColumn | undefined = undefined;
  /** By key of a cut: the rows that it leaves, as last computed. */
  readonly cuts: Map<string, CutRows> = new Map();

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

  /** As `columnOf`, for one of many changes. Accepts any value. */
  columnToTurn(what: unknown): BitColumn | undefined {
    if (this.last?.definition !== what) this.last = this.columnOf(what as Definition);
    return this.last;
  }

  count(definition: Definition): number {
    return this.columnOf(definition)?.count ?? 0;
  }

  /** @param definition `Any` for pairs of any sparse relation. @param row absolute. */
  has(definition: Definition, row: number): boolean {
    const column = this.columnOf(definition);
    if (column !== undefined) return isSet(column.words, row);
    return definition === Any && this.columns.some((one) => isOfPairs(one) && isSet(one.words, row));
  }

  /** Which share of a row, or of all rows, has the tag; for `Any` some pair of a sparse relation? */
  shareWith(definition: Definition, row: number | undefined): Share {
    if (definition === Any) {
      const shares = this.columns.filter(isOfPairs).map((one) => this.shareWith(one.definition, row));
      return shares.includes(ALL) ? ALL : shares.includes(SOME) ? SOME : NONE;
    }
    const column = this.columnOf(definition);
    if (column === undefined || column.count === 0) return NONE;
    if (row !== undefined) return isSet(column.words, row) ? ALL : NONE;
    return column.count === this.rows.rows ? ALL : SOME;
  }

  /** The rows that have the tag, ascending. */
  rowsWith(definition: Definition): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.rows.rows; row++) if (this.has(definition, row)) rows.push(row);
    return rows;
  }

  /**
   * Sets or clears the tag of rows `first .. end`.
   *
   * @cost the words of these rows.
   */
  set(definition: Definition, first: number, end: number, on: boolean): void {
    const column = on ? this.columnFor(definition) : this.columnOf(definition);
    if (column !== undefined) this.fill(column, first, end, on);
  }

  /** A new column if there is none. */
  columnFor(definition: Definition): BitColumn {
    let column = this.columnOf(definition);
    if (column !== undefined) return column;
    const disables = definition === Disabled || definition === DisabledFromAbove;
    const words = new Int32Array((this.rows.lanes.capacity + 31) >>> 5);
    const sparse = sparseWorkOf(definition);
    column = { definition, disables, words, count: 0, version: 0, plainEpoch: -1, sparse };
    this.columns.push(column);
    if (definition.hooks !== undefined) this.addHooked(definition);
    return column;
  }

  /** From now on, rows of the archetype may have a component with hooks that is not in its type. */
  private addHooked(definition: Definition): void {
    const { rows } = this;
    rows.hooked = [...rows.hooked, definition];
    rows.fixedNeeds |= NEEDS_HOOKS;
    rows.needsEpoch = -1;
  }

  private noteChange(column: BitColumn): void {
    column.version++;
    const { tracks } = this.rows.lanes;
    if (column.disables && tracks !== undefined) tracks.tracking.disabledEdition++;
  }

  private fill(column: BitColumn, first: number, end: number, on: boolean): void {
    const before = popCount(column.words, first, end);
    const after = on ? end - first : 0;
    if (before === after) return;
    fillBits(column.words, first, end, on);
    column.count += after - before;
    this.noteChange(column);
  }

  /** The components with hooks that a row of the archetype has, in its type or here. */
  hookedAt(row: number): readonly Definition[] {
    return this.rows.hooked.filter((one) => one.storage === "table" || this.has(one, row));
  }

  /** The entities of rows are being destroyed: drops their values from sparse stores, and room that these have in reserve. */
  forget(stores: Stores, first: number, end: number): void {
    const { i32 } = this.rows.lanes;
    for (const { definition, count, words, sparse } of this.columns) {
      if (sparse === undefined) continue;
      for (let row = first; count > 0 && row < end; row++)
        if (isSet(words, row)) sparse.turn(stores, definition, i32, row, row + 1, false);
      sparse.turn(stores, definition, i32, end, end, false);
    }
  }

  /** Clears all tags of rows that are no longer used. */
  clear(first: number, end: number): void {
    for (const column of this.columns) if (column.count > 0) this.fill(column, first, end, false);
  }

  /** Moves the tags of the last row to another row, overwriting them. If both are the same row, its tags are cleared. */
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
      if (column.count === 0) continue;
      column.count += copyBits(column.words, from, column.words, to, count);
      this.noteChange(column);
    }
  }

  /** Exchanges the tags of two rows. */
  swap(one: number, other: number): void {
    for (const column of this.columns) {
      const { words } = column;
      if (isSet(words, one) === isSet(words, other)) continue;
      words[one >>> 5]! ^= 1 << one; // of the row, the low five bits
      words[other >>> 5]! ^= 1 << other;
      this.noteChange(column);
    }
  }

  /** The columns have another capacity now: rows stay where they are. */
  resize(): void {
    const length = (this.rows.lanes.capacity + 31) >>> 5;
    for (const column of this.columns) {
      const { words } = column;
      column.words = new Int32Array(length);
      column.words.set(words.subarray(0, length));
    }
  }

  /** Puts rows into another order. @param from new row -> former row. */
  permute(from: Int32Array): void {
    const length = (this.rows.lanes.capacity + 31) >>> 5;
    for (const column of this.columns) {
      const { words } = column;
      column.words = new Int32Array(length);
      for (let row = 0; column.count > 0 && row < from.length; row++)
        if (isSet(words, from[row]!)) column.words[row >>> 5]! |= 1 << row;
      this.noteChange(column);
    }
  }

  /** Does a cut leave no row, all rows, or maybe some? */
  shareOf({ required, excluded }: Cut): Share {
    let share: Share = ALL;
    for (let at = 0; at < required.length; at++) {
      const count = this.count(required[at]!);
      if (count === 0) return NONE;
      if (count < this.rows.rows) share = SOME;
    }
    for (let at = 0; at < excluded.length; at++) if (this.count(excluded[at]!) > 0) share = SOME;
    return share;
  }

  /** Does a cut leave a row? */
  leaves({ required, excluded }: Cut, row: number): boolean {
    return required.every((tag) => this.has(tag, row)) && !excluded.some((tag) => this.has(tag, row));
  }

  /**
   * Leaves out of intervals the rows that a cut leaves out, in any of the archetypes.
   *
   * @param copies whether to copy the lists to which positions refer.
   * @param kept what the last call for these intervals returned.
   * @returns the copies; undefined, with nothing changed, if the cut leaves all rows of all these archetypes.
   */
  cutIntervals(
    cut: Cut,
    archetypes: readonly Pick<Rows, "whole" | "rows" | "bits">[],
    intervals: Intervals,
    lists: Lists | undefined,
    copies: boolean | undefined,
    kept: CutIntervals | undefined,
  ): CutIntervals | undefined {
    let isWhole = true;
    const leftOf = (number: number): RowBits => {
      const archetype = archetypes[number]!;
      if (archetype.bits !== undefined) return archetype.bits.rowsIn(cut);
      return cut.required.length === 0 ? allBitsOf(archetype) : NO_ROWS;
    };
    const { numbers, length, stride } = intervals;
    for (let at = 0; isWhole && at < length; at += stride)
      isWhole = leftOf(numbers[at]!) === archetypes[numbers[at]!]!.whole;
    if (isWhole) return undefined;
    const cuts = kept ?? new CutIntervals();
    cuts.cut(intervals, lists, copies, leftOf);
    return cuts;
  }

  /** The rows that a cut leaves, with their runs. Cost, if rows or tags have changed: a step per 32 rows and per run. */
  rowsIn(cut: Cut): RowBits {
    const { rows } = this.rows;
    const share = this.shareOf(cut);
    if (share !== SOME) return share === ALL ? allBitsOf(this.rows) : NO_ROWS;
    const { required, excluded } = cut;
    let versions = 0;
    for (let at = 0; at < required.length; at++) versions += this.columnOf(required[at]!)?.version ?? 0;
    for (let at = 0; at < excluded.length; at++) versions += this.columnOf(excluded[at]!)?.version ?? 0;
    cut.key ||= `${required.map(({ id }) => id)}-${excluded.map(({ id }) => id)}`;
    let left = this.cuts.get(cut.key);
    if (left === undefined) this.cuts.set(cut.key, (left = new CutRows(cut)));
    if (left.rows === rows && left.versions === versions) return left;
    left.rows = rows;
    left.versions = versions;
    this.cutAgain(left);
    return left;
  }

  /** How many rows a cut leaves. */
  countIn(cut: Cut): number {
    return popCount(this.rowsIn(cut).words, 0, this.rows.rows);
  }

  private cutAgain(left: CutRows): void {
    const { rows } = this.rows;
    const { required, excluded } = left.cut;
    const length = (rows + 31) >>> 5;
    if (left.words.length !== length) left.words = new Int32Array(length);
    const { words } = left;
    words.fill(-1);
    if ((rows & 31) !== 0) words[length - 1] = -1 >>> (32 - (rows & 31));
    for (const tag of required) {
      const column = this.columnOf(tag);
      if (column === undefined) words.fill(0);
      else for (let at = 0; at < length; at++) words[at]! &= column.words[at]!;
    }
    for (const tag of excluded) {
      const column = this.columnOf(tag);
      if (column === undefined || column.count === 0) continue;
      for (let at = 0; at < length; at++) words[at]! &= ~column.words[at]!;
    }
    computeRuns(left);
  }

  get bytes(): number {
    return bytesIn(...this.columns, ...this.cuts.values());
  }
}

/** The column of a tag, to set or clear bits one by one by `flip`; none if there is nothing to clear. */
export function bitsToTurn(rows: Rows, definition: Definition, on: boolean): BitColumn | undefined {
  if (on) rows.bits ??= new Bits(rows);
  return on ? rows.bits!.columnFor(definition) : rows.bits?.columnOf(definition);
}

/** `Bits.set` for an archetype that may have no bit columns yet. */
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
