import type { Definition } from "@treeline/core";
import { ANY, indexOf, isLiving, refreshRuns, type Shape } from "@treeline/core/internal";
import { countCandidates, matchingShapes } from "../../match/archetypes.ts";
import { type ByRow, costOfPair, hasAt, seesLoose, tellsRowsApart } from "../../match/pairs.ts";
import { MAYBE, NO, tellAll } from "../../match/tests.ts";
import { namesTarget, type Test } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import {
  addSpan,
  createSpans,
  cutByTable,
  drop,
  HEAD,
  ROWS,
  type Spans,
  sortRows,
  takeOutRows,
} from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import { filterSpans } from "./filter.ts";
import { addSources } from "./sources.ts";

/** So many steps are taken without looking for a shorter way. */
const FEW = 16;

/** Rows that answer by what they have: shapes in order of founding, rows ascending. */
export function gatherRows(query: Query, seen: Seen, spans: Spans): void {
  const { tests } = query.plan;
  if (hasTargets(query)) collectRows(query, spans);
  else if (tests.length === 0 || !collectEither(query, spans)) {
    const shapes = shapesOf(query);
    for (let at = 0; at < shapes.length; at++) gatherRuns(query, seen, spans, shapes[at]!);
    return;
  }
  if (!spans.melts) cutByTable(query.world, spans, 0);
  if (tests.length > 0) filterSpans(query, seen, spans, 0);
}

/** Does a clause name an entity, or a variable that is set? */
export function hasTargets({ plan, targets }: Query): boolean {
  const { targeted } = plan;
  for (let at = 0; at < targeted.length; at++) if (targets[targeted[at]!] !== ANY) return true;
  return false;
}

/** Shapes that answer as far as they can tell, in order of founding. */
export function shapesOf({ world, plan, answers, isTargeted, shapes }: Query): readonly Shape[] {
  if (!isTargeted) return shapes;
  const { length } = world.graph.founded;
  if (answers.founded !== length) {
    answers.listed = matchingShapes(world.graph, plan);
    answers.founded = length;
  }
  return answers.listed;
}

/** All rows of a shape that answer. */
export function gatherRuns(query: Query, seen: Seen, spans: Spans, shape: Shape): void {
  if (shape.rows === 0) return;
  seen.shape = shape;
  seen.index = 0;
  const told = tellAll(query.plan.tests, shape, seen);
  if (told === NO) return;
  const { length } = spans;
  addRuns(spans, shape);
  if (!spans.melts) cutByTable(query.world, spans, length);
  if (told === MAYBE) filterSpans(query, seen, spans, length);
}

function addRuns(spans: Spans, shape: Shape): void {
  if (shape.rows === 0) return;
  refreshRuns(shape.used, shape.end);
  const { bounds, length } = shape.used;
  for (let at = 0; at < length; at += 2) addSpan(spans, shape, bounds[at]!, bounds[at + 1]!, ROWS);
}

/**
 * The rows that hold all clauses of which some name a target, each once, as whole runs; other tests are not asked. Makes
 * nothing, but where rows of an excluded pair are taken out of many.
 *
 * It starts from those who have the rarest pair that is asked for, in both storages of parents, or from the rows of all
 * shapes that answer if these take fewer steps; the other pairs are looked at table by table, or row by row where tables
 * do not tell.
 */
export function collectRows(query: Query, spans: Spans): void {
  const { world, plan, targets } = query;
  const { clauses, targeted } = plan;
  const byRow =
    targeted.length > 1 && targeted.some((at) => seesLoose(clauses[at]!.definition)) ? "loose" : "never";
  let lead = -1;
  let steps = Number.POSITIVE_INFINITY;
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    if (clauses[place]!.operator !== "with" || targets[place] === ANY) continue;
    const cost = costOfTarget(query, place, byRow);
    if (cost === 0) return;
    if (cost >= steps) continue;
    steps = cost;
    lead = place;
  }
  const { melts } = spans;
  spans.melts = true;
  if (lead < 0 || isShorter(query, steps, byRow)) {
    lead = -1;
    const shapes = shapesOf(query);
    steps = 0;
    for (let at = 0; at < shapes.length; at++) {
      addRuns(spans, shapes[at]!);
      steps += stepsOf(shapes[at]!, byRow);
    }
  } else {
    addSources(query, spans, clauses[lead]!.definition, indexOf(targets[lead]!), false);
    sortRows(world, spans);
  }
  if (lead < 0 || targeted.length > 1) siftRows(query, spans, lead, steps, byRow);
  spans.melts = melts;
}

