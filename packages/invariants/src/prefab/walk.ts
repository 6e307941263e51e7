/**
 * Random walks over prefabs: the real world and a naive twin take the same steps, and everything that can be read is compared after each.
 *
 * @example
 * prefabWalk({ seed: 7, steps: 80 });                                  // throws at the first difference
 * console.log(shortestPrefabWalk({ seed: 7, steps: 80 }).join("\n"));  // the few steps that matter
 */

import { TreelineError } from "@treeline/core";
import { createDice } from "../base/dice.ts";
import { compare, createProbes, Difference, matchHandles, type Probes } from "./compare.ts";
import { createReal, type Real, restoreSnapshot, takeReal, takeSnapshot } from "./real.ts";
import { chooseStep, makesDouble, namedBy, refusalOf, type Step, takeTwin } from "./step.ts";
import { copyState, type State } from "./twin.ts";

export interface PrefabWalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** Above this number of entities, destruction becomes likely. Default 30. */
  readonly cap?: number;
  /** Whether monitors watch what they find, which changes how things are made. Default: with even seeds. */
  readonly isWatched?: boolean;
}

interface Both {
  readonly real: Real;
  state: State;
  taken: { readonly state: State; readonly seen: Probes["seen"] } | undefined;
  probes: Probes;
}

function createBoth(isWatched: boolean): Both {
  const real = createReal();
  return {
    real,
    state: { twins: new Map(), touched: new Set() },
    taken: undefined,
    probes: createProbes(real, isWatched),
  };
}

/** @throws Error at the first difference: its first line replays the walk. */
export function prefabWalk(options: PrefabWalkOptions): void {
  const done: Step[] = [];
  try {
    stepsOf(options, done);
  } catch (error) {
    const { seed, steps, cap } = options;
    const line = `prefabWalk({ seed: ${seed}, steps: ${steps}${cap === undefined ? "" : `, cap: ${cap}`} })`;
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${line} at step ${done.length - 1}, ${JSON.stringify(done.at(-1))}\n  ${why}`, {
      cause: error,
    });
  }
}

function stepsOf(options: PrefabWalkOptions, done: Step[]): void {
  const { seed, steps, cap = 30 } = options;
  const dice = createDice(seed);
  const both = createBoth(isWatchedIn(options));
  for (let at = 1; at <= steps; at++) {
    const step = chooseStep(both.state, dice, at, cap);
    done.push(step);
    take(both, step);
  }
}

function take(both: Both, step: Step): void {
  const { real, state, probes } = both;
  if (namedBy(step).some((id) => !state.twins.has(id)) || makesDouble(state, step)) return;
  if (step.verb === "snapshot") {
    takeSnapshot(real);
    both.taken = { state: copyState(state), seen: new Map(probes.seen) };
  } else if (step.verb === "restore") {
    if (both.taken === undefined) return;
    restoreSnapshot(real);
    both.state = copyState(both.taken.state);
    probes.seen = new Map(both.taken.seen);
  } else {
    const expected = refusalOf(state, step);
    const code = refusedWith(() => {
      const made = takeReal(real, state, step);
      if (expected !== undefined) return;
      takeTwin(state, step);
      matchHandles(real, state, made, step.at);
    });
    if (code !== expected) throw new Difference(`refused with ${code} instead of ${expected}`);
  }
  compare(real, both.state, probes);
}

function refusedWith(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TreelineError && error.code !== "internal-error") return error.code;
    throw error;
  }
}

function isWatchedIn({ seed, isWatched = seed % 2 === 0 }: PrefabWalkOptions): boolean {
  return isWatched;
}

/** As few steps of a failing walk as still fail in the same way, as text. */
export function shortestPrefabWalk(options: PrefabWalkOptions): string[] {
  let steps: Step[] = [];
  const isWatched = isWatchedIn(options);
  try {
    stepsOf(options, steps);
    return [];
  } catch {
    const last = whyOf(steps, isWatched)!;
    for (let size = Math.ceil(steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let from = steps.length - size; from > -size; from -= size) {
        const fewer = [...steps.slice(0, Math.max(0, from)), ...steps.slice(from + size)];
        if (kindOf(whyOf(fewer, isWatched)) === kindOf(last)) steps = fewer;
      }
    return [...steps.map((step) => JSON.stringify(step)), whyOf(steps, isWatched) ?? last];
  }
}

/** What stays of a message while steps are left out: lists and numbers differ. */
function kindOf(why: string | undefined): string | undefined {
  return why?.replaceAll(/\[[^\]]*\]|\d+/g, "#");
}

/** Takes steps, as `shortestPrefabWalk` lists them. */
export function replayPrefabSteps(steps: readonly Step[], isWatched: boolean): void {
  const both = createBoth(isWatched);
  for (const step of steps) take(both, step);
}

function whyOf(steps: readonly Step[], isWatched: boolean): string | undefined {
  try {
    replayPrefabSteps(steps, isWatched);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
