// `eachColumns`: which loop of a compiled callback goes through which rows (`ColumnBlock`), and which fall back to the callback (`fits`, `turnTo`).
import type { Numbers } from "@treeline/core";
import { BLOCK_BITS, handlesOf, markRow, markRows, notifiedWrites, runsOf } from "@treeline/core/internal";
import { ROWS } from "../query/lists/row-intervals.ts";
import type { OutputBinding, RowOutputs } from "../query/outputs/bindings.ts";
import { type Marks, ownTick } from "../query/outputs/marks.ts";
import { guarding, warnOfPromise } from "../query/outputs/row-guard.ts";
import type { IterationState } from "../query/state/iteration-state.ts";
import { matchedArchetypes, type Query } from "../query/state/query-state.ts";
import { iterateRuns } from "./each.ts";
import {
  beginIteration,
  endIteration,
  type Iteration,
  outputsOf,
  type ReadOptions,
  requireFunction,
  requireReads,
  viewOf,
} from "./iteration.ts";

/*
 * What callbacks of `each` call that `@treeline/compiler` has turned into loops. The compiler knows the callback, not the query: which
 * parameter is which term, and where its values are, is found here, for rows of one archetype at a time. Rows whose values are
 * not in columns, as the loop needs them, go through the callback as it was written.
 */

/** What a callback does with one of its parameters: bits of `Use`, then for each field its name and bits of `FieldUse`. */
export type ParameterUse = readonly [uses: number, ...fields: (string | number)[]];

/** What a callback does with its parameters, in order; a constant of the compiled module. */
export type ColumnUses = readonly ParameterUse[];

/** Bits of a parameter. */
export const USES_FIELDS = 1;
/** It is read as a whole: as the entity. */
export const USES_WHOLE = 2;
/** Its fields are read only where it is known to be there. */
export const IS_GUARDED = 4;
/** Each row is written, and nothing is called meanwhile: the loops mark nothing, and all rows are marked afterwards. */
export const WRITES_ALL = 8;
/** All loops mark what they write: something is called meanwhile. Without this bit and the one before, only `ANYWHERE` loops do. */
export const MARKS = 16;

/** Bits of a field. */
export const READS = 1;
export const WRITES = 2;
/** Single numbers of an `array` field are read or written; the highest literal index is in the bits from `INDEX_SHIFT` on. */
export const READS_ELEMENTS = 4;
/** It may be an `array` field: it is read by `block.lengths`. */
export const READS_LIST = 8;
/** 0 and 1 are as good as `false` and `true`. */
export const IS_TRUTH = 16;
/** They may be written: by the callback, or by what it passes a subarray to. */
export const WRITES_ELEMENTS = 32;
export const INDEX_SHIFT = 8;

/** Where the values of a block are: `block.form`. */
/** Rows in `bounds`: [first, end, ...] at places `from .. to`. All parameters are there, at the entity's own row. */
export const ADJACENT = 0;
/** At positions `from .. to`: guarded parameters at `lists[place][position]`, all others at `rows[position]`. All are there. */
export const BESIDE = 1;
/** At positions `from .. to`: each parameter at `lists[place][position]`, if `has[place]`. */
export const ANYWHERE = 2;

/** A compiled callback: goes through the rows of a block; without one it returns the callback as it was written. */
export type ColumnLoop = (block: ColumnBlock | undefined) => unknown;

type Callback = (...row: unknown[]) => void;

/** The fields of one parameter that a loop uses. */
interface Parameter {
  readonly binding: OutputBinding;
  /** Its place among the parameters, and that of its first field among all. */
  readonly place: number;
  readonly first: number;
  /** By field: the place of its cell. */
  readonly cells: readonly number[];
  /** The places of cells of `array` fields whose arrays it may write, or pass on. */
  readonly handed: readonly number[];
  readonly isWritten: boolean;
  readonly isGuarded: boolean;
  readonly writesAll: boolean;
  readonly marksItself: boolean;
}

