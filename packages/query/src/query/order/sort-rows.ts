import { type Component, type Entity, get, isAlive, type World } from "@treeline/core";
import {
  allArchetypes,
  Changes,
  clockOf,
  columnsOf,
  grownInt32,
  handleOf,
  indexOf,
  pairsOf,
  sizesOf,
  trackOf,
} from "@treeline/core/internal";
import type { Order, Plan } from "../../term/plan.ts";
import type { Batches } from "../batches/batches.ts";
import { Ordering, Sorting } from "../lists/ordering.ts";
import { countRows, JOINED, type RowIntervals } from "../lists/row-intervals.ts";
import { track } from "../lists/watch.ts";
import type { IterationState } from "../state/iteration-state.ts";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";

/**
 * Puts gathered spans into groups and into the order that the query asks for, and leaves those of its part. Spans come in
 * the order in which they were gathered, all of the whole.
 *
 * The result is kept. While no row moved and no value of the component was written it is copied; else answers are compared
 * with those of the last time, and sorted, from the former order on, only if they or their values are others.
 *
 * @throws what functions and comparisons of users throw; what is kept is then as it was.
 */
export function sortRows(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { plan, part } = query;
  if (plan.order === undefined && plan.groups === undefined) {
    const { numbers, length, stride } = intervals;
    const ends: number[] = [];
    for (let at = 0; at < length; at += stride)
      ends.push((ends.at(-1) ?? 0) + numbers[at + 2]! - numbers[at + 1]!);
    cut(intervals, ends, rangeOf(part, ends.at(-1) ?? 0, undefined), intervals);
    return;
  }
  const ordering = orderingOf(query, intervals);
  const hasUnread =
    ordering.changes === undefined || ordering.isStale || areValuesUnread(query, ordering, intervals);
  if (hasUnread || !isCurrent(ordering, state, intervals))
    refresh(query, ordering, state, intervals, hasUnread);
  const { sorted, ends, starts } = ordering;
  cut(sorted, ends, rangeOf(part, starts.at(-1)!, ordering), intervals);
}

/**
 * What is kept of a query, from its first visit on. The world notes from then on what moves, and when values were written that
 * answers are ordered by, unless nobody disposes the query: then all is looked at at each visit.
 */
export function orderingOf(query: Query, intervals: RowIntervals): Ordering {
  const whole = wholeOf(query);
  const { world, plan } = whole;
  if (whole.ordering !== undefined) return whole.ordering;
  whole.ordering = new Ordering(intervals);
  if (plan.namesEntity || plan.isWatching) return whole.ordering;
  if (plan.order !== undefined) track(world, plan.order.definition, "changed", true);
  whole.ordering.changes = new Changes(world);
  return whole.ordering;
}

/** Ends that, when a query is disposed. */
export function stopOrdering(query: Query): void {
  const { world, plan, ordering } = query;
  query.ordering = undefined;
  if (ordering?.changes === undefined) return;
  ordering.changes.close();
  if (plan.order !== undefined) track(world, plan.order.definition, "changed", false);
}

// ---- parts -------------------------------------------------------------------------------------------------------

/** Positions `from .. to` of answers in the order of a visit. */
type Range = Record<"from" | "to", number>;

/**
 * @param count answers of the whole.
 * @param arrangement where groups begin; undefined if there are none, or if only those of one group were gathered.
 */
export function rangeOf(part: Part | undefined, count: number, ordering: Ordering | undefined): Range {
  if (part === undefined) return { from: 0, to: count };
  const range = rangeOf(part.of, count, ordering);
  const { from, to } = range;
  const { kind, first, second } = part;
  if (kind === "page") {
    range.from = Math.min(to, from + first);
    range.to = Math.min(to, range.from + second);
  } else if (kind === "shard") {
    range.from = from + Math.floor(((to - from) * first) / second);
    range.to = from + Math.floor(((to - from) * (first + 1)) / second);
  } else if (ordering !== undefined) {
    const number = ordering.numbers.get(part.key);
    range.from = number === undefined ? to : Math.max(from, ordering.starts[number]!);
    range.to = number === undefined ? to : Math.min(to, ordering.starts[number + 1]!);
    // A group that lies beside a page has nobody in it.
    range.from = Math.min(range.from, to);
    range.to = Math.max(range.from, range.to);
  }
  return range;
}

