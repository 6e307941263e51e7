import type { World } from "@treeline/core";
import type { Archetype } from "@treeline/core/internal";
import type { Plan, Traversal } from "../../term/plan.ts";
import type { Arrangement } from "../lists/arrangement.ts";
import type { Spans } from "../lists/spans.ts";
import type { Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";

type Gather = (query: Query, seen: Seen, spans: Spans) => void;

/**
 * What only some terms need: those terms bring it along when they are made. So bundlers leave out what a program does not
 * use. Functions only; nothing in here is state.
 */
export interface Engine {
  /** Brought by `not`. */
  takeOutTarget: ((query: Query, spans: Spans, place: number) => void) | undefined;
  /** Brought by `or`. */
  collectEither: ((query: Query, spans: Spans) => boolean) | undefined;
  /** Brought by `on` and `singleton`. */
  hasFalseAside: ((query: Query, seen: Seen) => boolean) | undefined;
  /** Brought by `changed`, `added` and `removed`. */
  filterNews:
    | ((query: Query, seen: Seen, spans: Spans, shape: Archetype, first: number, end: number) => void)
    | undefined;
  watch: ((query: Query, isAsked: boolean) => void) | undefined;
  beginLook: ((query: Query) => number) | undefined;
  endLook: ((query: Query, tick: number) => void) | undefined;
  /** Brought by `up`, `selfOrUp`, `cascade` and variables. */
  gatherStretched: Gather | undefined;
  forgetStretches: ((world: World, traversals: readonly Traversal[]) => void) | undefined;
  noteCurrentHolders: ((query: Query) => void) | undefined;
  /** Brought by variables. */
  gatherJoined: Gather | undefined;
  bondsHold: ((query: Query) => boolean) | undefined;
  /** Brought by `orderBy`, `groupBy` and parts of queries. */
  arrange: Gather | undefined;
  stopOrdering: ((world: World, plan: Plan, arrangement: Arrangement) => void) | undefined;
}

export const engine: Engine = {
  takeOutTarget: undefined,
  collectEither: undefined,
  hasFalseAside: undefined,
  filterNews: undefined,
  watch: undefined,
  beginLook: undefined,
  endLook: undefined,
  gatherStretched: undefined,
  forgetStretches: undefined,
  noteCurrentHolders: undefined,
  gatherJoined: undefined,
  bondsHold: undefined,
  arrange: undefined,
  stopOrdering: undefined,
};
