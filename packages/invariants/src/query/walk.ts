/**
 * Random walks over queries of every kind. After every change they evaluate kept and new queries in the real world and in the
 * naive twin. Separate dice choose the queries.
 *
 * @example
 * queryWalk({ seed: 7, steps: 60 });                                       // throws at the first difference
 * console.log(shortestEvents({ seed: 7, steps: 60 }).map(textOf).join("\n")); // the few events that matter
 */

import type { Dice } from "../base/dice.ts";
import { createDice } from "../base/dice.ts";
import { chooseStep } from "../choose/choose.ts";
import { createListDice } from "../choose/lists.ts";
import type { Chooser, WalkKind } from "../choose/terms.ts";
import { createPalette, shuffled } from "../choose/terms.ts";
import { compareInvariants } from "../compare/compare.ts";
import type { Step } from "../step/step.ts";
import { stepText, textOf } from "../step/step.ts";
import { drawStorages, type Storages } from "../step/storages.ts";
import {
  chooseDescription,
  chooseMonitored,
  chooseMonitoredGroups,
  chooseOrdered,
  chooseSmall,
  chooseWatching,
  chooseWriting,
  chooseWritten,
} from "./choose.ts";
import { QUERY_METHODS } from "./compare.ts";
import type { QueryEvent, WalkState } from "./events.ts";
import { createWalkState, disposeAll, takeEvent, worldOf } from "./events.ts";
import type { QueryContext, QueryDescription } from "./twin.ts";
import { matchesOf, watchedIn } from "./twin.ts";
import { changesSince } from "./twin-changes.ts";

export interface QueryWalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** Default "plain". */
  readonly memory?: "plain" | "wasm";
}

export interface ReplayOptions {
  /** Default "plain". */
  readonly memory?: "plain" | "wasm" | undefined;
  /** Refuses changes inside iterations. Default false. */
  readonly strict?: boolean;
  /** How the world stores definitions. Default: in the types of tables. */
  readonly storages?: Storages;
}

const CAP = 14;
const SLOTS = 5;
const TRIES = 4;
const INVARIANTS_INTERVAL = 8;
/** Methods that call back during the comparison. */
const OPEN_METHODS = ["each", "rows", "eachRun", "eachBatch", "eachLevel"] as const;
const ARRAY_WRITES = ["each", "each", "kept", "kept", "eachRun", "patch", "mark"] as const;
const FIRST_CLONE = 100_000;
/** Both storages, each one by itself, and both: one third of the walks each. */
const KINDS: readonly WalkKind[] = ["mixed", "ChildOf", "Parent"];

/**
 * @throws Error at the first difference: its first line replays the walk.
 */
export function queryWalk(options: QueryWalkOptions): { readonly holds: true } {
  const { seed, memory = "plain" } = options;
  const done: QueryEvent[] = [];
  try {
    walkOn(options, done);
  } catch (error) {
    const replayLine = `queryWalk({ seed: ${seed}, steps: ${options.steps}, memory: "${memory}" })`;
    const last = done.at(-1);
    const text = last?.event === "step" ? stepText(last.step) : textOf(last);
    throw new Error(`${replayLine} at event ${done.length - 1}, ${text}\n  ${messageOf(error)}`, {
      cause: error,
    });
  }
  return { holds: true };
}

/** Replays events. Reading an empty slot does nothing. */
export function replayEvents(
  events: readonly QueryEvent[],
  { memory = "plain", strict = false, storages }: ReplayOptions = {},
): { readonly holds: true } {
  const state = createWalkState(memory, strict, storages);
  try {
    for (const event of events) takeEvent(state, event);
  } finally {
    disposeAll(state);
  }
  return { holds: true };
}

/** Few events, of small queries, with which a replay fails in the same way; empty if the walk does not fail. */
export function shortestEvents(options: QueryWalkOptions): QueryEvent[] {
  let events: QueryEvent[] = [];
  try {
    walkOn(options, events);
    return [];
  } catch {
    // expected: these are the events that lead to the failure
  }
  const replayed = {
    memory: options.memory,
    strict: isStrict(options.seed),
    storages: storagesOf(options.seed),
  };
  const failure = failureOf(events, replayed);
  const fails = (fewer: readonly QueryEvent[]): boolean => failureOf(fewer, replayed) === failure;
  for (let size = Math.ceil(events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = events.length - size; from > -size; from -= size) {
      const fewer = [...events.slice(0, Math.max(0, from)), ...events.slice(from + size)];
      if (fails(fewer)) events = fewer;
    }
  }
  return withFewerTerms(events, fails);
}

