import { ChildOf, type Entity, TreelineError, type World } from "@treeline/core";
import {
  CHILD_OF,
  countInList,
  ensureListed,
  findPair,
  handleAt,
  indexOf,
  isLiving,
  moveSibling,
  nextInList,
  orderedSources,
  orderSiblings,
  type PairNumber,
  parentIndexAt,
  parentPairAt,
  reparent,
  requireAlive,
  shown,
  siblingAt,
  textOf,
} from "@treeline/core/internal";
import { inTurn, missParent } from "./in-turn.ts";

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
    const { entities } = world;
    if (!isLiving(entities, child)) return;
    if (isLiving(entities, parent)) insertNow(world, parent, child, place);
    else missParent(world, [child]);
  });
}

function insertNow(world: World, parent: Entity, child: Entity, place: number): void {
  const { pairs, links } = world.graph;
  const index = indexOf(child);
  const pair = findPair(pairs, CHILD_OF, indexOf(parent));
  if (pair === 0) {
    requirePlaceAmong(world, parent, 0, place);
    reparent(world, index, indexOf(parent), 0);
    return;
  }
  ensureListed(world, pair);
  const others = countInList(links, pair) - (parentPairAt(world, index) === pair ? 1 : 0);
  requirePlaceAmong(world, parent, others, place);
  put(world, pair, index, siblingAt(links, pair, { place, others, except: index }));
}

function requirePlaceAmong(world: World, parent: Entity, others: number, place: number): void {
  if (Number.isInteger(place) && place >= 0 && place <= others) return;
  throw new TreelineError(
    "bad-order",
    `${textOf(world, parent)} has ${others} other children, so places go from 0 to ${others}; got ${shown(place)}`,
  );
}

/** Puts a child, or whoever becomes one, before a sibling; before 0 is the end. The family stands in a list. */
function put(world: World, pair: PairNumber, index: number, after: number): void {
  if (parentPairAt(world, index) === pair) moveSibling(world, pair, index, after);
  else reparent(world, index, world.graph.pairs.target[pair]!, after);
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
    const { entities, graph } = world;
    if (!isLiving(entities, child) || !isLiving(entities, sibling)) return;
    const at = indexOf(sibling);
    const pair = parentPairAt(world, at);
    requireSiblings(world, child, sibling, pair);
    ensureListed(world, pair);
    put(world, pair, indexOf(child), isBefore ? at : nextInList(graph.links, at));
  });
}

function requireSiblings(world: World, child: Entity, sibling: Entity, pair: PairNumber): void {
  if (child === sibling) {
    throw new TreelineError(
      "bad-order",
      `${textOf(world, child)} cannot stand beside itself; name a sibling of it`,
    );
  }
  if (pair !== 0) return;
  throw new TreelineError(
    "bad-order",
    `${textOf(world, sibling)} is a root, and roots stand in no list; name an entity that has a parent`,
  );
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
    const { entities, graph } = world;
    if (!isLiving(entities, parent)) return;
    const order = wanted.filter((entity) => isLiving(entities, entity)).map((entity) => indexOf(entity));
    const pair = findPair(graph.pairs, CHILD_OF, indexOf(parent));
    requireEachOnce(world, order);
    requireExactly(world, parent, pair, order);
    if (pair !== 0) orderSiblings(world, pair, order);
  });
}

/** @throws TreelineError `bad-order` for what is no list; `dead-entity`. */
export function copyOfList(world: World, list: readonly Entity[]): readonly Entity[] {
  if (!Array.isArray(list)) throw new TreelineError("bad-order", "children are given as a list of entities");
  for (const entity of list) requireAlive(world, entity);
  return [...list];
}

/** @throws TreelineError `bad-order`. */
export function requireEachOnce(world: World, indexes: readonly number[]): void {
  const seen = new Set<number>();
  for (const index of indexes) {
    if (seen.has(index)) {
      const text = textOf(world, handleAt(world.entities, index));
      throw new TreelineError("bad-order", `${text} stands twice in the list; name each child once`);
    }
    seen.add(index);
  }
}

function requireExactly(world: World, parent: Entity, pair: PairNumber, order: readonly number[]): void {
  const refuse = (index: number, what: string): never => {
    const text = textOf(world, handleAt(world.entities, index));
    throw new TreelineError(
      "bad-order",
      `${text} ${what} ${textOf(world, parent)}; list exactly its children`,
    );
  };
  const target = indexOf(parent);
  for (const index of order) if (parentIndexAt(world, index) !== target) refuse(index, "is no child of");
  const present = pair === 0 ? [] : orderedSources(world, target, ChildOf);
  if (present.length === order.length) return;
  const listed = new Set(order);
  for (const index of present) if (!listed.has(index)) refuse(index, "is missing in the list for");
}
