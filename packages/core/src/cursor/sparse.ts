// How queries read sparse values: finds the place of each row's entity, and has the loops of `each` over them (`SparseCursor`).
import { TreelineError } from "../base/error.ts";
import type { Definition } from "../id/definition.ts";
import { viewColumn } from "../storage/lanes.ts";
import { PAGE, PAGE_BITS, placeIn, type SparseStore, type Stores, storeOf } from "../storage/sparse.ts";

/** What finds the value that an iteration passes for one term, and shows it. */
interface Output {
  value: unknown;
  /** The work that it needs for each row. */
  readonly work: string;
  /** Whose value it reads: that of the entity, of an ancestor along a path, or of one entity for all rows. */
  readonly reads: "own" | "above" | "one";
  readonly path: number;
  /** Shows a value with fields by `object`, at the place of the pointer. `undefined` for JavaScript values. */
  readonly view: { readonly object: object } | undefined;
  readonly pointer: { row: number };
  readonly sparse: SparseCursor | undefined;
  /** The kind "has" is about the entity itself. Components have the target 0. */
  readonly output: { readonly kind: string; readonly target?: number };
  turnToRow(rows: Rows, row: number, at: number): void;
}

/** What an iteration passes for all terms. */
interface Outputs {
  readonly bindings: readonly Output[];
  /** The absolute row of the entity. */
  readonly own: { row: number };
  /** The values, in the order of the terms. */
  readonly row: unknown[];
}

/** A part of a term: `self` for the entity, and else an ancestor; `fixed` for a given entity. */
interface Term {
  readonly self?: boolean;
  readonly fixed?: number;
  /** Of a pair: a handle, or a variable. */
  readonly target?: number;
}

interface Indexed {
  readonly lanes: { readonly i32: Int32Array };
}

/** Positions `from <= at < to` of a list of rows; without a list, positions are absolute rows. */
interface Rows extends Readonly<Record<"from" | "to", number>> {
  readonly archetype: Indexed;
  /** What all matches have is in `required`. */
  readonly query: { readonly plan: { readonly cut: { readonly required: readonly Definition[] } } };
  readonly rows: Int32Array | undefined;
  /** By path. */
  readonly sources: readonly (Indexed | undefined)[];
  /** Indexes of given entities; 0 for one that lacks the component. */
  readonly found: readonly number[];
  sourceRowAt(path: number, at: number): number;
  /** The handle itself, or that of a variable. */
  targetOf(target: number): number;
}

type Callback = (...row: unknown[]) => void;
/** Calls a callback with the values and the entity. */
type CallWith = (callback: Callback, given: readonly unknown[], entity: number) => void;

/**
 * The values of a sparse definition in a world, as queries read them. The storage brings it: programs without sparse definitions
 * omit it.
 */
export class SparseCursor {
  readonly store: SparseStore;

  constructor(stores: Stores, definition: Definition, store: SparseStore = storeOf(stores, definition)) {
    this.store = store;
  }

  /** As `viewColumn`, by place; `undefined` for a tag. Replaced when the store grows or shrinks. */
  get columns(): unknown {
    const { store } = this;
    return store.column && viewColumn(store, store.column);
  }

  /** The place of the entity at an index; -1 if it does not have the definition, or the pair with a target. */
  placeOf(index: number, _target?: number): number {
    return placeIn(this.store, index);
  }

  /** Turns an output to an interval, after what else the term needs. @param turnView turns its view to the columns. */
  turnTo<View extends Output["view"]>(
    output: Pick<Output, "pointer"> & { work: string; readonly view: View },
    turnView: (view: NonNullable<View>, columns: unknown) => void,
  ): void {
    output.work = "call";
    if (output.view !== undefined) turnView(output.view, this.columns);
  }

  /** Turns an output to the value for one row. @param row the entity's absolute row. @param at its position. */
  turnToRow(output: Output, term: Term, rows: Rows, row: number, at: number): void {
    const { reads, path } = output;
    const isOwn = term.self === true || (reads === "own" && term.fixed === undefined);
    const target = rows.targetOf(term.target ?? 0);
    let place = isOwn ? this.placeOf(rows.archetype.lanes.i32[row]!, target) : -1;
    if (place < 0 && reads === "above") {
      const source = rows.sources[path];
      if (source !== undefined) place = this.placeOf(source.lanes.i32[rows.sourceRowAt(path, at)]!, target);
    } else if (term.fixed !== undefined) place = this.placeOf(rows.found[term.fixed]!, target);
    this.show(output, place);
  }

