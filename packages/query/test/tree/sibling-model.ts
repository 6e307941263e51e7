import { type Entity, observe, type Relation, spawn, type World, type WorldEvent } from "@treeline/core";
import { ChildOf } from "../public/builtins.ts";
import { component, createWorld } from "../public/define.ts";
import { f64 } from "../public/fields.ts";
import { createDice, type Dice } from "../random/dice.ts";

export const Weight = component("Weight", { kilos: f64 });
export const Extra = component("Extra", { of: f64 });

/** A world of siblings, and its expected state: plain lists. */
export interface SiblingModel {
  readonly world: World;
  readonly dice: Dice;
  readonly storages: readonly Relation[];
  /** Every entity that is alive -> its children in order; `undefined` -> the roots. */
  readonly lists: Map<Entity | undefined, Entity[]>;
  readonly parents: Map<Entity, Entity | undefined>;
  readonly weights: Map<Entity, number>;
  /** Whether events are observed. */
  readonly isObserved: boolean;
  /** The events that were observed since the last step. */
  readonly observed: WorldEvent[];
}

export function createSiblingModel(
  seed: number,
  storages: readonly Relation[],
  isObserved: boolean,
): SiblingModel {
  const world = createWorld();
  const model: SiblingModel = {
    world,
    isObserved,
    dice: createDice(seed),
    storages,
    lists: new Map([[undefined, []]]),
    parents: new Map(),
    weights: new Map(),
    observed: [],
  };
  if (isObserved) {
    const kinds = { added: ChildOf, removed: ChildOf, reordered: ChildOf };
    observe(world, kinds, (event) => model.observed.push(event));
  }
  return model;
}

const HIGHEST = 8;

export function enter(model: SiblingModel, entity: Entity, parent: Entity | undefined, place?: number): void {
  const list = model.lists.get(parent)!;
  list.splice(place ?? list.length, 0, entity);
  model.parents.set(entity, parent);
}

export function leave(model: SiblingModel, entity: Entity): void {
  const list = model.lists.get(model.parents.get(entity))!;
  list.splice(list.indexOf(entity), 1);
}

export function root(model: SiblingModel, entity: Entity): void {
  if (model.parents.get(entity) === undefined) return;
  leave(model, entity);
  enter(model, entity, undefined);
}

export function forget(model: SiblingModel, entity: Entity): void {
  for (const child of [...model.lists.get(entity)!]) forget(model, child);
  leave(model, entity);
  model.lists.delete(entity);
  model.parents.delete(entity);
  model.weights.delete(entity);
}

export function spawnOne(model: SiblingModel): void {
  const { dice, world } = model;
  const parent = dice.chance(0.8) ? someKey(model) : undefined;
  const weight = dice.below(HIGHEST);
  const terms = dice.chance(0.7) ? [Weight({ kilos: weight })] : [];
  const spawned = spawn(
    world,
    ...terms,
    ...(parent === undefined ? [] : [dice.pick(model.storages)(parent)]),
  );
  model.lists.set(spawned, []);
  if (terms.length > 0) model.weights.set(spawned, weight);
  enter(model, spawned, parent);
}

function someKey({ dice, lists }: SiblingModel): Entity | undefined {
  return dice.pick([...lists.keys()]);
}

export function someEntity(model: SiblingModel): Entity {
  return model.dice.pick([...model.parents.keys()]);
}

export function someParent(model: SiblingModel): Entity {
  const { dice, lists } = model;
  const found = [...model.parents.keys()].filter((entity) => lists.get(entity)!.length > 1);
  return found.length > 0 && dice.chance(0.9) ? dice.pick(found) : someEntity(model);
}

export function isBelow({ parents }: SiblingModel, entity: Entity, top: Entity): boolean {
  for (let at: Entity | undefined = entity; at !== undefined; at = parents.get(at))
    if (at === top) return true;
  return false;
}

export function shuffled<Item>({ dice }: SiblingModel, items: readonly Item[]): Item[] {
  const rest = [...items];
  const order: Item[] = [];
  while (rest.length > 0) order.push(...rest.splice(dice.below(rest.length), 1));
  return order;
}
