import { Any, ChildOf, Parent } from "@treeline/core";
import {
  ANY,
  findPair,
  firstInList,
  indexOf,
  isLiving,
  looseCountOf,
  loosePairOf,
  nextInList,
  type PairNumber,
  refreshRuns,
  type Shape,
  type SiblingLinks,
} from "@treeline/core/internal";
import { matchingShapes } from "../match/match-shape.ts";
import { type Piece, piecesOfEither, targetedPieces } from "../match/match-table.ts";
import { spotOf } from "../match/spots.ts";
import { MAYBE, NO, tell } from "../match/tell.ts";
import type { Clause } from "../term/plan.ts";
import { filterRows } from "./filter.ts";
import { isAnsweredBy, type Query } from "./query-state.ts";
import { addAnswering, areFewTables, rarestOf, siftSpans } from "./sift.ts";
import type { Seen } from "./sight.ts";
import { addSpan, ROWS, type Spans } from "./spans.ts";

/** A pair with more tables is worth a look for a shorter way. */
const FEW_TABLES = 16;

/** So few spans are sorted where they stand. */
const FEW_SPANS = 32;
/** More spans or shapes than these do not fit numbers that hold a spot and a place in the list: 53 bits. */
const MOST_SPANS = 0x1_0000;
const MOST_SHAPES = 0x400;

/** Rows that answer by what they have: shapes in order of founding, rows ascending. */
export function gatherRows(query: Query, seen: Seen, spans: Spans): void {
  if (!hasTargets(query)) gatherUntargeted(query, seen, spans);
  else if (!gatherRarest(query, seen, spans, true)) {
    filterPieces(query, seen, spans, targetedPieces(query.world, query.plan, query.clauses));
  }
}

/**
 * Rows that have what clauses about targets ask for, found without making anything: from the sources of one target, or from
 * everybody if there are few tables.
 *
 * @param asksTests the plan's tests are asked as well.
 * @returns false, and nothing is listed, if lists of sources may be the shorter way.
 */
export function gatherRarest(query: Query, seen: Seen, spans: Spans, asksTests: boolean): boolean {
  const { plan, clauses } = query;
  const isOnly = plan.targeted.length === 1;
  let place = isOnly ? plan.targeted[0]! : rarestOf(query);
  if (place < 0 || !gatherSources(query, clauses[place]!, spans)) {
    if (!areFewTables(query)) return false;
    addAnswering(query, spans);
    place = -1;
  }
  const asks = asksTests && plan.tests.length > 0;
  if (!isOnly || place < 0 || asks) siftSpans(query, seen, spans, place, asks);
  return true;
}

/** Does a clause name an entity, or a variable that is set? */
export function hasTargets({ plan, clauses }: Query): boolean {
  const { targeted } = plan;
  for (let at = 0; at < targeted.length; at++) if (clauses[targeted[at]!]!.target !== ANY) return true;
  return false;
}

