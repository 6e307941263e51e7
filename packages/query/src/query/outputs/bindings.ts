// What `each` passes for a term (`OutputBinding`); which slot a nested iteration uses (`takeSlot`); `columnsFor` refuses missing columns.
import { type Definition, isAlive, type World } from "@treeline/core";
import {
  type ArchetypeView,
  archetypeViewAt,
  columnsOf,
  handleOf,
  hasDefinition,
  indexOf,
  inherits,
  pairCursor,
  parseTerm,
  rowAt,
  sparseCursorOf,
  tableAt,
  worldState,
} from "@treeline/core/internal";
import { evaluate, YES } from "../../match/evaluate.ts";
import { isVariable } from "../../term/operators.ts";
import type {
  AboveTest,
  FirstOutput,
  FixedSourceTest,
  FlagOutput,
  Output,
  ParsedTerm,
  VariableOutput,
} from "../../term/plan.ts";
import { refuse } from "../../term/read.ts";
import { views as iterationViews } from "../lists/watch.ts";
import { type IterationState, turnToEntity, upPathOfVariable } from "../state/iteration-state.ts";
import type { Query } from "../state/query-state.ts";
import type { OwnLoop } from "./loop-texts.ts";
import { type Marks, RowPointer } from "./marks.ts";
import type { RowResults } from "./row-results.ts";
import { copyRow, createRowView, type RowView, turnView } from "./row-view.ts";

/**
 * The columns of a component, or of a pair with data, of an archetype; undefined if there are none. For a pair, `row` decides
 * the table: pairs of one relation are in the order of the table's type.
 */
function columnsIn(
  state: IterationState,
  parsed: ParsedTerm,
  archetype: ArchetypeView,
  row: number,
): unknown {
  const { world } = state;
  const { definition, target } = parsed;
  if (definition.kind !== "relation") return columnsOf(archetype, definition);
  const handle = state.targetOf(target);
  if (!isAlive(world, handle as never)) return undefined;
  const pairs = pairCursor(world);
  const pair = pairs.find(definition, indexOf(handle));
  return pair === 0 ? undefined : pairs.columns(tableAt(world, archetype.lanes.i32[row]!), pair);
}

/**
 * The same for a user's term. Every table stores values of pairs in other columns, so runs can only read a pair that is a term of
 * the query. @param row -1 for rows of many tables. @throws TreelineError `bad-query` if there are none, `bad-term`.
 */
export function columnsFor(
  state: IterationState,
  archetype: ArchetypeView,
  what: unknown,
  row: number,
): unknown {
  const parsed = parseKnown(state.world, what);
  const { kind, name } = parsed.definition;
  if (row < 0 && kind === "relation") refuse(`values of ${name} above are in many columns; use each`);
  if (kind === "relation" && !state.query.plan.outputs.some((output) => isOutput(output, parsed)))
    refuse(`make ${name}(target) a term of the query to read its values`);
  const columns = columnsIn(state, parsed, archetype, row);
  if (columns !== undefined) return columns;
  if (inherits(archetype, parsed.definition)) {
    let text = `these rows inherit ${name}`;
    CHECK: text += ", so they have no columns of it; read it with each or rows, or use columnsIf";
    refuse(text);
  }
  CHECK: sparseCursorOf(state.world, parsed.definition)?.refuseColumns();
  refuse(`these rows have no values of ${name}; make it a term of the query, or use columnsIf after maybe`);
}

/** Parses a user's term; does not create a pair that does not exist. @throws TreelineError `bad-term`. */
function parseKnown(world: World, what: unknown): ParsedTerm {
  const named = (typeof what === "function" ? { definition: what, target: 0 } : what) as ParsedTerm | null;
  const { definition } = named ?? {};
  return definition?.kind === undefined || definition.meaning !== undefined
    ? parseTerm(world, what as never)
    : (named as ParsedTerm);
}

/** The definition of a user's term of which the target does not matter. @throws TreelineError `bad-term`. */
export function definitionIn(world: World, what: unknown): Definition {
  const isDefinition = typeof what === "function" && (what as unknown as Definition).kind !== undefined;
  return isDefinition ? (what as unknown as Definition) : parseTerm(world, what as never).definition;
}

function isOutput(output: Output, parsed: ParsedTerm): boolean {
  if (output.kind === "first") return output.of.some((one) => one !== undefined && isOutput(one, parsed));
  return output.kind === "has" && output.definition === parsed.definition && output.target === parsed.target;
}

