import { type Component, TreelineError } from "@treeline/core";
import { type Archetype, shown } from "@treeline/core/internal";
import type { Maker } from "./isolate.ts";

/** What kernels ask of runs and stretches. Lists of rows, and ancestors, are those of stretches. */
export interface Visited {
  kept: object | undefined;
  shapeOfRows(): Archetype;
  shapeOfParents?(): Archetype | undefined;
  readonly rows?: Int32Array;
  readonly parentRows?: Int32Array;
}

/** What a kernel is while it is used: it makes loops for layouts. */
export interface Kernel<Loop, Make, Of extends Visited> {
  /** What it is handed, and by which visit. */
  readonly of: abstract new (
    ...given: never[]
  ) => Of;
  readonly by: string;
  readonly maker: Maker<Make>;
  readonly loopOf: (make: Make, visited: Of) => Loop;
}

/** Goes through runs: [first, end, first, end, ...], absolute rows; those from place `from` to `to`. */
export type BoundsLoop = (bounds: Int32Array, from: number, to: number) => void;

/** The loop of a kernel for one layout of columns: the shared one at first, one of its own later. */
export interface Edition<Loop> {
  readonly shape: Archetype;
  readonly version: number;
  /** The shape of the ancestors, and its layout; undefined and 0 without. */
  readonly above: Archetype | undefined;
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

/** What kernels keep with a run or stretch, which live as long as their query. */
export interface Editions {
  /** Whose edition was used last, and which. */
  kernel: object | undefined;
  edition: Edition<unknown> | undefined;
  /** Kernel -> shape of the rows -> its editions: some without ancestors, some for each shape of theirs. */
  readonly byKernel: WeakMap<object, Map<Archetype, Edition<unknown>[]>>;
}

/**
 * After so many rows of one layout its loop is compiled for itself. Until then the shared loop has cost about as much
 * more as a compilation does (measured), so a program whose columns grow all the time pays twice at most.
 */
export const ROWS_BEFORE_OWN: number = 0x4_0000;

/** The edition that was used last, if it is one of this kernel and for the present layout; else that which is, made if need be. */
export function editionOf<Loop, Make, Of extends Visited>(
  kernel: Kernel<Loop, Make, Of>,
  visited: Of,
): Edition<Loop> {
  const known = visited.kept as Editions | undefined;
  const last = known?.kernel === kernel ? (known.edition as Edition<Loop>) : undefined;
  return last !== undefined && isFor(last, visited) ? last : editionFor(kernel, visited);
}

function isFor(
  { shape, version, above, aboveVersion, rows, parentRows }: Edition<unknown>,
  visited: Visited,
): boolean {
  if (shape !== visited.shapeOfRows() || version !== shape.lanes.version) return false;
  if (rows !== visited.rows || parentRows !== visited.parentRows) return false;
  return (
    above === visited.shapeOfParents?.() && (above === undefined || aboveVersion === above.lanes.version)
  );
}

function editionFor<Loop, Make, Of extends Visited>(
  kernel: Kernel<Loop, Make, Of>,
  visited: Of,
): Edition<Loop> {
  requireVisited(kernel, visited);
  visited.kept ??= { kernel: undefined, edition: undefined, byKernel: new WeakMap() } satisfies Editions;
  const known = visited.kept as Editions;
  const shape = visited.shapeOfRows();
  const editions = editionsFor<Loop>(known, kernel, shape);
  let edition = editions.find((one) => isFor(one, visited));
  if (edition === undefined) {
    const above = visited.shapeOfParents?.();
    edition = {
      loop: requireLoop(kernel.loopOf(kernel.maker.shared, visited)),
      shape,
      version: shape.lanes.version,
      above,
      aboveVersion: above?.lanes.version ?? 0,
      rows: visited.rows,
      parentRows: visited.parentRows,
      all: undefined,
      left: ROWS_BEFORE_OWN,
    };
    replaceEdition(editions, edition);
  }
  known.kernel = kernel;
  known.edition = edition;
  return edition;
}

/** The editions of a kernel for rows of a shape; none at first. */
export function editionsFor<Loop>({ byKernel }: Editions, kernel: object, shape: Archetype): Edition<Loop>[] {
  let byShape = byKernel.get(kernel);
  if (byShape === undefined) {
    byShape = new Map();
    byKernel.set(kernel, byShape);
  }
  let editions = byShape.get(shape) as Edition<Loop>[] | undefined;
  if (editions === undefined) {
    editions = [];
    byShape.set(shape, editions);
  }
  return editions;
}

/**
 * Lists of rows that a kernel comes to in turn, below one shape of ancestors, with one layout of columns: those of the
 * stretches, and rows as they lie, which few entities are visited by.
 */
const KEPT_LISTS = 2;

/** Files an edition; those for older layouts of the same shapes go, and the eldest of those for other lists of rows. */
function replaceEdition<Loop>(editions: Edition<Loop>[], edition: Edition<Loop>): void {
  const { above, version, aboveVersion } = edition;
  const isOutdated = (one: Edition<Loop>): boolean =>
    one.above === above && (one.version !== version || one.aboveVersion !== aboveVersion);
  for (let at = editions.length - 1; at >= 0; at--) if (isOutdated(editions[at]!)) editions.splice(at, 1);
  const others = editions.filter((one) => one.above === above);
  if (others.length === KEPT_LISTS) editions.splice(editions.indexOf(others[0]!), 1);
  editions.push(edition);
}

/**
 * Loops are called for so many rows, and for so many bounds, at once. V8 compiles a function that is called seldom and runs long
 * while it runs, and may leave it afterwards with worse code, for good: half as long again for a row.
 */
const ROWS_AT_ONCE = 4096;
const BOUNDS_AT_ONCE = 256;

/** Of runs, or of positions in stretches. */
export function callLoop(loop: (first: number, end: number) => void, first: number, end: number): void {
  for (let row = first; row < end; row += ROWS_AT_ONCE) loop(row, Math.min(row + ROWS_AT_ONCE, end));
}

/** @param length of `bounds`. */
export function callBoundsLoop(loop: BoundsLoop, bounds: Int32Array, length: number): void {
  for (let at = 0; at < length; at += BOUNDS_AT_ONCE) loop(bounds, at, Math.min(at + BOUNDS_AT_ONCE, length));
}

/** The columns of a list of components, in its order. */
export type ColumnsOf<Components extends readonly Component[]> = {
  readonly [Place in keyof Components]: Components[Place] extends Component<unknown, infer Columns>
    ? Columns
    : never;
};

/** @throws TreelineError `bad-kernel` unless it is a list of components and a function. */
export function requireKernel(components: unknown, make: unknown): void {
  const strangers = Array.isArray(components)
    ? components.filter((one) => typeof one !== "function" || one.kind !== "component")
    : [components];
  if (strangers.length > 0) {
    throw new TreelineError(
      "bad-kernel",
      `a kernel takes its components as a list, such as [Position, Velocity], not ${shown(strangers[0])}`,
    );
  }
  if (typeof make !== "function") {
    throw new TreelineError(
      "bad-kernel",
      `a kernel takes a function that makes its loop, not ${shown(make)}`,
    );
  }
}

/** @throws TreelineError `bad-kernel` unless the function has made a loop. */
export function requireLoop<Loop>(loop: Loop): Loop {
  if (typeof loop === "function") return loop;
  throw new TreelineError("bad-kernel", `the function of a kernel returns its loop, not ${shown(loop)}`);
}

/** @throws TreelineError `bad-kernel` if another visit has handed out something else. */
function requireVisited(
  { of, by }: Pick<Kernel<unknown, unknown, Visited>, "of" | "by">,
  visited: unknown,
): void {
  if (visited instanceof of) return;
  throw new TreelineError("bad-kernel", `this kernel is a visitor for ${by}, and for no other visit`);
}

/** In place of an error that a kernel has thrown since it does not see what stands around it; that one is its cause. */
export function explained(error: unknown, isIsolated: boolean): unknown {
  if (!isIsolated || !(error instanceof ReferenceError)) return error;
  const told = new TreelineError(
    "bad-kernel",
    `${error.message} in a kernel, which is compiled by itself and sees its parameters only; hand over what it needs as ` +
      "the last argument",
  );
  told.cause = error;
  return told;
}