/** The parameters of one callback for the outputs of one query. */
interface Layout {
  readonly uses: ColumnUses;
  readonly outputs: RowOutputs;
  /** Undefined if no rows can be gone through. */
  readonly parameters: readonly Parameter[] | undefined;
  /** By field of all parameters: numbers of a row in an `array` field, 0 for others. */
  readonly lengths: readonly number[];
  /** All fields are numbers, so that reading and writing them calls nothing. */
  readonly isNumeric: boolean;
  /** Some parameter is guarded: there is a loop for `BESIDE`. */
  readonly hasBeside: boolean;
}

const NO_ROWS = /* @__PURE__ */ new Int32Array(0);
/** Layouts kept for one query: as many compiled callbacks may take turns without being laid out again. */
const KEPT_LAYOUTS = 8;

/** Rows of one archetype, and the columns that a compiled callback uses. */
export class ColumnBlock {
  /** `ADJACENT`, `BESIDE` or `ANYWHERE`, which tell what the other fields mean. */
  form: number = ADJACENT;
  from = 0;
  to = 0;
  bounds: Int32Array = NO_ROWS;
  rows: Int32Array = NO_ROWS;
  /** By field of all parameters, in order. */
  readonly columns: unknown[] = [];
  lengths: readonly number[] = [];
  /** By parameter: whether the rows have it; the rows, or other places, of its values; what its setters would mark. */
  readonly has: boolean[] = [];
  readonly lists: Int32Array[] = [];
  readonly marks: (Marks | undefined)[] = [];
  /** The entity in an absolute row is `handles[indexes[row]]`. */
  handles: Float64Array = new Float64Array(0);
  indexes: Int32Array = NO_ROWS;

  private readonly state: IterationState;
  private outputs: RowOutputs | undefined = undefined;
  private layout: Layout | undefined = undefined;
  private readonly layouts: Layout[] = [];
  private loop: ColumnLoop | undefined = undefined;
  /** The callback as it was written, once it was needed. */
  private written: Callback | undefined = undefined;
  /** The loop can go through the rows that the outputs are turned to. */
  private isFit = false;
  /** These forms fit them. */
  private isAdjacent = false;
  private isBeside = false;
  /** Rows are marked after the loop. */
  private marksAll = false;
  /** By field, what was in the first row before the loop. */
  private readonly first: unknown[] = [];
  /** 0, 1, 2 ... */
  private identity: Int32Array<ArrayBuffer> = NO_ROWS;
  /** By parameter: places of sparse values, or the same row for all positions. */
  private readonly made: Int32Array<ArrayBuffer>[] = [];

  /** @internal */
  constructor({ state }: Iteration) {
    this.state = state;
  }

  /** Takes what the callback returns: development builds warn of promises. */
  returned(value: unknown): void {
    CHECK: if (value instanceof Promise) warnOfPromise(this.state.world);
  }

  /** @internal */
  begin(outputs: RowOutputs, uses: ColumnUses, loop: ColumnLoop): void {
    this.outputs = outputs;
    this.loop = loop;
    this.handles = handlesOf(this.state.query.world);
    let layout = this.layout;
    if (layout === undefined || layout.uses !== uses || layout.outputs !== outputs) {
      layout = this.layouts.find((one) => one.uses === uses && one.outputs === outputs);
      if (layout === undefined) {
        layout = layOut(uses, outputs);
        if (this.layouts.length === KEPT_LAYOUTS) this.layouts.shift();
        this.layouts.push(layout);
      }
      this.layout = layout;
      this.lengths = layout.lengths;
    }
  }

  /** The outputs have been turned to other rows. @internal */
  turn(): void {
    const { parameters, hasBeside } = this.layout!;
    const { state } = this;
    this.isAdjacent = state.rows === undefined;
    this.isBeside = hasBeside;
    this.marksAll = false;
    this.isFit = parameters !== undefined;
    CHECK: if (state.reads !== undefined) this.isFit = false; // views tell of writes
    this.indexes = state.archetype.lanes.i32;
    for (let at = 0; this.isFit && at < parameters!.length; at++) this.isFit = this.turnTo(parameters![at]!);
  }