// ---- iterator slots ----------------------------------------------------------------------------------------------------

/**
 * What one iteration at a time uses. Nested iterations use the next slot, so nearly all use the first: a callback then gets the
 * same view of a component in every query, which keeps it fast.
 */
export interface IteratorSlot {
  /** 0-based. */
  readonly number: number;
  readonly world: World;
  isTaken: boolean;
  /** The row of the entity itself; all views of its own components share it. */
  readonly own: RowPointer;
  /** By definition and whose row: one for each term of a query that needs one like it. */
  readonly views: Map<string, RowView[]>;
}

const slotsOf: (world: World) => IteratorSlot[] = /* @__PURE__ */ worldState(() => []);

/** The caller returns it with `isTaken = false`. */
export function takeSlot(world: World): IteratorSlot {
  const slots = slotsOf(world);
  let number = 0;
  while (number < slots.length && slots[number]!.isTaken) number++;
  if (number === slots.length) {
    slots.push({ number, world, isTaken: false, own: new RowPointer(), views: new Map() });
    iterationViews.turnMarks = turnMarks;
  }
  const slot = slots[number]!;
  slot.isTaken = true;
  return slot;
}

/** Called when a use of ticks begins or ends while iterations run: their views mark what they write, or stop. */
function turnMarks(world: World): void {
  for (const { isTaken, views } of slotsOf(world)) {
    if (!isTaken) continue;
    for (const list of views.values()) for (const { marks } of list) marks.turn();
  }
}

/** In place of a tick: arrays are not watched. */
export const READ_ONLY: number = -1;

/** @param isOwn the view of the entity's own row; others have their own pointer, and are read-only. @param place among such. */
export function viewAt(
  world: World,
  slot: IteratorSlot,
  definition: Definition,
  isOwn: boolean,
  place: number,
): RowView {
  const key = `${definition.id} ${isOwn}`;
  const views = slot.views.get(key) ?? [];
  slot.views.set(key, views);
  const rows = isOwn ? slot.own : undefined;
  const pointer = definition.store === undefined ? rows : undefined;
  return (views[place] ??= createRowView(world, definition, pointer ?? new RowPointer(), rows));
}

// ---- bindings ------------------------------------------------------------------------------------------------------------

/** How the output of a kind of term is computed. Terms with operators install it. */
interface Binder<Kind extends Output = Output> {
  /** As those of `OutputBinding`; the second one if its work is `call`. */
  readonly turnTo: (binding: OutputBinding, output: Kind, state: IterationState, tick: number) => void;
  readonly turnToRow?: (
    binding: OutputBinding,
    output: Kind,
    state: IterationState,
    row: number,
    at: number,
  ) => void;
}

/** By kind of output. Only functions, no state. */
export const binders: {
  [Kind in Exclude<Output["kind"], "has">]?: Binder<Extract<Output, { readonly kind: Kind }>>;
} = {};

/** How values are passed that entities inherit: installed with prefabs. */
interface Inherited {
  turnToRow(binding: OutputBinding, state: IterationState, row: number, at: number): void;
  iterate(
    outputs: RowOutputs,
    handles: Float64Array,
    state: IterationState,
    callback: (...row: unknown[]) => void,
    callWith: (callback: (...row: unknown[]) => void, given: readonly unknown[], entity: number) => void,
  ): boolean;
  createView(world: World, definition: Definition, own: RowPointer): RowView;
  placeOf(
    world: World,
    index: number,
    definition: Definition,
  ): { readonly columns: unknown; readonly row: number } | undefined;
}

/** Only functions, no state. */
export const apart: { inherited?: Inherited } = {};

