// The numbers that compiled code and `each-columns.ts` of query share.

/*
 * What compiled code tells the runtime about a callback, and what a block tells the loops: the numbers of `each-columns.ts` in the
 * package `query`, which this package does not import.
 */

/** Bits of a parameter. */
export const USES_FIELDS = 1;
export const USES_WHOLE = 2;
export const IS_GUARDED = 4;
export const WRITES_ALL = 8;
export const MARKS = 16;

/** Bits of a field. */
export const READS = 1;
export const WRITES = 2;
export const READS_ELEMENTS = 4;
export const READS_LIST = 8;
export const IS_TRUTH = 16;
export const WRITES_ELEMENTS = 32;
export const INDEX_SHIFT = 8;

/** Where the values of a block are. */
export const ADJACENT = 0;
export const BESIDE = 1;
export const ANYWHERE = 2;
export type Form = typeof ADJACENT | typeof BESIDE | typeof ANYWHERE;

/** Thrown where a callback cannot be compiled. */
export class LeftAlone extends Error {
  readonly at: number;

  /** @param at the place in the text that says so. */
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}
