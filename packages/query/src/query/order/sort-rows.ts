// Groups and sorts rows, by values above too; caches the result until something changes (`isCurrent`); the range of a part (`rangeOf`).
import { type Component, type Entity, get, isAlive, type World } from "@treeline/core";
import {
  type ArchetypeView,
  allArchetypes,
  archetypesOfDefinition,
  Changes,
  clockOf,
  columnsOf,
  grownInt32,
  handleOf,
  indexOf,
  inherits,
  Life,
  pairCursor,
  sizesOf,
  sparseCursorOf,
  type Track,
  trackOf,
} from "@treeline/core/internal";
import type { Order, Plan } from "../../term/plan.ts";
import { Ordering, Sorting, type SortKeys } from "../lists/ordering.ts";
import { countRows, JOINED, type RowIntervals } from "../lists/row-intervals.ts";
import { track } from "../lists/watch.ts";
import { apart } from "../outputs/bindings.ts";
import { engine, type IterationState } from "../state/iteration-state.ts";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";

/**
 * Puts listed intervals into the groups and the order of the query, and keeps only those of its part. The input are all
 * intervals of the whole query, in the order in which they were listed.
 *
 * The result is cached. While no row moved and no value of the component was written it is copied; else matches are compared
 * with the cached ones, and sorted, starting from the former order, only if they or their values differ.
 *
 * @throws what functions and comparisons of users throw; the cached result is then unchanged.
 */
export function sortRows(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { plan, part } = query;
  if (!plan.isSorted) {
    const { numbers, length, stride } = intervals;
    const ends: number[] = [];
    for (let at = 0; at < length; at += stride)
      ends.push((ends.at(-1) ?? 0) + numbers[at + 2]! - numbers[at + 1]!);
    cut(intervals, ends, rangeOf(part, ends.at(-1) ?? 0, undefined), intervals);
    return;
  }
  clockOf(query.world);
  const ordering = orderingOf(query, intervals);
  const hasUnread =
    ordering.changes === undefined || ordering.isStale || areValuesUnread(query, ordering, intervals);
  if (hasUnread || !isCurrent(ordering, state, intervals))
    refresh(query, ordering, state, intervals, hasUnread || plan.orders.some(isAbove));
  const { sorted, ends, starts } = ordering;
  cut(sorted, ends, rangeOf(part, starts.at(-1)!, ordering), intervals);
}

/**
 * What is cached for a query, from its first iteration on. From then on the world notes what moves, and when values of the sort
 * field were written, unless the query is never disposed: then everything is read at each iteration.
 */
export function orderingOf(query: Query, intervals: RowIntervals): Ordering {
  const whole = wholeOf(query);
  const { world, plan } = whole;
  if (whole.ordering !== undefined) return whole.ordering;
  whole.ordering = new Ordering(intervals);
  if (plan.namesEntity || plan.isWatching) return whole.ordering;
  trackOrders(whole, true);
  whole.ordering.changes = new Changes(world);
  return whole.ordering;
}

/** Drops that when a query is disposed. */
export function stopOrdering(query: Query): void {
  const { ordering } = query;
  query.ordering = undefined;
  if (ordering?.changes === undefined) return;
  ordering.changes.close();
  trackOrders(query, false);
}

function trackOrders({ world, plan }: Query, isOn: boolean): void {
  for (const order of plan.orders)
    for (const kind of trackedFor(order)) track(world, order.definition, kind, isOn);
}

/** What changes the sort keys of rows that stay where they are: an entity can also lose a sparse component there. */
function trackedFor(order: Order): readonly Track["kind"][] {
  return isSparse(order) ? SPARSE_TRACKS : VALUE_TRACKS;
}

const VALUE_TRACKS = ["changed"] as const;
const SPARSE_TRACKS = ["changed", "removed"] as const;

function isSparse({ definition }: Order): boolean {
  return definition.storage === "sparse";
}

// ---- parts -------------------------------------------------------------------------------------------------------

/** Positions `from .. to` of matches in the order of iteration. */
type Range = Record<"from" | "to", number>;

/**
 * @param count matches of the whole.
 * @param ordering where groups begin; undefined if there are none, or if only those of one group were listed.
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
    // A group outside of a page is empty.
    range.from = Math.min(range.from, to);
    range.to = Math.max(range.from, range.to);
  }
  return range;
}

/**
 * Puts the positions of a range of a list into `intervals`, which may be the same list. @param ends by interval, the position
 * after it.
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

/** The place of the interval that a position is in. */
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

