import { type Entity, isAlive } from "@treeline/core";
import { archetypesOf, clockOf, grownInt32, handleOf, trackOf } from "@treeline/core/internal";
import { Arrangement, type Sorting, startOrdering } from "../lists/arrangement.ts";
import { JOINED, type Spans } from "../lists/spans.ts";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";
import type { Scene } from "../state/scene.ts";
import { askKeys, LAYERS, measure, placesLike, sortPlaces, WITHOUT } from "./measure.ts";

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
export function arrange(query: Query, scene: Scene, spans: Spans): void {
  const { plan, part } = query;
  if (plan.order === undefined && plan.groups === undefined) {
    const ends = endsOf(spans);
    cut(spans, ends, rangeOf(part, ends.at(-1) ?? 0, undefined), spans);
    return;
  }
  const arrangement = arrangementOf(query, spans);
  if (!isCurrent(query, arrangement, scene, spans)) refresh(query, arrangement, scene, spans);
  const { sorted, ends, starts } = arrangement;
  cut(sorted, ends, rangeOf(part, starts.at(-1)!, arrangement), spans);
}

/** What is kept of a query, from its first visit on. */
export function arrangementOf(query: Query, spans: Spans): Arrangement {
  const whole = wholeOf(query);
  if (whole.arrangement === undefined) {
    const { world, plan } = whole;
    whole.arrangement = new Arrangement(spans);
    if (!whole.isTargeted && !plan.isWatching) startOrdering(world, plan, whole.arrangement);
  }
  return whole.arrangement;
}

// ---- parts -------------------------------------------------------------------------------------------------------

/** Positions `from .. to` of answers in the order of a visit. */
interface Range {
  from: number;
  to: number;
}

/**
 * @param part undefined for all.
 * @param count answers of the whole.
 * @param arrangement where groups begin; undefined if there are none, or if only those of one group were gathered.
 */
export function rangeOf(part: Part | undefined, count: number, arrangement: Arrangement | undefined): Range {
  if (part === undefined) return { from: 0, to: count };
  const range = rangeOf(part.of, count, arrangement);
  const { from, to } = range;
  const { kind, first, second } = part;
  if (kind === "page") {
    range.from = Math.min(to, from + first);
    range.to = Math.min(to, range.from + second);
  } else if (kind === "shard") {
    range.from = from + Math.floor(((to - from) * first) / second);
    range.to = from + Math.floor(((to - from) * (first + 1)) / second);
  } else if (arrangement !== undefined) {
    const number = arrangement.numbers.get(part.key);
    range.from = number === undefined ? to : Math.max(from, arrangement.starts[number]!);
    range.to = number === undefined ? to : Math.min(to, arrangement.starts[number + 1]!);
    // A group that lies beside a page has nobody in it.
    range.from = Math.min(range.from, to);
    range.to = Math.max(range.from, range.to);
  }
  return range;
}

/** By span, the position behind it. */
function endsOf({ numbers, length, stride }: Spans): number[] {
  const ends: number[] = [];
  let end = 0;
  for (let at = 0; at < length; at += stride) {
    end += numbers[at + 2]! - numbers[at + 1]!;
    ends.push(end);
  }
  return ends;
}

/** Leaves the positions of a range in `spans`: those of a list, which may be the same. */
function cut(list: Spans, ends: readonly number[], { from, to }: Range, spans: Spans): void {
  const { stride } = list;
  spans.length = 0;
  if (from >= to) return;
  const first = placeOf(ends, from);
  const last = placeOf(ends, to - 1);
  const length = (last + 1 - first) * stride;
  spans.numbers = grownInt32(spans.numbers, length);
  spans.numbers.set(list.numbers.subarray(first * stride, first * stride + length));
  spans.length = length;
  spans.numbers[1]! += from - (ends[first - 1] ?? 0);
  spans.numbers[length - stride + 2]! -= ends[last]! - to;
}

