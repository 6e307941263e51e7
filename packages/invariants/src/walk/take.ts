/** One step of a walk: done on both worlds, after which everything that can be asked is compared. */

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
import { attachObservers, listenNarrowly, takeObserved } from "../observe/observe.ts";
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
import { rules } from "../step/vocabulary.ts";
import type { NameRules } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { createNaiveWorld, isAlive } from "../twin/world.ts";

export interface ReplayOptions {
  readonly memory?: "plain" | "wasm";
  /** So many entities live and die before the first step: above 4,096 indexes are reused at once. Default 0. */
  readonly recycled?: number;
  /**
   * Invariants, queries, values and pairs are looked at, each of them, after every so many steps. Looking sets right what
   * was put off, so that who looks seldom finds other bugs than who always looks. Default 1.
   */
  readonly sampling?: number;
  /** Inside visits changes are refused instead of waiting. Default false. */
  readonly strict?: boolean;
  /** What becomes of who gets a parent that dies before the visit's end. Default "destroy". */
  readonly ifParentDestroyed?: "destroy" | "drop";
  /**
   * Somebody listens to everything, or there are even listeners that change the world: of what they do the twin knows
   * nothing before it is done. Default "heard", if there are events.
   */
  readonly observers?: "unobserved" | "observed" | "reacting";
  /** How names are dealt with; what is not told is as in any world. */
  readonly names?: Partial<NameRules>;
  /** All that can be asked of names is asked after every step, and listeners meddle with names too. */
  readonly isNaming?: boolean;
}

/** Both worlds and the questions asked of them. */
export interface Both {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  readonly liveQueries: LiveQuery[];
  readonly watched: Watched;
  /** Nothing if nobody listens. */
  readonly observers: Observers | undefined;
  readonly observedState: ObservedState;
  /** Listeners change the world: the twin follows it. */
  readonly isReacting: boolean;
  /** Paths that are kept; nothing if that is not looked at. */
  readonly keptPaths: (KeptPath | undefined)[] | undefined;
  /** Whose name was written; nothing if that is not looked at. */
  readonly readNames: ReadNames | undefined;
  turn: number;
}

/** Half of the questions are asked after each step. */
const QUERY_INTERVAL = 2;
const ITERATE_VERBS: readonly IterateVerb[] = ["each", "eachRun", "eachBatch"];

export function createBoth(
  {
    memory = "plain",
    recycled = 0,
    strict = false,
    ifParentDestroyed = "destroy",
    observers: wanted = "observed",
    names = {},
    isNaming = false,
  }: ReplayOptions,
  watched: Watched,
): Both {
  const real = createRealWorld({
    memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
    strict,
    ifParentDestroyed,
  });
  perform(real, { verb: "recycle", count: recycled });
  const naive = createNaiveWorld(rules, ifParentDestroyed === "drop");
  naive.indexOf = (twin) => handleOf(real, twin) % 2 ** 24;
  perform(real, { verb: "configure", ...names });
  performNaively(naive, { verb: "configure", ...names });
  const observers = wanted !== "unobserved" && isOn("events") ? attachObservers(real, naive) : undefined;
  const isReacting = wanted === "reacting" && observers !== undefined;
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
  if (observers !== undefined) {
    observers.isPlain = isPlain(step) && !isReacting;
    observers.isDestruction = step.verb === "destroy" || step.verb === "destroyWhere";
  }
  let isDone = true;
  if (isReacting && observers !== undefined) {
    const codes = step.verb === "iterate" ? iterateReal(both, step) : takeReal(both, step);
    compareThrown(observers, codes);
    if (step.verb === "configure") same(codes, performNaively(naive, step), () => "the new rule for names");
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
  checks.push(...checks.splice(0, both.turn % checks.length)); // who looks first may set right what another would find
  for (const readNames of checks) readNames();
}

type Codes = readonly [code: string | undefined, expected: string | undefined];

function codesOf(both: Both, step: Step): Codes {
  if (step.verb === "iterate") return takeIterate(both, step);
  return step.verb === "within" ? takeWithin(both, step) : takePlainly(both, step);
}

/** Step by step on both sides: numbers of those who were born there may be asked for. */
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

/** The twin first: listeners look at what it knows of before. */
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
      if (observers !== undefined) listenNarrowly(real, naive, observers, step);
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

/** The real world first: until the visit ends it is as the twin was before. */
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
  if (keptPaths !== undefined) return; // looked at with the names
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
