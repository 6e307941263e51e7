/** Picks the next step of a walk: whatever the twin's state makes interesting, by the throw of the dice. */
import { chooseAsk, targetedTerms } from "./choose-asks.ts";
import { chooseDoor, chooseSiblings } from "./choose-siblings.ts";
import type { Chooser } from "./choose-terms.ts";
import {
  addedTerms,
  aliveOne,
  below,
  bornWith,
  nameFor,
  newborns,
  numberFor,
  someone,
  storageFor,
  tagEntity,
  tagFor,
  valuedComponent,
  valuedTerm,
} from "./choose-terms.ts";
import { type Feature, isOn } from "./features.ts";
import { bornBy } from "./slow-queue.ts";
import type { SlowId, SlowTerm } from "./slow-rules.ts";
import { ancestorsOf, childrenOf, descendantsOf, parentOf, targetsOf } from "./slow-world.ts";
import type { Command, Step } from "./step.ts";
import { isUsable, rules } from "./vocabulary.ts";

type Choice = readonly [weight: number, choose: (chooser: Chooser) => Step, needed?: Feature];

const CHOICES: readonly Choice[] = (
  [
    [14, chooseSpawn],
    [3, chooseSpawnMany],
    [12, chooseAdd],
    [12, chooseRemove],
    [16, (chooser) => ({ verb: "set", entity: someone(chooser), term: valuedTerm(chooser) })],
    [14, chooseReparent],
    [4, (chooser) => ({ verb: "remove", entity: someone(chooser), what: "ChildOf", target: "Any" })],
    [6, (chooser) => ({ verb: "rename", entity: someone(chooser), name: nameFor(chooser) })],
    [3, (chooser) => ({ verb: "destroy", entity: someone(chooser) })],
    [4, (chooser) => ({ verb: "release", entity: someone(chooser) })],
    [2, () => ({ verb: "pack" })],
    [1, ({ dice, isWorn }) => ({ verb: "wear", count: isWorn ? dice.below(4_200) : 1 })],
    [3, (chooser) => ({ verb: "drift", by: numberFor(chooser) })],
    [2, chooseMeddling],
    [5, chooseAsk],
    [4, chooseFlurry],
    [1, chooseCrowd],
    [1, chooseChain],
    [8, chooseSiblings, "siblings"],
    [3, chooseDoor, "door"],
    [2, (chooser) => ({ verb: "clear", entity: someone(chooser) }), "clear"],
    [4, chooseClone, "clone"],
    [2, chooseRemoveAll, "everybody"],
    [1, chooseDestroyWhere, "everybody"],
    [2, chooseEntityOf, "definitions"],
    [8, chooseVisit, "queue"],
    [3, chooseListen, "events"],
  ] satisfies Choice[]
).filter(([, , needed]: Choice) => needed === undefined || isOn(needed));

/** What moves rows, depths and names: made many at once, or issued inside a visit. */
const COMMANDS: readonly ((chooser: Chooser) => Command)[] = [
  chooseReparent,
  chooseReparent,
  chooseRemove,
  chooseSpawn,
  chooseAdd,
  () => ({ verb: "pack" }),
  (chooser) => ({ verb: "release", entity: someone(chooser) }),
];

/** What else is issued inside visits. */
const VISITORS: readonly ((chooser: Chooser) => Command)[] = [
  ...COMMANDS,
  chooseSpawn,
  chooseSpawn,
  chooseSpawnMany,
  (chooser) => ({ verb: "destroy", entity: someone(chooser) }),
  (chooser) => ({ verb: "destroy", entity: someone(chooser) }),
  (chooser) => ({ verb: "set", entity: someone(chooser), term: valuedTerm(chooser) }),
  (chooser) => ({ verb: "set", entity: someone(chooser), term: valuedTerm(chooser) }),
  (chooser) => ({ verb: "rename", entity: someone(chooser), name: nameFor(chooser) }),
  (chooser) => ({ verb: "remove", entity: someone(chooser), what: "ChildOf", target: "Any" }),
  ...(isOn("clear") ? [(chooser: Chooser): Command => ({ verb: "clear", entity: someone(chooser) })] : []),
  ...(isOn("clone") ? [(chooser: Chooser): Command => ({ ...chooseClone(chooser), isDeep: false })] : []),
  ...(isOn("siblings") ? [chooseSiblings] : []),
  ...(isOn("everybody") ? [chooseRemoveAll, chooseDestroyWhere] : []),
  ...(isOn("door") ? [chooseDoor] : []),
];

const WAYS = ["each", "eachRun", "eachStretch", "defer", "defer in each"] as const;

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

  let left = dice.below(WEIGHTS);
  for (const [weight, choose] of CHOICES) {
    if (left < weight) return choose(chooser);
    left -= weight;
  }
  throw new Error("weights do not add up");
}

// ---- commands ----------------------------------------------------------------------------------------------------

function chooseSpawn(chooser: Chooser): Command {
  return { verb: "spawn", born: [chooser.named++], terms: bornWith(chooser) };
}

function chooseSpawnMany(chooser: Chooser): Command {
  return { verb: "spawnMany", born: newborns(chooser, 1 + chooser.dice.below(5)), terms: bornWith(chooser) };
}

function chooseAdd(chooser: Chooser): Command {
  return { verb: "add", entity: someone(chooser), terms: addedTerms(chooser) };
}

