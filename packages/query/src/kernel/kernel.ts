// `runKernel`, `batchKernel`: which edition of a loop runs (`editionOf`; keeps `KEPT_LISTS`); rows per call (`ROWS_AT_ONCE`); throws `bad-kernel`.
import { type Component, type Numbers, TreelineError } from "@treeline/core";
import { type ArchetypeView, shown } from "@treeline/core/internal";
import { Batch } from "../iterate/each-batch.ts";
import { Run, type RunCallback } from "../iterate/each-run.ts";
import { type Maker, makerOf, ROWS_BEFORE_OWN } from "./isolate.ts";

/** What kernels need of runs and batches. Only batches have lists of rows, and sources. */
interface Shown {
  kept: object | undefined;
  archetypeOfRows(): ArchetypeView;
  readonly source?: ArchetypeView | undefined;
  readonly rows?: Int32Array;
  readonly parentRows?: Int32Array;
}

/** The state of a kernel: it makes loops for layouts. */
interface Kernel<Of extends Shown> {
  /** The class of what it is passed, and the function that iterates these. */
  readonly of: abstract new (
    ...given: never[]
  ) => Of;
  readonly by: string;
  readonly maker: Maker<Make<Loop>>;
  /** The arguments of its function for a layout. */
  readonly valuesFor: (shown: Of) => never[];
  /** By archetype of the rows; freed with their world. */
  readonly editions: WeakMap<ArchetypeView, readonly Edition[]>;
}

type Make<Made> = (...given: never[]) => Made;
/** Goes through the absolute rows of a run, or positions of a batch, `from .. to`. */
type Loop = (from: number, to: number) => void;
/** Goes through runs: [first, end, first, end, ...], absolute rows; those from place `from` to `to`. */
type BoundsLoop = (bounds: Int32Array, from: number, to: number) => void;

/** The loop of a kernel for one layout of columns: first the shared loop, later a separately compiled one. */
export interface Edition {
  readonly kernel: Pick<Kernel<never>, "editions">;
  readonly archetype: ArchetypeView;
  readonly version: number;
  /** The archetype of the ancestors, and its layout; undefined and 0 if there are none. */
  readonly above: ArchetypeView | undefined;
  readonly aboveVersion: number;
  /** Of batch kernels: the lists of rows that the loop goes through; `undefined` for runs. */
  readonly rows: Int32Array | undefined;
  readonly parentRows: Int32Array | undefined;
  loop: Loop;
  /** For run kernels, once there is a separate loop: the same over all runs of `bounds`. */
  all: BoundsLoop | undefined;
  /** Rows left until it gets a separate loop. */
  left: number;
}

/**
 * The edition that was used last, if it is of this kernel and for the present layout; otherwise the one that is, made if needed.
 */
function editionOf<Of extends Shown>(kernel: Kernel<Of>, shown: Of): Edition {
  const last = shown.kept as Edition | undefined;
  if (last !== undefined && last.kernel === kernel && isFor(last, shown)) return last;
  if (!(shown instanceof kernel.of)) refuse(`this kernel is a callback for ${kernel.by} only`);
  const known = kernel.editions.get(shown.archetypeOfRows())?.find((one) => isFor(one, shown));
  const edition = known ?? createEdition(kernel, shown);
  shown.kept = edition;
  return edition;
}

function isFor(edition: Edition, shown: Shown): boolean {
  const { archetype, version, above, aboveVersion } = edition;
  if (archetype !== shown.archetypeOfRows() || version !== archetype.lanes.version) return false;
  if (edition.rows !== shown.rows || edition.parentRows !== shown.parentRows) return false;
  return above === shown.source && aboveVersion === (above?.lanes.version ?? 0);
}

/** How many lists of rows a kernel keeps for the same columns of rows and ancestors: each query has its own list. */
const KEPT_LISTS = 4;

/** Removes editions for older layouts of the same archetypes, and the oldest of those for other lists of rows. */
function createEdition<Of extends Shown>(kernel: Kernel<Of>, shown: Of): Edition {
  const archetype = shown.archetypeOfRows();
  const above = shown.source;
  const edition: Edition = {
    kernel,
    archetype,
    version: archetype.lanes.version,
    above,
    aboveVersion: above?.lanes.version ?? 0,
    rows: shown.rows,
    parentRows: shown.parentRows,
    loop: requireLoop(kernel.maker.shared(...kernel.valuesFor(shown))),
    all: undefined,
    left: ROWS_BEFORE_OWN,
  };
  const editions = kernel.editions.get(archetype) ?? [];
  const others = editions.filter((one) => one.above !== above);
  const sameLayout = editions.filter(
    (one) =>
      one.above === above && one.version === edition.version && one.aboveVersion === edition.aboveVersion,
  );
  kernel.editions.set(archetype, [...others, ...sameLayout.slice(1 - KEPT_LISTS), edition]);
  return edition;
}

