/** What happens in a walk of questions, as plain data, and how it is done on both sides. */
import type { Entity } from "@treeline/core";
import { plainMemory, webAssemblyMemory } from "@treeline/core";
import { verbs } from "../base/entry-points.ts";
import { perform } from "../perform/perform.ts";
import { performNaively } from "../perform/twin-steps.ts";
import type { RealWorld } from "../step/real-world.ts";
import { createRealWorld, handleOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Command, Step } from "../step/step.ts";
import { stepText, textOf } from "../step/step.ts";
import { carriesValue, definitionOf, rules } from "../step/vocabulary.ts";
import type { NaiveTerm, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { createNaiveWorld } from "../twin/world.ts";
import type { QueryMethod } from "./compare.ts";
import { compareQuery, marksRead } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import type { Copies } from "./copies.ts";
import { compareCopies } from "./copies.ts";
import { compareWritingRead } from "./own-writes.ts";
import { engine, INDEXES, realQuery, variableOf } from "./terms.ts";
import type { QueryContext, QueryDescription } from "./twin.ts";
import { matchesOf, variablesIn } from "./twin.ts";
import type { ChangeLog, LastRead } from "./twin-changes.ts";
import { changesSince, createChangeLog, noteDifferences, noteWritten, readNow } from "./twin-changes.ts";
import type { OwnWrites, Writing } from "./writes.ts";
import { write, writeNaively } from "./writes.ts";

/** One event of a walk as plain data: it can be kept, printed, taken out and played again. */
export type QueryEvent =
  | { readonly event: "step"; readonly step: Step }
  /** Asks a question that is kept in a slot; the one that was there is forgotten. */
  | { readonly event: "keep"; readonly slot: number; readonly description: QueryDescription }
  /** Perhaps it writes while it looks. */
  | {
      readonly event: "read";
      readonly slot: number;
      readonly method: QueryMethod;
      readonly writes?: OwnWrites;
      /** A slot with a question about changes, looked at before anything is written. */
      readonly meanwhile?: number;
    }
  | { readonly event: "write"; readonly writing: Writing }
  /** Hears who starts and who stops to answer, from now on; the one before is stopped. */
  | { readonly event: "monitor"; readonly description: QueryDescription }
  /** Asks a question once. */
  | { readonly event: "query"; readonly description: QueryDescription; readonly method: QueryMethod }
  /** Looks, and lets other events happen while somebody is visited; changes wait for the end, or are refused. */
  | {
      readonly event: "inside";
      readonly slot: number;
      readonly method: QueryMethod;
      /** While which one is visited, from 0; if fewer come, nothing happens. */
      readonly at: number;
      readonly inner: readonly QueryEvent[];
      readonly changes: readonly Command[];
    }
  /** Lets events happen while a listener is told of the step, which adds one tag or sets one value. */
  | { readonly event: "observe"; readonly step: Step; readonly inner: readonly QueryEvent[] };

/** What a kept question is, and when it last looked. */
interface Kept {
  readonly description: QueryDescription;
  readonly query: object;
  /** The turn when it was asked. */
  readonly began: number;
  last: LastRead | undefined;
}

/** Who answers, as far as was told. */
interface Monitored {
  readonly description: QueryDescription;
  readonly handles: Set<Entity>;
  readonly stop: () => void;
}

/** Both worlds, and what is asked of them. */
export interface WalkState {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  readonly changeLog: ChangeLog;
  readonly kept: Map<number, Kept>;
  monitored: Monitored | undefined;
  /** What was collected since the last change. */
  copies: Copies[];
  /** Changes inside visits are refused. */
  readonly isStrict: boolean;
}

export function createWalkState(memory: "plain" | "wasm", isStrict: boolean): WalkState {
  return {
    real: createRealWorld({
      memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
      strict: isStrict,
      ifParentDestroyed: "destroy",
    }),
    naive: createNaiveWorld(rules),
    changeLog: createChangeLog(),
    kept: new Map(),
    monitored: undefined,
    copies: [],
    isStrict,
  };
}

/** Does it on both sides, and compares what there is to compare. */
export function takeEvent(state: WalkState, event: QueryEvent): void {
  runEvent(state, event);
  if (event.event === "step" || event.event === "observe" || event.event === "inside")
    compareMonitored(state);
}

/** Also while something else happens: then monitors may not have heard of it yet. */
function runEvent(state: WalkState, event: QueryEvent): void {
  switch (event.event) {
    case "step":
      takeStep(state, event.step);
      compareAllCopies(state);
      return;
    case "observe":
      observeStep(state, event);
      return;
    case "inside":
      readInside(state, event);
      return;
    case "monitor":
      listen(state, event.description);
      return;
    case "write":
      write(state, event.writing);
      compareAllCopies(state);
      return;
    case "keep":
      keep(state, event.slot, event.description);
      return;
    case "read": {
      const kept = state.kept.get(event.slot);
      if (kept === undefined) return;
      if (event.writes === undefined) readQuery(state, kept, event.method);
      else readAndWrite(state, kept, event.method, event.writes, event.meanwhile);
      return;
    }
    case "query": {
      const kept = begin(state, event.description);
      try {
        readQuery(state, kept, event.method);
      } finally {
        engine.dispose(kept.query);
      }
    }
  }
}

/** The twin first: who is told of the step while it is done looks at both. Its terms name whoever they name, alive or dead. */
function takeStep({ real, naive, changeLog }: WalkState, step: Step): void {
  naive.before.clear();
  const expected = performNaively(naive, step);
  noteDifferences(changeLog, naive);
  if (expected === undefined) {
    for (const [twin, { what }] of valuesWrittenBy(step)) {
      if (naive.living.has(twin) && carriesValue(what)) noteWritten(changeLog, twin, what);
    }
  }
  const code = perform(real, step);
  if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
}

/** Whoever is told of a change finds it done. */
function observeStep(state: WalkState, { step, inner }: Extract<QueryEvent, { event: "observe" }>): void {
  const { real } = state;
  const what = step.verb === "set" ? step.term.what : step.verb === "add" ? step.terms[0]!.what : undefined;
  if (what === undefined) throw new Error(`${textOf(step)} is not heard of`);
  let failure: unknown;
  let isFirst = true;
  const stop = verbs.observe(
    real.world,
    { [step.verb === "set" ? "set" : "added"]: definitionOf(what) },
    () => {
      if (!isFirst) return;
      isFirst = false;
      try {
        for (const event of inner) runEvent(state, event);
      } catch (error) {
        failure = error;
      }
    },
  );
  try {
    takeStep(state, step);
  } finally {
    stop();
  }
  if (failure !== undefined) throw failure;
}

/** What happens inside sees the world as it was when the visit began; what waits is done when it has ended. */
function readInside(state: WalkState, event: Extract<QueryEvent, { event: "inside" }>): void {
  const { real, naive, changeLog, isStrict } = state;
  const kept = state.kept.get(event.slot);
  if (kept === undefined) return;
  let left = event.at;
  const onMatch = (): void => {
    if (left-- !== 0) return;
    for (const change of event.changes) {
      const code = perform(real, change);
      const expected = isStrict ? "iterating" : undefined;
      if (code !== expected) throw new Error(`inside a visit, ${stepText(change)}: ${code ?? "done"}`);
    }
    for (const inner of event.inner) runEvent(state, inner);
  };
  readQuery(state, kept, event.method, onMatch);
  if (isStrict || left >= 0) return;
  for (const change of event.changes) {
    naive.before.clear();
    performNaively(naive, change);
    noteDifferences(changeLog, naive);
  }
}

/** Values that are told: `add` of what is there already, without a value, writes nothing. */
function valuesWrittenBy(step: Step): (readonly [Twin, NaiveTerm])[] {
  if (step.verb === "set") return [[step.entity, step.term]];
  if (step.verb === "rename") return [[step.entity, { what: "Name" }]];
  if (step.verb !== "add") return [];
  return step.terms.filter(({ value }) => value !== undefined).map((term) => [step.entity, term] as const);
}

function begin({ real, changeLog }: WalkState, description: QueryDescription): Kept {
  const query = engine.query(real.world, ...realQuery(real, description));
  return { description, query, began: changeLog.turn, last: undefined };
}

/** Equal questions share a query, which has one setting. */
function bindAll(real: RealWorld, { description, query }: Kept): void {
  for (const name of variablesIn(description.terms)) {
    const twin = description.bound?.[name];
    engine.bind(query, variableOf(name), twin === undefined ? undefined : handleOf(real, twin));
  }
}

function keep(state: WalkState, slot: number, description: QueryDescription): void {
  const former = state.kept.get(slot);
  if (former !== undefined) engine.dispose(former.query);
  state.kept.delete(slot);
  state.kept.set(slot, begin(state, description));
}

/** Has looked as soon as it begins: who asks again meanwhile sees nothing new. */
function readQuery(state: WalkState, kept: Kept, method: QueryMethod, onMatch?: () => void): void {
  const { real, naive, changeLog } = state;
  const world = worldOf(real, naive);
  const context: QueryContext = { ...world, ...changesSince(changeLog, naive, kept.last, kept.began) };
  bindAll(real, kept);
  if (marksRead(method)) kept.last = readNow(changeLog, world, kept.description);
  const rows = compareQuery(real, context, kept.description, kept.query, method, onMatch);
  if (rows === undefined) return;
  state.copies.push({ description: kept.description, rows, expected: matchesOf(context, kept.description) });
}

/** What it writes itself is news to others only; but if others have looked while it visits, to itself as well. */
function readAndWrite(
  state: WalkState,
  kept: Kept,
  method: QueryMethod,
  own: OwnWrites,
  meanwhile: number | undefined,
): void {
  const { real, naive, changeLog } = state;
  const { description, query } = kept;
  const world = worldOf(real, naive);
  const context: QueryContext = { ...world, ...changesSince(changeLog, naive, kept.last, kept.began) };
  bindAll(real, kept);
  const before = readNow(changeLog, world, description);
  const other = meanwhile === undefined ? undefined : state.kept.get(meanwhile);
  let isAlone = true;
  const onMatch = (): void => {
    if (isAlone && other !== undefined && other !== kept) {
      isAlone = false;
      readQuery(state, other, "each");
    }
  };
  const label = (): string => `${method} of ${textOf(description)}, which writes ${textOf(own)}`;
  const comparison: Comparison = { real, context, description, query, label, onMatch };
  const written = compareWritingRead(comparison, method, own);
  for (const twin of written) writeNaively(state, twin, own.what, { [own.field]: own.value });
  kept.last = isAlone ? readNow(changeLog, world, description) : before;
  compareAllCopies(state);
}

function compareAllCopies(state: WalkState): void {
  for (const copies of state.copies) compareCopies(state.real, copies);
  state.copies = [];
}

/** Told twice, or told to leave without having come, is wrong whatever the twin says. */
function listen(state: WalkState, description: QueryDescription): void {
  const { real } = state;
  state.monitored?.stop();
  const query = engine.query(real.world, ...realQuery(real, description));
  // Told before the step has given names to its newborns: they are looked up when they are compared.
  const handles = new Set<Entity>();
  const check = (isRight: boolean, entity: Entity): void => {
    if (!isRight)
      throw new Error(`a monitor of ${textOf(description)} told of ${entity} twice, or never before`);
  };
  const stop = engine.monitor(
    query,
    {
      entered: (entity) => {
        check(!handles.has(entity), entity);
        handles.add(entity);
      },
      left: (entity) => check(handles.delete(entity), entity),
    },
    { yieldExisting: true },
  );
  engine.dispose(query);
  state.monitored = { description, handles, stop };
  compareMonitored(state);
}

function compareMonitored({ real, naive, changeLog, monitored }: WalkState): void {
  if (monitored === undefined) return;
  const context: QueryContext = { ...worldOf(real, naive), ...changesSince(changeLog, naive, undefined) };
  const expected = matchesOf(context, monitored.description).map(({ twin }) => twin);
  const check = [...monitored.handles].map((handle) => real.twins.get(handle) ?? 0);
  const ascending = (one: Twin, other: Twin): number => one - other;
  same(
    check.sort(ascending),
    expected.sort(ascending),
    () => `a monitor of ${textOf(monitored.description)}`,
  );
}

export function forgetAll({ kept, monitored }: WalkState): void {
  monitored?.stop();
  for (const { query } of kept.values()) engine.dispose(query);
  kept.clear();
}

/** What the naive twin is asked with, but for what has happened. */
export function worldOf(real: RealWorld, naive: NaiveWorld): Pick<QueryContext, "naive" | "indexOf"> {
  return { naive, indexOf: (twin) => handleOf(real, twin) % INDEXES };
}
