/** What happens in a walk of questions, as plain data, and how it is done on both sides. */
import type { Entity } from "@treeline/core";
import { plainMemory, webAssemblyMemory } from "@treeline/core";
import type { QuestionWay } from "./compare-questions.ts";
import { compareQuestion, isLook } from "./compare-questions.ts";
import type { FastWorld } from "./fast-world.ts";
import { createFastWorld, handleOf } from "./fast-world.ts";
import { perform } from "./perform.ts";
import { questions, toldQuestion, variableOf } from "./question-terms.ts";
import type { Writing } from "./question-writes.ts";
import { write } from "./question-writes.ts";
import { same } from "./same.ts";
import type { Happenings, LastLook } from "./slow-happenings.ts";
import { createHappenings, happenedSince, lookNow, noteDifferences, noteWritten } from "./slow-happenings.ts";
import type { Asking, Question } from "./slow-question.ts";
import { answersTo, variablesIn } from "./slow-question.ts";
import type { SlowTerm, Twin } from "./slow-rules.ts";
import { performSlowly } from "./slow-steps.ts";
import type { SlowWorld } from "./slow-world.ts";
import { createSlowWorld } from "./slow-world.ts";
import type { Step } from "./step.ts";
import { textOf } from "./step.ts";
import { carriesValue, rules } from "./vocabulary.ts";

/** One event of a walk as plain data: it can be kept, printed, taken out and played again. */
export type QuestionEvent =
  | { readonly event: "step"; readonly step: Step }
  /** Asks a question that is kept in a slot; the one that was there is forgotten. */
  | { readonly event: "keep"; readonly slot: number; readonly question: Question }
  | { readonly event: "look"; readonly slot: number; readonly way: QuestionWay }
  | { readonly event: "write"; readonly writing: Writing }
  /** Hears who starts and who stops to answer, from now on; the one before is stopped. */
  | { readonly event: "monitor"; readonly question: Question }
  /** Asks a question once. */
  | { readonly event: "ask"; readonly question: Question; readonly way: QuestionWay };

const INDEXES = 2 ** 24;

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
export interface Asked {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  readonly happenings: Happenings;
  readonly kept: Map<number, Kept>;
  heard: Heard | undefined;
}

export function createAsked(memory: "plain" | "wasm"): Asked {
  return {
    fast: createFastWorld({
      memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
      strict: false,
      deadParent: "destroy",
    }),
    slow: createSlowWorld(rules),
    happenings: createHappenings(),
    kept: new Map(),
    heard: undefined,
  };
}

export function takeEvent(asked: Asked, event: QuestionEvent): void {
  switch (event.event) {
    case "step":
      takeStep(asked, event.step);
      compareHeard(asked);
      return;
    case "monitor":
      listen(asked, event.question);
      return;
    case "write":
      write(asked, event.writing);
      return;
    case "keep":
      keep(asked, event.slot, event.question);
      return;
    case "look": {
      const kept = asked.kept.get(event.slot);
      if (kept !== undefined) look(asked, kept, event.way);
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

/** The same on both sides; its terms name whoever they name, alive or dead. */
function takeStep({ fast, slow, happenings }: Asked, step: Step): void {
  slow.before.clear();
  const expected = performSlowly(slow, step);
  const code = perform(fast, step);
  if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
  noteDifferences(happenings, slow);
  if (code !== undefined) return;
  for (const [twin, { what }] of valuesWrittenBy(step)) {
    if (slow.living.has(twin) && carriesValue(what)) noteWritten(happenings, twin, what);
  }
}

/** Values that are told: `add` of what is there already, without a value, writes nothing. */
function valuesWrittenBy(step: Step): (readonly [Twin, SlowTerm])[] {
  if (step.verb === "set") return [[step.entity, step.term]];
  if (step.verb === "rename") return [[step.entity, { what: "Name" }]];
  if (step.verb !== "add") return [];
  return step.terms.filter(({ value }) => value !== undefined).map((term) => [step.entity, term] as const);
}

function begin({ fast, happenings }: Asked, question: Question): Kept {
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

function keep(asked: Asked, slot: number, question: Question): void {
  const former = asked.kept.get(slot);
  if (former !== undefined) questions.dispose(former.query);
  asked.kept.delete(slot);
  asked.kept.set(slot, begin(asked, question));
}

function look({ fast, slow, happenings }: Asked, kept: Kept, way: QuestionWay): void {
  const world = worldOf(fast, slow);
  const asking: Asking = { ...world, ...happenedSince(happenings, slow, kept.last, kept.began) };
  bindAll(fast, kept);
  compareQuestion(fast, asking, kept.question, kept.query, way);
  if (isLook(way)) kept.last = lookNow(happenings, world, kept.question);
}

/** Told twice, or told to leave without having come, is wrong whatever the twin says. */
function listen(asked: Asked, question: Question): void {
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

function compareHeard({ fast, slow, happenings, heard }: Asked): void {
  if (heard === undefined) return;
  const asking: Asking = { ...worldOf(fast, slow), ...happenedSince(happenings, slow, undefined) };
  const expected = answersTo(asking, heard.question).map(({ twin }) => twin);
  const told = [...heard.handles].map((handle) => fast.twins.get(handle) ?? 0);
  const inTurn = (one: Twin, other: Twin): number => one - other;
  same(told.sort(inTurn), expected.sort(inTurn), () => `a monitor of ${textOf(heard.question)}`);
}

export function forgetAll({ kept, heard }: Asked): void {
  heard?.stop();
  for (const { query } of kept.values()) questions.dispose(query);
  kept.clear();
}

/** What the naive twin is asked with, but for what has happened. */
export function worldOf(fast: FastWorld, slow: SlowWorld): Pick<Asking, "slow" | "indexOf"> {
  return { slow, indexOf: (twin) => handleOf(fast, twin) % INDEXES };
}