function filterPieces(query: Query, seen: Seen, spans: Spans, pieces: readonly Piece[]): void {
  for (let place = 0; place < pieces.length; place++) {
    const { shape, bounds, length } = pieces[place]!;
    for (let at = 0; at < length; at += 2)
      filterRows(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
  }
}

function gatherUntargeted(query: Query, seen: Seen, spans: Spans): void {
  const { world, plan } = query;
  const asksRows = plan.tests.length === 0 || (query.isTargeted && areFewTables(query));
  const either = asksRows ? undefined : piecesOfEither(world, plan);
  if (either !== undefined) {
    filterPieces(query, seen, spans, either);
    return;
  }
  const shapes = shapesOf(query);
  for (let at = 0; at < shapes.length; at++) gatherRuns(query, seen, spans, shapes[at]!);
}

/** Shapes that answer as far as they can tell. */
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
  const { tests } = query.plan;
  seen.shape = shape;
  seen.index = 0;
  let isSure = true;
  for (let at = 0; at < tests.length; at++) {
    const told = tell(tests[at]!, shape, seen);
    if (told === NO) return;
    if (told === MAYBE) isSure = false;
  }
  refreshRuns(shape.used, shape.end);
  const { bounds, length } = shape.used;
  for (let at = 0; at < length; at += 2) {
    if (query.plan.readsPairs) gatherTables(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
    else if (isSure) addSpan(spans, shape, bounds[at]!, bounds[at + 1]!, ROWS);
    else filterRows(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
  }
}

/** The same, one table after the other. */
function gatherTables(
  query: Query,
  seen: Seen,
  spans: Spans,
  shape: Shape,
  first: number,
  end: number,
): void {
  const { graph, entities } = query.world;
  for (let row = first; row < end; ) {
    const table = entities.table[shape.lanes.i32[row]!]!;
    const next = graph.tables.first[table]! + graph.tables.count[table]!;
    filterRows(query, seen, spans, shape, row, next);
    row = next;
  }
}

/**
 * The everyday question about one target: its tables, one by one, without sorting anything.
 *
 * @returns false if there may be a shorter way, what is asked is not that simple, or rows do not come in order.
 */
function gatherSources(query: Query, { operator, definition, target }: Clause, spans: Spans): boolean {
  if (operator !== "with" || definition.reflexive || definition === Any) return false;
  const { graph, entities } = query.world;
  const { pairs, records, tables, shapes, links } = graph;
  if (!isLiving(entities, target)) return true;
  const isLoose = definition === Parent;
  const pair = findPair(pairs, isLoose ? ChildOf.id : definition.id, indexOf(target));
  if (pair === 0) return true;
  if (!isLoose && records.tables[pair]! > FEW_TABLES) return false;
  for (let node = isLoose ? 0 : records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const count = tables.count[table]!;
    if (count === 0) continue;
    const shape = shapes[tables.shape[table]!]!;
    if (isAnsweredBy(query, shape))
      addSpan(spans, shape, tables.first[table]!, tables.first[table]! + count, ROWS);
  }
  if ((isLoose || definition === ChildOf) && links.used) gatherLoose(query, pair, spans);
  if (spans.length <= spans.stride || areInOrder(query, spans)) return true;
  const count = spans.length / spans.stride;
  if (count <= FEW_SPANS) sortSpans(shapes, spans);
  else if (count <= MOST_SPANS && graph.founded.length <= MOST_SHAPES) sortManySpans(shapes, spans);
  else spans.length = 0;
  return spans.length > 0;
}

/**
 * The table in which all sources of the target lie, if a direct question has no others.
 *
 * @returns 0 if nobody answers; -1 if sources lie in several tables, or store their parent as a value.
 */
export function onlyTableOf({ world, plan, clauses }: Query): number {
  const { definition, target } = clauses[plan.direct]!;
  if (target < 0 || definition === Parent) return -1;
  const { graph, entities } = world;
  if (!isLiving(entities, target)) return 0;
  const pair = findPair(graph.pairs, definition.id, indexOf(target));
  if (pair === 0) return 0;
  const { records, links } = graph;
  if (records.tables[pair]! > 1 || looseCountOf(links, pair) > 0) return -1;
  const node = records.firstNode[pair]!;
  return node === 0 ? 0 : records.nodeTable[node]!;
}

/** Children who store their parent as a value: rows side by side at once. */
function gatherLoose(query: Query, pair: PairNumber, spans: Spans): void {
  const { graph, entities } = query.world;
  const { tables, shapes, links } = graph;
  if (looseCountOf(links, pair) === 0) return;
  for (let index = firstInList(links, pair); index !== 0; ) {
    if (loosePairOf(links, index) !== pair) {
      index = nextInList(links, index);
      continue;
    }
    const table = entities.table[index]!;
    const shape = shapes[tables.shape[table]!]!;
    const { i32 } = shape.lanes;
    const first = tables.first[table]!;
    const row = first + entities.row[index]!;
    const end = endOfSiblings(links, i32, row, first + tables.count[table]!);
    if (isAnsweredBy(query, shape)) addSpan(spans, shape, row, end, ROWS);
    index = nextInList(links, i32[end - 1]!);
  }
}

/** Where the rows end that lie side by side as the siblings do. Whoever shares their table stores the parent as they do. */
function endOfSiblings(links: SiblingLinks, indexes: Int32Array, row: number, endOfTable: number): number {
  let end = row + 1;
  while (end < endOfTable && nextInList(links, indexes[end - 1]!) === indexes[end]) end++;
  return end;
}

/** Shapes in order of founding, rows ascending, and no span that could be part of the one before. */
function areInOrder({ world }: Query, spans: Spans): boolean {
  const { shapes } = world.graph;
  for (let at = spans.stride; at < spans.length; at += spans.stride) {
    if (!isBehind(shapes, spans, at - spans.stride, at)) return false;
  }
  return true;
}

function isBehind(shapes: readonly Shape[], { numbers }: Spans, one: number, other: number): boolean {
  if (numbers[one] === numbers[other]) return numbers[other + 1]! >= numbers[one + 2]!;
  return shapes[numbers[other]!]!.place >= shapes[numbers[one]!]!.place;
}

/** Sorts spans of rows, none of which overlap, and joins those that lie side by side. */
function sortSpans(shapes: readonly Shape[], spans: Spans): void {
  const { stride, length } = spans;
  for (let end = stride; end < length; end += stride) {
    for (let at = end; at > 0 && !isBehind(shapes, spans, at - stride, at); at -= stride)
      swapSpans(spans, at - stride, at);
  }
  const { numbers } = spans;
  spans.length = 0;
  for (let at = 0; at < length; at += stride)
    addSpan(spans, shapes[numbers[at]!]!, numbers[at + 1]!, numbers[at + 2]!, ROWS);
}

/** The same for more of them, by one sort of plain numbers. */
function sortManySpans(shapes: readonly Shape[], spans: Spans): void {
  const { stride, length } = spans;
  const order = new Float64Array(length / stride);
  const numbers = spans.numbers.slice(0, length);
  for (let at = 0, place = 0; at < length; at += stride, place++)
    order[place] = spotOf(shapes[numbers[at]!]!, numbers[at + 1]!) * MOST_SPANS + place;
  order.sort();
  spans.length = 0;
  for (let place = 0; place < order.length; place++) {
    const at = (order[place]! % MOST_SPANS) * stride;
    addSpan(spans, shapes[numbers[at]!]!, numbers[at + 1]!, numbers[at + 2]!, ROWS);
  }
}

function swapSpans({ numbers }: Spans, one: number, other: number): void {
  for (let place = 0; place < 3; place++) {
    const number = numbers[one + place]!;
    numbers[one + place] = numbers[other + place]!;
    numbers[other + place] = number;
  }
}