/**
 * A loop is called for this many rows, or this many bounds, at once. V8 optimises a function that is called rarely and runs long
 * while it runs, and may permanently leave it with worse code afterwards: half as long again for a row.
 */
const ROWS_AT_ONCE = 4096;
const BOUNDS_AT_ONCE = 256;
/** Archetypes whose runs have fewer rows than this, on average, go through one function around the loop. */
const ROWS_OF_SHORT_RUNS = 256;

function callLoop(loop: Loop, from: number, to: number): void {
  for (let at = from; at < to; at += ROWS_AT_ONCE) loop(at, Math.min(at + ROWS_AT_ONCE, to));
}

/** A separate function: inlined in its caller it takes up to three times as long (measured). */
function callBoundsLoop(loop: BoundsLoop, bounds: Int32Array, length: number): void {
  for (let at = 0; at < length; at += BOUNDS_AT_ONCE) loop(bounds, at, Math.min(at + BOUNDS_AT_ONCE, length));
}

/**
 * Wraps the loop in one function that goes through all runs of an archetype, so that the compiler inlines the loop. The text is
 * evaluated outside this module, so it sees none of its names.
 */
function withBounds(text: string): string {
  return `((make) => (...given) => {
  const loop = make(...given);
  const all = (bounds, from, to) => {
    for (let at = from; at < to; at += 2) loop(bounds[at], bounds[at + 1]);
  };
  return { loop, all };
})(${text})`;
}

/** Iterates rows of a run, or positions of a batch. */
function callWith<Of extends Shown>(kernel: Kernel<Of>, shown: Of, from: number, to: number): void {
  const { maker, valuesFor } = kernel;
  try {
    const edition = editionOf(kernel, shown);
    if (edition.left > 0) {
      edition.left -= to - from;
      if (edition.left <= 0 && maker.isIsolated) {
        const own = maker.own<Make<Pick<Edition, "loop" | "all">>>(withBounds)(...valuesFor(shown));
        edition.loop = requireLoop(own.loop);
        edition.all = own.all;
      }
    }
    callLoop(edition.loop, from, to);
  } catch (error) {
    throw explained(error, maker.isIsolated);
  }
}

/** Iterates all runs of an archetype. @returns false if the kernel has no separate loop for it. */
function callAllWith(
  kernel: Kernel<Run>,
  run: Run,
  bounds: Int32Array,
  length: number,
  rows: number,
): boolean {
  try {
    const edition = editionOf(kernel, run);
    const { loop, all } = edition;
    if (all === undefined) return false;
    if (rows <= length * (ROWS_OF_SHORT_RUNS / 2)) callBoundsLoop(all, bounds, length);
    else for (let at = 0; at < length; at += 2) callLoop(loop, bounds[at]!, bounds[at + 1]!);
    return true;
  } catch (error) {
    throw explained(error, kernel.maker.isIsolated);
  }
}

// ---- kernels -----------------------------------------------------------------------------------------------------

/** The columns of a list of components, in its order, without those of `value` fields. */
export type ColumnsOf<Components extends readonly Component[]> = {
  readonly [Place in keyof Components]: Components[Place] extends Component<unknown, infer Columns>
    ? KernelColumns<Columns>
    : never;
};

/** The list of an object component, or the typed arrays of the other ones. */
type KernelColumns<Columns> = Columns extends readonly unknown[]
  ? Columns
  : { readonly [Name in keyof Columns as Columns[Name] extends Numbers ? Name : never]: Columns[Name] };

/** Iterates the absolute rows `first <= row < end`. A long run is split into several calls. */
export type RunLoop = (first: number, end: number) => void;

/**
 * Makes a callback for `eachRun` whose loop is compiled for each layout of columns, with the typed arrays as constants. Loops
 * over many columns and over many short runs gain most; one long run over two columns is about as fast as without a kernel.
 *
 * The function that makes the loop is compiled from its text, so it sees its parameters and globals, and nothing else: pass other
 * things as `given`, and change them there. Where texts cannot be compiled (`canCompile`), it is used without recompiling.
 *
 * Make a kernel once, not in every frame.
 *
 * @cost two calls of `make` and a compilation for each layout that stays for some 262,000 rows; columns that grow are a new layout.
 * @param components the components whose columns are passed; the rows of the query must have them.
 * @param make takes the columns and `given`, and returns the loop. It may be called again at any time: keep lasting state in
 *   `given`.
 * @throws TreelineError `bad-kernel` if `components` is not a list of components or `make` is not a function, and during an
 *   iteration if `make` returns no loop or names something outside, or if it is not `eachRun`; `bad-query` during an iteration if
 *   rows do not have a component.
 *
 * @example
 * const clock = { step: 0.016 };
 * const move = runKernel(
 *   [Position, Velocity],
 *   ([{ x, y }, { x: vx, y: vy }], clock) =>
 *     (first, end) => {
 *       const { step } = clock;
 *       for (let row = first; row < end; row++) {
 *         x[row]! += vx[row]! * step;
 *         y[row]! += vy[row]! * step;
 *       }
 *     },
 *   clock,
 * );
 * eachRun(moving, move);
 */
