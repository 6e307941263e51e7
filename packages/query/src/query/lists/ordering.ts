import type { Changes } from "@treeline/core/internal";
import { createIntervals, type RowIntervals } from "./row-intervals.ts";

/** Answers as they were gathered, with all that their order hangs on, by place from 0. */
export class Sorting {
  /** The gathered spans. */
  numbers: Int32Array;
  /** Who it is, where its span begins, and its position there. */
  readonly handles: Float64Array;
  readonly intervals: Int32Array;
  readonly positions: Int32Array;
  /** By group first: the index of the target, or the number of the key. */
  readonly ranks: Int32Array;
  /** Then by depth, `LAYERS` for each, so that those without a value come last. */
  readonly layers: Int32Array;
  /** Then by number, or by comparing values, which are forgotten after that. */
  readonly keys: Float64Array;
  readonly values: unknown[] = [];
  /** Places in the order of the visit. */
  order: number[] = [];
  /** Keys of groups by number, if a function tells them. */
  groups: readonly unknown[] = [];

  constructor(numbers: Int32Array, count: number) {
    this.numbers = numbers;
    this.handles = new Float64Array(count);
    this.intervals = new Int32Array(count);
    this.positions = new Int32Array(count);
    this.ranks = new Int32Array(count);
    this.layers = new Int32Array(count);
    this.keys = new Float64Array(count);
  }
}

/**
 * The answers of an ordered or grouped query in their order, kept until something changes. Positions are places in it, from 0.
 */
export class Ordering {
  /** What was sorted, and in which order. */
  current: Sorting = new Sorting(new Int32Array(0), 0);
  /** Room for the next, if that has as many answers. */
  spare: Sorting | undefined = undefined;
  /** The answers in order; and by span, the position behind it. */
  readonly sorted: RowIntervals;
  readonly ends: number[] = [];
  /** Groups in order, with their numbers from 0; and by group, its first position, then the number of answers. */
  numbers: ReadonlyMap<unknown, number> = new Map();
  starts: readonly number[] = [0];
  /** Nothing is kept yet, or looking at it was given up half-way: values may be others. */
  isStale = true;
  /** Tells whether rows moved; undefined for queries that look at everything at each visit, since nobody disposes them. */
  changes: Changes | undefined = undefined;
  /** The tick up to which values have been looked at. */
  since = 0;
  /** What the batches counted then; 0 without batches. */
  version = 0;

  constructor({ stride, melts }: RowIntervals) {
    this.sorted = createIntervals(stride, melts);
  }
}
