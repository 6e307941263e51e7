import { type Entity, isAlive } from "@treeline/core";
import {
  archetypesOf,
  clockOf,
  grownInt32,
  handleOf,
  indexOf,
  sizesOf,
  trackOf,
} from "@treeline/core/internal";
import type { Stretches } from "../batches/stretches.ts";
import { type Arrangement, createArrangement, startOrdering } from "../lists/arrangement.ts";
import { createSorting, LAYERS, type Sorting, sortPlaces } from "../lists/sorting.ts";
import { countPositions, HEAD, JOINED, type Spans } from "../lists/spans.ts";
import { type Query, wholeOf } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import { askKeys, noteAnswers, noteDepths, noteTargets, noteValues, WITHOUT } from "./measure.ts";
import { cutSpans, rangeOf } from "./range.ts";

/**
 * Puts gathered spans into groups and into the order that the query asks for, and leaves those of its part. Spans come in
 * the order in which they were gathered, all of the whole.
 *
 * The result is kept. While no row moved and no value of the component was written it is copied; else answers are compared
 * with those of the last time, and sorted only if they or their values are others. What was sorted last serves as a
 * beginning.
 *
 * @throws what functions and comparisons of users throw; what is kept is then as it was.
 */
export function arrange(query: Query, seen: Seen, spans: Spans): void {
  const { plan, part } = query;
  if (plan.order === undefined && plan.groups === undefined) {
    if (part !== undefined) cutSpans(spans, rangeOf(part, countPositions(spans), undefined));
    return;
  }
  const arrangement = arrangementOf(query, spans);
  if (!isCurrent(query, arrangement, seen.stretches, spans))
    refresh(query, arrangement, seen.stretches, spans);
  const { count } = arrangement.current;
  if (part === undefined) copySpans(arrangement, 0, count, spans);
  else {
    const { from, to } = rangeOf(part, count, arrangement);
    copySpans(arrangement, from, to, spans);
  }
}

/** What is kept of a query, from its first visit on. */
export function arrangementOf(query: Query, spans: Spans): Arrangement {
  const whole = wholeOf(query);
  if (whole.arrangement === undefined) {
    const { world, plan } = whole;
    whole.arrangement = createArrangement(plan, spans);
    if (!whole.isTargeted && !plan.isWatching) startOrdering(world, plan, whole.arrangement);
  }
  return whole.arrangement;
}

// ---- has anything changed? ---------------------------------------------------------------------------------------

function isCurrent(
  query: Query,
  arrangement: Arrangement,
  stretches: Stretches | undefined,
  spans: Spans,
): boolean {
  const { changes } = arrangement;
  if (changes === undefined || arrangement.isStale || !changes.areNone) return false;
  if (arrangement.version !== versionOf(stretches)) return false;
  return hasSameSpans(arrangement.current, spans) && !areValuesNews(query, arrangement, spans);
}

function versionOf(stretches: Stretches | undefined): number {
  return stretches === undefined ? 0 : stretches.version;
}

function hasSameSpans({ numbers, length }: Sorting, spans: Spans): boolean {
  if (length !== spans.length) return false;
  const other = spans.numbers;
  for (let at = 0; at < length; at++) if (numbers[at] !== other[at]) return false;
  return true;
}

/** Was a value of the component written since it was last looked at, in some row of the shapes that answer? */
function areValuesNews(
  { world, plan }: Query,
  arrangement: Arrangement,
  { numbers, length, stride }: Spans,
): boolean {
  const { order } = plan;
  if (order === undefined) return false;
  const shapes = archetypesOf(world);
  for (let at = 0; at < length; at += stride) {
    if (at > 0 && numbers[at] === numbers[at - stride]) continue;
    const track = trackOf(shapes[numbers[at]!]!, order.definition, "changed");
    if (track !== undefined && track.last > arrangement.since) return true;
  }
  return false;
}

/** Are the answers the same entities at the same places, as deep as they were? */
function areSame(one: Sorting, other: Sorting): boolean {
  if (one.count !== other.count || one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one.numbers[at] !== other.numbers[at]) return false;
  for (let place = 0; place < one.count; place++) {
    if (one.handles[place] !== other.handles[place]) return false;
    if (one.layers[place]! - (one.layers[place]! & (LAYERS - 1)) !== other.layers[place]) return false;
  }
  return true;
}