  /** @returns false if the loop cannot go through these rows. */
  private turnTo(parameter: Parameter): boolean {
    const { binding, place, first, cells, isWritten, isGuarded } = parameter;
    const { work, view, value, reads, output } = binding;
    this.has[place] = true;
    if (binding.of !== undefined || view === undefined) return false;
    if (work === "none" && value === undefined) {
      this.has[place] = false;
      this.isAdjacent = false;
      this.isBeside = false;
      return isGuarded;
    }
    if (isWritten && !this.turnToMarks(parameter)) return false;
    if (work === "call") {
      if (binding.sparse === undefined || output.kind !== "has" || output.definition.kind !== "component")
        return false;
      this.isAdjacent = false;
      if (!isGuarded) this.isBeside = false;
    } else if (work === "turn") {
      if (reads !== "own") this.isAdjacent = false;
      if (reads !== "own" && !isGuarded) this.isBeside = false;
    } else if (work === "value" || value !== view.object) return false;
    for (let at = 0; at < cells.length; at++) this.columns[first + at] = view.cells[cells[at]!]!.data;
    return true;
  }

  private turnToMarks({ binding, place, writesAll, marksItself }: Parameter): boolean {
    const { view, output } = binding;
    if (output.kind !== "has") return false;
    const { marks } = view!;
    this.marks[place] = marks;
    if (marks.track !== undefined && !marksItself) {
      if (writesAll && !this.layout!.isNumeric) return false;
      if (writesAll) this.marksAll = true;
      else {
        this.isAdjacent = false;
        this.isBeside = false;
      }
    }
    CHECK: if (notifiedWrites(this.state.world, output.definition) >= 0) return false;
    return true;
  }

  /** Goes through rows, or positions, in adjacent pairs of numbers, from place `begin` to `stop`. @internal */
  go(bounds: Int32Array, begin: number, stop: number): void {
    const { state } = this;
    if (this.isFit && this.isAdjacent) {
      this.form = ADJACENT;
      this.bounds = bounds;
      this.from = begin;
      this.to = stop;
      this.call();
      return;
    }
    if (!this.isFit) {
      iterateRuns(this.outputs!, this.handles, state, this.callback(), bounds, begin, stop);
      return;
    }
    for (let at = begin; at < stop; at += 2) {
      state.from = bounds[at]!;
      state.to = bounds[at + 1]!;
      if (this.list()) this.call();
      else iterateRuns(this.outputs!, this.handles, state, this.callback(), bounds, at, at + 2);
    }
  }

  private call(): void {
    for (const parameter of this.layout!.parameters!)
      if (parameter.handed.length > 0) this.handOut(parameter);
    if (this.marksAll) this.callAndMark();
    else this.loop!(this);
  }

  /** What the loop writes to arrays of the rows will be found, as what is written to those that row views pass. */
  private handOut({ binding, handed, place, isGuarded }: Parameter): void {
    if (!this.has[place]) return;
    const { form, from, to, bounds, rows, lists } = this;
    const isListed = form === ANYWHERE || (isGuarded && form !== ADJACENT);
    for (const number of handed) {
      const cell = binding.view!.cells[number] as unknown as { watch(row: number): void };
      if (form !== ADJACENT)
        for (let at = from; at < to; at++) cell.watch((isListed ? lists[place]! : rows)[at]!);
      else
        for (let at = from; at < to; at += 2)
          for (let row = bounds[at]!; row < bounds[at + 1]!; row = ((row >> BLOCK_BITS) + 1) << BLOCK_BITS)
            cell.watch(row);
    }
  }

  /**
   * Marks all rows that the loop has written. If it fails, that is in the first row, by a value from outside that is no number: if
   * it has written nothing there, nothing is marked.
   */
  private callAndMark(): void {
    this.readFirst(true);
    let isDone = false;
    try {
      this.loop!(this);
      isDone = true;
    } finally {
      if (isDone || this.readFirst(false)) this.markAll();
    }
  }

  /** Keeps the fields in the first row, or compares them. @returns whether one differs. */
  private readFirst(keeps: boolean): boolean {
    const { form, from, bounds, rows, lists, columns, first } = this;
    const { parameters, lengths, hasBeside } = this.layout!;
    const own = form === ADJACENT ? bounds[from]! : rows[from]!;
    for (const parameter of parameters!) {
      const isListed = form === ANYWHERE || (form !== ADJACENT && hasBeside && parameter.isGuarded);
      const row = isListed ? lists[parameter.place]![from]! : own;
      if (!this.has[parameter.place]) continue;
      for (let place = parameter.first; place < parameter.first + parameter.cells.length; place++) {
        if (lengths[place]! > 0) continue;
        const value = (columns[place] as Numbers)[row];
        if (keeps) first[place] = value;
        else if (!Object.is(first[place], value)) return true;
      }
    }
    return false;
  }

