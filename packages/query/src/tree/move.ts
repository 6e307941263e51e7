import type { Component, Entity, Relation, SpawnTerm, World } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  defer,
  get,
  isAlive,
  parentOf,
  remove as removeFrom,
  spawn,
  subjectsOf,
  TreelineError,
} from "@treeline/core";
import {
  deferCommand,
  replaceChildren as exchange,
  indexOf,
  moveAll,
  moveTo,
  mustDefer,
  Parent,
  requireAlive,
  shown,
  textOf,
} from "@treeline/core/internal";
import { descendants } from "./walk.ts";

/**
 * Makes an entity the last child of a parent, with everything below it; it leaves its former parent. A child of that parent
 * stays where it stands. Inside a visit it waits for the end of that; if the parent has died by then, the entity dies as well.
 *
 * @param storage `ChildOf` or `Parent`; by default the one that its parent has now, ChildOf for roots.
 * @throws TreelineError `dead-entity` if one of both is not alive; `cycle` if the parent lies below the entity; `refused` for
 *   a builtin; `bad-term` for another relation; `iterating` inside a visit of a strict world; and what a `check` hook throws,
 *   such as `name-taken`. Nothing has changed then.
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
 * @throws TreelineError `dead-entity` if the entity is not alive; `iterating` inside a visit of a strict world; and what a
 *   `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function remove(world: World, entity: Entity): void {
  makeRoots(world, entity, () => subjectsOf(world, entity, ChildOf));
}

/**
 * Takes a whole subtree apart: the entity and everybody below it become roots. Nobody dies.
 *
 * @throws TreelineError as `remove` does.
 */
export function removeAll(world: World, entity: Entity): void {
  makeRoots(world, entity, () => descendants(world, entity));
}

/** Takes the parents off an entity and others, as one change. */
function makeRoots(world: World, entity: Entity, others: () => Entity[]): void {
  onLiving(world, entity, () =>
    moveAll(
      world,
      [entity, ...others()].map((one) => [one, undefined]),
    ),
  );
}

/**
 * Makes an entity a child of a parent, at a place among its other children. Works for every parent. Whoever comes from
 * elsewhere is attached, in the storage its parent has now, ChildOf for roots.
 *
 * Moving within the family is told as `reordered` of the parent, once, and only if the order changes; attaching is told as
 * `removed` and `added` of ChildOf. Inside a visit it waits for the end of that: if the child has died by then nothing
 * happens; if the parent has, the child dies as well, as with ChildOf.
 *
 * Cost: the steps from the nearer end to the place; the first time, sorting the children into a list.
 *
 * @param place 0 for the first, up to the number of other children for the last.
 * @throws TreelineError as `attach` does, without a storage; `bad-order` if there is no such place.
 *
 * @example
 * insertAt(world, ship, cargo, 0);
 */
export function insertAt(world: World, parent: Entity, child: Entity, place: number): void {
  requireAlive(world, parent);
  requireAlive(world, child);
  inTurn(world, indexOf(child), () => {
    const others = moveTo(world, child, parent, place);
    if (others < 0) return;
    const rule = `so places go from 0 to ${others}; got ${shown(place)}`;
    misplaced(world, parent, `has ${others} other children, ${rule}`);
  });
}

/**
 * Moves an entity right before another one, as its sibling: within the family, or from elsewhere, as `insertAt` does. Cost:
 * constant; the first time, sorting the children of that parent.
 *
 * @throws TreelineError as `insertAt` does; `bad-order` if both are the same or the sibling is a root: roots stand in no list.
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
 * @throws TreelineError as `moveBefore` does.
 */
export function moveAfter(world: World, child: Entity, sibling: Entity): void {
  moveBeside(world, child, sibling, 1);
}

function moveBeside(world: World, child: Entity, sibling: Entity, place: 0 | 1): void {
  requireAlive(world, child);
  requireAlive(world, sibling);
  inTurn(world, indexOf(child), () => {
    if (!isAlive(world, child) || !isAlive(world, sibling)) return;
    if (child === sibling) misplaced(world, child, "cannot stand beside itself; name a sibling of it");
    const parent = parentOf(world, sibling);
    if (parent === undefined)
      misplaced(world, sibling, "is a root, and roots stand in no list; name an entity that has a parent");
    moveTo(world, child, parent, place, sibling);
  });
}

