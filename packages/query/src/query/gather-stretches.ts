import type { World } from "@treeline/core";
import type { Shape } from "@treeline/core/internal";
import { type Piece, targetedPieces } from "../match/match-table.ts";
import { shapeHas } from "../match/shape-has.ts";
import { MAYBE, NO, YES } from "../match/tell.ts";
import type { FreeWay } from "../term/plan.ts";
import { holderShapeOf } from "./chunks.ts";
import { engine } from "./engine.ts";
import { filterRows, tellAll } from "./filter.ts";
import { areFew, gatherFew } from "./gather-few.ts";
import { gatherRarest, gatherRuns, hasTargets, shapesOf } from "./gather-rows.ts";
import { noteHolders } from "./note-holders.ts";
import { isAnsweredBy, type Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";
import { addSpan, endOfLast, extendSpan, ROWS, type Spans } from "./spans.ts";
import { currentStretches, isFiled, type Stretches } from "./stretches.ts";

/** By shape number: 1 for each row that answers the clauses. */
type Answers = ReadonlyMap<number, Uint8Array>;

/** Rows with their ancestors: parents first, or the other way round. Those without ancestors are the first of all. */
export function gatherStretched(query: Query, seen: Seen, spans: Spans): void {
  const { world, plan } = query;
  const freeWay = plan.freeWay !== undefined && query.bound[0] === 0 ? plan.freeWay : undefined;
  const isTargeted = hasTargets(query);
  if (isTargeted && gatherRarest(query, seen, spans, false) && gatherIfFew(query, seen, spans)) return;
  spans.length = 0;
  const pieces = isTargeted ? targetedPieces(world, plan, query.clauses) : undefined;
  if (pieces !== undefined) {
    addPieces(spans, pieces);
    if (gatherIfFew(query, seen, spans)) return;
    spans.length = 0;
  }
  const stretches =
    freeWay === undefined
      ? currentStretches(world, plan.traversals, plan.waysKey)
      : currentStretches(world, freeWay.traversals, freeWay.key);
  seen.stretches = stretches;
  seen.isFree = freeWay !== undefined;
  noteHolders(query, stretches);
  seen.isSteady = query.watch.steadySince <= seen.since;
  const answers = pieces === undefined ? undefined : answersIn(world, pieces, stretches);
  if (plan.cascade >= 0 && freeWay === undefined) gatherRoots(query, seen, spans, stretches, pieces);
  gatherChunks(query, seen, spans, stretches, answers);
  if (plan.cascade < 0 && freeWay === undefined) gatherRoots(query, seen, spans, stretches, pieces);
  seen.holders.fill(undefined);
}

/** @param spans rows that are meant, as far as clauses tell. @returns whether their ancestors were looked for without stretches. */
function gatherIfFew(query: Query, seen: Seen, spans: Spans): boolean {
  if (!areFew(query, spans)) return false;
  if (query.plan.freeWay === undefined || query.bound[0] !== 0) gatherFew(query, seen, spans);
  else {
    spans.length = 0;
    engine.gatherJoined!(query, seen, spans);
  }
  return true;
}

function addPieces(spans: Spans, pieces: readonly Piece[]): void {
  for (const { shape, bounds, length } of pieces) {
    for (let at = 0; at < length; at += 2) addSpan(spans, shape, bounds[at]!, bounds[at + 1]!, ROWS);
  }
}

function gatherRoots(
  query: Query,
  seen: Seen,
  spans: Spans,
  stretches: Stretches,
  pieces: readonly Piece[] | undefined,
): void {
  const { world } = query;
  seen.holders.fill(undefined);
  if (pieces === undefined) {
    const shapes = shapesOf(query);
    for (let at = 0; at < shapes.length; at++)
      if (!isFiled(world, stretches, shapes[at]!)) gatherRuns(query, seen, spans, shapes[at]!);
    return;
  }
  for (const { shape, bounds, length } of pieces) {
    if (isFiled(world, stretches, shape)) continue;
    for (let at = 0; at < length; at += 2)
      filterRows(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
  }
}

function gatherChunks(
  query: Query,
  seen: Seen,
  spans: Spans,
  stretches: Stretches,
  answers: Answers | undefined,
): void {
  const { world, plan } = query;
  const { shapes } = world.graph;
  const { chunks } = stretches.positions;
  const isDown = plan.cascade < 0;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[isDown ? chunks.alive - 1 - at : at]!;
    const shape = shapes[chunks.shape[chunk]!]!;
    if (!isAnsweredBy(query, shape)) continue;
    const answer = answers?.get(shape.number);
    if (answers !== undefined && answer === undefined) continue;
    const from = chunks.start[chunk]!;
    const to = from + chunks.rows[chunk]!;
    seen.shape = shape;
    seen.index = 0;
    for (let place = 0; place < stretches.positions.holderRows.length; place++) {
      const holder = holderShapeOf(chunks, chunk, place);
      seen.holders[place] = holder < 0 ? undefined : shapes[holder]!;
    }
    if (seen.isFree && !passesGates(plan.freeWay!, seen.holders[plan.traversals.length])) continue;
    const told = tellAll(plan.tests, seen);
    if (told === NO) continue;
    if (told === YES && answer === undefined && !plan.readsPairs) addSpan(spans, shape, from, to, chunk);
    else gatherPositions(query, seen, spans, stretches, chunk, told === MAYBE, answer);
  }
}

/** Has the target what is asked of it? Without a target there is nobody to be asked. */
function passesGates({ gates }: FreeWay, target: Shape | undefined): boolean {
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
  const { entities } = world;
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
      if (tellAll(plan.tests, seen) !== YES) continue;
    }
    const table = entities.table[i32[row]!]!;
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

function answersIn(world: World, pieces: readonly Piece[], stretches: Stretches): Answers {
  const answers = new Map<number, Uint8Array>();
  for (const { shape, bounds, length } of pieces) {
    if (!isFiled(world, stretches, shape)) continue;
    let answer = answers.get(shape.number);
    if (answer === undefined) {
      answer = new Uint8Array(shape.end);
      answers.set(shape.number, answer);
    }
    for (let at = 0; at < length; at += 2) answer.fill(1, bounds[at], bounds[at + 1]);
  }
  return answers;
}
