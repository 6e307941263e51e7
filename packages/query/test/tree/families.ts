import {
  ChildOf,
  component,
  createWorld,
  type Entity,
  f64,
  observe,
  type Relation,
  spawn,
  type World,
  type WorldEvent,
} from "@treeline/core";
import { createDice, type Dice } from "../dice.ts";

export const Weight = component("Weight", { kilos: f64 });
export const Extra = component("Extra", { of: f64 });

/** A world of families, and what it must be like: plain lists. */
export interface Families {
  readonly world: World;
  readonly dice: Dice;
  readonly storages: readonly Relation[];
  /** Everybody alive -> their children in order; `undefined` -> the roots. */
  readonly lists: Map<Entity | undefined, Entity[]>;
  readonly parents: Map<Entity, Entity | undefined>;
  readonly weights: Map<Entity, number>;
  /** What the listener heard since the last step. */
  readonly heard: WorldEvent[];
}

export function createFamilies(seed: number, storages: readonly Relation[], listens: boolean): Families {
  const world = createWorld();
  const families: Families = {
    world,
    dice: createDice(seed),
    storages,
    lists: new Map([[undefined, []]]),
    parents: new Map(),
    weights: new Map(),
    heard: [],
  };
  if (listens) {
    const facts = { added: ChildOf, removed: ChildOf, reordered: ChildOf };
    observe(world, facts, (event) => families.heard.push(event));
  }
  return families;
}

const HIGHEST = 8;

export function enter(families: Families, entity: Entity, parent: Entity | undefined, place?: number): void {
  const list = families.lists.get(parent)!;
  list.splice(place ?? list.length, 0, entity);
  families.parents.set(entity, parent);
}

export function leave(families: Families, entity: Entity): void {
  const list = families.lists.get(families.parents.get(entity))!;
  list.splice(list.indexOf(entity), 1);
}

export function root(families: Families, entity: Entity): void {
  if (families.parents.get(entity) === undefined) return;
  leave(families, entity);
  enter(families, entity, undefined);
}

export function bury(families: Families, entity: Entity): void {
  for (const child of [...families.lists.get(entity)!]) bury(families, child);
  leave(families, entity);
  families.lists.delete(entity);
  families.parents.delete(entity);
  families.weights.delete(entity);
}

export function birth(families: Families): void {
  const { dice, world } = families;
  const parent = dice.chance(0.8) ? anyone(families) : undefined;
  const weight = dice.below(HIGHEST);
  const terms = dice.chance(0.7) ? [Weight({ kilos: weight })] : [];
  const born = spawn(
    world,
    ...terms,
    ...(parent === undefined ? [] : [dice.pick(families.storages)(parent)]),
  );
  families.lists.set(born, []);
  if (terms.length > 0) families.weights.set(born, weight);
  enter(families, born, parent);
}

function anyone({ dice, lists }: Families): Entity | undefined {
  return dice.pick([...lists.keys()]);
}

export function someone(families: Families): Entity {
  return families.dice.pick([...families.parents.keys()]);
}

export function someParent(families: Families): Entity {
  const { dice, lists } = families;
  const found = [...families.parents.keys()].filter((entity) => lists.get(entity)!.length > 1);
  return found.length > 0 && dice.chance(0.9) ? dice.pick(found) : someone(families);
}

export function isBelow({ parents }: Families, entity: Entity, top: Entity): boolean {
  for (let at: Entity | undefined = entity; at !== undefined; at = parents.get(at))
    if (at === top) return true;
  return false;
}

export function shuffled<Item>({ dice }: Families, items: readonly Item[]): Item[] {
  const rest = [...items];
  const order: Item[] = [];
  while (rest.length > 0) order.push(...rest.splice(dice.below(rest.length), 1));
  return order;
}

export function listens(world: World): boolean {
  return world.events.listeners.length > 0;
}
