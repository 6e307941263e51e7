/**
 * Random walks: the same steps on the real world and on its naive twin, compared after every one of them.
 *
 * @example
 * walk({ seed: 41, steps: 500 });                                  // throws at the first difference
 * console.log(shortest({ seed: 41, steps: 500 }).map(stepText));   // the few steps that matter
 */
import { plainMemory, webAssemblyMemory } from "@treeline/core";
import type { Ask, Way } from "./ask.ts";
import { compareAsk, createAsk, drift, forgetAsk } from "./ask.ts";
import { chooseStep, createPalette, FIRST_ASKS } from "./choose.ts";
import type { Watched } from "./compare.ts";
import { compareLaws, compareWorlds, EVERYTHING } from "./compare.ts";
import { createDice } from "./dice.ts";
import type { FastWorld } from "./fast-world.ts";
import { createFastWorld, perform } from "./fast-world.ts";
import type { SlowWorld } from "./slow-world.ts";
import * as slowly from "./slow-world.ts";
import type { Step } from "./step.ts";
import { stepText } from "./step.ts";
import { rules } from "./vocabulary.ts";

export interface WalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** Default "plain". */
  readonly memory?: "plain" | "wasm";
  /** Above this many living entities deaths become likely. Default 40. */
  readonly cap?: number;
}

export interface ReplayOptions {
  readonly memory?: "plain" | "wasm";
  /** So many entities live and die before the first step: above 4,096 indexes are reused at once. Default 0. */
  readonly worn?: number;
  /**
   * Laws, queries, values and pairs are looked at, each of them, after every so many steps. Looking sets right what
   * was put off, so that who looks seldom finds other bugs than who always looks. Default 1.
   */
  readonly sampling?: number;
}

export interface Walked {
  readonly lawful: true;
}

/** Both worlds and the questions asked of them. */
interface Both {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  readonly asks: Ask[];
  readonly watched: Watched;
  turn: number;
}

const WAYS: readonly Way[] = ["each", "eachRun", "eachStretch"];
const DEFAULT_CAP = 40;
const WORN = 4_200;
/** Up to this seed all is looked at after every step; above it seldom, which meets what is put off longer. */
const CLOSELY_WATCHED = 200;
const SAMPLINGS = [4, 6, 12, 3, 8, 5] as const;

/**
 * Walks as the seed says, which also chooses how closely it is watched and whether the world is worn at the start,
 * so that indexes are reused.
 *
 * @throws Error at the first difference: its first line replays the walk.
 */
export function walk(options: WalkOptions): Walked {
  stepsOf(options);
  return { lawful: true };
}

/** The steps of a walk up to its end, or to the first difference, which is then reported. */
export function stepsOf(options: WalkOptions, onDifference: "throw" | "stop" = "throw"): Step[] {
  const dice = createDice(options.seed);
  const palette = createPalette(dice);
  const components = [...palette.components, "Name"];
  const { relations } = palette;
  const replayed = replayOptionsOf(options);
  const both = createBoth(replayed, { components, relations, sampling: replayed.sampling ?? 1 });
  const chooser = {
    dice,
    palette,
    slow: both.slow,
    isWorn: replayed.worn !== 0,
    cap: options.cap ?? DEFAULT_CAP,
    named: 1,
  };
  const done: Step[] = [];
  while (done.length < options.steps) {
    const step = chooseStep(chooser);
    done.push(step);
    try {
      take(both, step);
    } catch (error) {
      if (onDifference === "stop") return done;
      throw new Error(failureText(options, done, error), { cause: error });
    }
  }
  return done;
}

/**
 * Takes the given steps, comparing after each of them.
 *
 * @throws Error at the first difference.
 */
export function replay(steps: readonly Step[], options: ReplayOptions = {}): Walked {
  const both = createBoth(options, { ...EVERYTHING, sampling: options.sampling ?? 1 });
  steps.forEach((step, at) => {
    try {
      take(both, step);
    } catch (error) {
      throw new Error(`step ${at}, ${stepText(step)}: ${messageOf(error)}`, { cause: error });
    }
  });
  return { lawful: true };
}