/** Steps it takes to go through all who have what a clause asks for; nobody has a pair with the dead. */
function costOfTarget({ world, plan, targets }: Query, place: number, byRow: ByRow): number {
  const target = targets[place]!;
  if (!isLiving(world.entities, target)) return 0;
  return costOfPair(world, plan.clauses[place]!.definition, indexOf(target), byRow);
}

function stepsOf({ isLoose, rows, tables }: Shape, byRow: ByRow): number {
  return isLoose && byRow !== "never" ? rows : tables;
}

/** Does it take fewer steps to go through all shapes that answer? */
export function isShorter(query: Query, steps: number, byRow: ByRow): boolean {
  if (steps <= FEW) return false;
  const { world, plan, answers, isTargeted } = query;
  const isListed = !isTargeted || answers.founded === world.graph.founded.length;
  if (!isListed && countCandidates(world.graph, plan) >= steps) return false;
  let sum = 0;
  for (const shape of shapesOf(query)) sum += stepsOf(shape, byRow);
  return sum < steps;
}

/**
 * Leaves the rows that hold the other clauses too.
 *
 * @param lead the place of the clause that they hold already, or -1.
 * @param steps it takes to go through the tables they lie in.
 */
function siftRows(query: Query, spans: Spans, lead: number, steps: number, byRow: ByRow): void {
  const { world, plan, targets } = query;
  const left: number[] = [];
  for (const place of plan.targeted) {
    const { operator, definition } = plan.clauses[place]!;
    if (place === lead || targets[place] === ANY) continue;
    const cost = operator === "not" ? costOfTarget(query, place, byRow) : Number.POSITIVE_INFINITY;
    if (cost === 0) continue; // excludes nobody
    if (cost >= steps) left.push(place);
    else {
      const others = createSpans(HEAD);
      addSources(query, others, definition, indexOf(targets[place]!), false);
      sortRows(world, others);
      takeOutRows(world, spans, others);
    }
  }
  if (left.length > 0) leaveAnswering(query, spans, left);
}

/** Leaves the rows that hold some clauses, asked table by table as far as tables tell. */
function leaveAnswering(query: Query, spans: Spans, places: readonly number[]): void {
  const { graph, entities } = query.world;
  const { tables, shapes } = graph;
  const { clauses } = query.plan;
  const { stride, length } = spans;
  for (let at = 0; at < length; at += stride) {
    const { numbers } = spans; // which may have grown
    const shape = shapes[numbers[at]!]!;
    const { i32 } = shape.lanes;
    const end = numbers[at + 2]!;
    const isByRow = places.some((place) => tellsRowsApart(clauses[place]!.definition, shape));
    for (let row = numbers[at + 1]!; row < end; ) {
      const index = i32[row]!;
      const table = entities.table[index]!;
      const next = isByRow ? row + 1 : Math.min(end, tables.first[table]! + tables.count[table]!);
      if (holdsAll(query, index, places)) addSpan(spans, shape, row, next, ROWS);
      row = next;
    }
  }
  drop(spans, 0, length);
}

function holdsAll({ world, plan, targets }: Query, index: number, places: readonly number[]): boolean {
  for (let at = 0; at < places.length; at++) {
    const { operator, definition } = plan.clauses[places[at]!]!;
    if (hasAt(world, index, definition, targets[places[at]!]!) !== (operator === "with")) return false;
  }
  return true;
}

/**
 * Where all who answer are, if one of the tests asks for one of several pairs with targets: those who have one of them. The
 * tests have still to be asked.
 *
 * @returns false, and nothing is listed, if no test does, or shapes are the shorter way.
 */
function collectEither(query: Query, spans: Spans): boolean {
  const { world, plan } = query;
  const either = plan.tests.find(asksForOneOfPairs);
  if (either === undefined) return false;
  let cost = 0;
  for (const { definition, target } of either.of) {
    if (isLiving(world.entities, target)) cost += costOfPair(world, definition, indexOf(target), "never");
  }
  if (isShorter(query, cost, "never")) return false;
  const { melts } = spans;
  spans.melts = true;
  for (const { definition, target } of either.of) {
    if (isLiving(world.entities, target)) addSources(query, spans, definition, indexOf(target), false);
  }
  sortRows(world, spans);
  spans.melts = melts;
  return true;
}

interface Either {
  readonly of: readonly { readonly definition: Definition; readonly target: number }[];
}

function asksForOneOfPairs(test: Test): test is Test & Either {
  if (test.kind !== "any") return false;
  return test.of.every((one) => one.kind === "has" && namesTarget(one) && !isVariable(one.target));
}
