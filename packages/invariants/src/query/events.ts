/** The events of a query walk, as plain data, and how both worlds perform them. */
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
import type { Storages } from "../step/storages.ts";
import { carriesValue, definitionOf, rules } from "../step/vocabulary.ts";
import type { NaiveTerm, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { createNaiveWorld, has, isAlive } from "../twin/world.ts";
import type { QueryMethod } from "./compare.ts";
import { compareQuery, marksRead } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import type { Copies } from "./copies.ts";
import { compareCopies } from "./copies.ts";
import { compareWritingRead } from "./own-writes.ts";
import { engine, INDEXES, realQuery, variableOf } from "./terms.ts";
import type { QueryContext, QueryDescription } from "./twin.ts";
import { matchesOf, variablesIn } from "./twin.ts";
import type { ChangeLog, LastRead, UnreadOfDisabled } from "./twin-changes.ts";
import {
  changesSince,
  createChangeLog,
  keepUnread,
  noteDifferences,
  noteWritten,
  readNow,
} from "./twin-changes.ts";
import { groupOf, isGrouping } from "./twin-order.ts";
import type { OwnWrites, Writing } from "./writes.ts";
import { fieldsAfter, write, writeNaively } from "./writes.ts";

/** One event of a walk as plain data: it can be stored, printed, removed and replayed. */
export type QueryEvent =
  | { readonly event: "step"; readonly step: Step }
  /** Creates a query in a slot; the former one is disposed of. */
  | { readonly event: "keep"; readonly slot: number; readonly description: QueryDescription }
  /** Iterates the query of a slot; may write values meanwhile. */
  | {
      readonly event: "read";
      readonly slot: number;
      readonly method: QueryMethod;
      readonly writes?: OwnWrites;
      /** A slot whose query has change terms, read before anything is written. */
      readonly meanwhile?: number;
    }
  | { readonly event: "write"; readonly writing: Writing }
  /** Observes which entities start and stop to match, from now on; the former monitor is stopped. */
  | { readonly event: "monitor"; readonly description: QueryDescription }
  /** Observes which groups begin and end, from now on; the former monitor of groups is stopped. */
  | { readonly event: "monitorGroups"; readonly description: QueryDescription }
  /** Creates a query and iterates it once. */
  | { readonly event: "query"; readonly description: QueryDescription; readonly method: QueryMethod }
  /** Iterates a query, and performs other events during one match; changes are deferred to the end, or refused. */
  | {
      readonly event: "inside";
      readonly slot: number;
      readonly method: QueryMethod;
      /** The number of that match, from 0; if there are fewer, nothing is performed. */
      readonly at: number;
      readonly inner: readonly QueryEvent[];
      readonly changes: readonly Command[];
    }
  /** Performs events while an observer is notified of the step, which adds one tag or sets one value. */
  | { readonly event: "observe"; readonly step: Step; readonly inner: readonly QueryEvent[] };

/** A query that is kept, and its last read. */
interface Kept {
  readonly description: QueryDescription;
  readonly query: object;
  /** The turn when it was created. */
  readonly began: number;
  last: LastRead | undefined;
  /** What was unread of disabled entities at the last read. */
  unread: UnreadOfDisabled;
}

/** The entities that match, according to the monitor. */
interface Monitored {
  readonly description: QueryDescription;
  readonly handles: Set<Entity>;
  readonly stop: () => void;
}

/** The keys of the groups that there are, according to the monitor. */
interface MonitoredGroups {
  readonly description: QueryDescription;
  readonly keys: Set<unknown>;
  readonly stop: () => void;
}

/** Both worlds, and their queries. */
export interface WalkState {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  readonly changeLog: ChangeLog;
  readonly kept: Map<number, Kept>;
  monitored: Monitored | undefined;
  monitoredGroups: MonitoredGroups | undefined;
  /** Rows collected since the last change. */
  copies: Copies[];
  /** Changes inside iterations are refused. */
  readonly isStrict: boolean;
}

export function createWalkState(
  memory: "plain" | "wasm",
  isStrict: boolean,
  storages: Storages = {},
): WalkState {
  return {
    real: createRealWorld({
      memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
      strict: isStrict,
      ifParentDestroyed: "destroy",
      storages,
    }),
    naive: createNaiveWorld(rules),
    changeLog: createChangeLog(),
    kept: new Map(),
    monitored: undefined,
    monitoredGroups: undefined,
    copies: [],
    isStrict,
  };
}

/** Performs the event in both worlds, and compares the results. */
export function takeEvent(state: WalkState, event: QueryEvent): void {
  runEvent(state, event);
  if (event.event !== "step" && event.event !== "observe" && event.event !== "inside") return;
  compareMonitored(state);
  compareMonitoredGroups(state);
}

/** Also called during other events: monitors may not be up to date then. */
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
      startMonitor(state, event.description);
      return;
    case "monitorGroups":
      startMonitorOfGroups(state, event.description);
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
      const kept = createKept(state, event.description);
      try {
        readQuery(state, kept, event.method);
      } finally {
        engine.dispose(kept.query);
      }
    }
  }
}

