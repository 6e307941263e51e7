import type { Component, Entity, Tag, World } from "@treeline/core";
import { add, isAlive, pack, remove, set, spawn, spawnMany } from "@treeline/core";
import { destroy } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Any, ChildOf } from "../public/builtins.ts";
import { component, createWorld, relation, tag } from "../public/define.ts";
import { f64 } from "../public/fields.ts";
import { createDice, type Dice } from "./dice.ts";

/** Values contain the number of their entity, so that a wrong row shows. Every entity has a Mark. */
export const Mark = component("Mark", { of: f64 });
export const Local = component("Local", { of: f64 });
export const Placed = component("Placed", { of: f64 });
export const Frozen: Tag = tag("Frozen");
export const Likes = relation("Likes");
export const Harms = relation("Harms", { fields: { by: f64, to: f64 } });
export const Owns = relation("Owns", { onTargetDestroy: "delete" });
export const Holds = relation("Holds", { onTargetDestroy: "refuse" });

const OPTIONAL = [Local, Placed, Frozen] as const;
const LINKS = [Likes, Harms, Owns, Holds] as const;
export type Link = (typeof LINKS)[number];

/** What is true of one living entity. */
export interface Traits {
  parent: Entity | undefined;
  /** Grows with each attaching: the order of siblings. */
  order: number;
  readonly has: Set<Component | Tag>;
  readonly targets: ReadonlyMap<Link, Set<Entity>>;
}

/** How a random world behaves; chances are per step. */
export interface Habits {
  readonly most: number;
  readonly destroy: number;
  /** No more than this part of all is destroyed at once, beyond a handful. */
  readonly share: number;
  readonly pack: number;
  readonly pair: number;
  /** The maximum of siblings in one spawn. */
  readonly litter: number;
  readonly links: readonly Link[];
}

/** A world, and beside it maps of maps that say the same, obviously right. */
export interface Twin {
  readonly world: World;
  readonly dice: Dice;
  readonly habits: Habits;
  readonly living: Map<Entity, Traits>;
  readonly dead: Entity[];
  lastOrder: number;
}

export function createTwin(seed: number, habits: Partial<Habits> = {}): Twin {
  return {
    world: createWorld(),
    dice: createDice(seed),
    habits: {
      most: 150,
      destroy: 0.08,
      share: 0.34,
      pack: 0.01,
      pair: 0.2,
      litter: 5,
      links: [Likes, Harms],
      ...habits,
    },
    living: new Map(),
    dead: [],
    lastOrder: 0,
  };
}

export function anyEntity(twin: Twin): Entity {
  return twin.dice.pick([...twin.living.keys()]);
}

/** Depth along ChildOf, by counting. */
export function depthIn(twin: Twin, entity: Entity): number {
  return ancestorsIn(twin, entity).length;
}

export function ancestorsIn({ living }: Twin, entity: Entity): Entity[] {
  const found: Entity[] = [];
  for (let at = living.get(entity)!.parent; at !== undefined; at = living.get(at)!.parent) found.push(at);
  return found;
}

/** The nearest ancestor that has the component. */
export function sourceIn(twin: Twin, entity: Entity, what: Component | Tag): Entity | undefined {
  return ancestorsIn(twin, entity).find((one) => twin.living.get(one)!.has.has(what));
}

/** Children in sibling order; without a parent, the roots. */
export function childrenIn({ living }: Twin, parent: Entity | undefined): Entity[] {
  const found = [...living].filter(([, traits]) => traits.parent === parent);
  return found.sort(([, one], [, other]) => one.order - other.order).map(([entity]) => entity);
}

/** All entities that are destroyed with an entity. */
export function closureIn({ living }: Twin, entity: Entity): Set<Entity> {
  const destroyed = new Set([entity]);
  for (let before = 0; before < destroyed.size; ) {
    before = destroyed.size;
    for (const [one, { parent, targets }] of living) {
      const follows =
        (parent !== undefined && destroyed.has(parent)) ||
        [...targets.get(Owns)!].some((t) => destroyed.has(t));
      if (follows) destroyed.add(one);
    }
  }
  return destroyed;
}

/** A survivor has a pair of a refusing relation with a destroyed entity. */
export function isRefused({ living }: Twin, destroyed: ReadonlySet<Entity>): boolean {
  return [...living].some(
    ([one, { targets }]) =>
      !destroyed.has(one) && [...targets.get(Holds)!].some((held) => destroyed.has(held)),
  );
}