  private markAll(): void {
    const { form, from, to, bounds, rows } = this;
    for (const { place, writesAll } of this.layout!.parameters!) {
      const marks = writesAll && this.has[place] ? this.marks[place] : undefined;
      const track = marks?.track;
      if (track === undefined) continue;
      const now = ownTick(track.clock.now, marks!.tick);
      if (form === ADJACENT)
        for (let at = from; at < to; at += 2) markRows(track, bounds[at]!, bounds[at + 1]!, now);
      else for (let at = from; at < to; at++) markRow(track, rows[at]!, now);
    }
  }

  private callback(): Callback {
    if (this.written === undefined) {
      let call = this.loop!(undefined) as Callback;
      CHECK: call = guarding(this.state.query, call, this.state.reads);
      this.written = call;
    }
    return this.written;
  }

  /** Lists the places of all parameters, for positions. @returns false if a row has no value of some sparse component. */
  private list(): boolean {
    const { state } = this;
    const { from, to } = state;
    const parameters = this.layout!.parameters!;
    const rows = state.rows ?? this.upTo(to);
    this.form = this.isBeside ? BESIDE : ANYWHERE;
    this.from = from;
    this.to = to;
    this.rows = rows;
    for (let at = 0; at < parameters.length; at++) {
      const { binding, place } = parameters[at]!;
      const { work, reads, sparse } = binding;
      if (!this.has[place])
        this.lists[place] = rows; // not read
      else if (work === "call") {
        const places = this.madeFor(place, to);
        for (let position = from; position < to; position++) {
          const value = sparse!.placeOf(this.indexes[rows[position]!]!);
          if (value < 0) return false;
          places[position] = value;
        }
        this.lists[place] = places;
      } else if (work === "none" || reads === "own") this.lists[place] = rows;
      else {
        const listed = reads === "above" ? state.sourceRows[binding.path] : undefined;
        const row = reads === "one" ? binding.row : state.sourceRow[binding.path]!;
        this.lists[place] = listed ?? this.madeFor(place, to).fill(row, from, to);
      }
    }
    return true;
  }

  private upTo(end: number): Int32Array {
    if (this.identity.length < end)
      this.identity = Int32Array.from({ length: Math.max(64, end * 2) }, (_, row) => row);
    return this.identity;
  }

  private madeFor(place: number, end: number): Int32Array<ArrayBuffer> {
    const known = this.made[place];
    if (known !== undefined && known.length >= end) return known;
    const made = new Int32Array(Math.max(64, end * 2));
    this.made[place] = made;
    return made;
  }

  /** @internal */
  release(): void {
    this.loop = undefined;
    this.written = undefined;
  }
}

function layOut(uses: ColumnUses, outputs: RowOutputs): Layout {
  const { bindings } = outputs;
  const parameters: Parameter[] = [];
  const lengths: number[] = [];
  let isPossible = true;
  let isNumeric = true;
  for (let place = 0; place < uses.length; place++) {
    const [bits, ...fields] = uses[place]!;
    if (bits === 0) continue;
    const binding = bindings[place];
    if ((bits & USES_WHOLE) !== 0) {
      if (place !== bindings.length) isPossible = false;
      continue;
    }
    if (binding?.view === undefined || !("definition" in binding.output)) {
      isPossible = false;
      continue;
    }
    const { definition } = binding.output;
    const first = lengths.length;
    const cells: number[] = [];
    const handed: number[] = [];
    let isWritten = false;
    for (let at = 0; at < fields.length; at += 2) {
      const use = fields[at + 1] as number;
      const cell = definition.fields.findIndex(([name]) => name === fields[at]);
      const field = definition.fields[cell]?.[1];
      if (field === undefined || !fits(field, use)) isPossible = false;
      if (field?.kind === "value") isNumeric = false;
      if ((use & WRITES) !== 0) isWritten = true;
      cells.push(cell);
      if (field?.isList && (use & (WRITES_ELEMENTS | READS_LIST)) !== 0) handed.push(cell);
      lengths.push(field?.isList === true ? field.length : 0);
    }
    const isGuarded = (bits & IS_GUARDED) !== 0;
    const writesAll = (bits & WRITES_ALL) !== 0;
    const marksItself = (bits & MARKS) !== 0;
    parameters.push({ binding, place, first, cells, handed, isWritten, isGuarded, writesAll, marksItself });
  }
  const hasBeside = parameters.some((one) => one.isGuarded);
  return { uses, outputs, parameters: isPossible ? parameters : undefined, lengths, isNumeric, hasBeside };
}

