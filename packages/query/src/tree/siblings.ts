import {
  ChildOf,
  type Component,
  defer,
  type Entity,
  get,
  isAlive,
  parentOf,
  sourcesOf,
  TreelineError,
  type World,
} from "@treeline/core";
import {
  replaceChildren as exchange,
  indexOf,
  moveTo,
  requireAlive,
  shown,
  textOf,
} from "@treeline/core/internal";
import { inTurn, onLiving } from "./attach.ts";

/**
 * Makes an entity a child of a parent, at a place among its other children. A child of that parent moves within its
 * family; whoever comes from elsewhere is attached, in the storage its parent has now, ChildOf for roots.
 *
 * Works for every parent; the first time, its children are put into a list. Moving within the family is told as
 * `reordered` of the parent, once, and only if the order changes; attaching is told as `removed` and `added` of ChildOf.
 * Inside a visit it waits for the end of that: if the child has died by then nothing happens; if the parent has, the child
 * dies as well, as with ChildOf.
 *
 * Cost: the steps from the nearer end to the place; the first time, sorting the children.
 *
 * @param place 0 for the first, up to the number of other children for the last.
 * @throws TreelineError `dead-entity` if one of both is not alive; `bad-order` if there is no such place; `cycle` if the
 *   parent lies below the child; `refused` for a builtin; `visiting` inside a visit of a strict world; and what a `check` hook throws, such as
 *   `name-taken`. Nothing has changed then.
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
    misplaced(
      world,
      parent,
      `has ${others} other children, so places go from 0 to ${others}; got ${shown(place)}`,
    );
  });
}

/**
 * Moves an entity right before another one, as its sibling: within the family, or from elsewhere, as `insertAt` does.
 *
 * Cost: constant; the first time, sorting the children of that parent.
 *
 * @throws TreelineError as `insertAt` does; `bad-order` if both are the same or the sibling is a root, since roots stand in
 *   no list.
 *
 * @example
 * moveBefore(world, cargo, cockpit);
 */
export function moveBefore(world: World, child: Entity, sibling: Entity): void {
  moveBeside(world, child, sibling, true);
}

/**
 * Moves an entity right behind another one, as its sibling: see `moveBefore`.
 *
 * @throws TreelineError as `moveBefore` does.
 */
export function moveAfter(world: World, child: Entity, sibling: Entity): void {
  moveBeside(world, child, sibling, false);
}

function moveBeside(world: World, child: Entity, sibling: Entity, isBefore: boolean): void {
  requireAlive(world, child);
  requireAlive(world, sibling);
  inTurn(world, indexOf(child), () => {
    if (!isAlive(world, child) || !isAlive(world, sibling)) return;
    if (child === sibling) misplaced(world, child, "cannot stand beside itself; name a sibling of it");
    const parent = parentOf(world, sibling);
    if (parent === undefined)
      misplaced(world, sibling, "is a root, and roots stand in no list; name an entity that has a parent");
    moveTo(world, child, parent, isBefore ? 0 : 1, sibling);
  });
}

/**
 * Puts the children of a parent into a given order, in both storages. Told as `reordered` of the parent if the order
 * changes. Inside a visit it waits for the end of that; who has died by then is left out.
 *
 * Cost: the children.
 *
 * @param list exactly the children, each once.
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if the list lacks a child,
 *   has one twice, or names an entity that is no child of this parent; `visiting` inside a visit of a strict world.
 *   Nothing has changed then.
 *
 * @example
 * setChildOrder(world, ship, children(world, ship).reverse());
 */
export function setChildOrder(world: World, parent: Entity, list: readonly Entity[]): void {
  requireAlive(world, parent);
  const wanted = copyOfList(world, list);
  onLiving(world, parent, () => {
    const order = wanted.filter((entity) => isAlive(world, entity));
    requireEachOnce(world, order);
    requireExactly(world, parent, order);
    exchange(world, parent, order);
  });
}

