import { type Definition, isAlive, type World } from "@treeline/core";
import {
  type ArchetypeView,
  archetypeViewAt,
  columnsOf,
  handleOf,
  hasDefinition,
  indexOf,
  pairsOf,
  parseTerm,
  rowAt,
  tableAt,
  worldState,
} from "@treeline/core/internal";
import { tell, YES } from "../../match/evaluate.ts";
import { isVariable } from "../../term/operators.ts";
import type {
  AboveTest,
  AsideTest,
  FirstOutput,
  MarkOutput,
  Output,
  ParsedTerm,
  VariableOutput,
} from "../../term/plan.ts";
import { refuse } from "../../term/read.ts";
import { views as ofVisits } from "../lists/watch.ts";
import type { Query } from "../state/query-state.ts";
import { lookAt, type Scene, wayOfVariable } from "../state/scene.ts";
import { copyRow, createRowView, RowPointer, type RowView, turnView } from "./row-view.ts";

/**
 * The columns of a component, or of a pair with data, of an archetype; undefined if there are none. For a pair, `row` says in
 * which table: pairs of one relation stand in the order of the table's type.
 */
function columnsIn(scene: Scene, question: ParsedTerm, archetype: ArchetypeView, row: number): unknown {
  const { world } = scene;
  const { definition, target } = question;
  if (definition.kind !== "relation") return columnsOf(archetype, definition);
  const handle = scene.targetOf(target);
  if (!isAlive(world, handle as never)) return undefined;
  const pairs = pairsOf(world);
  const pair = pairs.find(definition, indexOf(handle));
  return pair === 0 ? undefined : pairs.columns(tableAt(world, archetype.lanes.i32[row]!), pair);
}

/**
 * The same of what users name. Values of pairs lie in other columns in every table, so only a pair that the query asks for can
 * be read by runs. @param row -1 for rows of many tables. @throws TreelineError `bad-query` if there are none, `bad-term`.
 */
export function columnsFor(scene: Scene, archetype: ArchetypeView, what: unknown, row: number): unknown {
  const question = questionFor(scene.world, what);
  const { kind, name } = question.definition;
  if (row < 0 && kind === "relation") refuse(`values of ${name} above lie in many columns; each gives them`);
  if (kind === "relation" && !scene.query.plan.outputs.some((output) => isGiven(output, question)))
    refuse(`name ${name}(target) as a term of the query to read its values`);
  const columns = columnsIn(scene, question, archetype, row);
  if (columns !== undefined) return columns;
  refuse(`these rows have no values of ${name}; make it a term of the query, or use columnsIf after maybe`);
}

/** What users name, of which no pair is made if there is none. @throws TreelineError `bad-term`. */
function questionFor(world: World, what: unknown): ParsedTerm {
  const named = (typeof what === "function" ? { definition: what, target: 0 } : what) as ParsedTerm | null;
  return named?.definition?.kind === undefined ? parseTerm(world, what as never) : named;
}

function isGiven(output: Output, question: ParsedTerm): boolean {
  if (output.kind === "first") return output.of.some((one) => one !== undefined && isGiven(one, question));
  return (
    output.kind === "has" && output.definition === question.definition && output.target === question.target
  );
}

// ---- desks -------------------------------------------------------------------------------------------------------------

/**
 * What one visit at a time works with. Visits inside visits take the next desk, so nearly all take the first: a visitor
 * then meets the same view of a component in every query, which keeps it quick.
 */
export interface Desk {
  /** 0-based. */
  readonly number: number;
  isTaken: boolean;
  /** The row of the entity itself; all views of its own components share it. */
  readonly own: RowPointer;
  /** By definition and whose row: one for each term of a query that needs one like it. */
  readonly views: Map<string, RowView[]>;
}

const desksOf: (world: World) => Desk[] = /* @__PURE__ */ worldState(() => []);

