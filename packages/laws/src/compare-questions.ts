/** The answers of the real world, visited in every way, held against those of the naive twin. */
import type { Entity } from "@treeline/core";
import type { LooseRun, LooseStretch } from "./doors.ts";
import type { FastWorld } from "./fast-world.ts";
import { handleOf, idOf } from "./fast-world.ts";
import { isAskable } from "./question-features.ts";
import { questions } from "./question-terms.ts";
import { isGiven, strangeCall } from "./question-values.ts";
import { same, sameColumns } from "./same.ts";
import { groupOf, inOrder, tornGroup, wrongTurn } from "./slow-order.ts";
import type { Answer, Asking, Question } from "./slow-question.ts";
import {
  answersTo,
  depthFor,
  givesOne,
  holderFor,
  isVariable,
  isWatching,
  variablesIn,
} from "./slow-question.ts";
import type { Twin } from "./slow-rules.ts";
import { get, has } from "./slow-world.ts";
import { textOf } from "./step.ts";
import { carriesValue } from "./vocabulary.ts";

export type QuestionWay =
  | "each"
  | "eachRun"
  | "eachStretch"
  | "eachLevel"
  | "rows"
  /** Left in the middle: by `break`, or by an error. */
  | "rows left"
  | "collect"
  | "entities"
  | "counts"
  | "pages"
  | "shards"
  | "groups";

export const QUESTION_WAYS: readonly QuestionWay[] = [
  "each",
  "eachRun",
  "eachStretch",
  ...(isAskable("eachLevel") ? (["eachLevel"] as const) : []),
  ...(isAskable("rows") ? (["rows", "rows left", "collect", "entities"] as const) : []),
  ...(isAskable("counts") ? (["counts"] as const) : []),
  ...(isAskable("parts") ? (["pages", "shards"] as const) : []),
  ...(isAskable("groupBy") ? (["groups"] as const) : []),
];

/** Counting does not look: what has changed is news still. */
export function isLook(way: QuestionWay): boolean {
  return way !== "counts";
}

/** A question that is about to be compared. */
interface Comparison {
  readonly fast: FastWorld;
  readonly asking: Asking;
  readonly question: Question;
  readonly query: object;
  readonly story: () => string;
}

/**
 * Visits the query one way and compares who came, how often, with what and in which order.
 *
 * @throws Error that says what differs.
 */
export function compareQuestion(
  fast: FastWorld,
  asking: Asking,
  question: Question,
  query: object,
  way: QuestionWay,
): void {
  const taken = isFor(way, question) ? way : "eachRun";
  const story = (): string => `${taken} of ${textOf(question)}`;
  const comparison: Comparison = { fast, asking, question, query, story };
  const expected = answersTo(asking, question);
  if (taken === "counts") {
    compareCounts(comparison, expected);
    return;
  }
  if (taken === "rows left") {
    leaveEarly(comparison, expected);
    return;
  }
  const came = VISITS[taken](comparison, expected);
  compareCrowd(story, came, expected);
  if (taken !== "shards") compareOrder(comparison, came);
}