function haveSameTargets({ world }: Query, arrangement: Arrangement, next: Sorting): boolean {
  const { current, groups } = arrangement;
  for (let place = 0; place < next.count; place++)
    if (current.ranks[place] !== next.ranks[place]) return false;
  return groups.every((target) => target === undefined || isAlive(world, target as Entity));
}

function haveSameKeys(one: Sorting, other: Sorting): boolean {
  for (let place = 0; place < one.count; place++) {
    if (one.keys[place] !== other.keys[place] || one.layers[place] !== other.layers[place]) return false;
  }
  return true;
}

// ---- making it anew ----------------------------------------------------------------------------------------------

/** Looks at all answers, and sorts if they, or what they are ordered by, are not what they were. */
function refresh(
  query: Query,
  arrangement: Arrangement,
  stretches: Stretches | undefined,
  spans: Spans,
): void {
  const { world, plan } = query;
  const { changes } = arrangement;
  const hasNews = changes === undefined || arrangement.isStale || areValuesNews(query, arrangement, spans);
  const tick = changes === undefined ? 0 : clockOf(world).now++;
  changes?.catchUp();
  arrangement.isStale = true;
  const next = arrangement.spare ?? createSorting(plan);
  arrangement.spare = undefined;
  let isKept = false;
  try {
    isKept = sortAnew(query, arrangement, next, stretches, spans, hasNews);
  } finally {
    next.values.length = 0;
    if (!isKept) arrangement.spare = next;
  }
  arrangement.since = tick;
  arrangement.version = versionOf(stretches);
  arrangement.isStale = false;
}

/**
 * @param hasNews values may have been written.
 * @returns whether `next` is what is kept now.
 */
function sortAnew(
  query: Query,
  arrangement: Arrangement,
  next: Sorting,
  stretches: Stretches | undefined,
  spans: Spans,
  hasNews: boolean,
): boolean {
  const { plan, world } = query;
  const { order, groups } = plan;
  const { current } = arrangement;
  noteAnswers(query, next, spans, stretches);
  noteDepths(query, next, stretches);
  const isByTarget = groups?.by === "target";
  const isSame = areSame(current, next);
  if (groups === undefined) next.ranks.fill(0, 0, next.count);
  else if (groups.by === "target") noteTargets(query, next, groups.relation);
  else if (isSame) copyRanks(current, next);
  else askKeys(query, next, groups.keyOf);
  const isSameInGroups = isSame && (!isByTarget || haveSameTargets(query, arrangement, next));
  if (isSameInGroups && (order === undefined || !hasNews)) return false;
  if (order !== undefined) noteValues(query, next, stretches);
  if (isSameInGroups && next.by === undefined && haveSameKeys(current, next)) return false;

  beginWith(arrangement, next, isSame, sizesOf(world).entities);
  sortPlaces(next);
  arrangement.spare = current;
  arrangement.current = next;
  layOut(query, arrangement, isByTarget, spans);
  return true;
}

function copyRanks(current: Sorting, next: Sorting): void {
  for (let place = 0; place < next.count; place++) next.ranks[place] = current.ranks[place]!;
  next.groups = current.groups;
}

/** Lists all places, near the order they will have: that which their entities had. */
function beginWith(arrangement: Arrangement, next: Sorting, isSame: boolean, indexes: number): void {
  const { current } = arrangement;
  const { order, count } = next;
  if (isSame) {
    for (let at = 0; at < count; at++) order[at] = current.order[at]!;
    return;
  }
  if (!next.isOrdered || !seat(arrangement, next, indexes)) {
    for (let at = 0; at < count; at++) order[at] = at;
    return;
  }
  const { seats } = arrangement;
  let to = 0;
  for (let at = 0; at < current.count; at++) {
    const index = indexOf(current.handles[current.order[at]!]!);
    const place = seats[index]! - 1;
    seats[index] = 0;
    if (place >= 0) order[to++] = place;
  }
  for (let place = 0; place < count; place++) {
    const index = indexOf(next.handles[place]!);
    if (seats[index] !== 0) order[to++] = place;
    seats[index] = 0;
  }
}