/**
 * Makes exactly the listed entities the children of a parent, in that order. Former children that are not listed become
 * roots; newcomers are attached, in the storage their parents have now, ChildOf for roots.
 *
 * All is checked before anything changes, and the name of a child that leaves is free for one that comes. Told as
 * `removed` and `added` of ChildOf; as `reordered` of the parent, in the end, if those who were children before and after
 * stand in another order. Inside a visit it waits for the end of that: who has died by then is left out; if the parent has,
 * the listed die as well, as with ChildOf.
 *
 * Cost: former and new children, and one move for each that comes or goes.
 *
 * @throws TreelineError `dead-entity` if the parent or one of the list is not alive; `bad-order` if one is listed twice;
 *   `cycle` if the parent is one of them, or lies below one; `refused` for a builtin; `visiting` inside a visit of a strict
 *   world; and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 *
 * @example
 * replaceChildren(world, ship, [cockpit, cargo]);
 */
export function replaceChildren(world: World, parent: Entity, list: readonly Entity[]): void {
  requireAlive(world, parent);
  const wanted = copyOfList(world, list);
  inTurn(world, 0, () => {
    const living = wanted.filter((entity) => isAlive(world, entity));
    if (isAlive(world, parent)) requireEachOnce(world, living);
    exchange(world, parent, living);
  });
}

/**
 * Makes roots of all children of a parent, in both storages. Names must be free among the roots for all of them at once.
 * Inside a visit it waits for the end of that.
 *
 * Cost: one move for each child.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive; `visiting` inside a visit of a strict world; and what a
 *   `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function detachChildren(world: World, parent: Entity): void {
  replaceChildren(world, parent, []);
}

/**
 * Sorts the children of a parent, in both storages, once: who is attached later goes last. Equal ones keep their order.
 * Told as `reordered` of the parent if the order changes. Inside a visit it waits for the end of that.
 *
 * With a component, its values are read once and compared; children without it go last, in their order.
 *
 * Cost: sorting the children.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` for what is no component with values, or no
 *   comparison; `visiting` inside a visit of a strict world; and what the comparison throws. Nothing has changed then.
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
      const family = sourcesOf(world, parent, ChildOf);
      const compare =
        compareRows === undefined
          ? (by as (one: Entity, other: Entity) => number)
          : comparisonOfRows(world, family, by as Component<Row>, compareRows);
      exchange(world, parent, family.sort(compare));
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

/** Those without a value go last. */
function comparisonOfRows<Row>(
  world: World,
  family: readonly Entity[],
  component: Component<Row>,
  compare: (one: Row, other: Row) => number,
): (one: Entity, other: Entity) => number {
  const rows = new Map(family.map((entity) => [entity, get(world, entity, component) as Row | undefined]));
  return (one, other) => {
    const row = rows.get(one);
    const beside = rows.get(other);
    if (row !== undefined && beside !== undefined) return compare(row, beside);
    return Number(row === undefined) - Number(beside === undefined);
  };
}

// ---- lists of children --------------------------------------------------------------------------------------------

/** @throws TreelineError `bad-order` for what is no list; `dead-entity`. */
function copyOfList(world: World, list: readonly Entity[]): readonly Entity[] {
  if (!Array.isArray(list)) throw new TreelineError("bad-order", "children are given as a list of entities");
  for (const entity of list) requireAlive(world, entity);
  return [...list];
}

function requireEachOnce(world: World, list: readonly Entity[]): void {
  const seen = new Set<Entity>();
  for (const entity of list) {
    if (seen.has(entity)) misplaced(world, entity, "stands twice in the list; name each child once");
    seen.add(entity);
  }
}

function requireExactly(world: World, parent: Entity, order: readonly Entity[]): void {
  const family = new Set(sourcesOf(world, parent, ChildOf));
  const rule = `${textOf(world, parent)}; list exactly its children`;
  for (const entity of order) if (!family.delete(entity)) misplaced(world, entity, `is no child of ${rule}`);
  for (const child of family) misplaced(world, child, `is missing in the list for ${rule}`);
}

function misplaced(world: World, entity: Entity, why: string): never {
  throw new TreelineError("bad-order", `${textOf(world, entity)} ${why}`);
}