/** Has no row moved, and are the same intervals listed? */
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

/** Were values that decide the order written since the last read, in some row of the archetypes that match, or of any above? */
function areValuesUnread({ world, plan }: Query, { since }: Ordering, intervals: RowIntervals): boolean {
  const { numbers, length, stride } = intervals;
  const archetypes = allArchetypes(world);
  for (const order of plan.orders) {
    const { definition } = order;
    const isUnread = (archetype: ArchetypeView): boolean =>
      trackedFor(order).some((kind) => (trackOf(archetype, definition, kind)?.last ?? 0) > since);
    if (isAbove(order)) {
      if (archetypesOfDefinition(world, isSparse(order) ? Life : definition).some(isUnread)) return true;
      continue;
    }
    for (let at = 0; at < length; at += stride) {
      if (at > 0 && numbers[at] === numbers[at - stride]) continue;
      const archetype = archetypes[numbers[at]!]!;
      if (isUnread(archetype)) return true;
      if (inherits(archetype, definition) && archetypesOfDefinition(world, definition).some(isUnread))
        return true;
    }
  }
  return false;
}

function isAbove({ path }: Order): boolean {
  return path >= 0;
}

// ---- refreshing it -----------------------------------------------------------------------------------------------

/** Reads all matches, and sorts if they, or their sort keys, have changed. */
function refresh(
  query: Query,
  ordering: Ordering,
  state: IterationState,
  intervals: RowIntervals,
  hasUnread: boolean,
): void {
  const { world, plan } = query;
  const { orders, groups } = plan;
  const { batches } = state;
  const { changes, current } = ordering;
  const tick = changes === undefined ? 0 : clockOf(world, -1).now++;
  const isMoved = ordering.isStale || changes?.areNone !== true;
  changes?.catchUp();
  ordering.isStale = true;
  const next = collectSortKeys(query, intervals, state, ordering.spare);
  if (plan.siblings !== undefined) engine.numberInOrder!(world, plan, next);
  ordering.spare = undefined; // comparisons may iterate the query itself
  const isSame = areSame(query, ordering, next);
  if (groups?.by === "key") {
    if (isSame && !isMoved) {
      next.ranks.set(current.ranks);
      next.groups = current.groups;
    } else callKeyOf(plan, next, groups.keyOf);
  }
  const hasOtherRank = (rank: number, place: number): boolean => rank !== current.ranks[place];
  const isNew = (key: unknown, number: number): boolean => key !== current.groups[number];
  if (!isSame || hasUnread || next.ranks.some(hasOtherRank) || next.groups.some(isNew)) {
    next.order = isSame ? [...current.order] : inFormerOrder(world, current, next);
    sortPlaces(next, orders);
    buildIntervals(query, ordering, next, intervals);
  } else ordering.spare = next;
  ordering.since = tick;
  ordering.version = batches?.version ?? 0;
  ordering.isStale = false;
}

/** Are the matches the same entities at the same places, as deep as they were, and all targets alive? */
function areSame({ world, plan }: Query, { current, numbers: known }: Ordering, next: Sorting): boolean {
  const { numbers, handles, layers } = next;
  if (current.numbers.length !== numbers.length || current.handles.length !== handles.length) return false;
  for (let at = 0; at < numbers.length; at++) if (current.numbers[at] !== numbers[at]) return false;
  for (let place = 0; place < handles.length; place++) {
    if (current.handles[place] !== handles[place] || current.layers[place] !== layers[place]) return false;
  }
  if (plan.groups?.by !== "target") return true;
  return [...known.keys()].every((target) => target === undefined || isAlive(world, target as Entity));
}