/** Computes what `each` passes for one term: a row view, a JavaScript value, an entity, `true` or `undefined`. */
export class OutputBinding {
  readonly output: Output;
  view: RowView | undefined = undefined;
  /** The row of the view. */
  pointer: RowPointer;
  /** Alternatives, of which the first that holds is used. */
  readonly parts: readonly (OutputBinding | undefined)[];
  /** The output for the current row; the same for all rows of an interval if there is no work. */
  value: unknown = undefined;
  /** Work for each row: nothing, moving a pointer, reading a value, or a call of the binder. */
  work: "none" | "turn" | "value" | "call" = "none";
  /** The row that it reads: that of the entity, that of an ancestor, or one for all. */
  reads: "own" | "above" | "one" = "own";
  row = 0;
  /** The path to the ancestors that it reads. */
  path = 0;
  /** The alternative that was used last. */
  chosen: OutputBinding | undefined = undefined;
  /** Of a sparse component: what finds its values. */
  readonly sparse: ReturnType<typeof sparseCursorOf> = undefined;
  /** The archetype whose rows inherit the value, while they do; and the one that the view shows then. */
  of: ArchetypeView | undefined = undefined;
  shown: ArchetypeView | undefined = undefined;
  private readonly slot: IteratorSlot;
  /** Of rows with values of their own; and of the others, made when it is needed. */
  private readonly ownView: RowView | undefined;
  private inheritedView: RowView | undefined = undefined;
  private values: readonly unknown[] = [];
  /** The archetype that it is turned to, if it would come to the same again, and its version then. */
  private turned: ArchetypeView | undefined = undefined;
  private version = 0;
  /** Undefined for what the entities have themselves. */
  private readonly binder: Binder<never> | undefined;

  /** @param places how many views of each kind the query has so far. */
  constructor(world: World, slot: IteratorSlot, output: Output, places: Map<string, number>) {
    this.output = output;
    this.binder = output.kind === "has" ? undefined : binders[output.kind];
    const parts = output.kind === "first" ? output.of : [];
    this.parts = parts.map((one) => one && new OutputBinding(world, slot, one, places));
    if ("definition" in output) {
      const { definition, kind } = output;
      this.sparse = sparseCursorOf(world, definition);
      if (definition.holds !== "values") {
        const isOwn = kind === "has";
        const key = `${definition.id} ${isOwn}`;
        const place = places.get(key) ?? 0;
        places.set(key, place + 1);
        this.view = viewAt(world, slot, definition, isOwn, place);
      }
    }
    this.pointer = this.view?.pointer ?? new RowPointer();
    this.ownView = this.view;
    this.slot = slot;
  }

  /** Turns to an interval. @param writes the tick of what the iteration writes itself, or 0. */
  turnTo(state: IterationState, writes: number): void {
    const { output, sparse } = this;
    const { archetype: next, reads } = state;
    const tick = reads?.includes((output as ParsedTerm).definition) ? READ_ONLY : writes;
    if (next === this.turned && next.lanes.version === this.version) {
      const marks = this.view?.marks;
      // Other queries have the same view.
      if (marks === undefined || (marks.archetype === next && marks.version === this.version)) {
        if (marks !== undefined) turnMarksTo(marks, tick);
        return;
      }
    }
    this.turned = undefined;
    this.value = undefined;
    this.work = "none";
    if (this.of !== undefined) this.show(this.ownView);
    this.of = undefined;
    if (output.kind !== "has") {
      this.binder!.turnTo(this, output as never, state, tick);
      if (this.view !== undefined) turnMarksTo(this.view.marks, tick);
    } else {
      const { archetype } = state;
      this.reads = "own";
      this.turnToColumns(
        output,
        archetype,
        columnsIn(state, output, archetype, state.rowAt(state.from)),
        false,
      );
      const { version } = archetype.lanes;
      if (this.view !== undefined) {
        const { marks } = this.view;
        marks.archetype = archetype;
        marks.version = version;
        turnMarksTo(marks, tick);
      }
      // The columns of pairs depend on tables, sparse values and inherited ones on rows.
      if (sparse === undefined && this.of === undefined && output.definition.kind !== "relation") {
        this.turned = archetype;
        this.version = version;
      }
    }
    sparse?.turnTo(this, turnView);
  }

  /** @param turns the view's pointer is not the one of the entity's own row, so it must be moved. */
  turnToColumns(
    { definition }: ParsedTerm,
    archetype: ArchetypeView,
    columns: unknown,
    turns: boolean,
  ): void {
    const { view } = this;
    if (inherits(archetype, definition)) this.inherit(archetype, definition);
    else if (columns === undefined) {
      if (definition.kind === "component" && hasDefinition(archetype, definition)) this.value = view?.object;
    } else if (view === undefined) {
      this.values = columns as unknown[];
      this.work = "value";
    } else {
      turnView(view, columns);
      this.value = view.object;
      if (turns) {
        this.work = "turn";
        view.marks.archetype = archetype; // it has no setters, but arrays
      }
    }
  }