/** Does a column hold what a loop expects of it? */
function fits(
  { kind, isList, length }: { readonly kind: string; readonly isList: boolean; readonly length: number },
  use: number,
): boolean {
  if (isList) return (use & (READS | WRITES)) === 0 && use >> INDEX_SHIFT < length;
  if ((use & READS_ELEMENTS) !== 0) return false;
  // A value without the method that is called: the engine's message quotes the text of the call.
  if (kind === "value" && (use & READS_LIST) !== 0) return false;
  return kind !== "entity" && (kind !== "bool" || (use & (IS_TRUTH | READS_LIST)) === IS_TRUTH);
}

/**
 * Goes through the matches of a query as `each` does, with a callback that `@treeline/compiler` has compiled. Not for code that people
 * write: use `each`, or `eachRun` for columns.
 *
 * @param uses what the callback does with its parameters.
 * @param loop goes through a block of rows, or returns the callback.
 * @param options those of `each`.
 * @throws TreelineError as `each` does.
 */
export function eachColumns(query: Query, uses: ColumnUses, loop: ColumnLoop, options?: ReadOptions): void {
  requireFunction(query, loop);
  const reads = requireReads(options);
  const iteration = beginIteration(query, true, true);
  let isDone = false;
  try {
    const outputs = outputsOf(iteration);
    iteration.state.reads = reads;
    const block = viewOf(iteration, ColumnBlock);
    block.begin(outputs, uses, loop);
    if (iteration.isListed) iterateIntervals(iteration, outputs, block);
    else iterateArchetypes(iteration.state, outputs, block);
    isDone = true;
  } finally {
    endIteration(query, iteration, isDone);
  }
}

function iterateArchetypes(state: IterationState, outputs: RowOutputs, block: ColumnBlock): void {
  const { query } = state;
  const { plan } = query;
  const archetypes = matchedArchetypes(query);
  for (let place = 0; place < archetypes.length; place++) {
    const archetype = archetypes[place]!;
    if (archetype.rows === 0) continue;
    const { bounds, length } = runsOf(archetype, plan.cut);
    if (length === 0) continue;
    state.turnToRows(archetype, bounds[0]!, bounds[1]!);
    outputs.turnTo(state, 0);
    block.turn();
    block.go(bounds, 0, length);
  }
}

function iterateIntervals(
  { intervals, state, tick }: Iteration,
  outputs: RowOutputs,
  block: ColumnBlock,
): void {
  let last = -1; // the archetype that the outputs are turned to, if it is the same for all of its rows
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    const { numbers } = intervals;
    const number = numbers[at]!;
    if (number !== last || numbers[at + 3] !== ROWS) {
      state.turnTo(intervals, at);
      outputs.turnTo(state, tick);
      block.turn();
      last = outputs.isOfArchetypes && numbers[at + 3] === ROWS ? number : -1;
    }
    block.go(numbers, at + 1, at + 3);
  }
}

/** Marks a row as written, as the setters of row views do. @returns the first argument, which has written it. */
export function mark<Value>(value: Value, marks: Marks, row: number): Value {
  const { track } = marks;
  if (track !== undefined) markRow(track, row, ownTick(track.clock.now, marks.tick));
  return value;
}

/** What a row view reads of a field that may be an `array` field. @param length its numbers, 0 for other fields. */
export function valueIn(column: unknown, row: number, length: number): unknown {
  if (length === 0) return (column as readonly unknown[])[row];
  return (column as Numbers).subarray(row * length, (row + 1) * length);
}
