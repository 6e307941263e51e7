import { type Component, TreelineError } from "@treeline/core";
import { type ArchetypeView, shown } from "@treeline/core/internal";
import { Batch } from "../iterate/each-batch.ts";
import { Run, type RunCallback } from "../iterate/each-run.ts";
import { type Maker, makerOf, ROWS_BEFORE_OWN } from "./isolate.ts";

/** What kernels ask of runs and batches. Lists of rows, and ancestors, are those of batches. */
interface Shown {
  kept: object | undefined;
  archetypeOfRows(): ArchetypeView;
  readonly source?: ArchetypeView | undefined;
  readonly rows?: Int32Array;
  readonly parentRows?: Int32Array;
}

/** What a kernel is while it is used: it makes loops for layouts. */
interface Kernel<Of extends Shown> {
  /** What it is handed, and by which visit. */
  readonly of: abstract new (
    ...given: never[]
  ) => Of;
  readonly by: string;
  readonly maker: Maker<Make<Loop>>;
  /** What its function is given for a layout. */
  readonly valuesFor: (shown: Of) => never[];
  /** By archetype of the rows; they go with their world. */
  readonly editions: WeakMap<ArchetypeView, readonly Edition[]>;
}

type Make<Made> = (...given: never[]) => Made;
/** Goes through the absolute rows of a run, or positions of a batch, `from .. to`. */
type Loop = (from: number, to: number) => void;
/** Goes through runs: [first, end, first, end, ...], absolute rows; those from place `from` to `to`. */
type BoundsLoop = (bounds: Int32Array, from: number, to: number) => void;

/** The loop of a kernel for one layout of columns: the shared one at first, one of its own later. */
export interface Edition {
  readonly kernel: Pick<Kernel<never>, "editions">;
  readonly archetype: ArchetypeView;
  readonly version: number;
  /** The archetype of the ancestors, and its layout; undefined and 0 without. */
  readonly above: ArchetypeView | undefined;
  readonly aboveVersion: number;
  /** Of batch kernels: the lists of rows that the loop goes through; `undefined` for runs. */
  readonly rows: Int32Array | undefined;
  readonly parentRows: Int32Array | undefined;
  loop: Loop;
  /** Once it has a loop of its own: the same over all runs of `bounds`; of run kernels. */
  all: BoundsLoop | undefined;
  /** Rows to go until it gets a loop of its own. */
  left: number;
}

/** The edition that was used last, if it is one of this kernel and for the present layout; else that which is, made if need be. */
function editionOf<Of extends Shown>(kernel: Kernel<Of>, shown: Of): Edition {
  const last = shown.kept as Edition | undefined;
  if (last !== undefined && last.kernel === kernel && isFor(last, shown)) return last;
  if (!(shown instanceof kernel.of))
    refuse(`this kernel is a visitor for ${kernel.by}, and for no other visit`);
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

/** Lists of rows that a kernel comes to in turn with the same columns of rows and ancestors: each query has its own. */
const KEPT_LISTS = 4;

/** Those for older layouts of the same archetypes go, and the eldest of those for other lists of rows. */
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
  const alike = editions.filter(
    (one) =>
      one.above === above && one.version === edition.version && one.aboveVersion === edition.aboveVersion,
  );
  kernel.editions.set(archetype, [...others, ...alike.slice(1 - KEPT_LISTS), edition]);
  return edition;
}

/**
 * Loops are called for so many rows, and for so many bounds, at once. V8 compiles a function that is called seldom and runs long
 * while it runs, and may leave it afterwards with worse code, for good: half as long again for a row.
 */
const ROWS_AT_ONCE = 4096;
const BOUNDS_AT_ONCE = 256;
/** Archetypes whose runs have fewer rows than this, on average, go through one function around the loop. */
const ROWS_OF_SHORT_RUNS = 256;

function callLoop(loop: Loop, from: number, to: number): void {
  for (let at = from; at < to; at += ROWS_AT_ONCE) loop(at, Math.min(at + ROWS_AT_ONCE, to));
}

/** A function of its own: inside of its caller it takes up to three times as long (measured). */
function callBoundsLoop(loop: BoundsLoop, bounds: Int32Array, length: number): void {
  for (let at = 0; at < length; at += BOUNDS_AT_ONCE) loop(bounds, at, Math.min(at + BOUNDS_AT_ONCE, length));
}

/**
 * One function around the loop goes through all runs of an archetype, so that the compiler puts the loop into it. The text stands
 * outside, where it sees none of these names.
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

/** Visits rows of a run, or positions of a batch. */
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

