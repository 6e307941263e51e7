/** Compares the matches of the real world, iterated with every method, with those of the naive twin. */
import type { Entity } from "@treeline/core";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import type { Twin } from "../twin/rules.ts";
import { iterateBatches, iterateLevels, iterateRuns } from "./compare-batches.ts";
import type { Comparison, IterateMethod } from "./comparison.ts";
import { callOf, twinOfMatch } from "./comparison.ts";
import { engine } from "./terms.ts";
import type { Match, QueryContext, QueryDescription } from "./twin.ts";
import { isWatching, matchesOf, variablesIn } from "./twin.ts";
import { groupOf, inOrder, inTreeOrder, isGrouping, splitGroup, wrongOrder } from "./twin-order.ts";
import { pathsIn } from "./twin-paths.ts";

export const QUERY_METHODS = [
  "each",
  "eachRun",
  "eachBatch",
  "eachLevel",
  "rows",
  /** Stopped halfway: by `break`, by an error, by calling the iterator directly. */
  "rows stopped",
  "collect",
  "entities",
  "counts",
  "explain",
  "pages",
  "shards",
  "groups",
] as const;

export type QueryMethod = (typeof QUERY_METHODS)[number];

/** Counting does not mark changes as read. */
export function marksRead(method: QueryMethod): boolean {
  return method !== "counts" && method !== "explain";
}

/**
 * Iterates the query with one method and compares the matches, how often they occur, their values and their order.
 *
 * @param onMatch is called for each match during the iteration.
 * @returns the collected rows, if the method is `collect`.
 * @throws Error that says what differs.
 */
export function compareQuery(
  real: RealWorld,
  context: QueryContext,
  description: QueryDescription,
  query: object,
  method: QueryMethod,
  onMatch?: () => void,
): unknown[][] | undefined {
  const used = methodFor(method, description);
  const label = (): string => `${used} of ${textOf(description)}`;
  const comparison: Comparison = { real, context, description, query, label, onMatch };
  const expected = matchesOf(context, description);
  switch (used) {
    case "counts":
      compareCounts(comparison, expected);
      return undefined;
    case "explain":
      compareExplained(comparison, expected);
      return undefined;
    case "rows stopped":
      stopHalfway(comparison, expected);
      return undefined;
    case "collect":
      return collectAndCompare(comparison, expected);
    default:
      compareMatches(comparison, METHODS[used](comparison, expected), expected, used !== "shards");
      return undefined;
  }
}

/** @param isInOrder whether the matches must be in the order of the query. */
export function compareMatches(
  comparison: Comparison,
  matched: readonly Twin[],
  expected: readonly Match[],
  isInOrder: boolean,
): void {
  compareMatchSet(comparison.label, matched, expected);
  if (isInOrder) compareOrder(comparison, matched);
}

/** The method itself, or another one if the query does not support it. */
export function methodFor(method: QueryMethod, description: QueryDescription): QueryMethod {
  return supports(method, description) ? method : "eachRun";
}

/** Parts of a query with change terms are not compared: each part would read the changes. */
function supports(method: QueryMethod, { terms, groupBy }: QueryDescription): boolean {
  switch (method) {
    case "eachBatch":
      return pathsIn(terms).length + variablesIn(terms).length > 0;
    case "eachLevel":
      return pathsIn(terms).length > 0;
    case "pages":
    case "shards":
      return !isWatching(terms);
    case "groups":
      return groupBy !== undefined && !isWatching(terms);
    default:
      return true;
  }
}

// ---- matches -----------------------------------------------------------------------------------------------------

function compareMatchSet(label: () => string, matched: readonly Twin[], expected: readonly Match[]): void {
  const ascending = (one: Twin, other: Twin): number => one - other;
  same([...matched].sort(ascending), expected.map(({ twin }) => twin).sort(ascending), label);
}

/** The matches of a group are adjacent; inside a group the rest of the order applies. */
function compareOrder({ context, description, label }: Comparison, matched: readonly Twin[]): void {
  const { naive } = context;
  const { orderBy, groupBy, inOrder: relation } = description;
  if (groupBy !== undefined) {
    const split = splitGroup(matched, (twin) => groupOf(context, twin, groupBy));
    if (split !== undefined)
      throw new Error(`${label()}: the group of ${split} is not contiguous: ${textOf(matched)}`);
  }
  for (const group of groupsIn(description, context, matched)) {
    const wrong = wrongOrder(naive, description, group);
    if (wrong !== undefined) throw new Error(`${label()}: e${wrong[0]} came before e${wrong[1]}`);
    if (orderBy !== undefined) same(group, inOrder(context, description, orderBy, group), label);
    if (relation !== undefined) same(group, inTreeOrder(naive, description, relation, group), label);
  }
}

function groupsIn({ groupBy }: QueryDescription, context: QueryContext, matched: readonly Twin[]): Twin[][] {
  if (groupBy === undefined) return [[...matched]];
  const groups = new Map<Twin | string | undefined, Twin[]>();
  for (const twin of matched) {
    const group = groupOf(context, twin, groupBy);
    groups.set(group, [...(groups.get(group) ?? []), twin]);
  }
  return [...groups.values()];
}

