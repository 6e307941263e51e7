/**
 * Random walks: the same steps in the real world and in its naive twin, compared after every step. In the end the world is disposed
 * of.
 *
 * @example
 * walk({ seed: 41, steps: 500 });                                  // throws at the first difference
 * console.log(shortest({ seed: 41, steps: 500 }).map(stepText));   // the few steps that matter
 */

import { createDice } from "../base/dice.ts";
import { isOn } from "../base/features.ts";
import { chooseStep } from "../choose/choose.ts";
import { createListDice } from "../choose/lists.ts";
import type { Chooser, WalkKind } from "../choose/terms.ts";
import { createPalette } from "../choose/terms.ts";
import { EVERYTHING } from "../compare/round.ts";
import type { Step } from "../step/step.ts";
import { stepText } from "../step/step.ts";
import { drawStorages, type Storages } from "../step/storages.ts";
import type { NameRules } from "../twin/rules.ts";
import { disposeBoth } from "./dispose.ts";
import { shrink } from "./shrink.ts";
import type { ReplayOptions } from "./take.ts";
import { createBoth, take } from "./take.ts";

export interface WalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** Default "plain". */
  readonly memory?: "plain" | "wasm";
  /** Above this number of living entities, destruction becomes likely. Default 40. */
  readonly cap?: number;
  /** What happens when a name is taken. Default "error". */
  readonly collisions?: NameRules["collisions"];
  /** How the world stores definitions. Default: as drawn for the seed. */
  readonly storages?: Storages;
}

export interface Walked {
  readonly holds: true;
}

const DEFAULT_CAP = 40;
/** Above the numbers of all other entities spawned by steps, and below those of entities that observers spawn. */
const FIRST_CLONE = 100_000;
const RECYCLED = 4_200;
/** Up to this seed, everything is compared after every step; above it rarely, which tests work that is put off for longer. */
const CLOSELY_WATCHED = 200;
const KINDS: readonly WalkKind[] = ["mixed", "Parent", "mixed", "ChildOf"];
const OBSERVERS = [
  "unobserved",
  "observed",
  "unobserved",
  "outlined",
  "unobserved",
  "observed",
  "reacting",
] as const;
const SAMPLINGS = [4, 6, 12, 3, 8, 5] as const;

/**
 * Walks as the seed says. The seed also determines how often the worlds are compared, and whether indexes are recycled at the
 * start.
 *
 * @throws Error at the first difference: its first line replays the walk.
 */
export function walk(options: WalkOptions): Walked {
  stepsOf(options);
  return { holds: true };
}

/** The steps of a walk up to its end, or to the first difference, which is then reported. */
export function stepsOf(options: WalkOptions, onDifference: "throw" | "stop" = "throw"): Step[] {
  const dice = createDice(options.seed);
  const palette = createPalette(dice);
  const components = [...palette.components, "Name"];
  const { relations } = palette;
  const replayed = replayOptionsOf(options);
  const both = createBoth(replayed, { components, relations, sampling: replayed.sampling ?? 1 });
  const chooser: Chooser = {
    dice,
    palette,
    naive: both.naive,
    kind: kindOf(options.seed),
    reusesIndexes: replayed.recycled !== 0,
    isStrict: replayed.strict ?? false,
    cap: options.cap ?? DEFAULT_CAP,
    nextTwin: 1,
    nextClone: FIRST_CLONE,
    focus: [],
    lists: createListDice(options.seed),
  };
  const done: Step[] = [];
  while (done.length < options.steps) {
    const step = chooseStep(chooser);
    done.push(step);
    try {
      take(both, step);
      if (done.length === options.steps) disposeBoth(both);
    } catch (error) {
      if (onDifference === "stop") return done;
      throw new Error(failureText(options, done, error), { cause: error });
    }
  }
  return done;
}

/**
 * Takes the given steps, compares after each of them, and disposes of the world.
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
  try {
    disposeBoth(both);
  } catch (error) {
    throw new Error(`at the end: ${messageOf(error)}`, { cause: error });
  }
  return { holds: true };
}

/** A short list of steps with which `replay` fails in the same way; empty if the walk or its replay does not fail. */
export function shortest(options: WalkOptions): Step[] {
  const replayed = replayOptionsOf(options);
  return shortestOf(stepsOf(options, "stop"), replayed);
}

/** The same for any steps. */
export function shortestOf(walked: readonly Step[], replayed: ReplayOptions): Step[] {
  const kind = failureOf(walked, replayed);
  if (kind === undefined) return [];
  return shrink(walked, (fewer) => failureOf(fewer, replayed) === kind);
}

/** The beginning of the message of a failed replay, without numbers: other messages are other failures. */
function failureOf(steps: readonly Step[], options: ReplayOptions): string | undefined {
  try {
    replay(steps, options);
    return undefined;
  } catch (error) {
    return messageOf((error as Error).cause)
      .replaceAll(/\d+/g, "#")
      .split(/[:{[]/)[0];
  }
}

/** The options that follow from the seed; the tests use one memory for even seeds and the other for odd ones. */
function replayOptionsOf(options: WalkOptions): ReplayOptions {
  const { seed, memory = "plain", collisions = "error", storages = drawStorages(seed) } = options;
  const half = Math.floor(seed / 2);
  return {
    memory,
    names: { collisions },
    sampling: seed <= CLOSELY_WATCHED ? 1 : SAMPLINGS[half % SAMPLINGS.length]!,
    recycled: Math.floor(seed / 16) % 3 === 2 ? RECYCLED : 0,
    strict: !isOn("deferred") || half % 9 === 4,
    ifParentDestroyed: half % 5 === 3 ? "drop" : "destroy",
    observers: OBSERVERS[half % OBSERVERS.length]!,
    storages,
  };
}

/** Half of the walks use both storages, and a quarter only one of them. */
function kindOf(seed: number): WalkKind {
  if (!isOn("parent storage")) return "ChildOf";
  return KINDS[Math.floor(seed / 4) % KINDS.length]!;
}

// ---- reports -----------------------------------------------------------------------------------------------------

function failureText(
  { seed, memory = "plain", cap = DEFAULT_CAP, collisions }: WalkOptions,
  done: Step[],
  error: unknown,
): string {
  const policy = collisions === undefined ? "" : `, collisions: "${collisions}"`;
  const replayLine = `walk({ seed: ${seed}, steps: ${done.length}, memory: "${memory}", cap: ${cap}${policy} })`;
  return `${replayLine} at step ${done.length - 1}, ${stepText(done.at(-1)!)}\n  ${messageOf(error)}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error && !("code" in error) ? error.message : String(error);
}
