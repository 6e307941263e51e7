// The record of a sorted query: sort keys, order and groups (`Sorting`, `Ordering`).
import type { Changes } from "@treeline/core/internal";
import { createIntervals, type RowIntervals } from "./row-intervals.ts";

/** What an `orderBy` compares, by place. */
export class SortKeys {
  /** 0 for a value, or what is compared in its place. */
  readonly marks: Uint8Array;
  /** A number, or values to compare, which are dropped after that. */
  readonly numbers: Float64Array;
  readonly values: unknown[] = [];

  constructor(count: number) {
    this.marks = new Uint8Array(count);
    this.numbers = new Float64Array(count);
  }
}

/** Matches as they were listed, with all that their order depends on, by place from 0. */
export class Sorting {
  /** The listed intervals. */
  numbers: Int32Array;
  /** The handle of the entity, where its interval begins, and its position there. */
  readonly handles: Float64Array;
  readonly intervals: Int32Array;
  readonly positions: Int32Array;
  /** First sort key, the group: the index of the target, or the number of the key. */
  readonly ranks: Int32Array;
  /** Second, the depth, or with `inOrder` the position. */
  readonly layers: Int32Array;
  /** Then the values of each `orderBy`. */
  readonly keys: readonly SortKeys[];
  /** Places in the order of iteration. */
  order: number[] = [];
  /** Keys of groups by number, if a function returns them. */
  groups: readonly unknown[] = [];

  constructor(numbers: Int32Array, count: number, orders: number) {
    this.numbers = numbers;
    this.handles = new Float64Array(count);
    this.intervals = new Int32Array(count);
    this.positions = new Int32Array(count);
    this.ranks = new Int32Array(count);
    this.layers = new Int32Array(count);
    this.keys = Array.from({ length: orders }, () => new SortKeys(count));
  }
}

/**
 * The matches of an ordered or grouped query in their order, kept until something changes. Positions are places in it, from 0.
 */
export class Ordering {
  /** What was sorted, and its order. */
  current: Sorting = new Sorting(new Int32Array(0), 0, 0);
  /** Memory for the next, if that has as many matches. */
  spare: Sorting | undefined = undefined;
  /** The matches in order; and by interval, the position after it. */
  readonly sorted: RowIntervals;
  readonly ends: number[] = [];
  /** Groups in order, with their numbers from 0; and by group, its first position, then the number of matches. */
  numbers: ReadonlyMap<unknown, number> = new Map();
  starts: readonly number[] = [0];
  /** Nothing is kept yet, or a refresh was aborted: values may differ. */
  isStale = true;
  /** Whether rows moved; undefined for queries that are never disposed: these read all at each iteration. */
  changes: Changes | undefined = undefined;
  /** The tick up to which values have been read. */
  since = 0;
  /** The version of the batches then; 0 without batches. */
  version = 0;

  constructor({ stride, merges }: RowIntervals) {
    this.sorted = createIntervals(stride, merges);
  }
}