/** One random change of world and twin. */
export function step(twin: Twin): void {
  const { dice, habits, living, world } = twin;
  const { size } = living;
  if (size === 0 || (size < habits.most && dice.chance(0.25))) bear(twin);
  else if (dice.chance(habits.destroy)) kill(twin, anyEntity(twin));
  else if (dice.chance(habits.pack)) pack(world);
  else if (dice.chance(habits.pair)) linkOrUnlink(twin, anyEntity(twin));
  else if (dice.chance(0.5)) reparent(twin, anyEntity(twin));
  else changeOptional(twin, anyEntity(twin));
}

function traitsOf(twin: Twin, parent: Entity | undefined, has: readonly (Component | Tag)[]): Traits {
  return {
    parent,
    order: ++twin.lastOrder,
    has: new Set([Mark, ...has]),
    targets: new Map(LINKS.map((link) => [link, new Set<Entity>()])),
  };
}

function bear(twin: Twin): void {
  const { dice, living, world, habits } = twin;
  const newest = [...living.keys()].at(-1);
  const parent =
    newest === undefined || dice.chance(0.15) ? undefined : dice.chance(0.4) ? newest : anyEntity(twin);
  const has = OPTIONAL.filter(() => dice.chance(0.4));
  const terms = parent === undefined ? [Mark, ...has] : [...has, ChildOf(parent), Mark];
  const spawned = dice.chance(0.3)
    ? spawnMany(world, dice.below(habits.litter + 1), ...terms)
    : [spawn(world, ...terms)];
  for (const entity of spawned) {
    living.set(entity, traitsOf(twin, parent, has));
    for (const what of [Mark, ...has]) sign(world, entity, what);
  }
}

function sign(world: World, entity: Entity, what: (typeof OPTIONAL)[number] | typeof Mark): void {
  if (what.kind === "component") set(world, entity, what, { of: entity });
}

/** Destroys an entity in world and twin, and throws if the world wrongly refuses or wrongly does not refuse. */
export function kill(twin: Twin, entity: Entity): void {
  const { world, living, dead, habits } = twin;
  const destroyed = closureIn(twin, entity);
  if (destroyed.size > 5 && destroyed.size > living.size * habits.share) return;
  const expected = isRefused(twin, destroyed) ? "refused" : undefined;
  const actual = codeOf(() => destroy(world, entity));
  if (actual !== expected) throw new Error(`destroy of ${entity}: ${actual} instead of ${expected}`);
  if (actual !== undefined) return;
  for (const one of destroyed) {
    living.delete(one);
    dead.push(one);
  }
  for (const { targets } of living.values()) {
    for (const list of targets.values()) for (const one of destroyed) list.delete(one);
  }
}

function linkOrUnlink(twin: Twin, entity: Entity): void {
  const { dice, living, world, habits } = twin;
  if (habits.links.length === 0) return;
  const link = dice.pick(habits.links);
  const targets = living.get(entity)!.targets.get(link)!;
  if (targets.size > 0 && dice.chance(0.5)) {
    const target = dice.chance(0.2) ? undefined : dice.pick([...targets]);
    remove(world, entity, target === undefined ? link(Any) : link(target));
    if (target === undefined) targets.clear();
    else targets.delete(target);
    return;
  }
  const target = anyEntity(twin);
  targets.add(target);
  if (link === Harms) set(world, entity, Harms(target), { by: entity, to: target });
  else add(world, entity, (link as typeof Likes)(target));
}

function reparent(twin: Twin, entity: Entity): void {
  const { dice, living, world } = twin;
  const traits = living.get(entity)!;
  const parent = dice.chance(0.1) ? undefined : anyEntity(twin);
  if (parent === undefined) {
    remove(world, entity, ChildOf(Any));
    if (traits.parent === undefined) return;
  } else {
    const isCycle = parent === entity || ancestorsIn(twin, parent).includes(entity);
    const actual = codeOf(() => add(world, entity, ChildOf(parent)));
    if (actual !== (isCycle ? "cycle" : undefined)) throw new Error(`add ChildOf(${parent}): ${actual}`);
    if (isCycle || traits.parent === parent) return;
  }
  traits.parent = parent;
  traits.order = ++twin.lastOrder;
}

function changeOptional(twin: Twin, entity: Entity): void {
  const { dice, living, world } = twin;
  const { has } = living.get(entity)!;
  const what = dice.pick(OPTIONAL);
  if (has.delete(what)) remove(world, entity, what);
  else {
    has.add(what);
    add(world, entity, what);
    sign(world, entity, what);
  }
}

/** Where world and twin disagree about the entities that are alive; a cheap check beside `verify`. */
export function strangersIn({ world, living, dead }: Twin): Entity[] {
  return [
    ...[...living.keys()].filter((one) => !isAlive(world, one)),
    ...dead.filter((one) => isAlive(world, one)),
  ];
}
