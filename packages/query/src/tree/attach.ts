import {
  Any,
  add,
  ChildOf,
  type Entity,
  isAlive,
  type Relation,
  remove as removeFrom,
  type SpawnTerm,
  sourcesOf,
  spawn,
  TreelineError,
  type World,
} from "@treeline/core";
import { enqueue, indexOf, moveAll, moveTo, mustQueue, Parent, requireAlive } from "@treeline/core/internal";
import { descendants } from "./walk.ts";

/**
 * Makes an entity the last child of a parent, with everything below it; it leaves its former parent. A child of that
 * parent stays where it stands.
 *
 * Inside a visit it waits for the end of that; if the parent has died by then, the entity dies as well.
 *
 * @param storage `ChildOf` or `Parent`; by default the one that its parent has now, ChildOf for roots.
 * @throws TreelineError `dead-entity` if one of both is not alive; `cycle` if the parent lies below the entity; `refused` for
 *   a builtin; `bad-term` for another relation; `visiting` inside a visit of a strict world; and what a `check` hook throws, such as
 *   `name-taken`. Nothing has changed then.
 *
 * @example
 * attach(world, cockpit, ship);
 */
export function attach(world: World, entity: Entity, parent: Entity, storage?: Relation): void {
  if (storage !== undefined) {
    if (storage !== ChildOf && storage !== Parent)
      throw new TreelineError("bad-term", "parents are stored by ChildOf or by Parent");
    add(world, entity, storage(parent));
    return;
  }
  requireAlive(world, entity);
  requireAlive(world, parent);
  inTurn(world, indexOf(entity), () => moveTo(world, entity, parent));
}

/**
 * Makes a root of an entity, with everything below it. A root stays one.
 *
 * @throws TreelineError as `remove` of `@treeline/core` does.
 */
export function detach(world: World, entity: Entity): void {
  removeFrom(world, entity, ChildOf(Any));
}

/**
 * Gives birth to a child of a parent, by ChildOf: `spawn` with the parent first.
 *
 * @throws TreelineError as `spawn` does.
 *
 * @example
 * const seat = attachNew(world, cockpit, Position({ x: 1 }));
 */
export function attachNew(world: World, parent: Entity, ...terms: SpawnTerm[]): Entity {
  return spawn(world, ChildOf(parent), ...terms);
}

/**
 * Takes an entity out of the tree: it becomes a root, and so do its children. What is below those goes with them.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `visiting` inside a visit of a strict world; and what a
 *   `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function remove(world: World, entity: Entity): void {
  onLiving(world, entity, () => makeRoots(world, [entity, ...sourcesOf(world, entity, ChildOf)]));
}

/**
 * Takes a whole subtree apart: the entity and everybody below it become roots. Nobody dies.
 *
 * @throws TreelineError as `remove` does.
 */
export function removeAll(world: World, entity: Entity): void {
  onLiving(world, entity, () => makeRoots(world, [entity, ...descendants(world, entity)]));
}

/** Takes the parents off entities, as one change. */
function makeRoots(world: World, entities: readonly Entity[]): void {
  moveAll(
    world,
    entities.map((entity) => [entity, undefined]),
  );
}

/** Changes several at once, or inside a visit when that ends, if the entity is alive then. @throws TreelineError as `inTurn`; `dead-entity`. */
export function onLiving(world: World, entity: Entity, change: () => void): void {
  requireAlive(world, entity);
  inTurn(world, 0, () => {
    if (isAlive(world, entity)) change();
  });
}

/**
 * Makes a change at once, or inside a visit when that ends.
 *
 * @param touched the index of the one entity that it changes; 0 for several, or if it looks at others.
 * @throws TreelineError `visiting` inside a visit of a strict world.
 */
export function inTurn(world: World, touched: number, change: () => void): void {
  if (mustQueue(world)) enqueue(world, touched, change);
  else change();
}
