/** Picks commands: what can be done at once, or issued inside a visit. */

import { isOn } from "../base/features.ts";
import type { Command } from "../step/step.ts";
import type { SlowId, SlowTerm } from "../twin/rules.ts";
import { ancestorsOf, descendantsOf, parentOf, targetsOf } from "../twin/world.ts";
import { targetedTerms } from "./queries.ts";
import type { Chooser } from "./terms.ts";
import {
  addedTerms,
  below,
  bornWith,
  nameFor,
  newborns,
  someone,
  storageFor,
  tagEntity,
  tagFor,
  valuedTerm,
} from "./terms.ts";

export function chooseSpawn(chooser: Chooser): Command {
  return { verb: "spawn", born: [chooser.named++], terms: bornWith(chooser) };
}

export function chooseSpawnMany(chooser: Chooser): Command {
  return { verb: "spawnMany", born: newborns(chooser, 1 + chooser.dice.below(5)), terms: bornWith(chooser) };
}

export function chooseAdd(chooser: Chooser): Command {
  return { verb: "add", entity: someone(chooser), terms: addedTerms(chooser) };
}

export function chooseRemove(chooser: Chooser): Command {
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
export function chooseReparent(chooser: Chooser): Command {
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
export function somethingOf(chooser: Chooser): SlowId {
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

export function chooseRemoveAll(chooser: Chooser): Command {
  return { verb: "removeAll", ...somethingOf(chooser) };
}

export function chooseDestroyWhere(chooser: Chooser): Command {
  return { verb: "destroyWhere", terms: chooser.dice.chance(0.05) ? [] : targetedTerms(chooser) };
}

export function chooseClone(chooser: Chooser): Extract<Command, { verb: "clone" }> {
  const { dice } = chooser;
  const born = chooser.cloned;
  chooser.cloned += 1_000; // enough for everybody below
  const luck = dice.below(4);
  const terms: SlowTerm[] = luck === 0 ? [below(chooser, someone(chooser))] : [];
  if (luck === 1) terms.push({ what: "Name", value: nameFor(chooser) });
  if (luck === 2) terms.push(...addedTerms(chooser));
  return { verb: "clone", entity: someone(chooser), isDeep: dice.chance(0.5), terms, born };
}

export function chooseSet(chooser: Chooser): Command {
  return { verb: "set", entity: someone(chooser), term: valuedTerm(chooser) };
}

export function chooseRename(chooser: Chooser): Command {
  return { verb: "rename", entity: someone(chooser), name: nameFor(chooser) };
}

export function chooseDestroy(chooser: Chooser): Command {
  return { verb: "destroy", entity: someone(chooser) };
}

export function chooseRelease(chooser: Chooser): Command {
  return { verb: "release", entity: someone(chooser) };
}

export function chooseOrphaning(chooser: Chooser): Command {
  return { verb: "remove", entity: someone(chooser), what: "ChildOf", target: "Any" };
}

export function chooseClear(chooser: Chooser): Command {
  return { verb: "clear", entity: someone(chooser) };
}

/** What moves rows, depths and names. */
export const COMMANDS: readonly ((chooser: Chooser) => Command)[] = [
  chooseReparent,
  chooseReparent,
  chooseRemove,
  chooseSpawn,
  chooseAdd,
  () => ({ verb: "pack" }),
  chooseRelease,
];