  private show(output: Output, place: number): void {
    const { view } = output;
    output.pointer.row = place;
    if (place < 0) output.value = undefined;
    else output.value = view === undefined ? (this.columns as unknown[])[place] : view.object;
  }

  /**
   * Calls a callback for all rows, if only one or two views of sparse values of the entity itself differ from row to row.
   *
   * @returns false, with nothing done, if other outputs differ as well.
   */
  iterate(
    outputs: Outputs,
    handles: Float64Array,
    state: Rows,
    callback: Callback,
    callWith: CallWith,
  ): boolean {
    const { bindings } = outputs;
    let first = -1;
    let second = -1;
    for (let number = 0; number < bindings.length; number++) {
      const { work, view, sparse, output } = bindings[number]!;
      if (work === "none") continue;
      const isOther = view === undefined || output.kind !== "has" || output.target !== 0;
      if (sparse === undefined || isOther || second >= 0) return false;
      if (first < 0) first = number;
      else second = number;
    }
    if (second < 0) second = first;
    const { required } = state.query.plan.cut;
    const isUsual =
      state.rows === undefined &&
      bindings.length <= 2 &&
      required.includes(bindings[first]!.sparse!.store.definition) &&
      required.includes(bindings[second]!.sparse!.store.definition);
    if (!isUsual) iterateViews(outputs, first, second, handles, state, callback, callWith);
    else if (bindings.length === 1) iterateOne(bindings[0]!, outputs.own, handles, state, callback);
    else iterateTwo(outputs, handles, state, callback);
    return true;
  }

  /** @throws TreelineError `bad-query`: rows have no columns of it. */
  refuseColumns(): never {
    const { name } = this.store.definition;
    const text = `${name} is sparse: its values are stored by entity, so rows have no columns of it; read it with each or rows`;
    throw new TreelineError("bad-query", text);
  }
}

/*
 * The loops of `iterate`. Those for one and two arguments have few variables, which stay in registers, and V8 inlines the callback
 * there. All rows have the components.
 */

function iterateOne(
  { sparse, view, pointer }: Output,
  own: Outputs["own"],
  handles: Float64Array,
  { archetype, from, to }: Rows,
  callback: Callback,
): void {
  const { i32: indexes } = archetype.lanes;
  const { pages } = sparse!.store;
  const { object } = view!;
  for (let row = from; row < to; row++) {
    const index = indexes[row]!;
    pointer.row = pages[index >>> PAGE_BITS]![index & (PAGE - 1)]! - 1;
    own.row = row;
    callback(object, handles[index]!);
  }
}

/** One of the arguments may be the same for all rows: then the place that is found for it has no effect. */
function iterateTwo(
  { bindings, own, row: given }: Outputs,
  handles: Float64Array,
  { archetype, from, to }: Rows,
  callback: Callback,
): void {
  const { i32: indexes } = archetype.lanes;
  const one = bindings[0]!;
  const other = bindings[1]!;
  const isOne = one.work !== "none";
  const isOther = other.work !== "none";
  const { pages } = (isOne ? one : other).sparse!.store;
  const { pages: otherPages } = (isOther ? other : one).sparse!.store;
  const pointer = isOne ? one.pointer : own;
  const otherPointer = isOther ? other.pointer : own;
  const value = isOne ? one.view!.object : given[0];
  const otherValue = isOther ? other.view!.object : given[1];
  for (let row = from; row < to; row++) {
    const index = indexes[row]!;
    const page = index >>> PAGE_BITS;
    const inPage = index & (PAGE - 1);
    pointer.row = pages[page]![inPage]! - 1;
    otherPointer.row = otherPages[page]![inPage]! - 1;
    own.row = row;
    callback(value, otherValue, handles[index]!);
  }
}

function iterateViews(
  { bindings, own, row: given }: Outputs,
  first: number,
  second: number,
  handles: Float64Array,
  { archetype, rows, from, to }: Rows,
  callback: Callback,
  callWith: CallWith,
): void {
  const { i32: indexes } = archetype.lanes;
  const one = bindings[first]!;
  const other = bindings[second]!;
  const { object } = one.view!;
  const { object: otherObject } = other.view!;
  const { store } = one.sparse!;
  const { store: otherStore } = other.sparse!;
  for (let at = from; at < to; at++) {
    const row = rows === undefined ? at : rows[at]!;
    const index = indexes[row]!;
    const place = placeIn(store, index);
    const otherPlace = placeIn(otherStore, index);
    own.row = row;
    one.pointer.row = place;
    other.pointer.row = otherPlace;
    given[first] = place < 0 ? undefined : object;
    given[second] = otherPlace < 0 ? undefined : otherObject;
    callWith(callback, given, handles[index]!);
  }
}
