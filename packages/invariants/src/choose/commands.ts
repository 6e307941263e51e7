/** Picks commands: steps that can run at once or be issued inside an iteration. */

import { isOn } from "../base/features.ts";
import type { Command } from "../step/step.ts";
import { isObject } from "../step/vocabulary.ts";
import type { NaiveId, NaiveTerm } from "../twin/rules.ts";
import { ancestorsOf, descendantsOf, parentOf, targetsOf } from "../twin/world.ts";
import { targetedTerms } from "./queries.ts";
import type { Chooser } from "./terms.ts";
import {
  addedTerms,
  anyEntity,
  below,
  nameFor,
  newTwins,
  spawnTerms,
  storageFor,
  tagEntity,
  tagFor,
  valuedComponent,
  valuedTerm,
} from "./terms.ts";

export function chooseSpawn(chooser: Chooser): Command {
  return { verb: "spawn", spawned: [chooser.nextTwin++], terms: spawnTerms(chooser) };
}

export function chooseSpawnMany(chooser: Chooser): Command {
  return {
    verb: "spawnMany",
    spawned: newTwins(chooser, 1 + chooser.dice.below(5)),
    terms: spawnTerms(chooser),
  };
}

export function chooseAdd(chooser: Chooser): Command {
  return { verb: "add", entity: anyEntity(chooser), terms: addedTerms(chooser) };
}

export function chooseRemove(chooser: Chooser): Command {
  const { dice, naive, palette } = chooser;
  const entity = anyEntity(chooser);
  const luck = dice.below(10);
  if (luck < 5) {
    return { verb: "remove", entity, what: dice.pick([tagFor(chooser), ...palette.components, "Name"]) };
  }
  if (luck === 5) return { verb: "remove", entity, ...anyId(chooser) };
  const what = dice.pick([...palette.relations, ...(isOn("entity tags") ? ["Is"] : [])]);
  if (what !== "Is" && dice.chance(0.3)) return { verb: "remove", entity, what, target: "Any" };
  const targets = naive.living.has(entity) ? targetsOf(naive, entity, what) : [];
  const target = targets.length > 0 && dice.chance(0.8) ? dice.pick(targets) : anyEntity(chooser);
  return what === "Is" && targets.length === 0
    ? { verb: "remove", entity, what: "Frozen" }
    : { verb: "remove", entity, what, target };
}

/** Any entity below any other; sometimes on purpose below itself, below its own descendant, or below the parent that it has. */
export function chooseReparent(chooser: Chooser): Command {
  const { dice, naive } = chooser;
  const entity = anyEntity(chooser);
  let target = anyEntity(chooser);
  if (naive.living.has(entity)) {
    const luck = dice.below(20);
    if (luck === 0) target = entity;
    else if (luck <= 2) target = dice.pick([entity, ...descendantsOf(naive, entity)]);
    else if (luck <= 5) target = parentOf(naive, entity) ?? target;
    else if (luck <= 7) target = dice.pick([target, ...ancestorsOf(naive, entity)]);
  }
  return { verb: "add", entity, terms: [below(chooser, target)] };
}

/** Something that many entities may have. */
export function anyId(chooser: Chooser): NaiveId {
  const { dice, palette } = chooser;
  const target = anyEntity(chooser);
  const relation = dice.pick([...palette.relations, storageFor(chooser)]);
  const found: NaiveId[] = [
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
  if (entity !== undefined && chooser.naive.living.has(entity)) found.push({ what: "Is", target: entity });
  return dice.pick(found);
}

export function chooseRemoveAll(chooser: Chooser): Command {
  return { verb: "removeAll", ...anyId(chooser) };
}

export function chooseDestroyWhere(chooser: Chooser): Command {
  return { verb: "destroyWhere", terms: chooser.dice.chance(0.05) ? [] : targetedTerms(chooser) };
}

export function chooseClone(chooser: Chooser): Extract<Command, { verb: "clone" }> {
  const { dice } = chooser;
  const spawned = chooser.nextClone;
  chooser.nextClone += 1_000; // enough for all descendants
  const luck = dice.below(4);
  const terms: NaiveTerm[] = luck === 0 ? [below(chooser, anyEntity(chooser))] : [];
  if (luck === 1) terms.push({ what: "Name", value: nameFor(chooser) });
  if (luck === 2) terms.push(...addedTerms(chooser));
  return { verb: "clone", entity: anyEntity(chooser), isDeep: dice.chance(0.5), terms, spawned };
}

export function chooseSet(chooser: Chooser): Command {
  if (chooser.dice.chance(0.15)) return choosePatch(chooser);
  return { verb: "set", entity: anyEntity(chooser), term: valuedTerm(chooser) };
}

/** Usually of a component that the entity has. */
function choosePatch(chooser: Chooser): Command {
  const { dice, naive } = chooser;
  const entity = anyEntity(chooser);
  const own = [...(naive.living.get(entity)?.schemas.keys() ?? [])];
  if (own.length > 0 && dice.chance(0.7))
    return { verb: "patch", entity, term: valuedComponent(chooser, dice.pick(own)) };
  const term = valuedTerm(chooser);
  return { verb: isObject(term.what) ? "set" : "patch", entity, term };
}

export function chooseReserve(chooser: Chooser): Command {
  const terms = chooser.dice.chance(0.8) ? spawnTerms(chooser) : addedTerms(chooser);
  return { verb: "reserve", count: chooser.dice.pick([0, 1, 5, 40, 300]), terms };
}

export function chooseRename(chooser: Chooser): Command {
  return { verb: "rename", entity: anyEntity(chooser), name: nameFor(chooser) };
}

export function chooseDestroy(chooser: Chooser): Command {
  return { verb: "destroy", entity: anyEntity(chooser) };
}

export function chooseRelease(chooser: Chooser): Command {
  return { verb: "release", entity: anyEntity(chooser) };
}

export function chooseOrphaning(chooser: Chooser): Command {
  return { verb: "remove", entity: anyEntity(chooser), what: "ChildOf", target: "Any" };
}

export function choosePack({ dice }: Chooser): Command {
  return dice.chance(0.4) ? { verb: "pack" } : { verb: "pack", budget: dice.pick([1, 10, 100, 1000]) };
}

export function chooseClear(chooser: Chooser): Command {
  return { verb: "clear", entity: anyEntity(chooser) };
}

/** Commands that move rows and change depths and names. */
export const COMMANDS: readonly ((chooser: Chooser) => Command)[] = [
  chooseReparent,
  chooseReparent,
  chooseRemove,
  chooseSpawn,
  chooseAdd,
  choosePack,
  chooseRelease,
];