/** The caller gives it back with `isTaken = false`. */
export function takeDesk(world: World): Desk {
  const desks = desksOf(world);
  let number = 0;
  while (number < desks.length && desks[number]!.isTaken) number++;
  if (number === desks.length) {
    desks.push({ number, isTaken: false, own: new RowPointer(), views: new Map() });
    ofVisits.turnMarks = turnMarks;
  }
  const desk = desks[number]!;
  desk.isTaken = true;
  return desk;
}

/** Somebody begins or ceases to ask for changes while visits run: their views mark what they write, or do no longer. */
function turnMarks(world: World): void {
  for (const { isTaken, views } of desksOf(world)) {
    if (!isTaken) continue;
    for (const list of views.values()) for (const { marks } of list) marks.turn();
  }
}

/** @param isOwn shows the entity's own row; otherwise it has a pointer of its own, and cannot be written. @param place among such views. */
export function viewAt(
  world: World,
  desk: Desk,
  definition: Definition,
  isOwn: boolean,
  place: number,
): RowView {
  const key = `${definition.id} ${isOwn}`;
  const views = desk.views.get(key) ?? [];
  desk.views.set(key, views);
  return (views[place] ??= createRowView(world, definition, isOwn ? desk.own : new RowPointer(), isOwn));
}

// ---- bindings ------------------------------------------------------------------------------------------------------------

/** How what a kind of term asks for is handed over. Terms with operators bring it along. */
interface Binder<Kind extends Output = Output> {
  /** As those of `OutputBinding`; the second one if its work is to ask. */
  readonly turnTo: (binding: OutputBinding, output: Kind, scene: Scene, tick: number) => void;
  readonly turnToRow?: (binding: OutputBinding, output: Kind, scene: Scene, row: number, at: number) => void;
}

/** By what gives. Functions only; nothing in here is state. */
export const binders: {
  [Kind in Exclude<Output["kind"], "has">]?: Binder<Extract<Output, { readonly kind: Kind }>>;
} = {};

/** Gives what `each` hands over for one term: a row view, a JavaScript value, an entity, `true` or `undefined`. */
export class OutputBinding {
  readonly output: Output;
  readonly view: RowView | undefined = undefined;
  /** Shows the view which row it is. */
  readonly pointer: RowPointer;
  /** Alternatives of which the first that holds gives. */
  readonly parts: readonly (OutputBinding | undefined)[];
  /** What it gives for the present row; the same for all rows of a span if there is no work. */
  given: unknown = undefined;
  /** From row to row: nothing, turning a pointer, taking a value, or asking how what a term asks for is given. */
  work: "none" | "turn" | "value" | "ask" = "none";
  /** Whose row it reads: the visited one's, that of an ancestor, or one for all. */
  reads: "own" | "above" | "one" = "own";
  row = 0;
  /** The way to the ancestors that it reads. */
  way = 0;
  /** The alternative that gave last. */
  chosen: OutputBinding | undefined = undefined;
  private values: readonly unknown[] = [];
  /** Undefined for what those who are visited have themselves. */
  private readonly binder: Binder<never> | undefined;

  /** @param places how many views of each kind the query has so far. */
  constructor(world: World, desk: Desk, output: Output, places: Map<string, number>) {
    this.output = output;
    this.binder = output.kind === "has" ? undefined : binders[output.kind];
    const parts = output.kind === "first" ? output.of : [];
    this.parts = parts.map((one) => one && new OutputBinding(world, desk, one, places));
    if ("definition" in output && output.definition.holds !== "values") {
      const isOwn = output.kind === "has";
      const key = `${output.definition.id} ${isOwn}`;
      const place = places.get(key) ?? 0;
      places.set(key, place + 1);
      this.view = viewAt(world, desk, output.definition, isOwn, place);
    }
    this.pointer = this.view?.pointer ?? new RowPointer();
  }

