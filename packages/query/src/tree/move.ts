// `attach`, `detach`, `insertAt`, `setChildOrder`, `sortChildren` and others, at once or deferred; throws `bad-order` for wrong lists.
import type { Component, Entity, Relation, SpawnTerm, World } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  defer,
  get,
  has,
  isAlive,
  parentOf,
  remove as removeFrom,
  spawn,
  subjectsOf,
  TreelineError,
} from "@treeline/core";
import {
  ANY,
  attachAll,
  deferCommand,
  replaceChildren as exchange,
  indexOf,
  moveAll,
  moveTo,
  mustDefer,
  Parent,
  requireAlive,
  shown,
  slotsOf,
  textOf,
} from "@treeline/core/internal";
import { descendants } from "./walk.ts";

/**
 * Makes an entity the last child of a parent, with everything below it; it leaves its former parent. A child of that parent keeps
 * its place. Inside an iteration it is deferred to the end; if the parent has been destroyed by then, the entity is destroyed as
 * well.
 *
 * @cost a move of its row; if it has children, also the steps from the new parent to its root, and one record per inner node below it
 *   when depths are next read.
 * @param storage `ChildOf` or `Parent`; by default the one that its parent has now, ChildOf for roots.
 * @throws TreelineError `dead-entity` if one of both is not alive; `cycle` if the parent is below the entity; `refused` for a
 *   builtin; `bad-term` for another relation; `iterating` inside an iteration of a strict world; and what a `check` hook throws,
 *   such as `name-taken`. Nothing has changed then.
 *
 * @example
 * attach(world, cockpit, ship);
 */
export function attach(world: World, entity: Entity, parent: Entity, storage?: Relation): void {
  if (storage !== undefined) {
    requireStorage(storage);
    add(world, entity, storage(parent));
    return;
  }
  requireAlive(world, entity);
  requireAlive(world, parent);
  changeOrDefer(world, indexOf(entity), () => moveTo(world, entity, parent), [entity], parent);
}

/**
 * Makes several entities the last children of a parent, in the order of a list, as one change: `attach` for each, but all or nothing.
 * Also those that were its children already move to the end; its other children stay before them.
 *
 * Everything is checked once before anything changes. Reported as `removed` and `added` of ChildOf for each that gets another parent,
 * and as `reordered` of the parent if the order of those that were its children changes. Inside an iteration it is deferred to the
 * end: entities that have been destroyed by then are left out; if the parent has been, the entities are destroyed as well, as with
 * ChildOf.
 *
 * @cost one move for each, and one walk up from the parent; and all children of the parent, if some of the list are among them.
 * @param entities one that occurs twice counts once, at its first place.
 * @param storage `ChildOf` or `Parent`; by default each gets the one that its parent has now, ChildOf for roots.
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if it is no list; `cycle` if the
 *   parent is one of them, or is below one; `refused` for a builtin; `bad-term` for another relation; `iterating` inside an iteration
 *   of a strict world; and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 *
 * @example
 * attachMany(world, [cockpit, cargo, ...seats], ship);
 */
export function attachMany(
  world: World,
  entities: readonly Entity[],
  parent: Entity,
  storage?: Relation,
): void {
  if (storage !== undefined) requireStorage(storage);
  requireAlive(world, parent);
  requireList(world, entities);
  const wanted = [...entities];
  const byValue = storage === undefined ? undefined : storage === Parent;
  changeOrDefer(world, 0, () => attachAll(world, parent, wanted, byValue), wanted, parent, storage);
}

/** @throws TreelineError `bad-term`. */
function requireStorage(storage: Relation): void {
  if (storage !== ChildOf && storage !== Parent)
    throw new TreelineError("bad-term", "parents are stored by ChildOf or by Parent");
}

/** @throws TreelineError `bad-order` unless it is a list; `dead-entity` unless all in it are alive. */
function requireList(world: World, list: readonly Entity[]): void {
  if (!Array.isArray(list)) throw new TreelineError("bad-order", "pass the children as a list of entities");
  for (const entity of list) requireAlive(world, entity);
}

/**
 * Makes an entity a root, with everything below it. A root stays a root.
 *
 * @cost a move of its row, and one record per inner node below it when depths are next read.
 * @throws TreelineError as `remove` of `@treeline/core` does.
 */
export function detach(world: World, entity: Entity): void {
  removeFrom(world, entity, ChildOf(Any));
}

/**
 * Spawns a child of a parent, by ChildOf: `spawn` with the parent first.
 *
 * @cost as `spawn`.
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
 * @cost one move, and one for each child.
 * @throws TreelineError `dead-entity` if the entity is not alive; `iterating` inside an iteration of a strict world; and what a
 *   `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function remove(world: World, entity: Entity): void {
  makeRoots(world, entity, () => subjectsOf(world, entity, ChildOf));
}

/**
 * Takes a whole subtree apart: the entity and everything below it become roots. No entity is destroyed.
 *
 * @cost one move for each entity of the subtree.
 * @throws TreelineError as `remove` does.
 */
export function removeAll(world: World, entity: Entity): void {
  makeRoots(world, entity, () => descendants(world, entity));
}

