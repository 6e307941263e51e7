import { ChildOf, type Entity, type World } from "@treeline/core";
import {
  CHILD_OF,
  ensureListed,
  findPair,
  indexOf,
  insideVisit,
  isLiving,
  orderedSources,
  orphan,
  orphanAsked,
  relistSiblings,
  reparentAsked,
  requireAlive,
  requireMoves,
  requirePlace,
  tellReordered,
  whileChanging,
} from "@treeline/core/internal";
import { inTurn, missParent } from "./in-turn.ts";
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
    const living = wanted.filter((entity) => isLiving(world.entities, entity));
    if (isLiving(world.entities, parent)) replaceNow(world, parent, living);
    else missParent(world, living);
  });
}

function replaceNow(world: World, parent: Entity, wanted: readonly Entity[]): void {
  const { pairs } = world.graph;
  const target = indexOf(parent);
  const list = wanted.map((entity) => indexOf(entity));
  const family = new Set(orderedSources(world, target, ChildOf));
  const chosen = new Set(list);
  const leaving = [...family].filter((index) => !chosen.has(index));
  const coming = list.filter((index) => !family.has(index));

  // Check everything ...
  requireEachOnce(world, list);
  for (const index of coming) requirePlace(world, index, ChildOf, target);
  const parents = new Map<number, Entity | undefined>(leaving.map((index) => [index, undefined]));
  for (const index of coming) parents.set(index, parent);
  const asked = requireMoves(world, parents);

  // ... and only then change.
  const staying = list.filter((index) => family.has(index));
  insideVisit(world, () => {
    const pair = staying.length === 0 ? 0 : findPair(pairs, CHILD_OF, target);
    let isReordered = false;
    whileChanging(world, () => {
      orphanAsked(world, leaving, asked);
      isReordered = pair !== 0 && relistSiblings(world, pair, staying);
      const places = placesIn(list, family);
      if (pair !== 0 && coming.some((index) => places.get(index) !== 0)) ensureListed(world, pair);
      for (const index of coming) {
        reparentAsked(world, index, target, places.get(index)!, asked.get(index));
      }
    });
    if (isReordered) tellReordered(world, pair);
  });
}

/** Newcomer -> the next one in the list who was there before; 0 behind the last of them. */
function placesIn(list: readonly number[], family: ReadonlySet<number>): Map<number, number> {
  const places = new Map<number, number>();
  let next = 0;
  for (const index of list.toReversed()) {
    if (family.has(index)) next = index;
    else places.set(index, next);
  }
  return places;
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
    if (isLiving(world.entities, parent)) orphan(world, orderedSources(world, indexOf(parent), ChildOf));
  });
}
