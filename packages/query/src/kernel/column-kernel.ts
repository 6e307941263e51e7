// Kernels that `@treeline/compiler` has made of callbacks of `each`: which edition goes through a block (`goByKernel`; keeps `KEPT`).
import { ADJACENT, type ColumnBlock, mark, valueIn } from "../iterate/each-columns.ts";
import { type Maker, makerOf, ROWS_BEFORE_OWN } from "./isolate.ts";

/*
 * What code calls that `@treeline/compiler` has compiled to kernels: the loop of a callback, compiled for the columns of a block.
 */

/** Goes through rows, or positions, `from .. to`. `given` is what the callback names of its surroundings. */
type Loop = (from: number, to: number, given: readonly unknown[]) => void;
/** Goes through runs: those in `bounds` from place `from` to `to`. */
type BoundsLoop = (bounds: Int32Array, from: number, to: number, given: readonly unknown[]) => void;

/** What a loop is made for; all of it is constant for the loop. */
type Layout = Pick<
  ColumnBlock,
  "form" | "columns" | "lengths" | "has" | "lists" | "marks" | "rows" | "handles" | "indexes"
>;

/** What the compiler emits: makes the loop for a layout. It sees nothing but its arguments. */
export type MakeColumnLoop = (layout: Layout, markRow: typeof mark, value: typeof valueIn) => Loop;

/** The loop for one layout: first the shared one, later a separately compiled one. */
interface Edition {
  readonly layout: Layout;
  loop: Loop;
  all: BoundsLoop | undefined;
  /** Rows left until it gets a separate loop. */
  left: number;
}

/** The loop of one callback, in all its editions. */
export interface ColumnKernel {
  readonly maker: Maker<MakeColumnLoop>;
  /** By list of the entity indexes of an archetype: another list means other columns. */
  readonly editions: WeakMap<Int32Array, Edition[]>;
}

/** Editions that are kept for the columns of one archetype: each query for ancestors has lists of its own. */
const KEPT = 6;
const ROWS_AT_ONCE = 4096;

/** @param make makes the loop for a layout; compiled from its text, so it sees nothing but its arguments. */
export function columnKernel(make: MakeColumnLoop): ColumnKernel {
  return { maker: makerOf(make), editions: new WeakMap() };
}

/** Goes through a block with the loop of a kernel. @throws what the loop throws. */
export function goByKernel(kernel: ColumnKernel, block: ColumnBlock, given: readonly unknown[]): void {
  const edition = editionFor(kernel, block);
  const { form, from, to, bounds } = block;
  let rows = to - from;
  if (form === ADJACENT) {
    rows = 0;
    for (let at = from; at < to; at += 2) rows += bounds[at + 1]! - bounds[at]!;
  }
  if (edition.left > 0) {
    edition.left -= rows;
    if (edition.left <= 0 && kernel.maker.isIsolated) makeOwn(kernel, edition);
  }
  if (form !== ADJACENT) goAlong(edition.loop, from, to, given);
  else if (edition.all !== undefined && rows <= (to - from) * 128) edition.all(bounds, from, to, given);
  else for (let at = from; at < to; at += 2) goAlong(edition.loop, bounds[at]!, bounds[at + 1]!, given);
}

function goAlong(loop: Loop, from: number, to: number, given: readonly unknown[]): void {
  for (let at = from; at < to; at += ROWS_AT_ONCE) loop(at, Math.min(at + ROWS_AT_ONCE, to), given);
}

function editionFor({ maker, editions }: ColumnKernel, block: ColumnBlock): Edition {
  const known = editions.get(block.indexes) ?? [];
  for (const one of known) if (isFor(one.layout, block)) return one;
  const { form, columns, lengths, has, lists, marks, rows, handles, indexes } = block;
  const isRows = form === ADJACENT;
  const layout: Layout = {
    form,
    columns: [...columns],
    lengths,
    has: [...has],
    lists: isRows ? [] : [...lists],
    marks: [...marks],
    rows: isRows ? indexes : rows,
    handles,
    indexes,
  };
  const edition: Edition = {
    layout,
    loop: maker.shared(layout, mark, valueIn),
    all: undefined,
    left: ROWS_BEFORE_OWN,
  };
  editions.set(block.indexes, [edition, ...known].slice(0, KEPT));
  return edition;
}

function isFor(layout: Layout, block: ColumnBlock): boolean {
  if (layout.form !== block.form || layout.lengths !== block.lengths) return false;
  if (layout.handles !== block.handles || !areSame(layout.columns, block.columns)) return false;
  if (!areSame(layout.has, block.has) || !areSame(layout.marks, block.marks)) return false;
  return layout.form === ADJACENT || (layout.rows === block.rows && areSame(layout.lists, block.lists));
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** The text is evaluated outside this module, so it sees none of its names. */
function withBounds(text: string): string {
  return `((make) => (...given) => {
  const loop = make(...given);
  const all = (bounds, from, to, named) => {
    for (let at = from; at < to; at += 2) loop(bounds[at], bounds[at + 1], named);
  };
  return { loop, all };
})(${text})`;
}

function makeOwn({ maker }: ColumnKernel, edition: Edition): void {
  type Own = (...given: Parameters<MakeColumnLoop>) => { loop: Loop; all: BoundsLoop };
  const { loop, all } = maker.own<Own>(withBounds)(edition.layout, mark, valueIn);
  edition.loop = loop;
  edition.all = all;
}