/** The twin first: an observer that is notified during the step reads both worlds. Terms may name any entity, alive or not. */
function takeStep({ real, naive, changeLog }: WalkState, step: Step): void {
  naive.before.clear();
  naive.completed.clear();
  const expected = performNaively(naive, step);
  noteDifferences(changeLog, naive);
  if (expected === undefined) {
    for (const [twin, { what }] of valuesWrittenBy(naive, step)) {
      if (naive.living.has(twin) && carriesValue(what)) noteWritten(changeLog, twin, what);
    }
  }
  const code = perform(real, step);
  if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
}

/** Observers are notified after the change is done. */
function observeStep(state: WalkState, { step, inner }: Extract<QueryEvent, { event: "observe" }>): void {
  const { real } = state;
  const what = step.verb === "set" ? step.term.what : step.verb === "add" ? step.terms[0]!.what : undefined;
  if (what === undefined) throw new Error(`${textOf(step)} is not observed`);
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

/** Inner events see the world as it was when the iteration began; deferred commands run when it has ended. */
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
      if (code !== expected) throw new Error(`inside an iteration, ${stepText(change)}: ${code ?? "done"}`);
    }
    for (const inner of event.inner) runEvent(state, inner);
  };
  readQuery(state, kept, event.method, onMatch);
  if (isStrict || left >= 0) return;
  for (const change of event.changes) {
    naive.before.clear();
    naive.completed.clear();
    performNaively(naive, change);
    noteDifferences(changeLog, naive);
  }
}

/** Values that are reported as written: `add` of an existing component without a value writes nothing. */
function valuesWrittenBy(naive: NaiveWorld, step: Step): (readonly [Twin, NaiveTerm])[] {
  if (step.verb === "set") return [[step.entity, step.term]];
  if (step.verb === "patch") {
    const { what, target } = step.term;
    const isThere = isAlive(naive, step.entity) && has(naive, step.entity, what, target);
    return isThere ? [[step.entity, step.term]] : [];
  }
  if (step.verb === "rename") return [[step.entity, { what: "Name" }]];
  if (step.verb === "addMany") {
    const given = step.terms.filter(({ value }) => value !== undefined);
    return step.list.flatMap((entity) => given.map((term) => [entity, term] as const));
  }
  if (step.verb === "nameMany") return step.list.map((entity) => [entity, { what: "Name" }] as const);
  if (step.verb !== "add") return [];
  return step.terms.filter(({ value }) => value !== undefined).map((term) => [step.entity, term] as const);
}

function createKept({ real, changeLog }: WalkState, description: QueryDescription): Kept {
  const query = engine.query(real.world, ...realQuery(real, description));
  return { description, query, began: changeLog.turn, last: undefined, unread: new Map() };
}

/** Equal descriptions share a query, and so its bound variables. */
function bindAll(real: RealWorld, { description, query }: Kept): void {
  for (const name of variablesIn(description.terms)) {
    const twin = description.bound?.[name];
    if (twin === undefined) engine.unbind(query, variableOf(name));
    else engine.bind(query, variableOf(name), handleOf(real, twin));
  }
}

function keep(state: WalkState, slot: number, description: QueryDescription): void {
  const former = state.kept.get(slot);
  if (former !== undefined) engine.dispose(former.query);
  state.kept.delete(slot);
  state.kept.set(slot, createKept(state, description));
}

/** Marks changes as read when the iteration begins: a nested read of the same query sees no changes. */
function readQuery(state: WalkState, kept: Kept, method: QueryMethod, onMatch?: () => void): void {
  const { real, naive, changeLog } = state;
  const world = worldOf(real, naive);
  const context: QueryContext = {
    ...world,
    ...changesSince(changeLog, naive, kept.last, kept.began, kept.unread),
  };
  bindAll(real, kept);
  if (marksRead(method)) {
    const now = readNow(changeLog, world, kept.description);
    kept.unread = keepUnread(naive, kept.description, kept.unread, kept.last, now);
    kept.last = now;
  }
  const rows = compareQuery(real, context, kept.description, kept.query, method, onMatch);
  if (rows === undefined) return;
  state.copies.push({ description: kept.description, rows, expected: matchesOf(context, kept.description) });
}

