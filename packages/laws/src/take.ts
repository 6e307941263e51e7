/** One step of a walk: done on both worlds, after which everything that can be asked is compared. */

import { plainMemory, webAssemblyMemory } from "@treeline/core";
import { takeCalls } from "./alarm.ts";
import type { Ask, Way } from "./ask.ts";
import { compareAsk, compareWho, createAsk, drift, forgetAsk } from "./ask.ts";
import { FIRST_ASKS } from "./choose-asks.ts";
import { compareLaws, compareWorlds } from "./compare.ts";
import { compareChildren } from "./compare-families.ts";
import { compareHooks } from "./compare-hooks.ts";
import type { FastWorld } from "./fast-world.ts";
import { createFastWorld } from "./fast-world.ts";
import { isOn } from "./features.ts";
import type { Ears } from "./listen.ts";
import { attachEars, listenNarrowly, takeHeard } from "./listen.ts";
import { perform } from "./perform.ts";
import type { Mirror } from "./promises.ts";
import { compareMirror, comparePromises, isPlain } from "./promises.ts";
import { attachReactions, compareThrown, readBack } from "./react.ts";
import type { Watched } from "./round.ts";
import { performSlowly } from "./slow-steps.ts";
import type { SlowWorld } from "./slow-world.ts";
import { createSlowWorld } from "./slow-world.ts";
import type { Step } from "./step.ts";
import { meddle, visit } from "./visit.ts";
import { rules } from "./vocabulary.ts";

export interface ReplayOptions {
  readonly memory?: "plain" | "wasm";
  /** So many entities live and die before the first step: above 4,096 indexes are reused at once. Default 0. */
  readonly worn?: number;
  /**
   * Laws, queries, values and pairs are looked at, each of them, after every so many steps. Looking sets right what
   * was put off, so that who looks seldom finds other bugs than who always looks. Default 1.
   */
  readonly sampling?: number;
  /** Inside visits changes are refused instead of waiting. Default false. */
  readonly strict?: boolean;
  /** What becomes of who gets a parent that dies before the visit's end. Default "destroy". */
  readonly deadParent?: "destroy" | "drop";
  /**
   * Somebody listens to everything, or there are even listeners that change the world: of what they do the twin knows
   * nothing before it is done. Default "heard", if there are events.
   */
  readonly ears?: "deaf" | "heard" | "reacting";
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
  turn: number;
}

/** Half of the questions are asked after each step. */
const ASKED_SELDOM = 2;
const WAYS: readonly Way[] = ["each", "eachRun", "eachStretch"];

export function createBoth(
  {
    memory = "plain",
    worn = 0,
    strict = false,
    deadParent = "destroy",
    ears: wanted = "heard",
  }: ReplayOptions,
  watched: Watched,
): Both {
  const fast = createFastWorld({
    memory: memory === "plain" ? plainMemory() : webAssemblyMemory(),
    strict,
    deadParent,
  });
  perform(fast, { verb: "wear", count: worn });
  const slow = createSlowWorld(rules, deadParent === "drop");
  const ears = wanted !== "deaf" && isOn("events") ? attachEars(fast, slow) : undefined;
  const isReacting = wanted === "reacting" && ears !== undefined;
  if (isReacting) attachReactions(fast, ears);
  return {
    fast,
    slow,
    asks: FIRST_ASKS.map((terms) => createAsk(fast, terms)),
    watched,
    ears,
    mirror: new Set(),
    isReacting,
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
    compareThrown(ears, step.verb === "visit" ? visitFast(both, step) : takeFast(both, step));
    readBack(fast, slow);
  } else {
    const [code, expected] = step.verb === "visit" ? takeVisit(both, step) : takePlainly(both, step);
    if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
    isDone = code === undefined || code.endsWith(" died");
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
  const looks = [() => compareLawsInTurn(both), () => compareAsks(both)];
  if (!isReacting) looks.push(() => compareWorlds(fast, slow, watched, both.turn));
  looks.push(...looks.splice(0, both.turn % looks.length)); // who looks first may set right what another would find
  for (const look of looks) look();
}

type Codes = readonly [code: string | undefined, expected: string | undefined];

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

function compareLawsInTurn({ fast, watched, turn }: Both): void {
  if (turn % watched.sampling === 0) compareLaws(fast);
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
