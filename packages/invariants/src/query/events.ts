/** What happens in a walk of questions, as plain data, and how it is done on both sides. */
import type { Entity } from "@treeline/core";
import { plainMemory, webAssemblyMemory } from "@treeline/core";
import { verbs } from "../base/entry-points.ts";
import { perform } from "../perform/perform.ts";
import { performSlowly } from "../perform/twin-steps.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { createFastWorld, handleOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import type { Command, Step } from "../step/step.ts";
import { stepText, textOf } from "../step/step.ts";
import { carriesValue, definitionOf, rules } from "../step/vocabulary.ts";
import type { SlowTerm, Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { createSlowWorld } from "../twin/world.ts";
import type { QuestionWay } from "./compare.ts";
import { compareQuestion, isLook } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import type { Copies } from "./copies.ts";
import { compareCopies } from "./copies.ts";
import { compareWritingLook } from "./own-writes.ts";
import { INDEXES, questions, toldQuestion, variableOf } from "./terms.ts";
import type { Asking, Question } from "./twin.ts";
import { answersTo, variablesIn } from "./twin.ts";
import type { Happenings, LastLook } from "./twin-changes.ts";
import { createHappenings, happenedSince, lookNow, noteDifferences, noteWritten } from "./twin-changes.ts";
import type { OwnWrites, Writing } from "./writes.ts";
import { write, writeSlowly } from "./writes.ts";

/** One event of a walk as plain data: it can be kept, printed, taken out and played again. */
export type QuestionEvent =
  | { readonly event: "step"; readonly step: Step }
  /** Asks a question that is kept in a slot; the one that was there is forgotten. */
  | { readonly event: "keep"; readonly slot: number; readonly question: Question }
  /** Perhaps it writes while it looks. */
  | {
      readonly event: "look";
      readonly slot: number;
      readonly way: QuestionWay;
      readonly writes?: OwnWrites;
      /** A slot with a question about changes, looked at before anything is written. */
      readonly meanwhile?: number;
    }
  | { readonly event: "write"; readonly writing: Writing }
  /** Hears who starts and who stops to answer, from now on; the one before is stopped. */
  | { readonly event: "monitor"; readonly question: Question }
  /** Asks a question once. */
  | { readonly event: "ask"; readonly question: Question; readonly way: QuestionWay }
  /** Looks, and lets other events happen while somebody is visited; changes wait for the end, or are refused. */
  | {
      readonly event: "inside";
      readonly slot: number;
      readonly way: QuestionWay;
      /** While which one is visited, from 0; if fewer come, nothing happens. */
      readonly at: number;
      readonly inner: readonly QuestionEvent[];
      readonly changes: readonly Command[];
    }
  /** Lets events happen while a listener is told of the step, which adds one tag or sets one value. */
  | { readonly event: "hear"; readonly step: Step; readonly inner: readonly QuestionEvent[] };

/** What a kept question is, and when it last looked. */
interface Kept {
  readonly question: Question;
  readonly query: object;
  /** The turn when it was asked. */
  readonly began: number;
  last: LastLook | undefined;
}

/** Who answers, as far as was told. */
interface Heard {
  readonly question: Question;
  readonly handles: Set<Entity>;
  readonly stop: () => void;
}

/** Both worlds, and what is asked of them. */
export interface TermPattern {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  readonly happenings: Happenings;
  readonly kept: Map<number, Kept>;
  heard: Heard | undefined;
  /** What was collected since the last change. */
  copies: Copies[];
  /** Changes inside visits are refused. */
  readonly isStrict: boolean;
}

export function createAsked(memory: "plain" | "wasm", isStrict: boolean): TermPattern {
  return {
    fast: createFastWorld({
      memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
      strict: isStrict,
      ifParentDestroyed: "destroy",
    }),
    slow: createSlowWorld(rules),
    happenings: createHappenings(),
    kept: new Map(),
    heard: undefined,
    copies: [],
    isStrict,
  };
}

/** Does it on both sides, and compares what there is to compare. */
export function takeEvent(asked: TermPattern, event: QuestionEvent): void {
  happen(asked, event);
  if (event.event === "step" || event.event === "hear" || event.event === "inside") compareHeard(asked);
}

/** Also while something else happens: then monitors may not have heard of it yet. */
function happen(asked: TermPattern, event: QuestionEvent): void {
  switch (event.event) {
    case "step":
      takeStep(asked, event.step);
      compareAllCopies(asked);
      return;
    case "hear":
      hear(asked, event);
      return;
    case "inside":
      lookInside(asked, event);
      return;
    case "monitor":
      listen(asked, event.question);
      return;
    case "write":
      write(asked, event.writing);
      compareAllCopies(asked);
      return;
    case "keep":
      keep(asked, event.slot, event.question);
      return;
    case "look": {
      const kept = asked.kept.get(event.slot);
      if (kept === undefined) return;
      if (event.writes === undefined) look(asked, kept, event.way);
      else lookAndWrite(asked, kept, event.way, event.writes, event.meanwhile);
      return;
    }
    case "ask": {
      const kept = begin(asked, event.question);
      try {
        look(asked, kept, event.way);
      } finally {
        questions.dispose(kept.query);
      }
    }
  }
}

/** The twin first: who is told of the step while it is done looks at both. Its terms name whoever they name, alive or dead. */
function takeStep({ fast, slow, happenings }: TermPattern, step: Step): void {
  slow.before.clear();
  const expected = performSlowly(slow, step);
  noteDifferences(happenings, slow);
  if (expected === undefined) {
    for (const [twin, { what }] of valuesWrittenBy(step)) {
      if (slow.living.has(twin) && carriesValue(what)) noteWritten(happenings, twin, what);
    }
  }
  const code = perform(fast, step);
  if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
}

/** Whoever is told of a change finds it done. */
function hear(asked: TermPattern, { step, inner }: Extract<QuestionEvent, { event: "hear" }>): void {
  const { fast } = asked;
  const what = step.verb === "set" ? step.term.what : step.verb === "add" ? step.terms[0]!.what : undefined;
  if (what === undefined) throw new Error(`${textOf(step)} is not heard of`);
  let failure: unknown;
  let isFirst = true;
  const stop = verbs.observe(
    fast.world,
    { [step.verb === "set" ? "set" : "added"]: definitionOf(what) },
    () => {
      if (!isFirst) return;
      isFirst = false;
      try {
        for (const event of inner) happen(asked, event);
      } catch (error) {
        failure = error;
      }
    },
  );
  try {
    takeStep(asked, step);
  } finally {
    stop();
  }
  if (failure !== undefined) throw failure;
}

/** What happens inside sees the world as it was when the visit began; what waits is done when it has ended. */
function lookInside(asked: TermPattern, event: Extract<QuestionEvent, { event: "inside" }>): void {
  const { fast, slow, happenings, isStrict } = asked;
  const kept = asked.kept.get(event.slot);
  if (kept === undefined) return;
  let left = event.at;
  const onGuest = (): void => {
    if (left-- !== 0) return;
    for (const change of event.changes) {
      const code = perform(fast, change);
      const expected = isStrict ? "iterating" : undefined;
      if (code !== expected) throw new Error(`inside a visit, ${stepText(change)}: ${code ?? "done"}`);
    }
    for (const inner of event.inner) happen(asked, inner);
  };
  look(asked, kept, event.way, onGuest);
  if (isStrict || left >= 0) return;
  for (const change of event.changes) {
    slow.before.clear();
    performSlowly(slow, change);
    noteDifferences(happenings, slow);
  }
}

/** Values that are told: `add` of what is there already, without a value, writes nothing. */
function valuesWrittenBy(step: Step): (readonly [Twin, SlowTerm])[] {
  if (step.verb === "set") return [[step.entity, step.term]];
  if (step.verb === "rename") return [[step.entity, { what: "Name" }]];
  if (step.verb !== "add") return [];
  return step.terms.filter(({ value }) => value !== undefined).map((term) => [step.entity, term] as const);
}

function begin({ fast, happenings }: TermPattern, question: Question): Kept {
  const query = questions.query(fast.world, ...toldQuestion(fast, question));
  return { question, query, began: happenings.turn, last: undefined };
}

/** Equal questions share a query, which has one setting. */
function bindAll(fast: FastWorld, { question, query }: Kept): void {
  for (const name of variablesIn(question.terms)) {
    const twin = question.bound?.[name];
    questions.bind(query, variableOf(name), twin === undefined ? undefined : handleOf(fast, twin));
  }
}

function keep(asked: TermPattern, slot: number, question: Question): void {
  const former = asked.kept.get(slot);
  if (former !== undefined) questions.dispose(former.query);
  asked.kept.delete(slot);
  asked.kept.set(slot, begin(asked, question));
}

/** Has looked as soon as it begins: who asks again meanwhile sees nothing new. */
function look(asked: TermPattern, kept: Kept, way: QuestionWay, onGuest?: () => void): void {
  const { fast, slow, happenings } = asked;
  const world = worldOf(fast, slow);
  const asking: Asking = { ...world, ...happenedSince(happenings, slow, kept.last, kept.began) };
  bindAll(fast, kept);
  if (isLook(way)) kept.last = lookNow(happenings, world, kept.question);
  const rows = compareQuestion(fast, asking, kept.question, kept.query, way, onGuest);
  if (rows === undefined) return;
  asked.copies.push({ question: kept.question, rows, expected: answersTo(asking, kept.question) });
}

/** What it writes itself is news to others only; but if others have looked while it visits, to itself as well. */
function lookAndWrite(
  asked: TermPattern,
  kept: Kept,
  way: QuestionWay,
  own: OwnWrites,
  meanwhile: number | undefined,
): void {
  const { fast, slow, happenings } = asked;
  const { question, query } = kept;
  const world = worldOf(fast, slow);
  const asking: Asking = { ...world, ...happenedSince(happenings, slow, kept.last, kept.began) };
  bindAll(fast, kept);
  const before = lookNow(happenings, world, question);
  const other = meanwhile === undefined ? undefined : asked.kept.get(meanwhile);
  let isAlone = true;
  const onGuest = (): void => {
    if (isAlone && other !== undefined && other !== kept) {
      isAlone = false;
      look(asked, other, "each");
    }
  };
  const story = (): string => `${way} of ${textOf(question)}, which writes ${textOf(own)}`;
  const comparison: Comparison = { fast, asking, question, query, story, onGuest };
  const written = compareWritingLook(comparison, way, own);
  for (const twin of written) writeSlowly(asked, twin, own.what, { [own.field]: own.value });
  kept.last = isAlone ? lookNow(happenings, world, question) : before;
  compareAllCopies(asked);
}

function compareAllCopies(asked: TermPattern): void {
  for (const copies of asked.copies) compareCopies(asked.fast, copies);
  asked.copies = [];
}

/** Told twice, or told to leave without having come, is wrong whatever the twin says. */
function listen(asked: TermPattern, question: Question): void {
  const { fast } = asked;
  asked.heard?.stop();
  const query = questions.query(fast.world, ...toldQuestion(fast, question));
  // Told before the step has given names to its newborns: they are looked up when they are compared.
  const handles = new Set<Entity>();
  const told = (isRight: boolean, entity: Entity): void => {
    if (!isRight)
      throw new Error(`a monitor of ${textOf(question)} told of ${entity} twice, or never before`);
  };
  const stop = questions.monitor(
    query,
    {
      entered: (entity) => {
        told(!handles.has(entity), entity);
        handles.add(entity);
      },
      left: (entity) => told(handles.delete(entity), entity),
    },
    { yieldExisting: true },
  );
  questions.dispose(query);
  asked.heard = { question, handles, stop };
  compareHeard(asked);
}

function compareHeard({ fast, slow, happenings, heard }: TermPattern): void {
  if (heard === undefined) return;
  const asking: Asking = { ...worldOf(fast, slow), ...happenedSince(happenings, slow, undefined) };
  const expected = answersTo(asking, heard.question).map(({ twin }) => twin);
  const told = [...heard.handles].map((handle) => fast.twins.get(handle) ?? 0);
  const inTurn = (one: Twin, other: Twin): number => one - other;
  same(told.sort(inTurn), expected.sort(inTurn), () => `a monitor of ${textOf(heard.question)}`);
}

export function forgetAll({ kept, heard }: TermPattern): void {
  heard?.stop();
  for (const { query } of kept.values()) questions.dispose(query);
  kept.clear();
}

/** What the naive twin is asked with, but for what has happened. */
export function worldOf(fast: FastWorld, slow: SlowWorld): Pick<Asking, "slow" | "indexOf"> {
  return { slow, indexOf: (twin) => handleOf(fast, twin) % INDEXES };
}
