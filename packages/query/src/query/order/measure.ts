import { type Component, type Entity, get, type World } from "@treeline/core";
import { archetypesOf, columnsOf, handleOf, indexOf, pairsOf, sizesOf } from "@treeline/core/internal";
import type { Order, Plan } from "../../term/plan.ts";
import type { Stretches } from "../batches/stretches.ts";
import { Sorting } from "../lists/arrangement.ts";
import { countPositions, JOINED, type Spans } from "../lists/spans.ts";

/** The rank of those who have no target: behind all others. */
export const WITHOUT: number = 0x7fff_ffff;

/** Layers of one depth, and what is added where the value is no number: it is NaN; or the entity does not have the component. */
export const LAYERS = 4;
const NOT_A_NUMBER = 1;
export const MISSING = 2;

/** Notes who answers, how deep, with which target, and what the order hangs on. Cost: the answers. */
export function measure(
  world: World,
  { order, groups, cascade }: Plan,
  gathered: Spans,
  stretches: Stretches | undefined,
  spare?: Sorting,
): Sorting {
  const { length, stride } = gathered;
  const numbers = gathered.numbers.slice(0, length);
  const count = countPositions(gathered);
  const sorting = spare?.handles.length === count ? spare : new Sorting(numbers, count);
  sorting.numbers = numbers;
  const { handles, spans, positions, ranks, layers, keys, values } = sorting;
  const relation = groups?.by === "target" ? groups.relation : undefined;
  const field = typeof order?.by === "string" ? order.by : undefined;
  const turn = turnOf(order);
  const pairs = pairsOf(world);
  let place = 0;
  for (let at = 0; at < length; at += stride) {
    const shape = archetypesOf(world)[numbers[at]!]!;
    const { i32 } = shape.lanes;
    const base = numbers[at + 3]!;
    const rows = base > 0 ? stretches!.positions.rows : undefined;
    const columns = order && columnsOf(shape, order.definition);
    const column = field === undefined ? undefined : (columns as Columns | undefined)?.[field];
    let depth = 0;
    if (base > 0) depth = stretches!.positions.chunks.depth[base]!;
    else if (base === JOINED) depth = numbers[at + stride - 1]!;
    for (let position = numbers[at + 1]!; position < numbers[at + 2]!; position++, place++) {
      const row = rows === undefined ? position : rows[position]!;
      const index = i32[row]!;
      const handle = handleOf(world, index);
      handles[place] = handle;
      spans[place] = at;
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

interface Columns {
  readonly [field: string]: { readonly [row: number]: number };
}

/** -1 if the largest value comes first; numbers are kept with that sign. */
function turnOf(order: Order | undefined): number {
  return order?.isDescending === true ? -1 : 1;
}

/**
 * Asks a function for the key of everybody, once each; keys get numbers in the order in which they come up.
 *
 * @throws what the function throws.
 */
export function askKeys({ variables }: Plan, sorting: Sorting, keyOf: (entity: Entity) => unknown): void {
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
export function placesLike(world: World, former: Sorting, { handles }: Sorting): number[] {
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
 * (Emil Ernerfeldt's drop-merge sort). Cost: for few of n places about 2 n comparisons; else for n places in r runs that are in
 * order already about n * log r.
 *
 * @throws what a comparison of users throws.
 */
export function sortPlaces(sorting: Sorting, asked: Order | undefined): void {
  const { ranks, layers, keys, values, handles } = sorting;
  const by = typeof asked?.by === "function" ? asked.by : undefined;
  const turn = turnOf(asked);
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