// ---- methods -----------------------------------------------------------------------------------------------------

const iterateEach: IterateMethod = (comparison, expected) => {
  const call = callOf(comparison, expected);
  const matched: Twin[] = [];
  engine.each(comparison.query, (...args) => {
    matched.push(call(args));
  });
  return matched;
};

const iterateRows: IterateMethod = (comparison, expected) => {
  const call = callOf(comparison, expected);
  const matched: Twin[] = [];
  for (const row of engine.rows(comparison.query)) matched.push(call(row));
  return matched;
};

function collectAndCompare(comparison: Comparison, expected: readonly Match[]): unknown[][] {
  const rows = engine.collect(comparison.query);
  compareMatches(comparison, rows.map(callOf(comparison, expected)), expected, true);
  return rows;
}

const iterateEntities: IterateMethod = (comparison) =>
  engine.entities(comparison.query).map((handle) => twinOfMatch(comparison, handle));

/** Stops halfway; the following steps show that nothing stays deferred. */
function stopHalfway(comparison: Comparison, expected: readonly Match[]): void {
  const { query } = comparison;
  const call = callOf(comparison, expected);
  const halfway = new Error("the callback throws");
  const half = Math.ceil(expected.length / 2);
  let iterated = 0;
  const isHalf = (args: readonly unknown[]): boolean => {
    call(args);
    return ++iterated === half;
  };
  const throwAtHalf = (args: readonly unknown[]): void => {
    if (isHalf(args)) throw halfway;
  };
  try {
    if (expected.length % 4 === 0) {
      for (const row of engine.rows(query)) if (isHalf(row)) break;
    } else if (expected.length % 4 === 1) {
      engine.each(query, (...args) => throwAtHalf(args));
    } else if (expected.length % 4 === 2) {
      for (const row of engine.rows(query)) throwAtHalf(row);
    } else {
      const iterator = engine.rows(query)[Symbol.iterator]();
      while (!isHalf(iterator.next().value));
      iterator.return?.();
      same(iterator.next().done, true, () => `${comparison.label()}: continues after its end`);
    }
  } catch (error) {
    if (error !== halfway) throw error;
  }
  same(iterated, half, () => `${comparison.label()}: matches before the end`);
}

/** `explain` counts the matches and returns text; it changes nothing. */
function compareExplained({ query, label }: Comparison, { length }: readonly Match[]): void {
  const text = engine.explain(query);
  same(text.startsWith("query("), true, () => `${label()}: begins with ${text.slice(0, 20)}`);
  same(text.split("\n").at(-1), `matches: ${length}`, label);
  same(engine.explain(query), text, () => `${label()}: explained again`);
  same(engine.count(query), length, () => `${label()}: count after it was explained`);
}

function compareCounts({ real, query, label }: Comparison, expected: readonly Match[]): void {
  same(engine.count(query), expected.length, () => `${label()}: count`);
  same(engine.isEmpty(query), expected.length === 0, () => `${label()}: is empty`);
  const first = engine.first(query);
  const isRight =
    first === undefined ? expected.length === 0 : expected.some(({ twin }) => twin === real.twins.get(first));
  if (!isRight) throw new Error(`${label()}: first is ${textOf(first && real.twins.get(first))}`);
}

/** Iterates part after part; together they are the whole, in its order. */
function inParts(partsOf: (comparison: Comparison, expected: readonly Match[]) => object[]): IterateMethod {
  return (comparison, expected) => {
    const matched: Twin[] = [];
    for (const part of partsOf(comparison, expected)) {
      engine.each(part, (...args) => {
        matched.push(twinOfMatch(comparison, args.at(-1) as Entity));
      });
    }
    return matched;
  };
}

/** The last page is after the end. */
const iteratePages: IterateMethod = inParts(({ query }, { length }) => {
  const limit = 1 + (length % 3) + Math.floor(length / 8);
  const pages = Math.ceil(length / limit) + 1;
  return Array.from({ length: pages }, (_, at) => engine.page(query, at * limit, limit));
});

const iterateShards: IterateMethod = inParts(({ query }, { length }) => {
  const shards = 1 + (length % 4);
  return Array.from({ length: shards }, (_, at) => engine.shard(query, at, shards));
});

/** Each group by its key; the group of a destroyed entity is empty. */
const iterateGroups: IterateMethod = inParts(({ real, context, description, query }, expected) => {
  const by = description.groupBy!;
  const keys = new Set<unknown>(expected.map(({ twin }) => groupOf(context, twin, by)));
  const realKey = (key: unknown): unknown =>
    isGrouping(by) || key === undefined ? key : handleOf(real, key as Twin);
  return [...[...keys].map(realKey), real.deadHandle].map((key) => engine.group(query, key));
});

const METHODS: Readonly<
  Record<Exclude<QueryMethod, "collect" | "counts" | "explain" | "rows stopped">, IterateMethod>
> = {
  each: iterateEach,
  rows: iterateRows,
  entities: iterateEntities,
  eachRun: iterateRuns,
  eachBatch: iterateBatches,
  eachLevel: iterateLevels,
  pages: iteratePages,
  shards: iterateShards,
  groups: iterateGroups,
};
