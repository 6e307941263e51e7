import type { World } from "@treeline/core";
import { Changes } from "@treeline/core/internal";
import type { Plan } from "../../term/plan.ts";
import { createSorting, type Sorting } from "./sorting.ts";
import { createSpans, type Spans } from "./spans.ts";
import { track } from "./start-track.ts";

/**
 * The answers of an ordered or grouped query in their order, kept until something changes. By positions: the places of
 * answers in that order, from 0.
 */
export interface Arrangement {
  /** What was sorted, and in which order. */
  current: Sorting;
  /** Room for the next time; undefined while somebody sorts. */
  spare: Sorting | undefined;
  /** The answers in order; and by span, the position behind it. */
  readonly sorted: Spans;
  ends: Int32Array<ArrayBuffer>;
  /** Groups in order; by key, their numbers from 0; and by group, its first position, then the number of answers. */
  groups: unknown[];
  numbers: Map<unknown, number>;
  starts: Int32Array<ArrayBuffer>;
  /** Nothing is kept yet, or looking at it was given up half-way: values may be others. */
  isStale: boolean;
  /** Tells whether rows moved; undefined for queries that look at everything at each visit, since nobody disposes them. */
  changes: Changes | undefined;
  /** The tick up to which values have been looked at. */
  since: number;
  /** What the stretches counted then; 0 without stretches. */
  version: number;
  /** By entity index, all 0 between uses. */
  seats: Int32Array<ArrayBuffer>;
}

export function createArrangement(plan: Plan, { stride, melts }: Spans): Arrangement {
  return {
    current: createSorting(plan),
    spare: undefined,
    sorted: createSpans(stride, melts),
    ends: new Int32Array(0),
    groups: [],
    numbers: new Map(),
    starts: new Int32Array(1),
    isStale: true,
    changes: undefined,
    since: 0,
    version: 0,
    seats: new Int32Array(0),
  };
}

/** From now on the world notes what moves, and when values were written that answers are ordered by. */
export function startOrdering(world: World, { order }: Plan, arrangement: Arrangement): void {
  if (order !== undefined) track(world, order.definition, "changed", true);
  arrangement.changes = new Changes(world);
}

export function stopOrdering(world: World, { order }: Plan, { changes }: Arrangement): void {
  if (changes === undefined) return;
  changes.close();
  if (order !== undefined) track(world, order.definition, "changed", false);
}
