import { ChildOf, type Component, type Definition, type Entity, get } from "@treeline/core";
import {
  archetypesOf,
  columnsOf,
  handleOf,
  indexOf,
  Parent,
  pairsOf,
  tableAt,
} from "@treeline/core/internal";
import { longestWayUp } from "../../match/ancestors.ts";
import type { Stretches } from "../batches/stretches.ts";
import { fitSorting, LAYERS, MISSING, NOT_A_NUMBER, type Sorting } from "../lists/sorting.ts";
import { countPositions, JOINED, type Spans } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";

/** The rank of those who have no target: behind all others. */
export const WITHOUT: number = 0x7fff_ffff;

/** Copies gathered spans, and notes who answers. Cost: the answers. */
export function noteAnswers(
  { world }: Query,
  sorting: Sorting,
  spans: Spans,
  stretches: Stretches | undefined,
): void {
  const shapes = archetypesOf(world);
  const { stride, length } = spans;
  fitSorting(sorting, countPositions(spans));
  if (sorting.numbers.length < length) sorting.numbers = new Int32Array(spans.numbers.length);
  sorting.length = length;
  const { numbers, handles, positions } = sorting;
  for (let at = 0; at < length; at++) numbers[at] = spans.numbers[at]!;
  let place = 0;
  for (let at = 0; at < length; at += stride) {
    const { i32 } = shapes[numbers[at]!]!.lanes;
    const rows = numbers[at + 3]! > 0 ? stretches!.positions.rows : undefined;
    const to = numbers[at + 2]!;
    for (let position = numbers[at + 1]!; position < to; position++) {
      handles[place] = handleOf(world, i32[rows === undefined ? position : rows[position]!]!);
      sorting.spans[place] = at;
      positions[place++] = position;
    }
  }
}

/** Notes how deep everybody is, if that comes before the order. Cost: the answers. */
export function noteDepths({ world, plan }: Query, sorting: Sorting, stretches: Stretches | undefined): void {
  const { layers, spans, numbers, handles, count } = sorting;
  if (plan.cascade === 0 || !sorting.isOrdered) {
    layers.fill(0, 0, count);
    return;
  }
  const { relation } = plan.traversals[0]!;
  const known = new Map<number, number>();
  for (let place = 0; place < count; place++) {
    const base = numbers[spans[place]! + 3]!;
    let depth = 0;
    if (base > 0) depth = stretches!.positions.chunks.depth[base]!;
    else if (base === JOINED) {
      depth = longestWayUp(world, indexOf(handles[place]!), relation, known);
    }
    layers[place] = plan.cascade * depth * LAYERS;
  }
}

/** Reads the values that the order hangs on, and puts those without one into layers behind the others. Cost: the answers. */
export function noteValues({ world, plan }: Query, sorting: Sorting, stretches: Stretches | undefined): void {
  const { definition, by } = plan.order!;
  const { count, layers, keys, spans, positions, numbers, handles, turn } = sorting;
  let last = -1;
  let has = false;
  let column: Numbers = NO_NUMBERS;
  let rows: Int32Array | undefined;
  if (sorting.by !== undefined) sorting.values.length = count;
  for (let place = 0; place < count; place++) {
    const span = spans[place]!;
    if (span !== last) {
      const shape = archetypesOf(world)[numbers[span]!]!;
      const columns = columnsOf(shape, definition);
      has = columns !== undefined;
      if (has && typeof by === "string") column = (columns as { readonly [name: string]: Numbers })[by]!;
      rows = numbers[span + 3]! > 0 ? stretches!.positions.rows : undefined;
      last = span;
    }
    keys[place] = 0;
    if (!has) layers[place]! += MISSING;
    else if (sorting.by !== undefined) {
      sorting.values[place] = get(world, handles[place] as Entity, definition as Component);
    } else {
      const position = positions[place]!;
      const key = column[rows === undefined ? position : rows[position]!]!;
      if (Number.isNaN(key)) layers[place]! += NOT_A_NUMBER;
      else keys[place] = turn * key;
    }
  }
}

type Numbers = { readonly [row: number]: number };
const NO_NUMBERS: Numbers = [];

/** Notes the target of everybody. Cost: the answers; tables are looked at once where their rows follow each other. */
export function noteTargets({ world }: Query, sorting: Sorting, relation: Definition): void {
  const isParental = relation === ChildOf || relation === Parent;
  const { count, handles, ranks } = sorting;
  const pairs = pairsOf(world);
  let last = 0;
  let rank = WITHOUT;
  for (let place = 0; place < count; place++) {
    const index = indexOf(handles[place]!);
    const table = tableAt(world, index);
    // The parent of a loose entity stands with itself.
    if (table !== last || isParental) {
      const pair = pairs.at(index, relation);
      rank = pair === 0 ? WITHOUT : pairs.target(pair);
      last = table;
    }
    ranks[place] = rank;
  }
}

/**
 * Asks a function for the key of everybody, once each; keys get numbers in the order in which they come up.
 *
 * @throws what the function throws.
 */
export function askKeys({ plan }: Query, sorting: Sorting, keyOf: (entity: Entity) => unknown): void {
  const { count, handles, ranks } = sorting;
  const numbers = new Map<unknown, number>();
  // With variables somebody may answer more than once.
  const known = plan.variables.length > 0 ? new Map<number, number>() : undefined;
  for (let place = 0; place < count; place++) {
    const handle = handles[place]!;
    let rank = known?.get(handle);
    if (rank === undefined) {
      const key = keyOf(handle as Entity);
      rank = numbers.get(key);
      if (rank === undefined) {
        rank = numbers.size;
        numbers.set(key, rank);
      }
      known?.set(handle, rank);
    }
    ranks[place] = rank;
  }
  sorting.groups = [...numbers.keys()];
}