/**
 * A read does not report its own writes, but other queries do. If another query has been read during the iteration, the own
 * writes are reported as well.
 */
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
  const context: QueryContext = {
    ...world,
    ...changesSince(changeLog, naive, kept.last, kept.began, kept.unread),
  };
  bindAll(real, kept);
  const before = readNow(changeLog, world, description);
  kept.unread = keepUnread(naive, description, kept.unread, kept.last, before);
  const other = meanwhile === undefined ? undefined : state.kept.get(meanwhile);
  let isOnlyReader = true;
  const onMatch = (): void => {
    if (isOnlyReader && other !== undefined && other !== kept) {
      isOnlyReader = false;
      readQuery(state, other, "each");
    }
  };
  const label = (): string => `${method} of ${textOf(description)}, which writes ${textOf(own)}`;
  const comparison: Comparison = { real, context, description, query, label, onMatch };
  const written = compareWritingRead(comparison, method, own);
  for (const twin of written) writeNaively(state, twin, own.what, fieldsAfter(state, twin, own));
  kept.last = isOnlyReader ? readNow(changeLog, world, description) : before;
  compareAllCopies(state);
}

function compareAllCopies(state: WalkState): void {
  for (const copies of state.copies) compareCopies(state.real, copies);
  state.copies = [];
}

/** A second "entered", or "left" without "entered", is an error whatever the twin says. */
function startMonitor(state: WalkState, description: QueryDescription): void {
  const { real } = state;
  state.monitored?.stop();
  const query = engine.query(real.world, ...realQuery(real, description));
  // Observed before the step has assigned twins to its spawned entities: the comparison looks them up.
  const handles = new Set<Entity>();
  const check = (isRight: boolean, entity: Entity): void => {
    if (!isRight)
      throw new Error(`a monitor of ${textOf(description)} reported ${entity} twice, or never before`);
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
  const actual = [...monitored.handles].map((handle) => real.twins.get(handle) ?? 0);
  const ascending = (one: Twin, other: Twin): number => one - other;
  same(
    actual.sort(ascending),
    expected.sort(ascending),
    () => `a monitor of ${textOf(monitored.description)}`,
  );
}

function startMonitorOfGroups(state: WalkState, description: QueryDescription): void {
  const { real } = state;
  state.monitoredGroups?.stop();
  const query = engine.query(real.world, ...realQuery(real, description));
  const keys = new Set<unknown>();
  const check = (isRight: boolean, key: unknown): void => {
    if (!isRight) throw new Error(`groups of ${textOf(description)}: ${key} reported twice, or never before`);
  };
  const stop = engine.monitorGroups(
    query,
    {
      began: (key) => {
        check(!keys.has(key), key);
        keys.add(key);
      },
      ended: (key) => check(keys.delete(key), key),
    },
    { yieldExisting: true },
  );
  engine.dispose(query);
  state.monitoredGroups = { description, keys, stop };
  compareMonitoredGroups(state);
}

function compareMonitoredGroups({ real, naive, changeLog, monitoredGroups }: WalkState): void {
  if (monitoredGroups === undefined) return;
  const { description, keys } = monitoredGroups;
  const by = description.groupBy!;
  const context: QueryContext = { ...worldOf(real, naive), ...changesSince(changeLog, naive, undefined) };
  const expected = matchesOf(context, description).map(({ twin }) => String(groupOf(context, twin, by)));
  const nameOfKey = (key: unknown): string =>
    String(isGrouping(by) || key === undefined ? key : real.twins.get(key as Entity));
  same(
    [...keys].map(nameOfKey).sort(),
    [...new Set(expected)].sort(),
    () => `a monitor of the groups of ${textOf(description)}`,
  );
}

export function disposeAll({ kept, monitored, monitoredGroups }: WalkState): void {
  monitored?.stop();
  monitoredGroups?.stop();
  for (const { query } of kept.values()) engine.dispose(query);
  kept.clear();
}

/** The context of twin queries, without changes. */
export function worldOf(real: RealWorld, naive: NaiveWorld): Pick<QueryContext, "naive" | "indexOf"> {
  return { naive, indexOf: (twin) => handleOf(real, twin) % INDEXES };
}
