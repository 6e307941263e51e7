/** Picks the next step of a walk: whatever the twin's state makes interesting, by the throw of the dice. */

import { type Feature, isOn } from "../base/features.ts";
import type { Command, Step } from "../step/step.ts";
import { isUsable, rules } from "../step/vocabulary.ts";
import type { SlowTerm } from "../twin/rules.ts";
import { childrenOf } from "../twin/world.ts";
import {
  COMMANDS,
  chooseAdd,
  chooseClear,
  chooseClone,
  chooseDestroy,
  chooseDestroyWhere,
  chooseOrphaning,
  chooseRelease,
  chooseRemove,
  chooseRemoveAll,
  chooseRename,
  chooseReparent,
  chooseSet,
  chooseSpawn,
  chooseSpawnMany,
  somethingOf,
} from "./commands.ts";
import { chooseVisit } from "./iterate.ts";
import { chooseAsk } from "./queries.ts";
import { chooseDoor, chooseSiblings } from "./siblings.ts";
import type { Chooser } from "./terms.ts";
import { aliveOne, below, numberFor, someone, tagFor, valuedComponent } from "./terms.ts";

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
    [2, () => ({ verb: "pack" })],
    [1, ({ dice, isWorn }) => ({ verb: "wear", count: isWorn ? dice.below(4_200) : 1 })],
    [3, (chooser) => ({ verb: "drift", by: numberFor(chooser) })],
    [5, chooseAsk],
    [4, chooseFlurry],
    [1, chooseCrowd],
    [1, chooseChain],
    [8, chooseSiblings, "siblings"],
    [3, chooseDoor, "door"],
    [2, chooseClear, "clear"],
    [4, chooseClone, "clone"],
    [2, chooseRemoveAll, "everybody"],
    [1, chooseDestroyWhere, "everybody"],
    [2, chooseEntityOf, "definitions"],
    [10, chooseVisiting],
    [3, chooseListen, "events"],
  ] satisfies Choice[]
).filter(([, , needed]: Choice) => needed === undefined || isOn(needed));

const WEIGHTS = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

export function chooseStep(chooser: Chooser): Step {
  const { dice, slow, cap } = chooser;
  const alive = slow.living.size;
  if (alive === 0) return { verb: "spawn", born: [chooser.named++], terms: [] };
  if (dice.chance(0.004)) return everyoneDies(chooser);
  if (alive > cap && dice.chance(0.5)) {
    return dice.chance(0.1)
      ? everyoneDies(chooser)
      : { verb: dice.pick(["destroy", "release"]), entity: someone(chooser) };
  }

  return chooseAmong(CHOICES, WEIGHTS, chooser);
}

/** @param weights of all choices together. */
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
  return { verb: "entityOf", what, born: chooser.named++ };
}

/** Commands inside a visit; of a strict world one, which is refused. */
function chooseVisiting(chooser: Chooser): Step {
  if (isOn("queue") && !chooser.isStrict) return chooseVisit(chooser);
  const step = chooser.dice.pick<Command>([
    { verb: "spawn", born: [chooser.named++], terms: [] },
    { verb: "destroy", entity: aliveOne(chooser) },
    { verb: "pack" },
  ]);
  return { verb: "meddle", step };
}

function chooseListen(chooser: Chooser): Step {
  const { dice } = chooser;
  const chosen = somethingOf(chooser);
  const to = chosen.what === "Parent" ? { ...chosen, what: "ChildOf" } : chosen; // of which events are told
  return {
    verb: "listen",
    slot: dice.below(4),
    to: dice.chance(0.2) ? undefined : to,
    yieldExisting: dice.chance(0.3),
  };
}

/** Several steps in a row, so that what is put off until somebody looks piles up. */
function chooseFlurry(chooser: Chooser): Step {
  const { dice } = chooser;
  const steps = Array.from({ length: 2 + dice.below(6) }, () => dice.pick(COMMANDS)(chooser));
  return { verb: "burst", steps };
}

/** Thirty children at once under one parent, one by one. */
function chooseCrowd(chooser: Chooser): Step {
  const parent = aliveOne(chooser);
  const what = chooser.dice.pick(chooser.palette.components);
  const steps: Step[] = [];
  for (let at = 0; at < 30; at++) {
    const terms: SlowTerm[] = [below(chooser, parent), valuedComponent(chooser, what)];
    steps.push({ verb: "spawn", born: [chooser.named++], terms });
  }
  return { verb: "burst", steps };
}

/** A deep chain, whose inner nodes have the component only here and there. */
function chooseChain(chooser: Chooser): Step {
  let parent = aliveOne(chooser);
  const steps: Step[] = [];
  for (let at = 0; at < 12; at++) {
    const terms: SlowTerm[] = [below(chooser, parent)];
    if (chooser.dice.chance(0.5)) terms.push(valuedComponent(chooser, "Position"));
    parent = chooser.named++;
    steps.push({ verb: "spawn", born: [parent], terms });
  }
  return { verb: "burst", steps };
}

/** Guards first, so that nobody refuses; then the roots, in a random order. */
function everyoneDies(chooser: Chooser): Step {
  const { dice, slow } = chooser;
  const steps: Step[] = [...slow.living.keys()].map((entity) => ({
    verb: "remove",
    entity,
    what: "Guards",
    target: "Any",
  }));
  const roots = childrenOf(slow, undefined);
  while (roots.length > 0) {
    const [entity] = roots.splice(dice.below(roots.length), 1);
    steps.push({ verb: "destroy", entity: entity! });
  }
  return { verb: "burst", steps };
}
