import { ChildOf, type Entity, isAlive, sourcesOf, type World } from "@treeline/core";
import { replaceChildren as exchange, requireAlive } from "@treeline/core/internal";
import { makeRoots } from "./attach.ts";
import { inTurn } from "./in-turn.ts";
import { copyOfList, requireEachOnce } from "./siblings.ts";

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
  requireAlive(world, parent);
  inTurn(world, 0, () => {
    if (isAlive(world, parent)) makeRoots(world, sourcesOf(world, parent, ChildOf));
  });
}
