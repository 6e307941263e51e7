import {
  ChildOf,
  type Entity,
  isAlive,
  parentOf,
  sourcesOf,
  TreelineError,
  type World,
} from "@treeline/core";
import { indexOf, moveTo, replaceChildren, requireAlive, shown, textOf } from "@treeline/core/internal";
import { inTurn } from "./in-turn.ts";

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
    throw new TreelineError(
      "bad-order",
      `${textOf(world, parent)} has ${others} other children, so places go from 0 to ${others}; got ${shown(place)}`,
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
    if (child === sibling) {
      throw new TreelineError(
        "bad-order",
        `${textOf(world, child)} cannot stand beside itself; name a sibling of it`,
      );
    }
    const parent = parentOf(world, sibling);
    if (parent === undefined) {
      throw new TreelineError(
        "bad-order",
        `${textOf(world, sibling)} is a root, and roots stand in no list; name an entity that has a parent`,
      );
    }
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
  inTurn(world, 0, () => {
    if (!isAlive(world, parent)) return;
    const order = wanted.filter((entity) => isAlive(world, entity));
    requireEachOnce(world, order);
    requireExactly(world, parent, order);
    replaceChildren(world, parent, order);
  });
}

/** @throws TreelineError `bad-order` for what is no list; `dead-entity`. */
export function copyOfList(world: World, list: readonly Entity[]): readonly Entity[] {
  if (!Array.isArray(list)) throw new TreelineError("bad-order", "children are given as a list of entities");
  for (const entity of list) requireAlive(world, entity);
  return [...list];
}

/** @throws TreelineError `bad-order`. */
export function requireEachOnce(world: World, list: readonly Entity[]): void {
  const seen = new Set<Entity>();
  for (const entity of list) {
    if (seen.has(entity)) {
      throw new TreelineError(
        "bad-order",
        `${textOf(world, entity)} stands twice in the list; name each child once`,
      );
    }
    seen.add(entity);
  }
}

function requireExactly(world: World, parent: Entity, order: readonly Entity[]): void {
  const refuse = (entity: Entity, what: string): never => {
    throw new TreelineError(
      "bad-order",
      `${textOf(world, entity)} ${what} ${textOf(world, parent)}; list exactly its children`,
    );
  };
  for (const entity of order) if (parentOf(world, entity) !== parent) refuse(entity, "is no child of");
  const present = sourcesOf(world, parent, ChildOf);
  if (present.length === order.length) return;
  const listed = new Set(order);
  for (const child of present) if (!listed.has(child)) refuse(child, "is missing in the list for");
}