  /** Turns to rows of an archetype whose values are elsewhere. */
  private inherit(archetype: ArchetypeView, definition: Definition): void {
    const { ownView, slot, output } = this;
    this.of = archetype;
    this.shown = undefined;
    this.work = "call";
    if (ownView === undefined || output.kind !== "has") return;
    this.inheritedView ??= apart.inherited!.createView(slot.world, definition, slot.own);
    this.show(this.inheritedView);
  }

  private show(view: RowView | undefined): void {
    this.view = view;
    if (view !== undefined) this.pointer = view.pointer;
  }

  /** Does the work for one row. @param row the entity's absolute row. @param at its position. */
  turnToRow(state: IterationState, row: number, at: number): void {
    const { work, reads } = this;
    if (this.of !== undefined) {
      apart.inherited!.turnToRow(this, state, row, at);
      return;
    }
    if (work === "call") {
      (this.sparse ?? this.binder!).turnToRow!(this, this.output as never, state, row, at);
      return;
    }
    const from = reads === "own" ? row : reads === "one" ? this.row : state.sourceRowAt(this.path, at);
    if (work === "turn") this.pointer.row = from;
    else if (work === "value") this.value = this.values[from];
  }

  /** The output for the current row, safe to keep. */
  copy(): unknown {
    const { view, value, chosen } = this;
    if (this.output.kind === "first") return chosen?.copy();
    return view === undefined || value === undefined ? value : copyRow(view);
  }
}

function turnMarksTo(marks: Marks, tick: number): void {
  marks.turn();
  if (marks.tick !== tick) marks.tick = tick;
}

/** What `each` keeps for one query in one iterator slot, so that steady frames allocate nothing. */
export class RowOutputs {
  readonly bindings: readonly OutputBinding[];
  readonly own: RowPointer;
  /** The arguments of the callback, without the entity. */
  readonly row: unknown[];
  /** All are the same for all rows of the current interval: there is no work for each row. */
  isFixed = false;
  /** Some are values that the rows inherit. */
  isInherited = false;
  /** All but this one are the same, and this is a view of the rows of ancestors. */
  turns: OutputBinding | undefined = undefined;
  /** Of the first one that is about a sparse component. */
  sparse: OutputBinding["sparse"] = undefined;
  /**
   * Which outputs are views: a bit each; and, from bit 4 on, one more than the place of `turns`. -1 if they are neither views nor
   * `undefined`.
   */
  pattern = 0;
  /** By pattern, and whether rows are listed: the loop of `each`. */
  readonly loops: (OwnLoop | undefined)[] = [];
  /** Of `each`, where no rows are listed. */
  state: IterationState | undefined = undefined;
  /** Of `rows`. */
  results: RowResults | undefined = undefined;
  /** Outputs depend only on archetypes and rows: not on tables, ancestors or other data of an interval. */
  readonly isOfArchetypes: boolean;

  constructor(query: Query, slot: IteratorSlot) {
    const { world, plan } = query;
    const places = new Map<string, number>();
    this.bindings = plan.outputs.map((output) => new OutputBinding(world, slot, output, places));
    this.isOfArchetypes = plan.outputs.every(
      (output) => output.kind === "has" && output.definition.kind !== "relation",
    );
    this.own = slot.own;
    this.row = this.bindings.map(() => undefined);
  }

  turnTo(state: IterationState, tick: number): void {
    this.isFixed = true;
    this.isInherited = false;
    this.turns = undefined;
    let pattern = 0;
    const { bindings } = this;
    for (let place = 0; place < bindings.length; place++) {
      const binding = bindings[place]!;
      binding.turnTo(state, tick);
      const { value } = binding;
      this.row[place] = value;
      if (value !== undefined) pattern = value === binding.view?.object ? pattern | (1 << place) : -1;
      if (binding.work === "none") continue;
      if (binding.work === "turn" && binding.reads === "one") {
        binding.pointer.row = binding.row;
        continue;
      }
      if (pattern >= 0) pattern |= (place + 1) << 4;
      this.sparse ??= binding.sparse;
      this.isInherited ||= binding.of !== undefined;
      this.turns = this.isFixed && binding.work === "turn" && binding.reads === "above" ? binding : undefined;
      this.isFixed = false;
    }
    this.pattern = pattern;
  }