  /** Turns to a span. @param tick of what the visit writes itself, or 0. */
  turnTo(scene: Scene, tick: number): void {
    const { output } = this;
    const { archetype } = scene;
    this.given = undefined;
    this.work = "none";
    if (output.kind !== "has") {
      this.binder!.turnTo(this, output as never, scene, tick);
      return;
    }
    this.reads = "own";
    this.turnToColumns(
      output,
      archetype,
      columnsIn(scene, output, archetype, scene.rowAt(scene.from)),
      false,
    );
    if (this.view === undefined) return;
    const { marks } = this.view;
    marks.archetype = archetype;
    marks.turn();
    if (marks.tick !== tick) marks.tick = tick;
  }

  /** @param turns its view does not show the row of the visited entity by itself. */
  turnToColumns(
    { definition }: ParsedTerm,
    archetype: ArchetypeView,
    columns: unknown,
    turns: boolean,
  ): void {
    const { view } = this;
    if (columns === undefined) {
      if (definition.kind === "component" && hasDefinition(archetype, definition)) this.given = view?.given;
    } else if (view === undefined) {
      this.values = columns as unknown[];
      this.work = "value";
    } else {
      turnView(view, columns);
      this.given = view.given;
      if (turns) this.work = "turn";
    }
  }

  /** Does the work for one row. @param row the visited entity's absolute row. @param at its position. */
  turnToRow(scene: Scene, row: number, at: number): void {
    const { work, reads } = this;
    if (work === "ask") {
      this.binder!.turnToRow!(this, this.output as never, scene, row, at);
      return;
    }
    const from = reads === "own" ? row : reads === "one" ? this.row : scene.holderRowAt(this.way, at);
    if (work === "turn") this.pointer.row = from;
    else if (work === "value") this.given = this.values[from];
  }

  /** What is given for the present row, good for keeping. */
  copy(): unknown {
    const { view, given, chosen } = this;
    if (this.output.kind === "first") return chosen?.copy();
    return view === undefined || given === undefined ? given : copyRow(view);
  }
}

/** What `each` keeps for one query at one desk, so that steady frames make nothing. */
export class Seat {
  readonly bindings: readonly OutputBinding[];
  readonly own: RowPointer;
  /** What the visitor gets, but for the entity. */
  readonly row: unknown[];
  /** All are the same for all rows of the present span: nothing to gather from row to row. */
  isFixed = false;
  /** All but this one are the same, and it shows the rows of ancestors. */
  turns: OutputBinding | undefined = undefined;
  /** What is given hangs on archetypes and rows alone: not on tables, ancestors or what else a span knows. */
  readonly isOfArchetypes: boolean;

  constructor(query: Query, desk: Desk) {
    const { world, plan } = query;
    const places = new Map<string, number>();
    this.bindings = plan.outputs.map((output) => new OutputBinding(world, desk, output, places));
    this.isOfArchetypes = plan.outputs.every(
      (output) => output.kind === "has" && output.definition.kind !== "relation",
    );
    this.own = desk.own;
    this.row = this.bindings.map(() => undefined);
  }

  turnTo(scene: Scene, tick: number): void {
    this.isFixed = true;
    this.turns = undefined;
    const { bindings } = this;
    for (let place = 0; place < bindings.length; place++) {
      const binding = bindings[place]!;
      binding.turnTo(scene, tick);
      this.row[place] = binding.given;
      if (binding.work === "none") continue;
      this.turns = this.isFixed && binding.work === "turn" && binding.reads === "above" ? binding : undefined;
      this.isFixed = false;
    }
  }

  /** @param row of the entity itself. @param at its position. */
  turnToRow(scene: Scene, row: number, at: number): void {
    const { bindings } = this;
    this.own.row = row;
    if (this.isFixed) return;
    for (let place = 0; place < bindings.length; place++) {
      const binding = bindings[place]!;
      if (binding.work === "none") continue;
      binding.turnToRow(scene, row, at);
      this.row[place] = binding.given;
    }
  }
}

// ---- what terms bring along --------------------------------------------------------------------------------------------

