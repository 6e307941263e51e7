/** One step of a walk: done on both worlds, after which everything that can be asked is compared. */

import { plainMemory, webAssemblyMemory } from "@treeline/core";
import { isOn } from "../base/features.ts";
import { FIRST_ASKS } from "../choose/queries.ts";
import { compareInvariants, compareWorlds } from "../compare/compare.ts";
import { compareHooks } from "../compare/hooks.ts";
import type { Held } from "../compare/names.ts";
import { compareNaming, hold } from "../compare/names.ts";
import type { Watched } from "../compare/round.ts";
import { compareChildren } from "../compare/siblings.ts";
import type { Look } from "../compare/written.ts";
import { compareWrittenNames, lookForNames } from "../compare/written.ts";
import { attachNameEars, attachNameReactions } from "../observe/names.ts";
import type { Ears } from "../observe/observe.ts";
import { attachEars, listenNarrowly, takeHeard } from "../observe/observe.ts";
import type { Mirror } from "../observe/promises.ts";
import { compareMirror, comparePromises, isPlain } from "../observe/promises.ts";
import { attachReactions, compareThrown, readBack } from "../observe/react.ts";
import { meddle, visit } from "../perform/iterate.ts";
import { within } from "../perform/names.ts";
import { codeOf, perform } from "../perform/perform.ts";
import type { Ask, Way } from "../perform/read.ts";
import { compareAsk, compareWho, createAsk, drift, forgetAsk } from "../perform/read.ts";
import { performSlowly } from "../perform/twin-steps.ts";
import { takeCalls } from "../step/alarm.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { createFastWorld, handleOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import { rules } from "../step/vocabulary.ts";
import type { NameRules } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { createSlowWorld, isAlive } from "../twin/world.ts";

export interface ReplayOptions {
  readonly memory?: "plain" | "wasm";
  /** So many entities live and die before the first step: above 4,096 indexes are reused at once. Default 0. */
  readonly worn?: number;
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
  readonly ears?: "deaf" | "heard" | "reacting";
  /** How names are dealt with; what is not told is as in any world. */
  readonly names?: Partial<NameRules>;
  /** All that can be asked of names is asked after every step, and listeners meddle with names too. */
  readonly isNaming?: boolean;
}

/** Both worlds and the questions asked of them. */
export interface Both {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  readonly asks: Ask[];
  readonly watched: Watched;
  /** Nothing if nobody listens. */
  readonly ears: Ears | undefined;
  readonly mirror: Mirror;
  /** Listeners change the world: the twin follows it. */
  readonly isReacting: boolean;
  /** Paths that are kept; nothing if that is not looked at. */
  readonly held: (Held | undefined)[] | undefined;
  /** Whose name was written; nothing if that is not looked at. */
  readonly look: Look | undefined;
  turn: number;
}

/** Half of the questions are asked after each step. */
const ASKED_SELDOM = 2;
const WAYS: readonly Way[] = ["each", "eachRun", "eachBatch"];

export function createBoth(
  {
    memory = "plain",
    worn = 0,
    strict = false,
    ifParentDestroyed = "destroy",
    ears: wanted = "heard",
    names = {},
    isNaming = false,
  }: ReplayOptions,
  watched: Watched,
): Both {
  const fast = createFastWorld({
    memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
    strict,
    ifParentDestroyed,
  });
  perform(fast, { verb: "wear", count: worn });
  const slow = createSlowWorld(rules, ifParentDestroyed === "drop");
  slow.indexOf = (twin) => handleOf(fast, twin) % 2 ** 24;
  perform(fast, { verb: "configure", ...names });
  performSlowly(slow, { verb: "configure", ...names });
  const ears = wanted !== "deaf" && isOn("events") ? attachEars(fast, slow) : undefined;
  const isReacting = wanted === "reacting" && ears !== undefined;
  if (isReacting) attachReactions(fast, ears);
  fast.isMeddledWith = isReacting;
  if (isNaming && ears !== undefined) attachNameEars(fast, ears);
  if (isReacting && isNaming) attachNameReactions(fast, ears);
  return {
    fast,
    slow,
    asks: FIRST_ASKS.map((terms) => createAsk(fast, terms)),
    watched,
    ears,
    mirror: new Set(),
    isReacting,
    held: isNaming ? [] : undefined,
    look: isNaming ? lookForNames(fast) : undefined,
    turn: 0,
  };
}

// ---- one step ----------------------------------------------------------------------------------------------------