function chooseRemove(chooser: Chooser): Command {
  const { dice, slow, palette } = chooser;
  const entity = someone(chooser);
  const luck = dice.below(10);
  if (luck < 5) {
    return { verb: "remove", entity, what: dice.pick([tagFor(chooser), ...palette.components, "Name"]) };
  }
  if (luck === 5) return { verb: "remove", entity, ...somethingOf(chooser) };
  const what = dice.pick([...palette.relations, ...(isOn("entity tags") ? ["Is"] : [])]);
  if (what !== "Is" && dice.chance(0.3)) return { verb: "remove", entity, what, target: "Any" };
  const held = slow.living.has(entity) ? targetsOf(slow, entity, what) : [];
  const target = held.length > 0 && dice.chance(0.8) ? dice.pick(held) : someone(chooser);
  return what === "Is" && held.length === 0
    ? { verb: "remove", entity, what: "Frozen" }
    : { verb: "remove", entity, what, target };
}

/** Anyone under anyone, and on purpose: below itself, below its own grandchild, under the parent it has. */
function chooseReparent(chooser: Chooser): Command {
  const { dice, slow } = chooser;
  const entity = someone(chooser);
  let target = someone(chooser);
  if (slow.living.has(entity)) {
    const luck = dice.below(20);
    if (luck === 0) target = entity;
    else if (luck <= 2) target = dice.pick([entity, ...descendantsOf(slow, entity)]);
    else if (luck <= 5) target = parentOf(slow, entity) ?? target;
    else if (luck <= 7) target = dice.pick([target, ...ancestorsOf(slow, entity)]);
  }
  return { verb: "add", entity, terms: [below(chooser, target)] };
}

/** Something that many may have. */
function somethingOf(chooser: Chooser): SlowId {
  const { dice, palette } = chooser;
  const target = someone(chooser);
  const relation = dice.pick([...palette.relations, storageFor(chooser)]);
  const found: SlowId[] = [
    { what: tagFor(chooser) },
    { what: dice.pick(palette.components) },
    { what: relation, target },
    { what: relation, target: "Any" },
  ];
  if (isOn("wildcards")) {
    found.push({ what: "Any", target });
    if (dice.chance(0.2)) found.push({ what: "Any", target: "Any" });
  }
  const entity = isOn("entity tags") ? tagEntity(chooser) : undefined;
  if (entity !== undefined && chooser.slow.living.has(entity)) found.push({ what: "Is", target: entity });
  return dice.pick(found);
}

function chooseRemoveAll(chooser: Chooser): Command {
  return { verb: "removeAll", ...somethingOf(chooser) };
}

function chooseDestroyWhere(chooser: Chooser): Command {
  return { verb: "destroyWhere", terms: chooser.dice.chance(0.05) ? [] : targetedTerms(chooser) };
}

function chooseClone(chooser: Chooser): Extract<Command, { verb: "clone" }> {
  const { dice } = chooser;
  const born = chooser.named;
  chooser.named += 200; // enough for everybody below
  const luck = dice.below(4);
  const terms: SlowTerm[] = luck === 0 ? [below(chooser, someone(chooser))] : [];
  if (luck === 1) terms.push({ what: "Name", value: nameFor(chooser) });
  if (luck === 2) terms.push(...addedTerms(chooser));
  return { verb: "clone", entity: someone(chooser), isDeep: dice.chance(0.5), terms, born };
}

// ---- other steps -------------------------------------------------------------------------------------------------

function chooseEntityOf(chooser: Chooser): Step {
  const { dice, palette } = chooser;
  const often = [tagFor(chooser), "Doomed", "Sacred", ...palette.components, ...palette.relations, "Name"];
  const builtins = rules.builtins.filter(isUsable);
  const what = dice.chance(0.05)
    ? dice.pick(builtins)
    : dice.pick(often.filter((one) => !builtins.includes(one)));
  return { verb: "entityOf", what, born: chooser.named++ };
}

/** What a strict world refuses inside a visit. */
function chooseMeddling(chooser: Chooser): Step {
  if (isOn("queue") && !chooser.isStrict) return chooseVisit(chooser);
  const step = chooser.dice.pick<Command>([
    { verb: "spawn", born: [chooser.named++], terms: [] },
    { verb: "destroy", entity: aliveOne(chooser) },
    { verb: "pack" },
  ]);
  return { verb: "meddle", step };
}

/** Commands that may name those who are born in the same visit. */
function chooseVisit(chooser: Chooser): Step {
  const { dice } = chooser;
  if (chooser.isStrict) return chooseMeddling(chooser);
  const steps: Command[] = [];
  const count = 1 + dice.below(6);
  chooser.together = [aliveOne(chooser), aliveOne(chooser)]; // so that several commands are about the same ones
  while (steps.length < count) {
    const command = dice.pick(VISITORS)(chooser);
    steps.push(command.verb === "sortChildren" ? { ...command, byClock: false } : command);
    chooser.together = [...chooser.together, ...bornBy(command)];
  }
  if (isOn("clone") && dice.chance(0.1)) steps.push(chooseClone(chooser));
  chooser.together = [];
  return { verb: "visit", way: dice.pick(WAYS), isTorn: dice.chance(0.1), steps };
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