export const aboveBinder: Binder<AboveTest> = {
  turnTo(binding, output, scene) {
    const { archetype } = scene;
    const { way, self, definition } = output;
    if (!self || definition.kind === "relation" || !hasDefinition(archetype, definition)) {
      turnToHolders(binding, output, scene, way);
      return;
    }
    binding.reads = "own";
    binding.turnToColumns(output, archetype, columnsOf(archetype, definition), true);
  },
  turnToRow: givePair,
};

/** The value is the same for all rows of a span, unless it is of what a free variable stands for. */
export const givenBinder: Binder<AsideTest> = {
  turnTo(binding, output, scene) {
    const { world, query } = scene;
    const way = wayOfVariable(scene);
    if (way >= 0 && isVariable(query.plan.asides[output.aside]!.source)) {
      turnToHolders(binding, output, scene, way);
      return;
    }
    const index = scene.found[output.aside]!;
    if (index === 0) return;
    const archetype = archetypeViewAt(world, index);
    binding.reads = "one";
    binding.row = rowAt(world, index);
    binding.turnToColumns(output, archetype, columnsIn(scene, output, archetype, binding.row), true);
  },
  turnToRow: givePair,
};

/** Reads the rows of ancestors, or of what a free variable stands for: they lie beside those that are visited. */
function turnToHolders(binding: OutputBinding, output: ParsedTerm, { holders }: Scene, way: number): void {
  binding.reads = "above";
  binding.way = way;
  const holder = holders[way];
  if (output.definition.kind === "relation") binding.work = "ask";
  else if (holder !== undefined)
    binding.turnToColumns(output, holder, columnsOf(holder, output.definition), true);
}

/** Values of pairs lie in other columns in every table, and ancestors' archetypes tell nothing of tables. */
function givePair(
  binding: OutputBinding,
  output: AboveTest | AsideTest,
  scene: Scene,
  row: number,
  at: number,
): void {
  const self = output.kind === "above" && output.self;
  // Everybody has a reflexive pair with itself, without values.
  const isTarget = self && output.definition.reflexive && scene.entityIn(row) === output.target;
  const holder = scene.holders[binding.way];
  let source = row;
  let columns = self ? columnsIn(scene, output, scene.archetype, row) : undefined;
  if (columns === undefined && !isTarget && holder !== undefined) {
    source = scene.holderRowAt(binding.way, at);
    columns = columnsIn(scene, output, holder, source);
  }
  binding.given = undefined;
  if (columns === undefined || binding.view === undefined) return;
  turnView(binding.view, columns);
  binding.pointer.row = source;
  binding.given = binding.view.given;
}

export const variableBinder: Binder<VariableOutput> = {
  turnTo(binding, { variable }, scene) {
    if (wayOfVariable(scene) >= 0) binding.work = "ask";
    else binding.given = scene.targetOf(variable);
  },
  turnToRow(binding, _output, scene, _row, at) {
    const way = wayOfVariable(scene);
    binding.given = handleOf(scene.world, scene.holders[way]!.lanes.i32[scene.holderRowAt(way, at)]!);
  },
};

/** Gives `true` where a test holds. */
export const markBinder: Binder<MarkOutput> = {
  turnTo(binding) {
    binding.work = "ask";
  },
  turnToRow(binding, { test }, scene, _row, at) {
    lookAt(scene, at);
    binding.given = tell(test, scene.archetype, scene) === YES ? true : undefined;
  },
};

export const firstBinder: Binder<FirstOutput> = {
  turnTo(binding, _output, scene, tick) {
    binding.work = "ask";
    for (const part of binding.parts) part?.turnTo(scene, tick);
  },
  turnToRow(binding, { tests }, scene, row, at) {
    lookAt(scene, at);
    let place = 0;
    while (place < tests.length && tell(tests[place]!, scene.archetype, scene) !== YES) place++;
    const part = binding.parts[place];
    part?.turnToRow(scene, row, at);
    binding.chosen = part;
    binding.given = part?.given;
  },
};