/**
 * Puts the children of a parent into a given order, in both storages. Told as `reordered` of the parent if the order
 * changes. Inside a visit it waits for the end of that; who has died by then is left out. Cost: the children.
 *
 * @param list exactly the children, each once.
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if the list lacks a child,
 *   has one twice, or names an entity that is no child of this parent; `iterating` inside a visit of a strict world.
 *   Nothing has changed then.
 *
 * @example
 * setChildOrder(world, ship, children(world, ship).reverse());
 */
export function setChildOrder(world: World, parent: Entity, list: readonly Entity[]): void {
  relist(world, parent, list, true);
}

/**
 * Makes exactly the listed entities the children of a parent, in that order. Former children that are not listed become
 * roots; newcomers are attached, in the storage their parents have now, ChildOf for roots.
 *
 * All is checked before anything changes, and the name of a child that leaves is free for one that comes. Told as `removed` and
 * `added` of ChildOf; as `reordered` of the parent, in the end, if those who were children before and after stand in another
 * order. Inside a visit it waits for the end of that: who has died by then is left out; if the parent has, the listed die as
 * well, as with ChildOf. Cost: former and new children, and one move for each that comes or goes.
 *
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if one is listed twice;
 *   `cycle` if the parent is one of them, or lies below one; `refused` for a builtin; `iterating` inside a visit of a strict
 *   world; and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 *
 * @example
 * replaceChildren(world, ship, [cockpit, cargo]);
 */
export function replaceChildren(world: World, parent: Entity, list: readonly Entity[]): void {
  relist(world, parent, list, false);
}

/**
 * Makes roots of all children of a parent, in both storages. Names must be free among the roots for all of them at once.
 * Inside a visit it waits for the end of that. Cost: one move for each child.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive; `iterating` inside a visit of a strict world; and what a
 *   `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function detachChildren(world: World, parent: Entity): void {
  replaceChildren(world, parent, []);
}

/**
 * Sorts the children of a parent, in both storages, once: who is attached later goes last. Equal ones keep their order.
 * Told as `reordered` of the parent if the order changes. Inside a visit it waits for the end of that. Cost: sorting.
 *
 * With a component, its values are read once and compared; children without it go last, in their order.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` for what is no component with values, or no
 *   comparison; `iterating` inside a visit of a strict world; and what the comparison throws. Nothing has changed then.
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
  // What the comparison changes must wait.
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

// ---- what they have in common -------------------------------------------------------------------------------------

/** Makes exactly the living of a list the children of a parent. @param isOrder they have to be its children already. */
function relist(world: World, parent: Entity, list: readonly Entity[], isOrder: boolean): void {
  requireAlive(world, parent);
  if (!Array.isArray(list)) throw new TreelineError("bad-order", "children are given as a list of entities");
  for (const entity of list) requireAlive(world, entity);
  const wanted: readonly Entity[] = [...list];
  inTurn(world, 0, () => {
    const living = wanted.filter((entity) => isAlive(world, entity));
    if (isAlive(world, parent)) {
      const seen = new Set<Entity>();
      const twice = living.find((entity) => seen.size === seen.add(entity).size);
      if (twice !== undefined) misplaced(world, twice, "stands twice in the list; name each child once");
      if (isOrder) {
        const children = new Set(subjectsOf(world, parent, ChildOf));
        const rule = `${textOf(world, parent)}; list exactly its children`;
        for (const one of living) if (!children.delete(one)) misplaced(world, one, `is no child of ${rule}`);
        for (const child of children) misplaced(world, child, `is missing in the list for ${rule}`);
      }
    } else if (isOrder) return;
    exchange(world, parent, living);
  });
}

function misplaced(world: World, entity: Entity, why: string): never {
  throw new TreelineError("bad-order", `${textOf(world, entity)} ${why}`);
}

/** Changes several at once, or inside a visit when that ends, if the entity is alive then. @throws TreelineError as `inTurn`; `dead-entity`. */
function onLiving(world: World, entity: Entity, change: () => void): void {
  requireAlive(world, entity);
  inTurn(world, 0, () => {
    if (isAlive(world, entity)) change();
  });
}

/**
 * Makes a change at once, or inside a visit when that ends. @throws TreelineError `iterating` inside a visit of a strict world.
 *
 * @param touched the index of the one entity that it changes; 0 for several, or if it looks at others.
 */
export function inTurn(world: World, touched: number, change: () => void): void {
  if (mustDefer(world)) deferCommand(world, touched, change);
  else change();
}