/** Stretches need a cascade. What is looked at in parts would be looked at several times. */
function isFor(way: QuestionWay, { terms, groupBy }: Question): boolean {
  switch (way) {
    case "eachStretch":
    case "eachLevel":
      return terms.some(({ kind }) => kind === "cascade");
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

function compareCrowd(story: () => string, came: readonly Twin[], expected: readonly Answer[]): void {
  const inTurn = (one: Twin, other: Twin): number => one - other;
  same([...came].sort(inTurn), expected.map(({ twin }) => twin).sort(inTurn), story);
}

/** Groups come in one piece each; inside a group the rest of the order holds. */
function compareOrder({ asking, question, story }: Comparison, came: readonly Twin[]): void {
  const { slow, indexOf } = asking;
  const { orderBy, groupBy } = question;
  if (groupBy !== undefined) {
    const torn = tornGroup(slow, groupBy, came);
    if (torn !== undefined)
      throw new Error(`${story()}: the group of ${torn} came in pieces: ${textOf(came)}`);
  }
  for (const group of groupsIn(question, asking, came)) {
    const wrong = wrongTurn(slow, question, group);
    if (wrong !== undefined) throw new Error(`${story()}: e${wrong[0]} came before e${wrong[1]}`);
    if (orderBy !== undefined) same(group, inOrder(slow, indexOf, question, orderBy, group), story);
  }
}

function groupsIn({ groupBy }: Question, { slow }: Asking, came: readonly Twin[]): Twin[][] {
  if (groupBy === undefined) return [[...came]];
  const groups = new Map<Twin | undefined, Twin[]>();
  for (const twin of came) {
    const group = groupOf(slow, twin, groupBy);
    groups.set(group, [...(groups.get(group) ?? []), twin]);
  }
  return [...groups.values()];
}

function guest({ fast, asking, story }: Comparison, handle: Entity): Twin {
  const twin = fast.twins.get(handle);
  if (twin === undefined) throw new Error(`${story()}: visits the unknown handle ${handle}`);
  if (!asking.slow.living.has(twin)) throw new Error(`${story()}: visits e${twin}, which is dead`);
  return twin;
}

// ---- ways --------------------------------------------------------------------------------------------------------

type Visit = (comparison: Comparison, expected: readonly Answer[]) => Twin[];

/** Every call is one of the answers that are left: who answers several times is told with other values each time. */
type Call = (args: readonly unknown[]) => Twin;

/** Every call is one of the answers that are left: who answers several times is told with other values each time. */
function callOf(comparison: Comparison, expected: readonly Answer[]): Call {
  const { fast, question, story } = comparison;
  const giving = question.terms.filter(givesOne);
  const left = [...expected];
  return (args) => {
    same(args.length, giving.length + 1, () => `${story()}: arguments`);
    const twin = guest(comparison, args[giving.length] as Entity);
    const at = left.findIndex(
      (answer) =>
        answer.twin === twin &&
        giving.every((term, place) => isGiven(fast, term, args[place], answer.given[place])),
    );
    if (at < 0) throw new Error(`${story()}: ${strangeCall(fast, giving, args, twin, expected)}`);
    left.splice(at, 1);
    return twin;
  };
}

const visitEach: Visit = (comparison, expected) => {
  const call = callOf(comparison, expected);
  const came: Twin[] = [];
  questions.each(comparison.query, (...args) => {
    came.push(call(args));
  });
  return came;
};

const visitRows: Visit = (comparison, expected) => {
  const call = callOf(comparison, expected);
  const came: Twin[] = [];
  for (const row of questions.rows(comparison.query)) came.push(call(row));
  return came;
};

const visitCollected: Visit = (comparison, expected) => {
  const call = callOf(comparison, expected);
  return questions.collect(comparison.query).map(call);
};

const visitEntities: Visit = (comparison) =>
  questions.entities(comparison.query).map((handle) => guest(comparison, handle));

/** In the middle; the steps that follow show that nothing waits any more. */
function leaveEarly(comparison: Comparison, expected: readonly Answer[]): void {
  const { query } = comparison;
  const call = callOf(comparison, expected);
  let left = Math.ceil(expected.length / 2);
  if (expected.length % 2 === 0) {
    for (const row of questions.rows(query)) {
      call(row);
      if (--left === 0) break;
    }
    return;
  }
  const enough = new Error("the visitor had enough");
  try {
    questions.each(query, (...args) => {
      call(args);
      if (--left === 0) throw enough;
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
}

function compareCounts({ fast, query, story }: Comparison, expected: readonly Answer[]): void {
  same(questions.count(query), expected.length, () => `${story()}: count`);
  same(questions.isEmpty(query), expected.length === 0, () => `${story()}: is empty`);
  const first = questions.first(query);
  const isRight =
    first === undefined ? expected.length === 0 : expected.some(({ twin }) => twin === fast.twins.get(first));
  if (!isRight) throw new Error(`${story()}: first is ${textOf(first && fast.twins.get(first))}`);
}

const visitRuns: Visit = (comparison) => {
  const came: Twin[] = [];
  questions.eachRun(comparison.query, (run) => {
    const look = columnsOf(comparison, run);
    for (let row = run.first; row < run.end; row++) {
      const twin = guest(comparison, run.entityAt(row));
      came.push(twin);
      look(twin, row);
    }
  });
  return came;
};

const visitStretches: Visit = (comparison) => {
  const came: Twin[] = [];
  questions.eachStretch(comparison.query, (stretch) => visitStretch(comparison, stretch, came));
  return came;
};

/** Each depth once, in its order, with all of its rows. */
const visitLevels: Visit = (comparison) => {
  const { question, story } = comparison;
  const came: Twin[] = [];
  const depths: number[] = [];
  questions.eachLevel(comparison.query, (level) => {
    const before = came.length;
    depths.push(level.depth);
    level.eachStretch((stretch) => {
      same(stretch.depth, level.depth, () => `${story()}: depth of a stretch of the level`);
      visitStretch(comparison, stretch, came);
    });
    same(level.count, came.length - before, () => `${story()}: rows of the level`);
  });
  const isDesc = question.terms.some((term) => term.kind === "cascade" && term.desc);
  const sorted = [...new Set(depths)].sort((one, other) => (isDesc ? other - one : one - other));
  if (question.groupBy === undefined && hasDepths(question))
    same(depths, sorted, () => `${story()}: depths of levels`);
  return came;
};

function hasDepths({ terms }: Question): boolean {
  return isAskable("depths of joins") || variablesIn(terms).length === 0;
}

function visitStretch(comparison: Comparison, stretch: LooseStretch, came: Twin[]): void {
  const { asking, question, story } = comparison;
  const look = columnsOf(comparison, stretch);
  for (let at = stretch.from; at < stretch.to; at++) {
    const row = stretch.rows[at]!;
    const twin = guest(comparison, stretch.entityAt(row));
    came.push(twin);
    if (hasDepths(question))
      same(stretch.depth, depthFor(asking.slow, question, twin), () => `${story()}: depth of e${twin}`);
    look(twin, row);
    compareAbove(comparison, stretch, at, twin);
  }
}

/** Part after part; together they are the whole, in its order. */
function inParts(partsOf: (comparison: Comparison, expected: readonly Answer[]) => object[]): Visit {
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
  const limit = 1 + (length % 3);
  const pages = Math.ceil(length / limit) + 1;
  return Array.from({ length: pages }, (_, at) => questions.page(query, at * limit, limit));
});

const visitShards: Visit = inParts(({ query }, { length }) => {
  const shards = 1 + (length % 4);
  return Array.from({ length: shards }, (_, at) => questions.shard(query, at, shards));
});

/** Each group by its key; that of nobody is empty. */
const visitGroups: Visit = inParts(({ fast, asking, question, query }, expected) => {
  const keys = new Set(expected.map(({ twin }) => groupOf(asking.slow, twin, question.groupBy!)));
  const handles = [...keys].map((key) => (key === undefined ? undefined : handleOf(fast, key)));
  return [...handles, fast.nobody].map((key) => questions.group(query, key));
});

const VISITS: Readonly<Record<Exclude<QuestionWay, "counts" | "rows left">, Visit>> = {
  each: visitEach,
  rows: visitRows,
  collect: visitCollected,
  entities: visitEntities,
  eachRun: visitRuns,
  eachStretch: visitStretches,
  eachLevel: visitLevels,
  pages: visitPages,
  shards: visitShards,
  groups: visitGroups,
};

/** Takes the columns of plain terms out, and compares one row of them after the other. */
function columnsOf(
  { fast, asking, question, story }: Comparison,
  rows: LooseRun | LooseStretch,
): (twin: Twin, row: number) => void {
  const plain = question.terms.flatMap((term) => {
    const inner = term.kind === "maybe" ? term.term : term;
    if (inner.kind !== "has" || !carriesValue(inner.what) || inner.target === "Any") return [];
    if (isVariable(inner.target)) return []; // another pair for each answer
    if (term.kind === "maybe" && inner.target !== undefined) return [];
    const { what, target } = inner;
    const id = idOf(fast, what, target);
    const columns = term.kind === "maybe" ? rows.columnsIf(id) : rows.columns(id);
    return [{ what, target, columns }];
  });
  return (twin, row) => {
    for (const { what, target, columns } of plain) {
      const expected = has(asking.slow, twin, what, target)
        ? get(asking.slow, twin, what, target)
        : undefined;
      sameColumns(fast, what, columns, row, expected, () => `${story()}: column of ${what} of e${twin}`);
    }
  };
}

/** The columns of who is above, if there is one cascade alone: then it is clear whose rows are meant. */
function compareAbove(
  { fast, asking, question, story }: Comparison,
  stretch: LooseStretch,
  at: number,
  twin: Twin,
): void {
  const [cascade, second] = question.terms.filter((term) => term.kind === "cascade");
  if (cascade === undefined || second !== undefined) return;
  const holder = holderFor(asking, twin, cascade);
  const where = (): string => `${story()}: ${cascade.what} above e${twin}`;
  same(stretch.hasParents, holder !== undefined, where);
  if (holder === undefined) return;
  const columns = stretch.parentColumns(idOf(fast, cascade.what, undefined));
  const expected = get(asking.slow, holder, cascade.what);
  sameColumns(fast, cascade.what, columns, stretch.parentRows[at]!, expected, where);
}