/** Removes the parents of an entity and of others, as one change. */
function makeRoots(world: World, entity: Entity, others: () => Entity[]): void {
  onLiving(world, entity, () =>
    moveAll(
      world,
      [entity, ...others()].map((one) => [one, undefined]),
    ),
  );
  slotsOf(world).pending?.give(world, [entity], [], { definition: ChildOf, target: ANY });
}

/**
 * Makes an entity a child of a parent, at a place among its other children. Works for every parent. An entity that has another
 * parent or none is attached, in the storage its parent has now, ChildOf for roots.
 *
 * A move among siblings is reported as `reordered` of the parent, once, and only if the order changes; attaching is reported as
 * `removed` and `added` of ChildOf. Inside an iteration it is deferred to the end: if the child has been destroyed by then
 * nothing happens; if the parent has been, the child is destroyed as well, as with ChildOf.
 *
 * @cost a look at the place, or while the list of children has holes the steps from the nearer end; then a few numbers of the list, and
 *   at first all: they are spread, so that others fit between. If all go to one place, about the square root of their number.
 * @param place 0 for the first, up to the number of other children for the last.
 * @throws TreelineError as `attach` does, without a storage; `bad-order` if there is no such place.
 *
 * @example
 * insertAt(world, ship, cargo, 0);
 */
export function insertAt(world: World, parent: Entity, child: Entity, place: number): void {
  requireAlive(world, parent);
  requireAlive(world, child);
  const run = (): void => {
    const others = moveTo(world, child, parent, place);
    if (others < 0) return;
    misplaced(world, parent, `has places for this child from 0 to ${others}; got ${shown(place)}`);
  };
  changeOrDefer(world, indexOf(child), run, [child], parent);
}

/**
 * Moves an entity right before another one, as its sibling: among its siblings, or from elsewhere, as `insertAt` does. Cost:
 * constant; the first time, sorting the children of that parent.
 *
 * @cost as `insertAt`.
 * @throws TreelineError as `insertAt` does; `bad-order` if both are the same or the sibling is a root: roots have no sibling
 *   list.
 *
 * @example
 * moveBefore(world, cargo, cockpit);
 */
export function moveBefore(world: World, child: Entity, sibling: Entity): void {
  moveBeside(world, child, sibling, 0);
}

/**
 * Moves an entity right behind another one, as its sibling: see `moveBefore`.
 *
 * @cost as `insertAt`.
 * @throws TreelineError as `moveBefore` does.
 */
export function moveAfter(world: World, child: Entity, sibling: Entity): void {
  moveBeside(world, child, sibling, 1);
}

function moveBeside(world: World, child: Entity, sibling: Entity, place: 0 | 1): void {
  requireAlive(world, child);
  requireAlive(world, sibling);
  const run = (): void => {
    if (!isAlive(world, child) || !isAlive(world, sibling)) return;
    if (child === sibling) misplaced(world, child, "cannot be placed beside itself; name a sibling of it");
    const parent = parentOf(world, sibling);
    if (parent === undefined)
      misplaced(world, sibling, "is a root, and roots have no order; name an entity that has a parent");
    moveTo(world, child, parent, place, sibling);
  };
  changeOrDefer(world, indexOf(child), run, [child], parentOf(world, sibling));
}

/**
 * Puts the children of a parent into a given order, in both storages. Reported as `reordered` of the parent if the order changes.
 * Inside an iteration it is deferred to the end; entities that have been destroyed by then are left out.
 *
 * @cost the children.
 * @param list exactly the children, each once.
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if the list lacks a child, has
 *   one twice, or names an entity that is not a child of this parent; `iterating` inside an iteration of a strict world. Nothing
 *   has changed then.
 *
 * @example
 * setChildOrder(world, ship, children(world, ship).reverse());
 */
export function setChildOrder(world: World, parent: Entity, list: readonly Entity[]): void {
  relist(world, parent, list, true);
}

/**
 * Makes exactly the listed entities the children of a parent, in that order. Former children that are not listed become roots;
 * new children are attached, in the storage their parents have now, ChildOf for roots.
 *
 * Everything is checked before anything changes, and a name that a removed child had is free for a new one. Reported as `removed`
 * and `added` of ChildOf; and finally as `reordered` of the parent, if the order of those that were children before and after
 * changes. Inside an iteration it is deferred to the end: entities that have been destroyed by then are left out; if the parent
 * has been, the listed entities are destroyed as well, as with ChildOf.
 *
 * @cost former and new children, and one move for each that is removed or added.
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if one is listed twice; `cycle`
 *   if the parent is one of them, or is below one; `refused` for a builtin; `iterating` inside an iteration of a strict world;
 *   and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 *
 * @example
 * replaceChildren(world, ship, [cockpit, cargo]);
 */
export function replaceChildren(world: World, parent: Entity, list: readonly Entity[]): void {
  relist(world, parent, list, false);
}

