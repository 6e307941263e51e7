/**
 * Random walks about names: few names that collide, paths, scopes and patterns, under each policy. All functions about names are
 * compared after every step.
 *
 * @example
 * namesWalk({ seed: 41, steps: 90 });                                   // throws at the first difference
 * console.log(shortestNames({ seed: 41, steps: 90 }).map(stepText));    // the few steps that matter
 */

import { createDice } from "../base/dice.ts";
import { type Choice, chooseAmong, chooseEntityOf } from "../choose/choose.ts";
import * as commands from "../choose/commands.ts";
import { chooseIterate } from "../choose/iterate.ts";
import { chooseListInTurn, createListDice } from "../choose/lists.ts";
import * as names from "../choose/names.ts";
import { chooseHierarchy, chooseSiblings } from "../choose/siblings.ts";
import type { Chooser, WalkKind } from "../choose/terms.ts";
import { anyEntity, createPalette } from "../choose/terms.ts";
import type { Step } from "../step/step.ts";
import { stepText } from "../step/step.ts";
import { drawStorages } from "../step/storages.ts";
import { disposeBoth } from "./dispose.ts";
import type { ReplayOptions } from "./take.ts";
import { createBoth, take } from "./take.ts";
import { messageOf, shortestOf, type Walked } from "./walk.ts";

export interface NamesWalkOptions {
  readonly seed: number;
  readonly steps: number;
}

const FIRST_CLONE = 100_000;
const RECYCLED = 4_200;
const POLICIES = ["error", "suffix", "allow"] as const;
const OBSERVERS = ["observed", "unobserved", "outlined", "unobserved", "reacting"] as const;
const KINDS: readonly WalkKind[] = ["mixed", "ChildOf", "mixed", "Parent"];
const CAPS = [6, 10, 16] as const;

const CHOICES: readonly Choice[] = [
  [14, commands.chooseSpawn],
  [5, commands.chooseSpawnMany],
  [8, commands.chooseAdd],
  [6, commands.chooseRemove],
  [8, commands.chooseSet],
  [14, commands.chooseReparent],
  [5, commands.chooseOrphaning],
  [12, names.chooseRenaming],
  [3, commands.chooseDestroy],
  [3, commands.chooseRelease],
  [10, chooseSiblings],
  [5, chooseHierarchy],
  [2, commands.chooseClear],
  [7, commands.chooseClone],
  [2, commands.chooseRemoveAll],
  [10, (chooser) => (chooser.isStrict ? names.chooseInsideChange(chooser) : chooseIterate(chooser))],
  [8, names.chooseInsideChange],
  [8, names.choosePlace],
  [7, names.chooseWithin],
  [3, names.chooseLookup],
  [8, names.chooseNameQueries],
  [4, names.chooseAlias],
  [5, names.chooseKeepPath],
  [1, names.chooseManyNames],
  [1, names.chooseNamesakes],
  [1, chooseEntityOf],
  [3, names.chooseConfigure],
];
const WEIGHTS = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

/** @throws Error at the first difference: its first line replays the walk. */
export function namesWalk(options: NamesWalkOptions): Walked {
  nameSteps(options);
  return { holds: true };
}

/** The steps of a walk up to its end, or to the first difference, which is then reported. */
export function nameSteps(options: NamesWalkOptions, onDifference: "throw" | "stop" = "throw"): Step[] {
  const { seed, steps } = options;
  const dice = createDice(seed);
  const replayed = namesReplayed(seed);
  const relations = [...new Set([...createPalette(dice).relations, ...(replayed.names?.along ?? [])])];
  const components = ["Name", "Name", "Alias", "Label", "Clock"];
  const both = createBoth(replayed, { components, relations, sampling: 4 });
  const chooser: Chooser = {
    dice,
    palette: { components, relations },
    naive: both.naive,
    kind: KINDS[Math.floor(seed / 5) % KINDS.length]!,
    reusesIndexes: false,
    isStrict: replayed.strict ?? false,
    cap: CAPS[Math.floor(seed / 2) % CAPS.length]!,
    nextTwin: 1,
    nextClone: FIRST_CLONE,
    focus: [],
    lists: createListDice(seed),
    naming: { names: names.createNames(dice), commands: names.NAME_COMMANDS, last: undefined },
  };
  const done: Step[] = [];
  while (done.length < steps) {
    const step = chooseNext(chooser);
    done.push(step);
    try {
      take(both, step);
      if (done.length === steps) disposeBoth(both);
    } catch (error) {
      if (onDifference === "stop") return done;
      const replayLine = `namesWalk({ seed: ${seed}, steps: ${done.length} })`;
      const label = `${replayLine} at step ${done.length - 1}, ${stepText(step)}\n  ${messageOf(error)}`;
      throw new Error(label, { cause: error });
    }
  }
  return done;
}

function chooseNext(chooser: Chooser): Step {
  const { dice, naive, cap } = chooser;
  if (naive.living.size === 0) return { verb: "spawn", spawned: [chooser.nextTwin++], terms: [] };
  if (naive.living.size > cap && dice.chance(0.6)) {
    return { verb: dice.pick(["destroy", "destroy", "release"]), entity: anyEntity(chooser) };
  }
  return chooseListInTurn(chooser) ?? chooseAmong(CHOICES, WEIGHTS, chooser);
}

/** A short list of steps that fails in the same way. */
export function shortestNames(options: NamesWalkOptions): Step[] {
  return shortestOf(nameSteps(options, "stop"), namesReplayed(options.seed));
}

/** The options that follow from the seed. */
export function namesReplayed(seed: number): ReplayOptions {
  return {
    memory: seed % 8 === 7 ? "wasm" : "plain",
    sampling: 4,
    recycled: seed % 7 === 6 ? RECYCLED : 0,
    strict: seed % 11 === 10,
    ifParentDestroyed: seed % 5 === 4 ? "drop" : "destroy",
    observers: OBSERVERS[Math.floor(seed / 3) % OBSERVERS.length]!,
    storages: drawStorages(seed),
    names: {
      collisions: POLICIES[seed % POLICIES.length]!,
      separator: names.SEPARATORS[Math.floor(seed / 2) % names.SEPARATORS.length]!,
      along: names.ALONG[Math.floor(seed / 3) % names.ALONG.length]!,
    },
    isNaming: true,
  };
}