export function take(both: Both, step: Step): void {
  const { fast, slow, ears, isReacting } = both;
  slow.before.clear();
  if (ears !== undefined) {
    ears.isPlain = isPlain(step) && !isReacting;
    ears.isDeath = step.verb === "destroy" || step.verb === "destroyWhere";
  }
  let isDone = true;
  if (isReacting && ears !== undefined) {
    const told = step.verb === "visit" ? visitFast(both, step) : takeFast(both, step);
    compareThrown(ears, told);
    if (step.verb === "configure") same(told, performSlowly(slow, step), () => "the new rule for names");
    readBack(fast, slow);
  } else {
    const [code, expected] = codesOf(both, step);
    if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
    isDone = code === undefined || code.endsWith(" died");
  }
  if (both.look !== undefined) {
    if (isPlain(step) && !isReacting) compareWrittenNames(slow, step, isDone, both.look);
    else both.look();
  }
  const calls = takeCalls(fast.world);
  if (isDone && isPlain(step) && !isReacting) compareHooks(fast, slow, step, calls);
  if (ears !== undefined) {
    const heard = takeHeard(fast, ears);
    if (ears.isPlain) comparePromises(slow, step, isDone, heard);
    compareMirror(both.mirror, slow, heard);
  }
  compareAll(both);
}

function compareAll(both: Both): void {
  const { fast, slow, watched, isReacting } = both;
  both.turn++;
  const looks = [() => compareInvariantsInTurn(both), () => compareAsks(both)];
  if (!isReacting) looks.push(() => compareWorlds(fast, slow, watched, both.turn));
  if (both.held !== undefined) looks.push(() => compareNaming(both));
  looks.push(...looks.splice(0, both.turn % looks.length)); // who looks first may set right what another would find
  for (const look of looks) look();
}

type Codes = readonly [code: string | undefined, expected: string | undefined];

function codesOf(both: Both, step: Step): Codes {
  if (step.verb === "visit") return takeVisit(both, step);
  return step.verb === "within" ? takeWithin(both, step) : takePlainly(both, step);
}

/** Step by step on both sides: numbers of those who were born there may be asked for. */
function takeWithin(both: Both, step: Extract<Step, { verb: "within" }>): Codes {
  const { fast, slow } = both;
  const { scope } = slow;
  if (step.parent !== undefined && !isAlive(slow, step.parent)) return takePlainly(both, step);
  const expected: string[] = [];
  slow.scope = step.parent;
  const end = within(fast, step, (part) => {
    const [code, wanted] = codesOf(both, part);
    expected.push(wanted ?? "done");
    return code;
  });
  slow.scope = scope;
  return [end, [...expected, step.isTorn ? "torn" : "done"].join(" ")];
}

/** The twin first: listeners look at what it knows of before. */
function takePlainly(both: Both, step: Exclude<Step, { verb: "visit" }>): Codes {
  const expected = performSlowly(both.slow, step);
  return [takeFast(both, step), expected];
}

function takeFast(both: Both, step: Exclude<Step, { verb: "visit" }>): string | undefined {
  const { fast, slow, asks, ears } = both;
  switch (step.verb) {
    case "ask":
      if (step.terms.some(({ target }) => typeof target === "number" && !slow.living.has(target))) break;
      if (asks[step.slot] !== undefined) forgetAsk(asks[step.slot]!);
      asks[step.slot] = createAsk(fast, step.terms);
      break;
    case "drift":
      drift(fast, slow, step.by);
      break;
    case "listen":
      if (ears !== undefined) listenNarrowly(fast, slow, ears, step);
      break;
    case "hold":
      return codeOf(() => hold(both, step));
    case "meddle":
      return meddle(fast, step.step);
    default:
      return perform(fast, step);
  }
  return undefined;
}

/** The real world first: until the visit ends it is as the twin was before. */
function takeVisit(both: Both, step: Extract<Step, { verb: "visit" }>): Codes {
  const code = visitFast(both, step);
  return [code, performSlowly(both.slow, step)];
}

function visitFast({ fast, slow, asks, turn }: Both, step: Extract<Step, { verb: "visit" }>): string {
  return visit(fast, slow, step, () => {
    const ask = asks[turn % asks.length];
    if (ask !== undefined) compareWho(fast, slow, ask);
    compareChildren(fast, slow);
  });
}

function compareInvariantsInTurn({ fast, watched, held, turn }: Both): void {
  if (held !== undefined) return; // looked at with the names
  if (turn % watched.sampling === 0) compareInvariants(fast);
}

function compareAsks({ fast, slow, asks, watched, turn }: Both): void {
  asks.forEach((ask, at) => {
    if ((turn + at) % (ASKED_SELDOM * watched.sampling) !== 0) return;
    compareAsk(
      fast,
      slow,
      ask,
      WAYS[(Math.floor(turn / (ASKED_SELDOM * watched.sampling)) + at) % WAYS.length]!,
    );
  });
}
