/** Picks the next step of a walk at random, weighted by what the state of the twin makes interesting. */

import { type Feature, isOn } from "../base/features.ts";
import type { Command, Step } from "../step/step.ts";
import { isUsable, rules } from "../step/vocabulary.ts";
import type { NaiveTerm } from "../twin/rules.ts";
import { childrenOf } from "../twin/world.ts";
import {
  anyId,
  COMMANDS,
  chooseAdd,
  chooseClear,
  chooseClone,
  chooseDestroy,
  chooseDestroyWhere,
  chooseOrphaning,
  choosePack,
  chooseRelease,
  chooseRemove,
  chooseRemoveAll,
  chooseRename,
  chooseReparent,
  chooseReserve,
  chooseSet,
  chooseSpawn,
  chooseSpawnMany,
} from "./commands.ts";
import { chooseBuffer, chooseIterate, chooseRecord } from "./iterate.ts";
import { chooseListInTurn } from "./lists.ts";
import { chooseQuery } from "./queries.ts";
import { chooseHierarchy, chooseSiblings } from "./siblings.ts";
import type { Chooser } from "./terms.ts";
import { aliveEntity, anyEntity, below, numberFor, tagFor, valuedComponent } from "./terms.ts";

export type Choice = readonly [weight: number, choose: (chooser: Chooser) => Step, needed?: Feature];

const CHOICES: readonly Choice[] = (
  [
    [14, chooseSpawn],
    [3, chooseSpawnMany],
    [12, chooseAdd],
    [12, chooseRemove],
    [16, chooseSet],
    [14, chooseReparent],
    [4, chooseOrphaning],
    [6, chooseRename],
    [3, chooseDestroy],
    [4, chooseRelease],
    [2, choosePack],
    [1, chooseReserve],
    [1, ({ dice, reusesIndexes }) => ({ verb: "recycle", count: reusesIndexes ? dice.below(4_200) : 1 })],
    [3, (chooser) => ({ verb: "writeRows", by: numberFor(chooser) })],
    [5, chooseQuery],
    [4, chooseBurst],
    [1, chooseManyChildren],
    [1, chooseChain],
    [8, chooseSiblings, "siblings"],
    [3, chooseHierarchy, "hierarchy"],
    [2, chooseClear, "clear"],
    [4, chooseClone, "clone"],
    [2, chooseRemoveAll, "bulk"],
    [1, chooseDestroyWhere, "bulk"],
    [2, chooseEntityOf, "definitions"],
    [10, chooseInside],
    [4, chooseRecord, "deferred"],
    [3, chooseBuffer, "deferred"],
    [3, chooseObserve, "events"],
  ] satisfies Choice[]
).filter(([, , needed]: Choice) => needed === undefined || isOn(needed));

const WEIGHTS = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

export function chooseStep(chooser: Chooser): Step {
  const { dice, naive, cap } = chooser;
  const alive = naive.living.size;
  if (alive === 0) return { verb: "spawn", spawned: [chooser.nextTwin++], terms: [] };
  if (dice.chance(0.004)) return chooseDestroyAll(chooser);
  if (alive > cap && dice.chance(0.5)) {
    return dice.chance(0.1)
      ? chooseDestroyAll(chooser)
      : { verb: dice.pick(["destroy", "release"]), entity: anyEntity(chooser) };
  }

  return chooseListInTurn(chooser) ?? chooseAmong(CHOICES, WEIGHTS, chooser);
}

/** @param weights the sum of the weights of all choices. */
export function chooseAmong(choices: readonly Choice[], weights: number, chooser: Chooser): Step {
  let left = chooser.dice.below(weights);
  for (const [weight, choose] of choices) {
    if (left < weight) return choose(chooser);
    left -= weight;
  }
  throw new Error("weights do not add up");
}

export function chooseEntityOf(chooser: Chooser): Step {
  const { dice, palette } = chooser;
  const often = [tagFor(chooser), "Doomed", "Sacred", ...palette.components, ...palette.relations, "Name"];
  const builtins = rules.builtins.filter(isUsable);
  const what = dice.chance(0.05)
    ? dice.pick(builtins)
    : dice.pick(often.filter((one) => !builtins.includes(one)));
  return { verb: "entityOf", what, spawned: chooser.nextTwin++ };
}

/** Commands inside an iteration; in a strict world a single one, which is refused. */
function chooseInside(chooser: Chooser): Step {
  if (isOn("deferred") && !chooser.isStrict) return chooseIterate(chooser);
  const step = chooser.dice.pick<Command>([
    { verb: "spawn", spawned: [chooser.nextTwin++], terms: [] },
    { verb: "destroy", entity: aliveEntity(chooser) },
    { verb: "pack" },
    { verb: "applyCommands", buffer: 0 },
  ]);
  return { verb: "changeInside", step };
}

function chooseObserve(chooser: Chooser): Step {
  const { dice } = chooser;
  const chosen = anyId(chooser);
  const to = chosen.what === "Parent" ? { ...chosen, what: "ChildOf" } : chosen; // events report every parent as ChildOf
  return {
    verb: "observe",
    slot: dice.below(4),
    to: dice.chance(0.2) ? undefined : to,
    yieldExisting: dice.chance(0.3),
  };
}

/** Several steps in a row, so that work that is put off until the next read accumulates. */
function chooseBurst(chooser: Chooser): Step {
  const { dice } = chooser;
  const steps = Array.from({ length: 2 + dice.below(6) }, () => dice.pick(COMMANDS)(chooser));
  return { verb: "burst", steps };
}

/** Thirty children of one parent, spawned one by one. */
function chooseManyChildren(chooser: Chooser): Step {
  const parent = aliveEntity(chooser);
  const what = chooser.dice.pick(chooser.palette.components);
  const steps: Step[] = [];
  for (let at = 0; at < 30; at++) {
    const terms: NaiveTerm[] = [below(chooser, parent), valuedComponent(chooser, what)];
    steps.push({ verb: "spawn", spawned: [chooser.nextTwin++], terms });
  }
  return { verb: "burst", steps };
}

/** A deep chain in which about half of the nodes have the component. */
function chooseChain(chooser: Chooser): Step {
  let parent = aliveEntity(chooser);
  const steps: Step[] = [];
  for (let at = 0; at < 12; at++) {
    const terms: NaiveTerm[] = [below(chooser, parent)];
    if (chooser.dice.chance(0.5)) terms.push(valuedComponent(chooser, "Position"));
    parent = chooser.nextTwin++;
    steps.push({ verb: "spawn", spawned: [parent], terms });
  }
  return { verb: "burst", steps };
}

/** Removes all guards first, so that no destruction is refused; then destroys the roots in random order. */
function chooseDestroyAll(chooser: Chooser): Step {
  const { dice, naive } = chooser;
  const steps: Step[] = [...naive.living.keys()].map((entity) => ({
    verb: "remove",
    entity,
    what: "Guards",
    target: "Any",
  }));
  const roots = childrenOf(naive, undefined);
  while (roots.length > 0) {
    const [entity] = roots.splice(dice.below(roots.length), 1);
    steps.push({ verb: "destroy", entity: entity! });
  }
  return { verb: "burst", steps };
}
