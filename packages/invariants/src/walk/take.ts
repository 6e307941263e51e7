/** Takes one step of a walk: performs it in both worlds, and then compares them. */

import { plainMemory, webAssemblyMemory } from "@treeline/core";
import { isOn } from "../base/features.ts";
import { FIRST_QUERIES } from "../choose/queries.ts";
import { compareInvariants, compareWorlds } from "../compare/compare.ts";
import { compareHooks } from "../compare/hooks.ts";
import type { KeptPath } from "../compare/names.ts";
import { compareNaming, keepPath } from "../compare/names.ts";
import type { Watched } from "../compare/round.ts";
import { compareChildren } from "../compare/siblings.ts";
import type { ReadNames } from "../compare/written.ts";
import { compareWrittenNames, watchNames } from "../compare/written.ts";
import type { ObservedState } from "../observe/expected-events.ts";
import { compareEvents, compareObservedState, isPlain } from "../observe/expected-events.ts";
import { attachNameObservers, attachNameReactions } from "../observe/names.ts";
import type { Observers } from "../observe/observe.ts";
import { attachObservers, observeNarrowly, takeObserved } from "../observe/observe.ts";
import type { Outline } from "../observe/outline.ts";
import { attachOutline, compareOutline } from "../observe/outline.ts";
import { attachReactions, compareThrown, readBack } from "../observe/react.ts";
import { changeInside, iterate } from "../perform/iterate.ts";
import { within } from "../perform/names.ts";
import { codeOf, perform } from "../perform/perform.ts";
import type { IterateVerb, LiveQuery } from "../perform/read.ts";
import {
  compareLiveQuery,
  compareMatchesInside,
  createLiveQuery,
  disposeLiveQuery,
  writeRows,
} from "../perform/read.ts";
import { performNaively } from "../perform/twin-steps.ts";
import { takeCalls } from "../step/alarm.ts";
import type { RealWorld } from "../step/real-world.ts";
import { createRealWorld, handleOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import type { Storages } from "../step/storages.ts";
import { rules } from "../step/vocabulary.ts";
import type { NameRules } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { createNaiveWorld, isAlive } from "../twin/world.ts";

export interface ReplayOptions {
  readonly memory?: "plain" | "wasm";
  /** Spawns and releases this many entities before the first step: above 4,096, indexes are reused at once. Default 0. */
  readonly recycled?: number;
  /**
   * Invariants, queries, values and pairs are each compared once every this many steps. Reading completes work that was put off,
   * so rare reads find other bugs than frequent ones. Default 1.
   */
  readonly sampling?: number;
  /** Changes inside iterations are refused instead of deferred. Default false. */
  readonly strict?: boolean;
  /** What happens to an entity that gets a parent that is destroyed before the end of the iteration. Default "destroy". */
  readonly ifParentDestroyed?: "destroy" | "drop";
  /**
   * "observed": an observer receives every event; "outlined": there are also observers of spawns, roots and single entities;
   * "reacting": there are also observers that change the world, whose effects the twin copies afterwards. Default "outlined",
   * if events are switched on.
   */
  readonly observers?: "unobserved" | "observed" | "outlined" | "reacting";
  /** How the world stores definitions. Default: in the types of tables. */
  readonly storages?: Storages;
  /** The settings for names; the rest is as in any world. */
  readonly names?: Partial<NameRules>;
  /** All functions about names are compared after every step, and observers change names too. */
  readonly isNaming?: boolean;
}

/** Both worlds and their queries. */
export interface Both {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  readonly liveQueries: LiveQuery[];
  readonly watched: Watched;
  /** Nothing in unobserved worlds. */
  readonly observers: Observers | undefined;
  readonly outline: Outline | undefined;
  readonly observedState: ObservedState;
  /** Observers change the world; the twin is copied from it. */
  readonly isReacting: boolean;
  /** Kept paths; nothing unless names are compared. */
  readonly keptPaths: (KeptPath | undefined)[] | undefined;
  /** Reads whose names were written; nothing unless names are compared. */
  readonly readNames: ReadNames | undefined;
  turn: number;
}

/** Half of the queries are compared after each step. */
const QUERY_INTERVAL = 2;
const ITERATE_VERBS: readonly IterateVerb[] = ["each", "eachRun", "eachBatch"];

export function createBoth(
  {
    memory = "plain",
    recycled = 0,
    strict = false,
    ifParentDestroyed = "destroy",
    observers: wanted = "outlined",
    storages = {},
    names = {},
    isNaming = false,
  }: ReplayOptions,
  watched: Watched,
): Both {
  const real = createRealWorld({
    memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
    strict,
    ifParentDestroyed,
    storages,
  });
  perform(real, { verb: "recycle", count: recycled });
  const naive = createNaiveWorld(rules, ifParentDestroyed === "drop");
  naive.indexOf = (twin) => handleOf(real, twin) % 2 ** 24;
  perform(real, { verb: "configure", ...names });
  performNaively(naive, { verb: "configure", ...names });
  const observers = wanted !== "unobserved" && isOn("events") ? attachObservers(real, naive) : undefined;
  const isReacting = wanted === "reacting" && observers !== undefined;
  const isOutlined = observers !== undefined && wanted !== "observed";
  const outline = isOutlined ? attachOutline(real) : undefined;
  if (isReacting) attachReactions(real, observers);
  real.hasReactions = isReacting;
  if (isNaming && observers !== undefined) attachNameObservers(real, observers);
  if (isReacting && isNaming) attachNameReactions(real, observers);
  return {
    real,
    naive,
    liveQueries: FIRST_QUERIES.map((terms) => createLiveQuery(real, terms)),
    watched,
    observers,
    outline,
    observedState: new Set(),
    isReacting,
    keptPaths: isNaming ? [] : undefined,
    readNames: isNaming ? watchNames(real) : undefined,
    turn: 0,
  };
}

// ---- one step ----------------------------------------------------------------------------------------------------

export function take(both: Both, step: Step): void {
  const { real, naive, observers, isReacting } = both;
  naive.before.clear();
  naive.completed.clear();
  if (observers !== undefined) {
    observers.isPlain = isPlain(step) && !isReacting;
    observers.isDestruction = ["destroy", "destroyMany", "destroyWhere"].includes(step.verb);
  }
  let isDone = true;
  if (isReacting && observers !== undefined) {
    const code = step.verb === "iterate" ? iterateReal(both, step) : takeReal(both, step);
    compareThrown(observers, code);
    if (step.verb === "configure")
      same(code, performNaively(naive, step), () => "the new settings for names");
    readBack(real, naive);
  } else {
    const [code, expected] = codesOf(both, step);
    if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
    isDone = code === undefined || code.endsWith(" destroyed");
  }
  if (both.readNames !== undefined) {
    if (isPlain(step) && !isReacting) compareWrittenNames(naive, step, isDone, both.readNames);
    else both.readNames();
  }
  const calls = takeCalls(real.world);
  if (isDone && isPlain(step) && !isReacting) compareHooks(real, naive, step, calls);
  if (observers !== undefined) {
    if (both.outline !== undefined) compareOutline(real, naive, observers.observed, both.outline);
    const observed = takeObserved(real, observers);
    if (observers.isPlain) compareEvents(naive, step, isDone, observed);
    compareObservedState(both.observedState, naive, observed);
  }
  compareAll(both);
}

function compareAll(both: Both): void {
  const { real, naive, watched, isReacting } = both;
  both.turn++;
  const checks = [() => compareInvariantsInTurn(both), () => compareLiveQueries(both)];
  if (!isReacting) checks.push(() => compareWorlds(real, naive, watched, both.turn));
  if (both.keptPaths !== undefined) checks.push(() => compareNaming(both));
  // the first read may complete work, and so hide a bug from the others
  checks.push(...checks.splice(0, both.turn % checks.length));
  for (const check of checks) check();
}

type Codes = readonly [code: string | undefined, expected: string | undefined];

function codesOf(both: Both, step: Step): Codes {
  if (step.verb === "iterate") return takeIterate(both, step);
  return step.verb === "within" ? takeWithin(both, step) : takePlainly(both, step);
}

/** One command after the other in both worlds: later ones may use the numbers of entities spawned by earlier ones. */
function takeWithin(both: Both, step: Extract<Step, { verb: "within" }>): Codes {
  const { real, naive } = both;
  const { scope } = naive;
  if (step.parent !== undefined && !isAlive(naive, step.parent)) return takePlainly(both, step);
  const expected: string[] = [];
  naive.scope = step.parent;
  const end = within(real, step, (part) => {
    const [code, wanted] = codesOf(both, part);
    expected.push(wanted ?? "done");
    return code;
  });
  naive.scope = scope;
  return [end, [...expected, step.isThrowing ? "thrown" : "done"].join(" ")];
}

/** The twin first: observers compare with its former state. */
function takePlainly(both: Both, step: Exclude<Step, { verb: "iterate" }>): Codes {
  const expected = performNaively(both.naive, step);
  return [takeReal(both, step), expected];
}

function takeReal(both: Both, step: Exclude<Step, { verb: "iterate" }>): string | undefined {
  const { real, naive, liveQueries, observers } = both;
  switch (step.verb) {
    case "query":
      if (step.terms.some(({ target }) => typeof target === "number" && !naive.living.has(target))) break;
      if (liveQueries[step.slot] !== undefined) disposeLiveQuery(liveQueries[step.slot]!);
      liveQueries[step.slot] = createLiveQuery(real, step.terms);
      break;
    case "writeRows":
      writeRows(real, naive, step.by);
      break;
    case "observe":
      if (observers !== undefined) observeNarrowly(real, naive, observers, step);
      break;
    case "keepPath":
      return codeOf(() => keepPath(both, step));
    case "changeInside":
      return changeInside(real, step.step);
    default:
      return perform(real, step);
  }
  return undefined;
}

/** The real world first: until the iteration ends, it equals the twin before the step. */
function takeIterate(both: Both, step: Extract<Step, { verb: "iterate" }>): Codes {
  const code = iterateReal(both, step);
  return [code, performNaively(both.naive, step)];
}

function iterateReal(
  { real, naive, liveQueries, turn }: Both,
  step: Extract<Step, { verb: "iterate" }>,
): string {
  return iterate(real, naive, step, () => {
    const live = liveQueries[turn % liveQueries.length];
    if (live !== undefined) compareMatchesInside(real, naive, live);
    compareChildren(real, naive);
  });
}

function compareInvariantsInTurn({ real, watched, keptPaths, turn }: Both): void {
  if (keptPaths !== undefined) return; // compared with the names
  if (turn % watched.sampling === 0) compareInvariants(real);
}

function compareLiveQueries({ real, naive, liveQueries, watched, turn }: Both): void {
  liveQueries.forEach((live, at) => {
    if ((turn + at) % (QUERY_INTERVAL * watched.sampling) !== 0) return;
    compareLiveQuery(
      real,
      naive,
      live,
      ITERATE_VERBS[(Math.floor(turn / (QUERY_INTERVAL * watched.sampling)) + at) % ITERATE_VERBS.length]!,
    );
  });
}