/** Visits all runs of an archetype. @returns false if the kernel has no loop of its own for it. */
function callAllWith(kernel: Kernel<Run>, run: Run, bounds: Int32Array, length: number): boolean {
  try {
    const edition = editionOf(kernel, run);
    const { loop, all } = edition;
    if (all === undefined) return false;
    if (run.archetypeOfRows().rows <= length * (ROWS_OF_SHORT_RUNS / 2)) callBoundsLoop(all, bounds, length);
    else for (let at = 0; at < length; at += 2) callLoop(loop, bounds[at]!, bounds[at + 1]!);
    return true;
  } catch (error) {
    throw explained(error, kernel.maker.isIsolated);
  }
}

// ---- kernels -----------------------------------------------------------------------------------------------------

/** The columns of a list of components, in its order. */
export type ColumnsOf<Components extends readonly Component[]> = {
  readonly [Place in keyof Components]: Components[Place] extends Component<unknown, infer Columns>
    ? Columns
    : never;
};

/** Goes through the absolute rows `first <= row < end`. A long run comes in pieces. */
export type RunLoop = (first: number, end: number) => void;

/**
 * A visitor for `eachRun` whose loop is compiled for each layout of columns, with the typed arrays as constants. Loops over many
 * columns and over many short runs gain most; one long run over two columns is about as fast as before.
 *
 * The function that makes the loop is compiled from its text, so it sees its parameters and what is global, and nothing else:
 * hand over other things as `given`, and change them there. Where texts cannot be compiled (`canCompile`), it works as it stands.
 *
 * Make a kernel once, not in every frame. Cost: two calls of `make` and a compilation for each layout that stays for some
 * 262,000 rows; columns that grow are a new layout.
 *
 * @param components their columns are handed over, so the rows of the query must have them.
 * @param make takes the columns and `given`, and returns the loop. It is called again at times: what should last is in `given`.
 * @throws TreelineError `bad-kernel` for what is no list of components or no function; in a visit, `bad-kernel` if it returns no
 *   loop, names something outside or is no visit of runs, and `bad-query` if rows do not have a component.
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
  const visit: RunCallback = (run) => callWith(kernel, run, run.first, run.end);
  visit.takeAll = (run, bounds, length) => callAllWith(kernel, run, bounds, length);
  return visit;
}

/** Goes through the positions `from <= at < to` of a batch's lists. A long batch comes in pieces. */
export type BatchLoop = (from: number, to: number) => void;

/** Which columns a batch kernel is given. */
export interface BatchComponents<Own extends readonly Component[], Above extends readonly Component[]> {
  /** Of the rows. */
  readonly own: Own;
  /** Of their parents: the nearest ancestors of the query's first term `cascade`, `up` or `selfOrUp`. */
  readonly above: Above;
}

/** Position -> absolute row, as `batch.rows` and `batch.parentRows` have them. */
export interface BatchLists {
  readonly rows: Int32Array;
  /** Not to be read without parents. */
  readonly parentRows: Int32Array;
}

/**
 * The same as `runKernel` for `eachBatch`: a visitor whose loop is compiled for each layout of columns, with the typed arrays
 * of rows and parents, and the lists that say which rows, as constants.
 *
 * @param make takes the columns of rows and parents, the lists, and `given`. It is called once for rows that have parents, and
 *   once with `above` undefined for those that have none, such as roots; and again for other layouts, and longer lists.
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

// ---- what is refused ---------------------------------------------------------------------------------------------

function refuse(why: string): never {
  throw new TreelineError("bad-kernel", why);
}

function requireKernel(components: unknown, make: unknown): void {
  const strangers = Array.isArray(components)
    ? components.filter((one) => typeof one !== "function" || one.kind !== "component")
    : [components];
  const rule = "a kernel takes its components as a list, such as [Position, Velocity]";
  if (strangers.length > 0) refuse(`${rule}, not ${shown(strangers[0])}`);
  if (typeof make !== "function") refuse(`a kernel takes a function that makes its loop, not ${shown(make)}`);
}

function requireLoop(loop: Loop): Loop {
  if (typeof loop !== "function") refuse(`the function of a kernel returns its loop, not ${shown(loop)}`);
  return loop;
}

/** In place of an error that a kernel has thrown since it does not see what stands around it; that one is its cause. */
function explained(error: unknown, isIsolated: boolean): unknown {
  if (!isIsolated || !(error instanceof ReferenceError)) return error;
  const told = new TreelineError(
    "bad-kernel",
    `${error.message} in a kernel, which is compiled by itself and sees its parameters only; hand over what it needs as ` +
      "the last argument",
  );
  told.cause = error;
  return told;
}