/**
 * Makes all children of a parent roots, in both storages. Names must be free among the roots for all of them at once. Inside an
 * iteration it is deferred to the end.
 *
 * @cost one move for each child.
 * @throws TreelineError `dead-entity` if the parent is not alive; `iterating` inside an iteration of a strict world; and what a
 *   `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function detachChildren(world: World, parent: Entity): void {
  replaceChildren(world, parent, []);
}

/**
 * Sorts the children of a parent, in both storages, once: children that are attached later go last. Equal ones keep their order.
 * Reported as `reordered` of the parent if the order changes. Inside an iteration it is deferred to the end.
 *
 * With a component, its values are read once and compared; children without it go last, in their order.
 *
 * @cost sorting.
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` if `by` is neither a component with values nor a
 *   comparison, or the comparison is missing; `iterating` inside an iteration of a strict world; and what the comparison throws.
 *   Nothing has changed then.
 *
 * @example
 * sortChildren(world, ship, Weight, (one, other) => one.kilos - other.kilos);
 */
export function sortChildren(
  world: World,
  parent: Entity,
  compare: (one: Entity, other: Entity) => number,
): void;
export function sortChildren<Row>(
  world: World,
  parent: Entity,
  component: Component<Row>,
  compare: (one: Row, other: Row) => number,
): void;
export function sortChildren<Row>(
  world: World,
  parent: Entity,
  by: Component<Row> | ((one: Entity, other: Entity) => number),
  compareRows?: (one: Row, other: Row) => number,
): void {
  requireAlive(world, parent);
  requireComparison(by, compareRows);
  // Changes that the comparison makes must be deferred.
  onLiving(world, parent, () =>
    defer(world, () => {
      const children = subjectsOf(world, parent, ChildOf);
      if (compareRows === undefined) children.sort(by as (one: Entity, other: Entity) => number);
      else {
        const rows = new Map(children.map((one) => [one, get(world, one, by as Component<Row>) as Row]));
        children.sort((one, other) => {
          const row = rows.get(one);
          const beside = rows.get(other);
          if (row !== undefined && beside !== undefined) return compareRows(row, beside);
          return Number(row === undefined) - Number(beside === undefined);
        });
      }
      exchange(world, parent, children);
    }),
  );
}

function requireComparison(by: unknown, compareRows: unknown): void {
  const { kind, holds } = (by ?? {}) as { readonly kind?: string; readonly holds?: string };
  const isOfRows = kind === "component" && holds !== "nothing" && typeof compareRows === "function";
  if (isOfRows || (compareRows === undefined && kind === undefined && typeof by === "function")) return;
  throw new TreelineError(
    "bad-term",
    "sortChildren takes a comparison of two entities, or a component with values and a comparison of two of them",
  );
}

// ---- shared --------------------------------------------------------------------------------------------------------

/** Makes exactly the living entities of a list the children of a parent. @param isOrder they must already be its children. */
function relist(world: World, parent: Entity, list: readonly Entity[], isOrder: boolean): void {
  requireAlive(world, parent);
  requireList(world, list);
  const wanted: readonly Entity[] = [...list];
  const run = (): void => {
    const living = wanted.filter((entity) => isAlive(world, entity));
    if (isAlive(world, parent)) {
      const seen = new Set<Entity>();
      const twice = living.find((entity) => seen.size === seen.add(entity).size);
      if (twice !== undefined) misplaced(world, twice, "is in the list twice; name each child once");
      if (isOrder) {
        const children = new Set(subjectsOf(world, parent, ChildOf));
        const rule = `${textOf(world, parent)}; list exactly its children`;
        for (const one of living)
          if (!children.delete(one)) misplaced(world, one, `is not a child of ${rule}`);
        for (const child of children) misplaced(world, child, `is missing in the list for ${rule}`);
      }
    } else if (isOrder) return;
    exchange(world, parent, living);
  };
  changeOrDefer(world, 0, run, isOrder ? [] : wanted, parent);
}

function misplaced(world: World, entity: Entity, why: string): never {
  throw new TreelineError("bad-order", `${textOf(world, entity)} ${why}`);
}

/**
 * Makes several changes now or deferred, if the entity is alive then. @throws TreelineError as `changeOrDefer`; `dead-entity`.
 */
function onLiving(world: World, entity: Entity, change: () => void): void {
  requireAlive(world, entity);
  changeOrDefer(world, 0, () => {
    if (isAlive(world, entity)) change();
  });
}

/**
 * Makes a change at once, or at the end of the iteration. @throws TreelineError `iterating` inside an iteration of a strict
 * world.
 *
 * @param touched the index of the one entity that it changes; 0 for several, or if it depends on others.
 * @param children what becomes children of a parent: of those that are pending, that can be read at once.
 */
export function changeOrDefer(
  world: World,
  touched: number,
  change: () => void,
  children: readonly Entity[] = [],
  parent?: Entity,
  storage?: Relation,
): void {
  if (!mustDefer(world)) {
    change();
    return;
  }
  deferCommand(world, touched, change);
  if (parent === undefined) return;
  for (const relation of [ChildOf, Parent]) {
    const isOf = (child: Entity): boolean =>
      (storage ?? (has(world, child, Parent(Any)) ? Parent : ChildOf)) === relation;
    const own = children.filter(isOf);
    if (own.length > 0) slotsOf(world).pending!.give(world, own, [relation(parent) as never]);
  }
}