/**
 * Leaves the positions of a range in `intervals`: those of a list, which may be the same. @param ends by span, the position
 * behind it.
 */
function cut(
  list: RowIntervals,
  ends: readonly number[],
  { from, to }: Range,
  intervals: RowIntervals,
): void {
  const { stride } = list;
  intervals.length = 0;
  if (from >= to) return;
  const first = placeOf(ends, from);
  const last = placeOf(ends, to - 1);
  const length = (last + 1 - first) * stride;
  intervals.numbers = grownInt32(intervals.numbers, length);
  intervals.numbers.set(list.numbers.subarray(first * stride, first * stride + length));
  intervals.length = length;
  intervals.numbers[1]! += from - (ends[first - 1] ?? 0);
  intervals.numbers[length - stride + 2]! -= ends[last]! - to;
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

/** Has no row moved, and are the same spans gathered? */
function isCurrent(
  { changes, version, current }: Ordering,
  { batches }: IterationState,
  intervals: RowIntervals,
): boolean {
  if (!changes!.areNone || version !== (batches?.version ?? 0)) return false;
  if (current.numbers.length !== intervals.length) return false;
  for (let at = 0; at < intervals.length; at++)
    if (current.numbers[at] !== intervals.numbers[at]) return false;
  return true;
}

/** Was a value of the component written since it was last looked at, in some row of the archetypes that answer? */
function areValuesUnread({ world, plan }: Query, { since }: Ordering, intervals: RowIntervals): boolean {
  const { numbers, length, stride } = intervals;
  const { order } = plan;
  if (order === undefined) return false;
  const archetypes = allArchetypes(world);
  for (let at = 0; at < length; at += stride) {
    if (at > 0 && numbers[at] === numbers[at - stride]) continue;
    const track = trackOf(archetypes[numbers[at]!]!, order.definition, "changed");
    if (track !== undefined && track.last > since) return true;
  }
  return false;
}

// ---- making it anew ----------------------------------------------------------------------------------------------

/** Looks at all answers, and sorts if they, or what they are ordered by, are not what they were. */
function refresh(
  query: Query,
  ordering: Ordering,
  state: IterationState,
  intervals: RowIntervals,
  hasUnread: boolean,
): void {
  const { world, plan } = query;
  const { order, groups } = plan;
  const { batches } = state;
  const { changes, current } = ordering;
  const tick = changes === undefined ? 0 : clockOf(world).now++;
  const isMoved = ordering.isStale || changes?.areNone !== true;
  changes?.catchUp();
  ordering.isStale = true;
  const next = measure(query, intervals, batches, ordering.spare);
  ordering.spare = undefined; // whoever compares may visit the query itself
  const isSame = areSame(query, ordering, next);
  if (groups?.by === "key") {
    if (isSame && !isMoved) {
      next.ranks.set(current.ranks);
      next.groups = current.groups;
    } else callKeyOf(plan, next, groups.keyOf);
  }
  const isOther = (rank: number, place: number): boolean => rank !== current.ranks[place];
  const isNew = (key: unknown, number: number): boolean => key !== current.groups[number];
  if (!isSame || hasUnread || next.ranks.some(isOther) || next.groups.some(isNew)) {
    next.order = isSame ? [...current.order] : placesLike(world, current, next);
    sortPlaces(next, order);
    layOut(query, ordering, next, intervals);
  } else ordering.spare = next;
  ordering.since = tick;
  ordering.version = batches?.version ?? 0;
  ordering.isStale = false;
}

/** Are the answers the same entities at the same places, as deep as they were, and all targets alive? */
function areSame({ world, plan }: Query, { current, numbers: known }: Ordering, next: Sorting): boolean {
  const { numbers, handles, layers } = next;
  if (current.numbers.length !== numbers.length || current.handles.length !== handles.length) return false;
  for (let at = 0; at < numbers.length; at++) if (current.numbers[at] !== numbers[at]) return false;
  for (let place = 0; place < handles.length; place++) {
    if (current.handles[place] !== handles[place]) return false;
    if (((current.layers[place]! ^ layers[place]!) & -LAYERS) !== 0) return false;
  }
  if (plan.groups?.by !== "target") return true;
  return [...known.keys()].every((target) => target === undefined || isAlive(world, target as Entity));
}

/** Makes spans of the sorted places, none of which reaches from one group into the next. */
function layOut({ world, plan }: Query, ordering: Ordering, next: Sorting, intervals: RowIntervals): void {
  const { stride, melts } = intervals;
  const { order, ranks, positions, numbers } = next;
  const { sorted, ends } = ordering;
  sorted.numbers = grownInt32(sorted.numbers, order.length * stride);
  const { numbers: laid } = sorted;
  let length = 0;
  let count = 0;
  const groups = new Map<unknown, number>();
  const starts: number[] = [];
  let before = -1;
  for (let at = 0; at < order.length; at++) {
    const place = order[at]!;
    const rank = ranks[place]!;
    const isFirst = before < 0 || rank !== ranks[before];
    if (isFirst) {
      let key: unknown;
      if (plan.groups?.by !== "target") key = next.groups[rank];
      else if (rank !== WITHOUT) key = handleOf(world, rank);
      groups.set(key, starts.length);
      starts.push(at);
    }
    const position = positions[place]!;
    if (isFirst || !follows(next, before, place, melts)) {
      const interval = next.intervals[place]!;
      for (let more = 0; more < stride; more++) laid[length + more] = numbers[interval + more]!;
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
  ordering.spare = ordering.current;
  ordering.current = next;
  ordering.numbers = groups;
  ordering.starts = starts;
}

/** Is a place the next position of the same span, or of one that may be melted with it? */
function follows(sorting: Sorting, before: number, place: number, melts: boolean): boolean {
  const { intervals, positions, numbers } = sorting;
  if (positions[place] !== positions[before]! + 1) return false;
  const one = intervals[before]!;
  const other = intervals[place]!;
  if (one === other) return true;
  const base = numbers[one + 3];
  return melts && base !== JOINED && base === numbers[other + 3] && numbers[one] === numbers[other];
}

// ---- what the order hangs on -------------------------------------------------------------------------------------

/** The rank of those who have no target: behind all others. */
const WITHOUT: number = 0x7fff_ffff;

/** Layers of one depth, and what is added where the value is no number: it is NaN; or the entity does not have the component. */
export const LAYERS = 4;
const NOT_A_NUMBER = 1;
export const MISSING = 2;

/** Notes who answers, how deep, with which target, and what the order hangs on. Cost: the answers. */
function measure(query: Query, gathered: RowIntervals, batches?: Batches, spare?: Sorting): Sorting {
  const { world, plan } = query;
  const { order, groups, cascade } = plan;
  const { length, stride } = gathered;
  const numbers = gathered.numbers.slice(0, length);
  const count = countRows(gathered);
  const sorting = spare?.handles.length === count ? spare : new Sorting(numbers, count);
  sorting.numbers = numbers;
  const { handles, intervals, positions, ranks, layers, keys, values } = sorting;
  const relation = groups?.by === "target" ? groups.relation : undefined;
  const field = typeof order?.by === "string" ? order.by : undefined;
  const turn = order?.isDescending === true ? -1 : 1; // the largest comes first: numbers are kept with that sign
  const pairs = pairsOf(world);
  let place = 0;
  for (let at = 0; at < length; at += stride) {
    const archetype = allArchetypes(world)[numbers[at]!]!;
    const { i32 } = archetype.lanes;
    const base = numbers[at + 3]!;
    const rows = base > 0 ? batches!.rowLists.rows : undefined;
    const columns = order && columnsOf(archetype, order.definition);
    const column =
      field === undefined ? undefined : (columns as Record<string, number[]> | undefined)?.[field];
    let depth = 0;
    if (base > 0) depth = batches!.rowLists.chunks.depth[base]!;
    else if (base === JOINED) depth = numbers[at + stride - 1]!;
    for (let position = numbers[at + 1]!; position < numbers[at + 2]!; position++, place++) {
      const row = rows === undefined ? position : rows[position]!;
      const index = i32[row]!;
      const handle = handleOf(world, index);
      handles[place] = handle;
      intervals[place] = at;
      positions[place] = position;
      layers[place] = cascade * depth * LAYERS;
      keys[place] = 0;
      if (relation !== undefined) {
        const pair = pairs.at(index, relation);
        ranks[place] = pair === 0 ? WITHOUT : pairs.target(pair);
      }
      if (columns === undefined) layers[place]! += MISSING;
      else if (column === undefined) values[place] = get(world, handle, order!.definition as Component);
      else if (Number.isNaN(column[row])) layers[place]! += NOT_A_NUMBER;
      else keys[place] = turn * column[row]!;
    }
  }
  return sorting;
}

/**
 * Asks a function for the key of everybody, once each; keys get numbers in the order in which they come up.
 *
 * @throws what the function throws.
 */
function callKeyOf({ variables }: Plan, sorting: Sorting, keyOf: (entity: Entity) => unknown): void {
  const { handles, ranks } = sorting;
  const numbers = new Map<unknown, number>();
  const known = new Map<number, number>();
  for (let place = 0; place < handles.length; place++) {
    const handle = handles[place]!;
    let rank = known.get(handle);
    if (rank === undefined) {
      const key = keyOf(handle as Entity);
      rank = numbers.get(key) ?? numbers.size;
      numbers.set(key, rank);
      if (variables.length > 0) known.set(handle, rank); // somebody may answer more than once
    }
    ranks[place] = rank;
  }
  sorting.groups = [...numbers.keys()];
}

/** All places, in the order that their entities had the last time: it may well be good still. New ones stand behind them. */
function placesLike(world: World, former: Sorting, { handles }: Sorting): number[] {
  const seats = new Int32Array(sizesOf(world).entities);
  former.order.forEach((place, at) => {
    seats[indexOf(former.handles[place]!)] = at + 1;
  });
  const seated: number[] = new Array(former.order.length).fill(-1);
  const others: number[] = [];
  for (let place = 0; place < handles.length; place++) {
    const seat = seats[indexOf(handles[place]!)]! - 1;
    if (seat >= 0 && seated[seat] === -1) seated[seat] = place;
    else others.push(place);
  }
  return [...seated.filter((place) => place >= 0), ...others];
}

/**
 * Sorts `order`, which lists every place once. A few that are out of order are taken out, with the one before each, and merged in
 * (Emil Ernerfeldt's drop-merge sort). Cost: for few of n places about 2 n comparisons; else for r ordered runs about n * log r.
 *
 * @throws what a comparison of users throws.
 */
export function sortPlaces(sorting: Sorting, asked: Order | undefined): void {
  const { ranks, layers, keys, values, handles } = sorting;
  const by = typeof asked?.by === "function" ? asked.by : undefined;
  const turn = asked?.isDescending === true ? -1 : 1;
  // Two different places are never equal: the last word has the place itself.
  const compare = (one: number, other: number): number => {
    const before = ranks[one]! - ranks[other]! || layers[one]! - layers[other]!;
    if (before !== 0 || asked === undefined) return before || one - other;
    const isMissing = (layers[one]! & (LAYERS - 1)) === MISSING;
    const told =
      by === undefined || isMissing ? keys[one]! - keys[other]! : turn * by(values[one], values[other]);
    return told || indexOf(handles[one]!) - indexOf(handles[other]!) || one - other;
  };
  const { order } = sorting;
  const moved: number[] = [];
  let kept = 0;
  let at = 0;
  for (; at < order.length && moved.length <= order.length >> 4; at++) {
    if (kept === 0 || compare(order[kept - 1]!, order[at]!) < 0) order[kept++] = order[at]!;
    else moved.push(order[--kept]!, order[at]!);
  }
  const isMost = at < order.length;
  moved.sort(compare);
  for (let to = at - 1; moved.length > 0; to--) {
    const isBehind = kept === 0 || isMost || compare(order[kept - 1]!, moved[moved.length - 1]!) < 0;
    order[to] = isBehind ? moved.pop()! : order[--kept]!;
  }
  if (isMost) order.sort(compare);
  values.length = 0;
}
