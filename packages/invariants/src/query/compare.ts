/** The answers of the real world, visited in every way, held against those of the naive twin. */
import type { Entity } from "@treeline/core";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import type { Twin } from "../twin/rules.ts";
import { iterateBatches, iterateLevels, iterateRuns } from "./compare-batches.ts";
import type { Comparison, Visit } from "./comparison.ts";
import { callOf, guest } from "./comparison.ts";
import { questions } from "./terms.ts";
import type { Asking, Match, Question } from "./twin.ts";
import { answersTo, isWatching, variablesIn } from "./twin.ts";
import { groupOf, inOrder, isGrouping, tornGroup, wrongTurn } from "./twin-order.ts";
import { pathsIn } from "./twin-paths.ts";

export const QUESTION_WAYS = [
  "each",
  "eachRun",
  "eachBatch",
  "eachLevel",
  "rows",
  /** Left in the middle: by `break`, by an error, by hand. */
  "rows left",
  "collect",
  "entities",
  "counts",
  "explain",
  "pages",
  "shards",
  "groups",
] as const;

export type QuestionWay = (typeof QUESTION_WAYS)[number];

/** Counting does not look: what has changed is news still. */
export function isLook(way: QuestionWay): boolean {
  return way !== "counts" && way !== "explain";
}

/**
 * Visits the query one way and compares who came, how often, with what and in which order.
 *
 * @param onGuest is called while somebody is visited, each time.
 * @returns what was collected, if that was the way.
 * @throws Error that says what differs.
 */
export function compareQuestion(
  fast: FastWorld,
  asking: Asking,
  question: Question,
  query: object,
  way: QuestionWay,
  onGuest?: () => void,
): unknown[][] | undefined {
  const taken = traversalFor(way, question);
  const story = (): string => `${taken} of ${textOf(question)}`;
  const comparison: Comparison = { fast, asking, question, query, story, onGuest };
  const expected = answersTo(asking, question);
  switch (taken) {
    case "counts":
      compareCounts(comparison, expected);
      return undefined;
    case "explain":
      compareExplained(comparison, expected);
      return undefined;
    case "rows left":
      leaveEarly(comparison, expected);
      return undefined;
    case "collect":
      return collectAndCompare(comparison, expected);
    default:
      compareCame(comparison, VISITS[taken](comparison, expected), expected, taken !== "shards");
      return undefined;
  }
}

/** @param isInOrder they came in the order of the question. */
export function compareCame(
  comparison: Comparison,
  came: readonly Twin[],
  expected: readonly Match[],
  isInOrder: boolean,
): void {
  compareCrowd(comparison.story, came, expected);
  if (isInOrder) compareOrder(comparison, came);
}

/** The way itself, or another one if the question cannot be visited so. */
export function traversalFor(way: QuestionWay, question: Question): QuestionWay {
  return isFor(way, question) ? way : "eachRun";
}