/** A short list of steps with which `replay` fails too; empty if the walk or its replay does not. */
export function shortest(options: WalkOptions): Step[] {
  const replayed = replayOptionsOf(options);
  let steps = stepsOf(options, "stop");
  if (!fails(steps, replayed)) return [];
  const flat = steps.flatMap((step) => (step.verb === "burst" ? step.steps : [step]));
  if (fails(flat, replayed)) steps = flat;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = steps.length - size; from > -size; from -= size) {
      const fewer = [...steps.slice(0, Math.max(0, from)), ...steps.slice(from + size)];
      if (fails(fewer, replayed)) steps = fewer;
    }
  }
  return steps;
}

function fails(steps: readonly Step[], options: ReplayOptions): boolean {
  try {
    replay(steps, options);
    return false;
  } catch {
    return true;
  }
}

/** What the seed says beside its steps; the test gives even seeds one memory and odd ones the other. */
function replayOptionsOf({ seed, memory = "plain" }: WalkOptions): ReplayOptions {
  const sampling = seed <= CLOSELY_WATCHED ? 1 : SAMPLINGS[Math.floor(seed / 2) % SAMPLINGS.length]!;
  return { memory, sampling, worn: Math.floor(seed / 16) % 3 === 2 ? WORN : 0 };
}

function createBoth({ memory = "plain", worn = 0 }: ReplayOptions, watched: Watched): Both {
  const fast = createFastWorld(memory === "plain" ? plainMemory() : webAssemblyMemory());
  perform(fast, { verb: "wear", count: worn });
  return {
    fast,
    slow: slowly.createSlowWorld(rules),
    asks: FIRST_ASKS.map((terms) => createAsk(fast, terms)),
    watched,
    turn: 0,
  };
}

// ---- one step ----------------------------------------------------------------------------------------------------

function take(both: Both, step: Step): void {
  const { fast, slow, asks } = both;
  if (step.verb === "ask") {
    if (step.terms.some(({ target }) => typeof target === "number" && !slow.living.has(target))) return;
    const former = asks[step.slot];
    if (former !== undefined) forgetAsk(former);
    asks[step.slot] = createAsk(fast, step.terms);
  } else if (step.verb === "drift") {
    drift(fast, slow, step.by);
  } else {
    const expected = performSlowly(slow, step);
    const code = perform(fast, step);
    if (code !== expected) throw new Error(`${code ?? "done"} instead of ${expected ?? "done"}`);
  }

  both.turn++;
  const looks = [
    () => compareLawsInTurn(both),
    () => compareWorlds(fast, slow, both.watched, both.turn),
    () => compareAsks(both),
  ];
  looks.push(...looks.splice(0, both.turn % looks.length)); // who looks first may set right what another would find
  for (const look of looks) look();
}

function compareLawsInTurn({ fast, watched, turn }: Both): void {
  if (turn % watched.sampling === 0) compareLaws(fast);
}

function compareAsks({ fast, slow, asks, watched, turn }: Both): void {
  asks.forEach((ask, at) => {
    if ((turn + at) % watched.sampling !== 0) return;
    compareAsk(fast, slow, ask, WAYS[(Math.floor(turn / watched.sampling) + at) % WAYS.length]!);
  });
}

/** The step on the twin. */
function performSlowly(slow: SlowWorld, step: Step): string | undefined {
  switch (step.verb) {
    case "spawn":
    case "spawnMany":
      return slowly.spawn(slow, step.born, step.terms);
    case "add":
      return slowly.add(slow, step.entity, step.terms);
    case "remove":
      return slowly.remove(slow, step.entity, step.what, step.target);
    case "set":
      return slowly.set(slow, step.entity, step.term);
    case "rename":
      return slowly.set(slow, step.entity, { what: "Name", value: step.name });
    case "destroy":
      return slowly.destroy(slow, step.entity);
    case "release":
      return slowly.release(slow, step.entity);
    case "meddle": {
      const isVisited = [...slow.living.keys()].some((twin) => slowly.parentOf(slow, twin) !== undefined);
      return isVisited ? "visiting" : "nobody was visited";
    }
    case "burst":
      return step.steps.map((part) => performSlowly(slow, part) ?? "done").join(" ");
    case "ask":
    case "drift":
    case "pack":
    case "wear":
      return undefined;
  }
}

// ---- reports -----------------------------------------------------------------------------------------------------

function failureText(
  { seed, memory = "plain", cap = DEFAULT_CAP }: WalkOptions,
  done: Step[],
  error: unknown,
): string {
  const replayLine = `walk({ seed: ${seed}, steps: ${done.length}, memory: "${memory}", cap: ${cap} })`;
  return `${replayLine} at step ${done.length - 1}, ${stepText(done.at(-1)!)}\n  ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