/** Notes the place of each entity, from 1. @returns false, and nothing noted, if somebody has several. */
function seat(arrangement: Arrangement, { handles, count }: Sorting, indexes: number): boolean {
  arrangement.seats = grownInt32(arrangement.seats, indexes);
  const { seats } = arrangement;
  for (let place = 0; place < count; place++) {
    const index = indexOf(handles[place]!);
    if (seats[index] !== 0) {
      for (let other = 0; other < place; other++) seats[indexOf(handles[other]!)] = 0;
      return false;
    }
    seats[index] = place + 1;
  }
  return true;
}

/** Makes spans of the sorted places, and notes where groups begin. No span reaches from one group into the next. */
function layOut({ world }: Query, arrangement: Arrangement, isByTarget: boolean, spans: Spans): void {
  const { current, sorted } = arrangement;
  const { order, count, spans: spanOf, positions, ranks, numbers } = current;
  const { stride, melts } = spans;
  const groups: unknown[] = [];
  const starts: number[] = [];
  sorted.numbers = grownInt32(sorted.numbers, count * stride);
  arrangement.ends = grownInt32(arrangement.ends, count);
  const { numbers: laid } = sorted;
  const { ends } = arrangement;
  let length = 0;
  let before = -1;
  for (let at = 0; at < count; at++) {
    const place = order[at]!;
    const rank = ranks[place]!;
    const isFirst = before < 0 || rank !== ranks[before];
    if (isFirst) {
      starts.push(at);
      if (!isByTarget) groups.push(current.groups[rank]);
      else groups.push(rank === WITHOUT ? undefined : handleOf(world, rank));
    }
    const span = spanOf[place]!;
    const position = positions[place]!;
    if (isFirst || !follows(current, before, place, melts)) {
      laid[length] = numbers[span]!;
      laid[length + 1] = position;
      for (let more = HEAD - 1; more < stride; more++) laid[length + more] = numbers[span + more]!;
      length += stride;
    }
    laid[length - stride + 2] = position + 1;
    ends[length / stride - 1] = at + 1;
    before = place;
  }
  sorted.length = length;
  starts.push(count);
  arrangement.groups = groups;
  arrangement.numbers = new Map(groups.map((key, number) => [key, number]));
  arrangement.starts = Int32Array.from(starts);
}

/** Is a place the next position of the same span, or of one that may be melted with it? */
function follows(
  { spans, positions, numbers }: Sorting,
  before: number,
  place: number,
  melts: boolean,
): boolean {
  if (positions[place] !== positions[before]! + 1) return false;
  const one = spans[before]!;
  const other = spans[place]!;
  if (one === other) return true;
  return (
    melts &&
    numbers[one] === numbers[other] &&
    numbers[one + 3] === numbers[other + 3] &&
    numbers[one + 3] !== JOINED
  );
}

/** Copies the kept spans of the positions `from .. to`. */
function copySpans({ sorted, ends, current }: Arrangement, from: number, to: number, spans: Spans): void {
  const { stride } = spans;
  const { numbers: laid, length } = sorted;
  spans.length = 0;
  if (from >= to) return;
  if (from === 0 && to === current.count && length * 2 > laid.length) {
    spans.numbers = grownInt32(spans.numbers, laid.length);
    spans.numbers.set(laid);
    spans.length = length;
    return;
  }
  let first = 0;
  for (let high = length / stride; first < high; ) {
    const middle = (first + high) >> 1;
    if (ends[middle]! > from) high = middle;
    else first = middle + 1;
  }
  let last = first;
  while (ends[last]! < to) last++;
  const begin = first * stride;
  const end = (last + 1) * stride;
  spans.numbers = grownInt32(spans.numbers, end - begin);
  spans.length = end - begin;
  const { numbers } = spans;
  for (let at = begin; at < end; at++) numbers[at - begin] = laid[at]!;
  numbers[1] = numbers[1]! + from - (first === 0 ? 0 : ends[first - 1]!);
  numbers[end - begin - stride + 2]! -= ends[last]! - to;
}
