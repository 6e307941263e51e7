import type { Entity, Tag, TermPattern, World } from "@treeline/core";
import { add, has, isAlive, isDisabled, pack, remove, set, spawn } from "@treeline/core";
import { destroy, type QueryTerm } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { DockedTo, Includes, Knows, Likes } from "../definitions.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { component, createWorld, relation, tag } from "../public/define.ts";
import { f64 } from "../public/fields.ts";
import { not } from "../public/filters.ts";
import { createDice, type Dice } from "./dice.ts";

/** Values contain the number of their entity. Every entity has a Sign. */
export const Sign = component("Sign", { of: f64 });
export const Harms = relation("Harms", { fields: { by: f64, to: f64 } });
const Local = component("Local", { of: f64 });
const Frozen: Tag = tag("Frozen");

const LINKS = [Likes, Includes, Knows, DockedTo] as const;
const OPTIONAL = [Frozen, Local] as const;

/** Parents in both storages, pairs of all kinds, entities as tags, and disabled ones. */
export interface RandomWorld {
  readonly world: World;
  readonly dice: Dice;
  readonly spawned: Entity[];
  /** Chance that a parent is stored as a value. */
  readonly shareByValue: number;
}

export function createRandomWorld(seed: number, shareByValue: number): RandomWorld {
  return { world: createWorld(), dice: createDice(seed), spawned: [], shareByValue };
}

export function livingIn({ world, spawned }: RandomWorld): Entity[] {
  return spawned.filter((one) => isAlive(world, one));
}

/** One random change. */
export function change(random: RandomWorld): void {
  const { world, dice, shareByValue } = random;
  const living = livingIn(random);
  if (living.length < 4 || (living.length < 60 && dice.chance(0.3))) {
    bear(random, living);
    return;
  }
  const entity = dice.pick(living);
  const other = dice.pick(living);
  const reparent = (): void => {
    codeOf(() => add(world, entity, dice.chance(shareByValue) ? Parent(other) : ChildOf(other)));
  };
  const changes: (() => unknown)[] = [
    reparent,
    reparent,
    () => remove(world, entity, ChildOf(Any)),
    () => add(world, entity, dice.pick(LINKS)(other)),
    () => add(world, entity, dice.pick(LINKS)(other)),
    () => set(world, entity, Harms(other), { by: entity, to: other }),
    () => set(world, entity, Harms(other), { by: entity, to: other }),
    () => remove(world, entity, dice.pick([...LINKS, Harms])(other)),
    () => remove(world, entity, dice.pick([...LINKS, Harms])(Any)),
    () => add(world, entity, asTag(other)),
    () => remove(world, entity, asTag(other)),
    () => add(world, entity, dice.pick(OPTIONAL)),
    () => remove(world, entity, dice.pick(OPTIONAL)),
    () => dice.chance(0.3) && add(world, entity, dice.pick([Disabled, Disabled, DisabledTree])),
    () => remove(world, entity, dice.pick([Disabled, DisabledTree])),
    () => dice.chance(0.25) && destroy(world, entity),
    () => dice.chance(0.2) && pack(world),
  ];
  dice.pick(changes)();
}

function bear({ world, dice, spawned, shareByValue }: RandomWorld, living: readonly Entity[]): void {
  const parent = living.length > 0 && dice.chance(0.8) ? dice.pick(living) : undefined;
  const own = parent === undefined ? [] : [dice.chance(shareByValue) ? Parent(parent) : ChildOf(parent)];
  const entity = spawn(world, ...own, ...OPTIONAL.filter(() => dice.chance(0.4)), Sign);
  set(world, entity, Sign, { of: entity });
  spawned.push(entity);
}

export interface RandomQuery {
  readonly terms: readonly QueryTerm[];
  /** Whether one entity matches, decided with `has`. */
  readonly matches: (entity: Entity) => boolean;
  /** Targets of Harms that are required, in order: `each` passes their values. */
  readonly harmed: readonly Entity[];
  readonly text: string;
}

interface Part {
  readonly pattern: TermPattern;
  readonly text: string;
  readonly harmed?: Entity;
}

/** A random term; now and then the target is destroyed. */
function partOf(random: RandomWorld): Part {
  const { dice, spawned } = random;
  const target = dice.chance(0.9) ? dice.pick(livingIn(random)) : dice.pick(spawned);
  const pair = (relation: typeof ChildOf): Part => ({
    pattern: relation(target),
    text: `${relation.name}(${target})`,
  });
  const parts: (() => Part)[] = [
    ...[ChildOf, ChildOf, Parent, ...LINKS].map((relation) => () => pair(relation)),
    () => ({ pattern: Harms(target), text: `Harms(${target})`, harmed: target }),
    () => {
      const relation = dice.pick([ChildOf, Parent, ...LINKS, Harms]);
      return { pattern: relation(Any), text: `${relation.name}(Any)` };
    },
    () => ({ pattern: Any(target), text: `Any(${target})` }),
    () => ({ pattern: Any(Any), text: "Any(Any)" }),
    () => ({ pattern: asTag(target), text: `asTag(${target})` }),
    () => {
      const what = dice.pick([...OPTIONAL, ...(dice.chance(0.3) ? [Disabled, DisabledTree] : [])]);
      return { pattern: what, text: what.name };
    },
  ];
  return dice.pick(parts)();
}

/** A random query of up to four parts. */
export function randomQuery(random: RandomWorld): RandomQuery {
  const { world, dice } = random;
  const parts = Array.from({ length: 1 + dice.below(4) }, () => ({
    ...partOf(random),
    isNot: dice.chance(0.4),
  }));
  const namesDisabled = parts.some(({ pattern }) => pattern === Disabled || pattern === DisabledTree);
  return {
    terms: [Sign, ...parts.map(({ pattern, isNot }) => (isNot ? not(pattern) : pattern))],
    matches: (entity) =>
      (namesDisabled || !isDisabled(world, entity)) &&
      parts.every(({ pattern, isNot }) => has(world, entity, pattern) !== isNot),
    harmed: parts.flatMap(({ isNot, harmed }) => (isNot || harmed === undefined ? [] : [harmed])),
    text: parts.map(({ text, isNot }) => (isNot ? `not ${text}` : text)).join(", "),
  };
}
