/** Shrinks a list of steps to those that matter. */

import type { Step } from "../step/step.ts";
import type { NaiveTerm } from "../twin/rules.ts";

type Fails = (steps: readonly Step[]) => boolean;

/** As few and as simple steps as still fail, found by removing steps and trying again. */
export function shrink(all: readonly Step[], fails: Fails): Step[] {
  const flat = all.flatMap((step) => (step.verb === "burst" ? step.steps : [step]));
  let steps = fails(flat) ? flat : [...all];
  for (let size = Math.ceil(steps.length / 2); size > 1; size = Math.ceil(size / 2)) {
    steps = withoutSome(steps, size, fails);
  }
  for (;;) {
    const fewer = withSimpler(withoutSome(steps, 1, fails), fails);
    if (JSON.stringify(fewer) === JSON.stringify(steps)) return steps;
    steps = fewer;
  }
}

function withoutSome(all: Step[], size: number, fails: Fails): Step[] {
  let steps = all;
  for (let from = steps.length - size; from > -size; from -= size) {
    const fewer = [...steps.slice(0, Math.max(0, from)), ...steps.slice(from + size)];
    if (fails(fewer)) steps = fewer;
  }
  return steps;
}

/** Replaces each step by a simpler one that still fails. */
function withSimpler(all: Step[], fails: Fails): Step[] {
  let steps = all;
  for (let at = steps.length - 1; at >= 0; at--) {
    let found: readonly Step[] | undefined;
    do {
      found = simplerOf(steps[at]!).find((some) => fails(steps.toSpliced(at, 1, ...some)));
      if (found !== undefined) steps = steps.toSpliced(at, 1, ...found);
    } while (found?.length === 1);
  }
  return steps;
}

function simplerOf(step: Step): (readonly Step[])[] {
  if ("steps" in step) {
    const fewer = step.steps.map((_, at) => [{ ...step, steps: step.steps.toSpliced(at, 1) } as Step]);
    const inside = step.steps.flatMap((part, at) => {
      return simplerOf(part).map((parts) => [
        { ...step, steps: step.steps.toSpliced(at, 1, ...(parts as [])) } as Step,
      ]);
    });
    return [step.steps, ...fewer, ...inside];
  }
  const found: Step[][] = simplerLists(step).map((simpler) => [simpler]);
  if (step.verb === "clone" && step.isDeep) found.push([{ ...step, isDeep: false }]);
  if (step.verb === "spawnMany" && step.spawned.length > 1)
    found.push([{ ...step, spawned: step.spawned.slice(1) }]);
  const isWithTerms =
    step.verb === "spawn" ||
    step.verb === "spawnMany" ||
    step.verb === "spawnRows" ||
    step.verb === "add" ||
    step.verb === "addMany" ||
    step.verb === "clone";
  if (isWithTerms) {
    const { terms }: { terms: readonly NaiveTerm[] } = step;
    for (const at of terms.keys()) found.push([{ ...step, terms: terms.toSpliced(at, 1) }]);
  }
  return found;
}

/** The same for fewer entities, or for one parent. */
function simplerLists(step: Step): Step[] {
  switch (step.verb) {
    case "spawnRows": {
      const { parents, names, filled, ...plain } = step;
      const found: Step[] = [
        plain,
        { ...plain, ...(parents && { parents }) },
        { ...plain, ...(names && { names }) },
      ];
      return found.filter((one) => Object.keys(one).length < Object.keys(step).length);
    }
    case "addMany":
    case "removeMany":
    case "destroyMany":
      return step.list.map((_, at) => ({ ...step, list: step.list.toSpliced(at, 1) }));
    case "nameMany":
      return step.list.map((_, at) => ({
        ...step,
        list: step.list.toSpliced(at, 1),
        names: step.names.toSpliced(at, 1),
      }));
    case "reparentMany": {
      const { parents } = step;
      return step.list.map((_, at) => ({
        ...step,
        list: step.list.toSpliced(at, 1),
        parents: typeof parents === "number" ? parents : parents.toSpliced(at, 1),
      }));
    }
    default:
      return [];
  }
}