function withFewerTerms(
  events: QueryEvent[],
  fails: (events: readonly QueryEvent[]) => boolean,
): QueryEvent[] {
  let best = events;
  events.forEach((_, at) => {
    for (let place = 7; place >= 0; place--) {
      const event = best[at]!;
      if (!("description" in event)) return;
      const terms = event.description.terms.filter((__, one) => one !== place);
      const fewer = best.with(at, { ...event, description: { ...event.description, terms } });
      if (terms.length < event.description.terms.length && fails(fewer)) best = fewer;
    }
  });
  return best;
}

function failureOf(events: readonly QueryEvent[], options: ReplayOptions): string | undefined {
  try {
    replayEvents(events, options);
    return undefined;
  } catch (error) {
    return messageOf(error)
      .replaceAll(/\{.*\}/g, "{}")
      .replaceAll(/\[.*?\]/g, "[]")
      .replaceAll(/\d+/g, "#");
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && !("code" in error) ? error.message : String(error);
}

/** Some queries group by whether an entity has Lit: groups become stale when rows move, which bits do not. */
function storagesOf(seed: number): Storages {
  return { ...drawStorages(seed), Lit: "table" };
}

/** One walk in four uses a strict world. */
function isStrict(seed: number): boolean {
  return seed % 4 === 3;
}

// ---- the walk ----------------------------------------------------------------------------------------------------

function walkOn({ seed, steps, memory = "plain" }: QueryWalkOptions, done: QueryEvent[]): void {
  const dice = createDice(seed);
  const readerDice = createDice(seed + 1_000_000);
  const state = createWalkState(memory, isStrict(seed), storagesOf(seed));
  const chooser: Chooser = {
    dice,
    palette: createPalette(dice),
    naive: state.naive,
    kind: KINDS[seed % KINDS.length]!,
    reusesIndexes: false,
    isStrict: false,
    cap: CAP,
    nextTwin: 1,
    nextClone: FIRST_CLONE,
    focus: [],
    lists: createListDice(seed),
    arrays: createDice(seed + 3_000_000),
  };
  const reader: Chooser = { ...chooser, dice: readerDice };
  const take = (event: QueryEvent): void => {
    done.push(event);
    takeEvent(state, event);
  };
  try {
    for (let turn = 0; turn < steps; turn++) {
      for (const step of plainParts(chooseStep(chooser))) take({ event: "step", step });
      reader.nextTwin = chooser.nextTwin;
      if (state.naive.living.size > 0) readQueries(reader, state, take);
      if (turn % INVARIANTS_INTERVAL === 0) compareInvariants(state.real);
    }
  } finally {
    disposeAll(state);
  }
}

/** Reads some kept queries and not others: rare reads find other bugs than frequent ones. */
function readQueries(reader: Chooser, state: WalkState, take: (event: QueryEvent) => void): void {
  const { dice } = reader;
  const slot = dice.below(SLOTS);
  const writing = dice.chance(0.3) ? chooseWriting(reader) : undefined;
  if (writing !== undefined) take({ event: "write", writing });
  if (dice.chance(0.05)) take({ event: "monitor", description: chooseMonitored(reader) });
  if (dice.chance(0.05)) take({ event: "monitorGroups", description: chooseMonitoredGroups(reader) });
  if (dice.chance(0.12)) take({ event: "keep", slot, description: queryWithMatches(reader, state) });
  take({ event: "read", slot, method: dice.pick(QUERY_METHODS) });
  watch(reader, state, take);
  watchArrays(reader, state, take);
  if (dice.chance(0.15)) writeWhatOrders(reader, slot, take);
  if (dice.chance(0.3)) nest(reader, state, take);
  if (!dice.chance(0.6)) return;
  const description = queryWithMatches(reader, state);
  const method = dice.pick(QUERY_METHODS);
  take({ event: "query", description, method });
  // The same terms in another order are the same query.
  if (dice.chance(0.3))
    take({
      event: "query",
      description: { ...description, terms: shuffled(dice, description.terms) },
      method,
    });
}

/** A query for changes of an array, whose numbers are written in most turns, while rows come, go and move between them. */
function watchArrays(
  { arrays, naive }: Chooser,
  { kept, changeLog }: WalkState,
  take: (event: QueryEvent) => void,
): void {
  const dice = arrays!;
  const slot = 2 * SLOTS;
  const what = "Matrix";
  const twins = [...naive.living.keys()];
  // No number comes back: one that is as it was at the last read has not changed.
  const write = () => ({ what, field: "cells", value: 1000 + changeLog.turn * 4 + dice.below(4) });
  if (!kept.has(slot) || dice.chance(0.05)) {
    const change = { kind: "changed", what } as const;
    const terms = dice.chance(0.7) ? [{ kind: "has", what } as const, change] : [change];
    take({ event: "keep", slot, description: { terms } });
  }
  if (dice.chance(0.2))
    take({ event: "step", step: { verb: "add", entity: dice.pick(twins), terms: [{ what }] } });
  for (let writes = dice.below(3); writes > 0; writes--) {
    const method = dice.pick(ARRAY_WRITES);
    take({ event: "write", writing: { ...write(), method, twin: dice.pick(twins) } });
  }
  if (dice.chance(0.2)) take({ event: "read", slot, method: dice.pick(OPEN_METHODS), writes: write() });
  if (dice.chance(0.5)) take({ event: "read", slot, method: dice.pick(QUERY_METHODS) });
}

/** Queries with change terms have slots of their own: they are read often, so that few changes lie between two reads. */
function watch(reader: Chooser, { kept }: WalkState, take: (event: QueryEvent) => void): void {
  const { dice } = reader;
  const slot = SLOTS + dice.below(SLOTS);
  if (dice.chance(0.15)) take({ event: "keep", slot, description: chooseWatching(reader) });
  const watched = kept.get(slot)?.description;
  if (watched === undefined || dice.chance(0.3)) return;
  const writing = dice.chance(0.5) ? chooseWriting(reader, watchedIn(watched.terms)) : undefined;
  if (writing !== undefined) take({ event: "write", writing });
  const writes = dice.chance(0.4) ? chooseWritten(reader, kept.get(slot)!.description) : undefined;
  if (writes === undefined) {
    take({ event: "read", slot, method: dice.pick(QUERY_METHODS) });
    return;
  }
  const other = dice.chance(0.3) ? { meanwhile: otherWatching(dice, slot) } : {};
  take({ event: "read", slot, method: dice.pick(OPEN_METHODS), writes, ...other });
  const next = dice.chance(0.7) ? slot : otherWatching(dice, slot);
  take({ event: "read", slot: next, method: dice.pick(QUERY_METHODS) });
}

/** No entity is spawned, destroyed or moved between the reads. */
function writeWhatOrders(reader: Chooser, slot: number, take: (event: QueryEvent) => void): void {
  const { dice } = reader;
  const description = chooseOrdered(reader);
  take({ event: "keep", slot, description });
  for (let reads = 2 + dice.below(2); reads > 0; reads--) {
    take({ event: "read", slot, method: dice.pick(QUERY_METHODS) });
    const writing = chooseWriting(
      reader,
      description.orderBy!.map(({ what }) => what),
    );
    if (writing !== undefined) take({ event: "write", writing });
  }
  take({ event: "read", slot, method: dice.pick(QUERY_METHODS) });
}

function otherWatching(dice: Dice, slot: number): number {
  return SLOTS + ((slot + 1 + dice.below(SLOTS - 1)) % SLOTS);
}

/** Queries inside iterations, and while an observer is notified. */
function nest(reader: Chooser, state: WalkState, take: (event: QueryEvent) => void): void {
  const { dice } = reader;
  const slots = [...state.kept.keys()];
  const slot = slots.length === 0 ? 0 : dice.pick(slots);
  const inner = Array.from({ length: 1 + dice.below(3) }, () => innerEvent(reader, state, slot));
  if (dice.chance(0.3)) {
    const step = chooseSmall(reader);
    if (step.verb === "add") take({ event: "observe", step, inner });
    return;
  }
  const changes = Array.from({ length: dice.below(3) }, () => chooseSmall(reader));
  take({ event: "inside", slot, method: dice.pick(OPEN_METHODS), at: dice.below(2), inner, changes });
}

/** Often the same query that is being iterated. */
function innerEvent(reader: Chooser, state: WalkState, slot: number): QueryEvent {
  const { dice } = reader;
  const method = dice.pick(QUERY_METHODS);
  const luck = dice.below(5);
  if (luck === 0) return { event: "query", description: queryWithMatches(reader, state), method };
  if (luck === 1) {
    const inner = { event: "read", slot: dice.below(2 * SLOTS), method } as const;
    return {
      event: "inside",
      slot,
      method: dice.pick(OPEN_METHODS),
      at: dice.below(2),
      inner: [inner],
      changes: [],
    };
  }
  return { event: "read", slot: luck === 2 ? dice.below(2 * SLOTS) : slot, method };
}

/** A description that matches an entity, if there is one among a few: queries without matches test little. */
function queryWithMatches(reader: Chooser, { real, naive, changeLog }: WalkState): QueryDescription {
  const context: QueryContext = { ...worldOf(real, naive), ...changesSince(changeLog, naive, undefined) };
  let description = chooseDescription(reader);
  for (let more = TRIES; more > 0 && matchesOf(context, description).length === 0; more--) {
    description = chooseDescription(reader);
  }
  return description;
}

/** Single steps; without those of other walks that concern iterations and observers. */
function plainParts(step: Step): Step[] {
  switch (step.verb) {
    case "burst":
      return step.steps.flatMap(plainParts);
    case "query":
    case "writeRows":
    case "observe":
    case "changeInside":
    case "iterate":
    case "record":
    case "applyCommands":
    case "discardCommands":
      return [];
    default:
      return [step];
  }
}