export function runKernel<const Components extends readonly Component[], Given = undefined>(
  components: Components,
  make: (columns: ColumnsOf<Components>, given: Given) => RunLoop,
  ...given: Given extends undefined ? [] : [given: Given]
): (run: Run) => void {
  requireKernel(components, make);
  const own = [...components];
  const kernel: Kernel<Run> = {
    maker: makerOf(make),
    of: Run,
    by: "eachRun",
    valuesFor: (run) => [own.map((one) => run.columns(one)), given[0]] as never[],
    editions: new WeakMap(),
  };
  const callback: RunCallback = (run) => callWith(kernel, run, run.first, run.end);
  callback.takeAll = (run, bounds, length, rows) => callAllWith(kernel, run, bounds, length, rows);
  return callback;
}

/** Iterates the positions `from <= at < to` of a batch's lists. A long batch is split into several calls. */
export type BatchLoop = (from: number, to: number) => void;

/** The components whose columns a batch kernel is passed. */
export interface BatchComponents<Own extends readonly Component[], Above extends readonly Component[]> {
  /** Of the rows. */
  readonly own: Own;
  /** Of their parents: the nearest ancestors of the query's first term `cascade`, `up` or `selfOrUp`. */
  readonly above: Above;
}

/** Position -> absolute row, as `batch.rows` and `batch.parentRows` have them. */
export interface BatchLists {
  readonly rows: Int32Array;
  /** Read it only if there are parents. */
  readonly parentRows: Int32Array;
}

/**
 * The same as `runKernel` for `eachBatch`: makes a callback whose loop is compiled for each layout of columns, with the typed
 * arrays of rows and parents, and the lists of rows, as constants.
 *
 * @param make takes the columns of rows and parents, the lists, and `given`. It is called once for rows that have parents, and
 *   once with `above` undefined for rows that have none, such as roots; and again for other layouts, and longer lists.
 * @throws TreelineError as `runKernel` does.
 *
 * @example
 * const place = batchKernel({ own: [Local, World], above: [World] }, ([local, world], above, { rows, parentRows }) => {
 *   const { x: lx } = local;
 *   const { x: wx } = world;
 *   const ax = above?.[0].x;
 *   return (from, to) => {
 *     for (let at = from; at < to; at++) {
 *       const base = ax === undefined ? 0 : ax[parentRows[at]!]!;
 *       wx[rows[at]!] = base + lx[rows[at]!]!;
 *     }
 *   };
 * });
 * eachBatch(placing, place);
 */
export function batchKernel<
  const Own extends readonly Component[],
  const Above extends readonly Component[],
  Given = undefined,
>(
  components: BatchComponents<Own, Above>,
  make: (
    own: ColumnsOf<Own>,
    above: ColumnsOf<Above> | undefined,
    lists: BatchLists,
    given: Given,
  ) => BatchLoop,
  ...given: Given extends undefined ? [] : [given: Given]
): (batch: Batch) => void {
  requireKernel(components?.own, make);
  requireKernel(components.above, make);
  const own = [...components.own];
  const above = [...components.above];
  const kernel: Kernel<Batch> = {
    maker: makerOf(make),
    of: Batch,
    by: "eachBatch",
    valuesFor: (batch) => {
      const { rows, parentRows, hasParents } = batch;
      const columns = own.map((one) => batch.columns(one));
      const others = hasParents ? above.map((one) => batch.parentColumns(one)) : undefined;
      return [columns, others, { rows, parentRows }, given[0]] as never[];
    },
    editions: new WeakMap(),
  };
  return (batch) => callWith(kernel, batch, batch.from, batch.to);
}

// ---- checks ------------------------------------------------------------------------------------------------------

function refuse(why: string): never {
  throw new TreelineError("bad-kernel", why);
}

function requireKernel(components: unknown, make: unknown): void {
  const wrong = Array.isArray(components)
    ? components.filter((one) => typeof one !== "function" || one.kind !== "component")
    : [components];
  const rule = "a kernel takes its components as a list, such as [Position, Velocity]";
  if (wrong.length > 0) refuse(`${rule}, not ${shown(wrong[0])}`);
  if (typeof make !== "function") refuse(`a kernel takes a function that makes its loop, not ${shown(make)}`);
}

function requireLoop(loop: Loop): Loop {
  if (typeof loop !== "function") refuse(`the function of a kernel returns its loop, not ${shown(loop)}`);
  return loop;
}

/** Replaces an error that a kernel has thrown because it does not see surrounding names; the original is its cause. */
function explained(error: unknown, isIsolated: boolean): unknown {
  if (!isIsolated || !(error instanceof ReferenceError)) return error;
  const explanation = new TreelineError(
    "bad-kernel",
    `${error.message} in a kernel, which is compiled separately and sees only its parameters; pass what it needs as the last ` +
      "argument",
  );
  explanation.cause = error;
  return explanation;
}
