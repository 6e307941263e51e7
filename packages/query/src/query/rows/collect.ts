import { ANY, type Archetype, archetypesOf, runsOf, tableAt } from "@treeline/core/internal";
import { countCandidates } from "../../match/archetypes.ts";
import {
  costOfPair,
  endOfTable,
  hasAt,
  indexIfAlive,
  isStoredAsValue,
  tellsRowsApart,
} from "../../match/pairs.ts";
import { MAYBE, NO, tellAll } from "../../match/tests.ts";
import type { ByRow } from "../../term/plan.ts";
import { addSpan, cutByTable, emptied, ROWS, type Spans, sortRows } from "../lists/spans.ts";
import { engine } from "../state/engine.ts";
import { type Query, shapesOf } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import { filterSpans } from "./filter.ts";
import { addSources } from "./sources.ts";

/** So many steps are taken without looking for a shorter way. */
const FEW = 16;

/** Rows that answer by what they have: shapes in order of founding, rows ascending. */
export function gatherRows(query: Query, seen: Seen, spans: Spans): void {
  const { tests } = query.plan;
  if (hasTargets(query)) collectRows(query, spans);
  else if (tests.length === 0 || engine.collectEither?.(query, spans) !== true) {
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

/** All rows of a shape that answer. */
export function gatherRuns(query: Query, seen: Seen, spans: Spans, shape: Archetype): void {
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

function addRuns(spans: Spans, shape: Archetype): void {
  if (shape.rows === 0) return;
  const { bounds, length } = runsOf(shape, true);
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
  const { clauses, targeted } = query.plan;
  const { melts } = spans;
  const byRow = byRowNow(query);
  let lead = -1;
  let steps = Number.POSITIVE_INFINITY;
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    if (clauses[place]!.operator !== "with" || query.targets[place] === ANY) continue;
    const cost = costOfTarget(query, place, byRow);
    if (cost === 0) return;
    if (cost >= steps) continue;
    steps = cost;
    lead = place;
  }
  spans.melts = true;
  if (lead >= 0 && !isShorter(query, steps, byRow)) {
    addTarget(query, spans, lead);
    sortRows(query.world, spans);
  } else {
    lead = -1;
    addAll(query, spans);
    steps = 0;
    for (const shape of shapesOf(query)) steps += stepsOf(shape, byRow);
  }
  if (lead < 0 || targeted.length > 1) {
    const left = takeOutExcluded(query, spans, lead, steps, byRow);
    if (left !== 0) leaveAnswering(query, spans, left, byRow);
  }
  spans.melts = melts;
}

/** Where rows have to be looked at one by one: tables tell all of targets that nobody has stored as a value. */
function byRowNow({ world, plan, targets }: Query): ByRow {
  const { byRow, targeted, clauses } = plan;
  if (byRow !== "loose" || targeted.length === 1) return byRow;
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    const target = targets[place]!;
    if (target !== ANY && isStoredAsValue(world, clauses[place]!.definition, target)) return byRow;
  }
  return "never";
}

/** Steps it takes to go through all who have what a clause asks for; nobody has a pair with the dead. */
function costOfTarget({ world, plan, targets, cursors }: Query, place: number, asked: ByRow): number {
  const target = indexIfAlive(world, targets[place]!);
  const byRow = plan.targeted.length > 1 ? asked : "never";
  return target === 0 ? 0 : costOfPair(world, cursors, plan.clauses[place]!.definition, target, byRow);
}

/** Adds those who have what a clause asks for. */
export function addTarget(query: Query, spans: Spans, place: number): void {
  const target = indexIfAlive(query.world, query.targets[place]!);
  if (target !== 0) addSources(query, spans, query.plan.clauses[place]!.definition, target, false);
}

function addAll(query: Query, spans: Spans): void {
  const shapes = shapesOf(query);
  for (let at = 0; at < shapes.length; at++) addRuns(spans, shapes[at]!);
}

function stepsOf({ isLoose, rows, tables }: Archetype, byRow: ByRow): number {
  return byRow === "always" || (isLoose && byRow === "loose") ? rows : tables;
}

/** Does it take fewer steps to go through all shapes that answer, looking at clauses with targets? */
export function isShorter(query: Query, steps: number, byRow: ByRow): boolean {
  if (steps <= FEW) return false;
  const { world, plan, answers } = query;
  if (answers.founded === 0 && countCandidates(world, plan) >= steps) return false;
  const shapes = shapesOf(query);
  let sum = 0;
  for (let at = 0; at < shapes.length && sum < steps; at++) sum += stepsOf(shapes[at]!, byRow);
  return sum < steps;
}

/**
 * Takes out the rows with excluded pairs, where these are fewer than all that are left.
 *
 * @param lead the place of the clause that the rows hold, or -1.
 * @param steps it takes to go through the tables of the rows.
 * @returns bits of the places in `plan.targeted` of clauses that have still to be asked; the last one is for all from 31 on.
 */
function takeOutExcluded(query: Query, spans: Spans, lead: number, steps: number, byRow: ByRow): number {
  const { targeted, clauses } = query.plan;
  let left = 0;
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    if (place === lead || query.targets[place] === ANY) continue;
    const cost = clauses[place]!.operator === "not" ? costOfTarget(query, place, byRow) : steps;
    if (cost >= steps) left |= 1 << Math.min(at, 31);
    else if (cost > 0) engine.takeOutTarget!(query, spans, place);
  }
  return left;
}

/**
 * Leaves the rows that hold the other clauses with targets too, asked table by table as far as tables tell.
 *
 * @param left their bits.
 */
function leaveAnswering(query: Query, spans: Spans, left: number, byRow: ByRow): void {
  const { world, cursors } = query;
  const shapes = archetypesOf(world);
  const { stride, length } = spans;
  const numbers = emptied(spans);
  for (let at = 0; at < length; at += stride) {
    const shape = shapes[numbers[at]!]!;
    const { i32 } = shape.lanes;
    const end = numbers[at + 2]!;
    const isByRow = byRow !== "never" && tellsLeftApart(query, shape, left);
    for (let row = numbers[at + 1]!; row < end; ) {
      const index = i32[row]!;
      const next = isByRow ? row + 1 : Math.min(end, endOfTable(cursors, tableAt(world, index)));
      if (holdsLeft(query, index, left)) addSpan(spans, shape, row, next, ROWS);
      row = next;
    }
  }
}

function isLeft(left: number, at: number): boolean {
  return ((left >>> Math.min(at, 31)) & 1) === 1;
}

function tellsLeftApart({ plan }: Query, shape: Archetype, left: number): boolean {
  const { targeted, clauses } = plan;
  for (let at = 0; at < targeted.length; at++) {
    if (isLeft(left, at) && tellsRowsApart(clauses[targeted[at]!]!.definition, shape)) return true;
  }
  return false;
}

function holdsLeft({ world, plan, targets }: Query, index: number, left: number): boolean {
  const { targeted, clauses } = plan;
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    if (!isLeft(left, at) || targets[place] === ANY) continue;
    const { operator, definition } = clauses[place]!;
    if (hasAt(world, index, definition, targets[place]!) !== (operator === "with")) return false;
  }
  return true;
}