/** The place of the span that a position is in. */
function placeOf(ends: readonly number[], position: number): number {
  let low = 0;
  for (let high = ends.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

// ---- has anything changed? ---------------------------------------------------------------------------------------

function isCurrent(query: Query, arrangement: Arrangement, { stretches }: Scene, spans: Spans): boolean {
  const { changes, isStale, version, current } = arrangement;
  if (changes === undefined || isStale || !changes.areNone) return false;
  if (version !== (stretches?.version ?? 0) || current.numbers.length !== spans.length) return false;
  for (let at = 0; at < spans.length; at++) if (current.numbers[at] !== spans.numbers[at]) return false;
  return !areValuesNews(query, arrangement, spans);
}

/** Was a value of the component written since it was last looked at, in some row of the shapes that answer? */
function areValuesNews(
  { world, plan }: Query,
  { since }: Arrangement,
  { numbers, length, stride }: Spans,
): boolean {
  const { order } = plan;
  if (order === undefined) return false;
  const shapes = archetypesOf(world);
  for (let at = 0; at < length; at += stride) {
    if (at > 0 && numbers[at] === numbers[at - stride]) continue;
    const track = trackOf(shapes[numbers[at]!]!, order.definition, "changed");
    if (track !== undefined && track.last > since) return true;
  }
  return false;
}

// ---- making it anew ----------------------------------------------------------------------------------------------

/** Looks at all answers, and sorts if they, or what they are ordered by, are not what they were. */
function refresh(query: Query, arrangement: Arrangement, { stretches }: Scene, spans: Spans): void {
  const { world, plan } = query;
  const { order, groups } = plan;
  const { changes, current } = arrangement;
  const hasNews = changes === undefined || arrangement.isStale || areValuesNews(query, arrangement, spans);
  const tick = changes === undefined ? 0 : clockOf(world).now++;
  changes?.catchUp();
  arrangement.isStale = true;
  const next = measure(world, plan, spans, stretches, arrangement.spare);
  arrangement.spare = undefined; // whoever compares may visit the query itself
  const isSame = areSame(query, arrangement, next);
  if (groups?.by === "key") {
    if (isSame) {
      next.ranks.set(current.ranks);
      next.groups = current.groups;
    } else askKeys(plan, next, groups.keyOf);
  }
  if (!isSame || hasNews) {
    next.order = isSame ? [...current.order] : placesLike(world, current, next);
    sortPlaces(next, order);
    layOut(query, arrangement, next, spans);
  } else arrangement.spare = next;
  arrangement.since = tick;
  arrangement.version = stretches?.version ?? 0;
  arrangement.isStale = false;
}

/** Are the answers the same entities at the same places, as deep as they were, and of the same targets? */
function areSame({ world, plan }: Query, { current, groups }: Arrangement, next: Sorting): boolean {
  const { numbers, handles, layers, ranks } = next;
  if (current.numbers.length !== numbers.length || current.handles.length !== handles.length) return false;
  for (let at = 0; at < numbers.length; at++) if (current.numbers[at] !== numbers[at]) return false;
  for (let place = 0; place < handles.length; place++) {
    if (current.handles[place] !== handles[place]) return false;
    if (((current.layers[place]! ^ layers[place]!) & -LAYERS) !== 0) return false;
  }
  if (plan.groups?.by !== "target") return true;
  for (let place = 0; place < ranks.length; place++) if (current.ranks[place] !== ranks[place]) return false;
  return groups.every((target) => target === undefined || isAlive(world, target as Entity));
}

/** Makes spans of the sorted places, and notes where groups begin. No span reaches from one group into the next. */
function layOut({ world, plan }: Query, arrangement: Arrangement, next: Sorting, spans: Spans): void {
  const { stride, melts } = spans;
  const { order, ranks, positions, numbers } = next;
  const { sorted, ends } = arrangement;
  sorted.numbers = grownInt32(sorted.numbers, order.length * stride);
  const { numbers: laid } = sorted;
  let length = 0;
  let count = 0;
  const groups: unknown[] = [];
  const starts: number[] = [];
  let before = -1;
  for (let at = 0; at < order.length; at++) {
    const place = order[at]!;
    const rank = ranks[place]!;
    const isFirst = before < 0 || rank !== ranks[before];
    if (isFirst) {
      starts.push(at);
      if (plan.groups?.by !== "target") groups.push(next.groups[rank]);
      else groups.push(rank === WITHOUT ? undefined : handleOf(world, rank));
    }
    const position = positions[place]!;
    if (isFirst || !follows(next, before, place, melts)) {
      const span = next.spans[place]!;
      for (let more = 0; more < stride; more++) laid[length + more] = numbers[span + more]!;
      laid[length + 1] = position;
      length += stride;
      count++;
    }
    laid[length - stride + 2] = position + 1;
    ends[count - 1] = at + 1;
    before = place;
  }
  sorted.length = length;
  ends.length = count;
  starts.push(order.length);
  arrangement.spare = arrangement.current;
  arrangement.current = next;
  arrangement.groups = groups;
  arrangement.numbers = new Map(groups.map((key, number) => [key, number]));
  arrangement.starts = starts;
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
  const base = numbers[one + 3];
  return melts && base !== JOINED && base === numbers[other + 3] && numbers[one] === numbers[other];
}
