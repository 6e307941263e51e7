import type { World } from "@treeline/core";
import { type Archetype, archetypesOf, tableAt } from "@treeline/core/internal";
import { shapeHas } from "../../match/pairs.ts";
import { MAYBE, NO, type Told, tellAll, YES } from "../../match/tests.ts";
import type { FreeWay } from "../../term/plan.ts";
import { holderShapeOf } from "../batches/chunks.ts";
import { currentStretches, isFiled, type Stretches } from "../batches/stretches.ts";
import { addSpan, cutByTable, endOfLast, extendSpan, ROWS, type Spans, startSpan } from "../lists/spans.ts";
import { engine } from "../state/engine.ts";
import { isAnsweredBy, type Query, shapesOf } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import { areFew, gatherFew } from "./climb.ts";
import { collectRows, gatherRuns, hasTargets } from "./collect.ts";
import { filterSpans } from "./filter.ts";
import { noteHolders } from "./note-holders.ts";

/** By shape number: 1 for each row that holds the clauses. */
type Answers = ReadonlyMap<number, Uint8Array>;

/** Rows with their ancestors: parents first, or the other way round. Those without ancestors are the first of all. */
export function gatherStretched(query: Query, seen: Seen, spans: Spans): void {
  const { world, plan } = query;
  const freeWay = plan.freeWay !== undefined && query.bound[0] === 0 ? plan.freeWay : undefined;
  let collected: Int32Array | undefined;
  if (hasTargets(query)) {
    collectRows(query, spans);
    if (areFew(query, spans)) {
      if (freeWay === undefined) gatherFew(query, seen, spans);
      else {
        spans.length = 0;
        engine.gatherJoined!(query, seen, spans);
      }
      return;
    }
    collected = spans.numbers.slice(0, spans.length);
    spans.length = 0;
  }
  const { traversals, waysKey } = freeWay ?? plan;
  const stretches = currentStretches(world, traversals, waysKey);
  seen.stretches = stretches;
  seen.isFree = freeWay !== undefined;
  noteHolders(query, stretches);
  seen.isSteady = query.watch.steadySince <= seen.since;
  const answers = collected && answersIn(world, collected, spans.stride, stretches);
  if (plan.cascade >= 0 && freeWay === undefined) gatherRoots(query, seen, spans, stretches, collected);
  gatherChunks(query, seen, spans, stretches, answers);
  if (plan.cascade < 0 && freeWay === undefined) gatherRoots(query, seen, spans, stretches, collected);
  seen.holders.fill(undefined);
}

/** Rows that are not filed: those of shapes without any pair of the relations. */
function gatherRoots(
  query: Query,
  seen: Seen,
  spans: Spans,
  stretches: Stretches,
  collected: Int32Array | undefined,
): void {
  const { world, plan } = query;
  seen.holders.fill(undefined);
  if (collected === undefined) {
    for (const shape of shapesOf(query)) {
      if (!isFiled(stretches, shape)) gatherRuns(query, seen, spans, shape);
    }
    return;
  }
  const { length, stride } = spans;
  for (let at = 0; at < collected.length; at += stride) {
    const shape = archetypesOf(world)[collected[at]!]!;
    if (!isFiled(stretches, shape)) addSpan(spans, shape, collected[at + 1]!, collected[at + 2]!, ROWS);
  }
  if (!spans.melts) cutByTable(world, spans, length);
  if (plan.tests.length > 0) filterSpans(query, seen, spans, length);
}

function gatherChunks(
  query: Query,
  seen: Seen,
  spans: Spans,
  stretches: Stretches,
  answers: Answers | undefined,
): void {
  const { world, plan } = query;
  const shapes = archetypesOf(world);
  const { chunks } = stretches.positions;
  const isDown = plan.cascade < 0;
  const asksAbove = plan.tests.length > 0 || seen.isFree;
  let number = -1; // of the shape of the last chunk: many follow one of the same
  let isAnswer = false;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[isDown ? chunks.alive - 1 - at : at]!;
    const shape = shapes[chunks.shape[chunk]!]!;
    if (shape.number !== number) {
      number = shape.number;
      isAnswer = isAnsweredBy(query, shape);
    }
    if (!isAnswer) continue;
    const answer = answers?.get(number);
    if (answers !== undefined && answer === undefined) continue;
    const from = chunks.start[chunk]!;
    const to = from + chunks.rows[chunk]!;
    seen.shape = shape;
    seen.index = 0;
    const told = asksAbove ? tellAbove(query, seen, stretches, chunk) : YES;
    if (told === NO) continue;
    if (told === YES && answer === undefined && !plan.readsPairs) startSpan(spans, number, from, to, chunk);
    else gatherPositions(query, seen, spans, stretches, chunk, told === MAYBE, answer);
  }
}

/** Turns to the sources of a chunk's rows, and tells whether all of these rows answer. */
function tellAbove({ world, plan }: Query, seen: Seen, { positions }: Stretches, chunk: number): Told {
  const { chunks, holderRows } = positions;
  for (let place = 0; place < holderRows.length; place++) {
    const holder = holderShapeOf(chunks, chunk, place);
    seen.holders[place] = holder < 0 ? undefined : archetypesOf(world)[holder]!;
  }
  if (seen.isFree && !passesGates(plan.freeWay!, seen.holders[plan.traversals.length])) return NO;
  return tellAll(plan.tests, seen.shape, seen);
}

/** Has the target what is asked of it? Without a target there is nobody to be asked. */
function passesGates({ gates }: FreeWay, target: Archetype | undefined): boolean {
  if (target === undefined) return false;
  for (let at = 0; at < gates.length; at++) if (!shapeHas(target, gates[at]!)) return false;
  return true;
}

/** The positions of a chunk, one by one. */
function gatherPositions(
  query: Query,
  seen: Seen,
  spans: Spans,
  stretches: Stretches,
  chunk: number,
  asks: boolean,
  answer: Uint8Array | undefined,
): void {
  const { world, plan } = query;
  const { chunks, rows } = stretches.positions;
  const { shape } = seen;
  const { i32 } = shape.lanes;
  const from = chunks.start[chunk]!;
  const to = from + chunks.rows[chunk]!;
  let lastTable = -1;
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    if (answer !== undefined && answer[row] === 0) continue;
    if (asks) {
      turnToPosition(seen, stretches, at, row);
      if (tellAll(plan.tests, seen.shape, seen) !== YES) continue;
    }
    const table = tableAt(world, i32[row]!);
    if (plan.readsPairs && table === lastTable && endOfLast(spans) === at) extendSpan(spans);
    else addSpan(spans, shape, at, at + 1, chunk);
    lastTable = table;
  }
}

/** Turns to one position of a chunk. */
function turnToPosition(seen: Seen, { positions }: Stretches, at: number, row: number): void {
  const { holderRows } = positions;
  seen.index = seen.shape.lanes.i32[row]!;
  seen.row = row;
  for (let place = 0; place < holderRows.length; place++) {
    if (seen.holders[place] !== undefined) seen.holderRows[place] = holderRows[place]![at]!;
  }
}

function answersIn(world: World, collected: Int32Array, stride: number, stretches: Stretches): Answers {
  const answers = new Map<number, Uint8Array>();
  for (let at = 0; at < collected.length; at += stride) {
    const shape: Archetype = archetypesOf(world)[collected[at]!]!;
    if (!isFiled(stretches, shape)) continue;
    let answer = answers.get(shape.number);
    if (answer === undefined) {
      answer = new Uint8Array(shape.end);
      answers.set(shape.number, answer);
    }
    answer.fill(1, collected[at + 1], collected[at + 2]);
  }
  return answers;
}