  /** @param row of the entity itself. @param at its position. */
  turnToRow(state: IterationState, row: number, at: number): void {
    const { bindings } = this;
    this.own.row = row;
    if (this.isFixed) return;
    for (let place = 0; place < bindings.length; place++) {
      const binding = bindings[place]!;
      if (binding.work === "none") continue;
      binding.turnToRow(state, row, at);
      this.row[place] = binding.value;
    }
  }
}

// ---- installed by terms ------------------------------------------------------------------------------------------------

export const aboveBinder: Binder<AboveTest> = {
  turnTo(binding, output, state) {
    const { archetype } = state;
    const { path, self, definition } = output;
    if (!self || definition.kind === "relation" || !hasDefinition(archetype, definition)) {
      turnToSources(binding, output, state, path);
      return;
    }
    binding.reads = "own";
    binding.turnToColumns(output, archetype, columnsOf(archetype, definition), true);
  },
  turnToRow: bindPair,
};

/** The value is the same for all rows of an interval, unless it is that of a free variable. */
export const fixedSourceBinder: Binder<FixedSourceTest> = {
  turnTo(binding, output, state) {
    const { world, query } = state;
    const path = upPathOfVariable(state);
    if (path >= 0 && isVariable(query.plan.fixedSources[output.fixed]!.source)) {
      turnToSources(binding, output, state, path);
      return;
    }
    const index = state.found[output.fixed]!;
    if (index === 0) return;
    const archetype = archetypeViewAt(world, index);
    binding.reads = "one";
    binding.row = rowAt(world, index);
    binding.turnToColumns(output, archetype, columnsIn(state, output, archetype, binding.row), true);
  },
  turnToRow: bindPair,
};

/** Reads the rows of ancestors, or of a free variable: they are listed with the rows of the iteration. */
function turnToSources(
  binding: OutputBinding,
  output: ParsedTerm,
  { sources }: IterationState,
  path: number,
): void {
  binding.reads = "above";
  binding.path = path;
  const source = sources[path];
  if (output.definition.kind === "relation") binding.work = "call";
  else if (source !== undefined)
    binding.turnToColumns(output, source, columnsOf(source, output.definition), true);
}

/** Every table stores values of pairs in other columns, and the archetypes of ancestors do not identify tables. */
function bindPair(
  binding: OutputBinding,
  output: AboveTest | FixedSourceTest,
  state: IterationState,
  row: number,
  at: number,
): void {
  const self = output.kind === "above" && output.self;
  // Every entity has a reflexive pair with itself, without values.
  const isTarget = self && output.definition.reflexive && state.entityIn(row) === output.target;
  const source = state.sources[binding.path];
  let valueRow = row;
  let columns = self ? columnsIn(state, output, state.archetype, row) : undefined;
  if (columns === undefined && !isTarget && source !== undefined) {
    valueRow = state.sourceRowAt(binding.path, at);
    columns = columnsIn(state, output, source, valueRow);
  }
  binding.value = undefined;
  if (columns === undefined || binding.view === undefined) return;
  turnView(binding.view, columns);
  binding.pointer.row = valueRow;
  binding.value = binding.view.object;
}

export const variableBinder: Binder<VariableOutput> = {
  turnTo(binding, { variable }, state) {
    if (upPathOfVariable(state) >= 0) binding.work = "call";
    else binding.value = state.targetOf(variable);
  },
  turnToRow(binding, _output, state, _row, at) {
    const path = upPathOfVariable(state);
    binding.value = handleOf(state.world, state.sources[path]!.lanes.i32[state.sourceRowAt(path, at)]!);
  },
};

/** The output is `true` where a test holds. */
export const flagBinder: Binder<FlagOutput> = {
  turnTo(binding) {
    binding.work = "call";
  },
  turnToRow(binding, { test }, state, _row, at) {
    turnToEntity(state, at);
    binding.value = evaluate(test, state.archetype, state) === YES ? true : undefined;
  },
};

export const firstBinder: Binder<FirstOutput> = {
  turnTo(binding, _output, state, tick) {
    binding.work = "call";
    for (const part of binding.parts) part?.turnTo(state, tick);
  },
  turnToRow(binding, { tests }, state, row, at) {
    turnToEntity(state, at);
    let place = 0;
    while (place < tests.length && evaluate(tests[place]!, state.archetype, state) !== YES) place++;
    const part = binding.parts[place];
    part?.turnToRow(state, row, at);
    binding.chosen = part;
    binding.value = part?.value;
  },
};
