import type { Shape } from "@treeline/core/internal";

/** Goes through runs: [first, end, first, end, ...], absolute rows; those from place `from` to `to`. */
export type BoundsLoop = (bounds: Int32Array, from: number, to: number) => void;

/** The loop of a kernel for one layout of columns: the shared one at first, one of its own later. */
export interface Edition<Loop> {
  readonly shape: Shape;
  readonly version: number;
  /** The shape of the ancestors, and its layout; undefined and 0 without. */
  readonly above: Shape | undefined;
  readonly aboveVersion: number;
  /** Of stretch kernels: the lists of rows that the loop goes through; `undefined` for runs. */
  readonly rows: Int32Array | undefined;
  readonly parentRows: Int32Array | undefined;
  loop: Loop;
  /** Once it has a loop of its own: the same over all runs of `bounds`; of run kernels. */
  all: BoundsLoop | undefined;
  /** Rows to go until it gets a loop of its own. */
  left: number;
}

/** What kernels keep with a run or stretch, which live as long as their query; owned by `kernel/`. */
export interface Editions {
  /** Whose edition was used last, and which. */
  kernel: object | undefined;
  edition: Edition<unknown> | undefined;
  /** Kernel -> shape of the rows -> its editions: some without ancestors, some for each shape of theirs. */
  readonly byKernel: WeakMap<object, Map<Shape, Edition<unknown>[]>>;
}

export function createEditions(): Editions {
  return { kernel: undefined, edition: undefined, byKernel: new WeakMap() };
}