/** Makes intervals of the sorted places, none of which reaches from one group into the next. */
function buildIntervals(
  { world, plan }: Query,
  ordering: Ordering,
  next: Sorting,
  intervals: RowIntervals,
): void {
  const { stride, merges } = intervals;
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
    if (isFirst || !continues(next, before, place, merges)) {
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

/** Is a place the next position of the same interval, or of one that may be merged with it? */
function continues(sorting: Sorting, before: number, place: number, merges: boolean): boolean {
  const { intervals, positions, numbers } = sorting;
  if (positions[place] !== positions[before]! + 1) return false;
  const one = intervals[before]!;
  const other = intervals[place]!;
  if (one === other) return true;
  const base = numbers[one + 3];
  return merges && base !== JOINED && base === numbers[other + 3] && numbers[one] === numbers[other];
}

// ---- sort keys ---------------------------------------------------------------------------------------------------

/** The rank of entities without a target: after all others. */
const WITHOUT: number = 0x7fff_ffff;

/** What is compared in place of a value: the value is NaN; or the entity does not have the component. */
const NOT_A_NUMBER = 1;
export const MISSING = 2;

/**
 * Notes the matches, with their depths, targets and sort keys.
 *
 * @cost the matches.
 */
function collectSortKeys(
  query: Query,
  listed: RowIntervals,
  state: IterationState,
  spare: Sorting | undefined,
): Sorting {
  const { world, plan } = query;
  const { orders, groups, cascade } = plan;
  const { batches } = state;
  const { length, stride } = listed;
  const numbers = listed.numbers.slice(0, length);
  const count = countRows(listed);
  const sorting = spare?.handles.length === count ? spare : new Sorting(numbers, count, orders.length);
  sorting.numbers = numbers;
  const { handles, intervals, positions, ranks, layers, keys } = sorting;
  const relation = groups?.by === "target" ? groups.relation : undefined;
  const pairs = pairCursor(world);
  const readsAbove = orders.some(isAbove);
  let place = 0;
  for (let at = 0; at < length; at += stride) {
    const archetype = allArchetypes(world)[numbers[at]!]!;
    const { i32 } = archetype.lanes;
    const base = numbers[at + 3]!;
    const rows = base > 0 ? batches!.rowLists.rows : undefined;
    const first = place;
    let depth = 0;
    if (base > 0) depth = batches!.rowLists.chunks.depth[base]!;
    else if (base === JOINED) depth = numbers[at + stride - 1]!;
    for (let position = numbers[at + 1]!; position < numbers[at + 2]!; position++, place++) {
      const index = i32[rows === undefined ? position : rows[position]!]!;
      handles[place] = handleOf(world, index);
      intervals[place] = at;
      positions[place] = position;
      layers[place] = cascade * depth;
      if (relation !== undefined) {
        const pair = pairs.at(index, relation);
        ranks[place] = pair === 0 ? WITHOUT : pairs.target(pair);
      }
    }
    if (readsAbove) state.turnTo(listed, at);
    for (let number = 0; number < orders.length; number++) {
      const order = orders[number]!;
      const { path, self, definition } = order;
      const sparse = sparseCursorOf(world, definition);
      const readsOwn =
        path < 0 ||
        (self && (columnsOf(archetype, definition) !== undefined || inherits(archetype, definition)));
      const read = {
        keys: keys[number]!,
        first,
        end: place,
        from: numbers[at + 1]!,
        sparse,
        keepsOthers: false,
      };
      if (!readsOwn)
        readKeys(world, order, read, state.sources[path], state.sourceRows[path], state.sourceRow[path]!);
      read.keepsOthers = !readsOwn;
      if (readsOwn || (self && sparse !== undefined)) readKeys(world, order, read, archetype, rows, -1);
    }
  }
  return sorting;
}

/** Places `first .. end`, whose positions begin at `from`. */
interface ReadPlaces extends Record<"first" | "end" | "from", number> {
  readonly keys: SortKeys;
  readonly sparse: ReturnType<typeof sparseCursorOf>;
  /** Entities that lack the component keep what was read before. */
  keepsOthers: boolean;
}

/**
 * Reads what an `orderBy` compares.
 *
 * @param source the archetype with the values; undefined if there is none.
 * @param rows position -> absolute row; without it, all have the row `row`, or if that is -1, positions are rows.
 */
function readKeys(
  world: World,
  { definition, by, isDescending }: Order,
  { keys: { marks, numbers, values }, first, end, from, sparse, keepsOthers }: ReadPlaces,
  source: ArchetypeView | undefined,
  rows: Int32Array | undefined,
  row: number,
): void {
  const columns = source && (sparse?.columns ?? columnsOf(source, definition));
  const isInherited = source !== undefined && inherits(source, definition);
  if (columns === undefined && !isInherited) {
    marks.fill(MISSING, first, end);
    numbers.fill(0, first, end);
    return;
  }
  const fieldIn = (all: unknown): number[] | undefined =>
    typeof by === "string" ? (all as Record<string, number[]>)[by]! : undefined;
  let column = isInherited ? undefined : fieldIn(columns);
  const turn = isDescending ? -1 : 1; // the largest comes first: numbers are kept with that sign
  for (let place = first; place < end; place++) {
    const position = place - first + from;
    const absolute = rows === undefined ? (row < 0 ? position : row) : rows[position]!;
    const index = source!.lanes.i32[absolute]!;
    let at = sparse === undefined ? absolute : sparse.placeOf(index);
    if (isInherited) {
      const found = apart.inherited?.placeOf(world, index, definition);
      at = found === undefined ? -1 : found.row;
      column = found && fieldIn(found.columns);
    }
    if (at < 0 && keepsOthers) continue;
    marks[place] = at < 0 ? MISSING : 0;
    numbers[place] = 0;
    if (at < 0) continue;
    if (column === undefined) values[place] = get(world, handleOf(world, index), definition as Component);
    else if (Number.isNaN(column[at])) marks[place] = NOT_A_NUMBER;
    else numbers[place] = turn * column[at]!;
  }
}

/**
 * Calls a function for the key of each entity, once each; keys get numbers in the order in which they first come up.
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
      if (variables.length > 0) known.set(handle, rank); // an entity may match more than once
    }
    ranks[place] = rank;
  }
  sorting.groups = [...numbers.keys()];
}

/** All places, in the former order of their entities, which is often still valid. New entities come last. */
function inFormerOrder(world: World, former: Sorting, { handles }: Sorting): number[] {
  const formerPlaces = new Int32Array(sizesOf(world).entities);
  former.order.forEach((place, at) => {
    formerPlaces[indexOf(former.handles[place]!)] = at + 1;
  });
  const placed: number[] = new Array(former.order.length).fill(-1);
  const others: number[] = [];
  for (let place = 0; place < handles.length; place++) {
    const at = formerPlaces[indexOf(handles[place]!)]! - 1;
    if (at >= 0 && placed[at] === -1) placed[at] = place;
    else others.push(place);
  }
  return [...placed.filter((place) => place >= 0), ...others];
}

/**
 * Sorts `order`, which lists every place once. If few are out of order, these are removed, with the one before each, sorted and
 * merged (Emil Ernerfeldt's drop-merge sort).
 *
 * @cost then about 2 n comparisons for n places; else n * log r for r ordered runs.
 * @throws what a comparison of users throws.
 */
export function sortPlaces(sorting: Sorting, orders: readonly Order[]): void {
  const { ranks, layers, keys, handles } = sorting;
  // Two different places are never equal: the place itself is the last key.
  const compare = (one: number, other: number): number => {
    const before = ranks[one]! - ranks[other]! || layers[one]! - layers[other]!;
    if (before !== 0 || orders.length === 0) return before || one - other;
    for (let number = 0; number < orders.length; number++) {
      const difference = compareBy(orders[number]!, keys[number]!, one, other);
      if (difference) return difference; // comparisons may return NaN
    }
    return indexOf(handles[one]!) - indexOf(handles[other]!) || one - other;
  };
  const { order: places } = sorting;
  const moved: number[] = [];
  let kept = 0;
  let at = 0;
  for (; at < places.length && moved.length <= places.length >> 4; at++) {
    if (kept === 0 || compare(places[kept - 1]!, places[at]!) < 0) places[kept++] = places[at]!;
    else moved.push(places[--kept]!, places[at]!);
  }
  const isMost = at < places.length;
  moved.sort(compare);
  for (let to = at - 1; moved.length > 0; to--) {
    const isBehind = kept === 0 || isMost || compare(places[kept - 1]!, moved[moved.length - 1]!) < 0;
    places[to] = isBehind ? moved.pop()! : places[--kept]!;
  }
  if (isMost) places.sort(compare);
  for (const { values } of keys) values.length = 0;
}

/** Numbers with their sign, or values: those that are missing last, after those that are not a number. */
function compareBy(
  { by, isDescending }: Order,
  { marks, numbers, values }: SortKeys,
  one: number,
  other: number,
): number {
  const mark = marks[one]!;
  if (mark !== marks[other]) return mark - marks[other]!;
  if (typeof by === "string" || mark === MISSING) return numbers[one]! - numbers[other]!;
  return isDescending ? -by(values[one], values[other]) : by(values[one], values[other]);
}
