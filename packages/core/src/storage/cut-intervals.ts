// Intervals and lists of rows without those that bits cut out, kept until something changes (`CutIntervals`).
import { grownInt32 } from "../base/growing.ts";

/**
 * Intervals of rows as adjacent numbers, `stride` each: the number of an archetype, positions `from .. to`, a base, and more. With a
 * base above 0 positions are places in lists of rows; otherwise they are absolute rows.
 */
export interface Intervals {
  numbers: Int32Array<ArrayBuffer>;
  length: number;
  readonly stride: number;
}

/** Parallel lists: position -> absolute row, of entities and of their sources. They are the same as long as the version is. */
export interface Lists {
  readonly version: number;
  readonly rowLists: { readonly rows: Int32Array; readonly sourceRows: readonly Int32Array[] };
}

/** The rows of an archetype that are left: a bit for each, and runs. They are the same as long as the edition is. */
interface Left {
  readonly words: Int32Array;
  readonly bounds: Int32Array;
  readonly length: number;
  readonly edition: number;
}

/**
 * Intervals without the rows that bits cut out, kept until the intervals, their lists, or bits change. Positions in lists become
 * positions in copies without those rows: then loops are as long as without a cut.
 */
export class CutIntervals {
  rows: Int32Array<ArrayBuffer> = new Int32Array(0);
  sourceRows: Int32Array<ArrayBuffer>[] = [];
  /** Position in the copies -> position in the lists. */
  private places: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** What was given last, and what came of it. */
  private lists: Lists | undefined = undefined;
  private version = 0;
  private given: Int32Array = this.rows;
  private readonly result: Intervals = { numbers: this.rows, length: 0, stride: 0 };
  /** By interval. */
  private readonly left: Left[] = [];
  private readonly editions: number[] = [];

  /**
   * Cuts intervals.
   *
   * @cost a step per interval if nothing has changed; else a step per run, and per position in lists.
   * @param copies whether to copy lists; if not, intervals of their positions are divided.
   */
  cut(
    intervals: Intervals,
    lists: Lists | undefined,
    copies: boolean | undefined,
    leftOf: (archetype: number) => Left,
  ): void {
    const { result } = this;
    if (!this.isCurrent(intervals, lists, leftOf)) this.cutAgain(intervals, lists, copies);
    intervals.numbers = grownInt32(intervals.numbers, result.length);
    intervals.numbers.set(result.numbers.subarray(0, result.length));
    intervals.length = result.length;
  }

  /** Also reads what is left of each archetype. */
  private isCurrent(
    { numbers, length, stride }: Intervals,
    lists: Lists | undefined,
    leftOf: (archetype: number) => Left,
  ): boolean {
    let isCurrent =
      this.lists === lists && this.version === (lists?.version ?? 0) && this.given.length === length;
    for (let at = 0; isCurrent && at < length; at++) isCurrent = this.given[at] === numbers[at];
    for (let at = 0, place = 0; at < length; at += stride, place++) {
      const left = leftOf(numbers[at]!);
      if (left !== this.left[place] || left.edition !== this.editions[place]) isCurrent = false;
      this.left[place] = left;
      this.editions[place] = left.edition;
    }
    return isCurrent;
  }

  private cutAgain(intervals: Intervals, lists: Lists | undefined, copies: boolean | undefined): void {
    const { numbers, length, stride } = intervals;
    const { left, result } = this;
    this.lists = lists;
    this.version = lists?.version ?? 0;
    this.given = numbers.slice(0, length);
    result.length = 0;
    if (copies) this.fit(intervals, lists!.rowLists.sourceRows.length);
    let end = 0;
    for (let at = 0, place = 0; at < length; at += stride, place++) {
      const from = numbers[at + 1]!;
      const to = numbers[at + 2]!;
      if (numbers[at + 3]! <= 0) this.addRuns(intervals, at, left[place]!);
      else if (copies) {
        const start = end;
        end = this.copyRows(lists!, left[place]!, from, to, end);
        if (start < end) this.add(intervals, at, start, end);
      } else this.addParts(intervals, at, left[place]!, lists!.rowLists.rows);
    }
    if (copies) this.copySources(lists!, end);
  }

  /** Adds an interval to the result, with other positions. */
  private add({ numbers, stride }: Intervals, at: number, from: number, to: number): void {
    const { result } = this;
    const { length } = result;
    result.length += stride;
    result.numbers = grownInt32(result.numbers, result.length);
    for (let more = 0; more < stride; more++) result.numbers[length + more] = numbers[at + more]!;
    result.numbers[length + 1] = from;
    result.numbers[length + 2] = to;
  }

  /** Of adjacent rows. */
  private addRuns(intervals: Intervals, at: number, { bounds, length }: Left): void {
    const first = intervals.numbers[at + 1]!;
    const end = intervals.numbers[at + 2]!;
    let run = 0; // the first run that ends after the first row
    for (let high = length >> 1; run < high; ) {
      const middle = (run + high) >> 1;
      if (bounds[middle * 2 + 1]! > first) high = middle;
      else run = middle + 1;
    }
    for (run *= 2; run < length && bounds[run]! < end; run += 2)
      this.add(intervals, at, Math.max(first, bounds[run]!), Math.min(end, bounds[run + 1]!));
  }

  /** Of positions in a list. */
  private addParts(intervals: Intervals, at: number, { words }: Left, rows: Int32Array): void {
    const end = intervals.numbers[at + 2]!;
    for (let place = intervals.numbers[at + 1]!; place < end; place++) {
      const from = place;
      while (place < end && bitOf(words, rows[place]!) !== 0) place++;
      if (from < place) this.add(intervals, at, from, place);
    }
  }

  /** Appends rows of a list. @returns the position after the last one. */
  private copyRows({ rowLists }: Lists, { words }: Left, from: number, to: number, start: number): number {
    const { rows: own, places } = this;
    const { rows } = rowLists;
    let end = start;
    for (let place = from; place < to; place++) {
      const row = rows[place]!;
      own[end] = row;
      places[end] = place;
      end += bitOf(words, row);
    }
    return end;
  }

  private copySources({ rowLists }: Lists, end: number): void {
    const { places } = this;
    for (const [path, source] of rowLists.sourceRows.entries()) {
      const own = this.sourceRows[path]!;
      for (let at = 0; at < end; at++) own[at] = source[places[at]!]!;
    }
  }

  /** Makes the copies long enough: kernels are compiled for the lists, so these are replaced only if they must be. */
  private fit({ numbers, length, stride }: Intervals, paths: number): void {
    let count = 1; // one more is written than is left
    for (let at = 0; at < length; at += stride)
      if (numbers[at + 3]! > 0) count += numbers[at + 2]! - numbers[at + 1]!;
    if (count <= this.rows.length && this.sourceRows.length === paths) return;
    const make = (): Int32Array<ArrayBuffer> => new Int32Array(count + (count >> 2));
    this.rows = make();
    this.places = make();
    this.sourceRows = Array.from({ length: paths }, make);
  }
}

function bitOf(words: Int32Array, row: number): number {
  return (words[row >>> 5]! >>> (row & 31)) & 1;
}