/** What is looked at in parts would be looked at several times. */
function isFor(way: QuestionWay, { terms, groupBy }: Question): boolean {
  switch (way) {
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

// ---- who came ----------------------------------------------------------------------------------------------------

function compareCrowd(story: () => string, came: readonly Twin[], expected: readonly Match[]): void {
  const inTurn = (one: Twin, other: Twin): number => one - other;
  same([...came].sort(inTurn), expected.map(({ twin }) => twin).sort(inTurn), story);
}

/** Groups come in one piece each; inside a group the rest of the order holds. */
function compareOrder({ asking, question, story }: Comparison, came: readonly Twin[]): void {
  const { slow, indexOf } = asking;
  const { orderBy, groupBy } = question;
  if (groupBy !== undefined) {
    const torn = tornGroup(came, (twin) => groupOf(asking, twin, groupBy));
    if (torn !== undefined)
      throw new Error(`${story()}: the group of ${torn} came in pieces: ${textOf(came)}`);
  }
  for (const group of groupsIn(question, asking, came)) {
    const wrong = wrongTurn(slow, question, group);
    if (wrong !== undefined) throw new Error(`${story()}: e${wrong[0]} came before e${wrong[1]}`);
    if (orderBy !== undefined) same(group, inOrder(slow, indexOf, question, orderBy, group), story);
  }
}

function groupsIn({ groupBy }: Question, asking: Asking, came: readonly Twin[]): Twin[][] {
  if (groupBy === undefined) return [[...came]];
  const groups = new Map<Twin | string | undefined, Twin[]>();
  for (const twin of came) {
    const group = groupOf(asking, twin, groupBy);
    groups.set(group, [...(groups.get(group) ?? []), twin]);
  }
  return [...groups.values()];
}

// ---- ways --------------------------------------------------------------------------------------------------------

const visitEach: Visit = (comparison, expected) => {
  const call = callOf(comparison, expected);
  const came: Twin[] = [];
  questions.each(comparison.query, (...args) => {
    came.push(call(args));
  });
  return came;
};

const iterateRows: Visit = (comparison, expected) => {
  const call = callOf(comparison, expected);
  const came: Twin[] = [];
  for (const row of questions.rows(comparison.query)) came.push(call(row));
  return came;
};

function collectAndCompare(comparison: Comparison, expected: readonly Match[]): unknown[][] {
  const rows = questions.collect(comparison.query);
  compareCame(comparison, rows.map(callOf(comparison, expected)), expected, true);
  return rows;
}

const visitEntities: Visit = (comparison) =>
  questions.entities(comparison.query).map((handle) => guest(comparison, handle));

/** In the middle; the steps that follow show that nothing waits any more. */
function leaveEarly(comparison: Comparison, expected: readonly Match[]): void {
  const { query } = comparison;
  const call = callOf(comparison, expected);
  const enough = new Error("the visitor had enough");
  const half = Math.ceil(expected.length / 2);
  let seen = 0;
  const isEnough = (args: readonly unknown[]): boolean => {
    call(args);
    return ++seen === half;
  };
  const leave = (args: readonly unknown[]): void => {
    if (isEnough(args)) throw enough;
  };
  try {
    if (expected.length % 4 === 0) {
      for (const row of questions.rows(query)) if (isEnough(row)) break;
    } else if (expected.length % 4 === 1) {
      questions.each(query, (...args) => leave(args));
    } else if (expected.length % 4 === 2) {
      for (const row of questions.rows(query)) leave(row);
    } else {
      const byHand = questions.rows(query)[Symbol.iterator]();
      while (!isEnough(byHand.next().value));
      byHand.return?.();
      same(byHand.next().done, true, () => `${comparison.story()}: goes on after its end`);
    }
  } catch (error) {
    if (error !== enough) throw error;
  }
  same(seen, half, () => `${comparison.story()}: came before the visitor had enough`);
}

/** Explaining is counting, in words; it changes nothing. */
function compareExplained({ query, story }: Comparison, { length }: readonly Match[]): void {
  const text = questions.explain(query);
  same(text.startsWith("query("), true, () => `${story()}: begins with ${text.slice(0, 20)}`);
  same(text.split("\n").at(-1), `answers: ${length}`, story);
  same(questions.explain(query), text, () => `${story()}: explained again`);
  same(questions.count(query), length, () => `${story()}: count after it was explained`);
}

function compareCounts({ fast, query, story }: Comparison, expected: readonly Match[]): void {
  same(questions.count(query), expected.length, () => `${story()}: count`);
  same(questions.isEmpty(query), expected.length === 0, () => `${story()}: is empty`);
  const first = questions.first(query);
  const isRight =
    first === undefined ? expected.length === 0 : expected.some(({ twin }) => twin === fast.twins.get(first));
  if (!isRight) throw new Error(`${story()}: first is ${textOf(first && fast.twins.get(first))}`);
}

/** Part after part; together they are the whole, in its order. */
function inParts(partsOf: (comparison: Comparison, expected: readonly Match[]) => object[]): Visit {
  return (comparison, expected) => {
    const came: Twin[] = [];
    for (const part of partsOf(comparison, expected)) {
      questions.each(part, (...args) => {
        came.push(guest(comparison, args.at(-1) as Entity));
      });
    }
    return came;
  };
}

/** The last page is behind the end. */
const visitPages: Visit = inParts(({ query }, { length }) => {
  const limit = 1 + (length % 3) + Math.floor(length / 8);
  const pages = Math.ceil(length / limit) + 1;
  return Array.from({ length: pages }, (_, at) => questions.page(query, at * limit, limit));
});

const visitShards: Visit = inParts(({ query }, { length }) => {
  const shards = 1 + (length % 4);
  return Array.from({ length: shards }, (_, at) => questions.shard(query, at, shards));
});

/** Each group by its key; that of nobody is empty. */
const visitGroups: Visit = inParts(({ fast, asking, question, query }, expected) => {
  const by = question.groupBy!;
  const keys = new Set<unknown>(expected.map(({ twin }) => groupOf(asking, twin, by)));
  const toldKey = (key: unknown): unknown =>
    isGrouping(by) || key === undefined ? key : handleOf(fast, key as Twin);
  return [...[...keys].map(toldKey), fast.nobody].map((key) => questions.group(query, key));
});

const VISITS: Readonly<Record<Exclude<QuestionWay, "collect" | "counts" | "explain" | "rows left">, Visit>> =
  {
    each: visitEach,
    rows: iterateRows,
    entities: visitEntities,
    eachRun: iterateRuns,
    eachBatch: iterateBatches,
    eachLevel: iterateLevels,
    pages: visitPages,
    shards: visitShards,
    groups: visitGroups,
  };
