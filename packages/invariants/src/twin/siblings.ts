/** The order of siblings in the naive twin: one list of children per parent. */
import { attach, attempt, detach, touch } from "./change.ts";
import { brokenRule, isBuiltin } from "./refusals.ts";
import type { Refusal, Twin } from "./rules.ts";
import type { NaiveWorld, Storage } from "./world.ts";
import { childrenOf, containersOf, isAlive, parentOf, recordOf } from "./world.ts";

/**
 * Makes the child one of the parent's children, with `place` siblings before it.
 *
 * @param place 0 to the number of other children.
 */
export function insertAt(world: NaiveWorld, parent: Twin, child: Twin, place: number): Refusal | undefined {
  if (!isAlive(world, parent) || !isAlive(world, child)) return "dead-entity";
  const others = childrenOf(world, parent).filter((sibling) => sibling !== child);
  if (!Number.isInteger(place) || place < 0 || place > others.length) return "bad-order";
  return attempt(world, brokenRule, () => {
    attach(world, child, parent, recordOf(world, child).storage);
    touch(world, parent).children = others.toSpliced(place, 0, child);
    return undefined;
  });
}

/** Directly before or after a sibling; a child of another parent gets this parent. */
export function moveBeside(
  world: NaiveWorld,
  child: Twin,
  sibling: Twin,
  side: "before" | "after",
): Refusal | undefined {
  if (!isAlive(world, child) || !isAlive(world, sibling)) return "dead-entity";
  const parent = parentOf(world, sibling);
  if (parent === undefined || child === sibling) return "bad-order";
  const others = childrenOf(world, parent).filter((other) => other !== child);
  return insertAt(world, parent, child, others.indexOf(sibling) + (side === "before" ? 0 : 1));
}

/** @param order all children, each once. */
export function setChildOrder(world: NaiveWorld, parent: Twin, order: readonly Twin[]): Refusal | undefined {
  if (![parent, ...order].every((entity) => isAlive(world, entity))) return "dead-entity";
  const children = childrenOf(world, parent);
  const isPermutation = order.length === children.length && children.every((child) => order.includes(child));
  if (!isPermutation) return "bad-order";
  return attempt(world, brokenRule, () => {
    touch(world, parent).children = [...order];
    return undefined;
  });
}

/** The sort is stable. */
export function sortChildren(
  world: NaiveWorld,
  parent: Twin,
  compare: (one: Twin, other: Twin) => number,
): Refusal | undefined {
  if (!isAlive(world, parent)) return "dead-entity";
  return setChildOrder(world, parent, childrenOf(world, parent).sort(compare));
}

/** The list becomes the children, in that order; former children that are not in it become roots. */
export function replaceChildren(world: NaiveWorld, parent: Twin, list: readonly Twin[]): Refusal | undefined {
  if (!isAlive(world, parent) || list.some((child) => !isAlive(world, child))) return "dead-entity";
  if (new Set(list).size !== list.length) return "bad-order";
  for (const child of list) {
    if (child === parent || containersOf(world, parent).includes(child)) return "cycle";
    if (isBuiltin(world, child)) return "refused";
  }
  return attempt(world, brokenRule, () => {
    for (const child of childrenOf(world, parent)) if (!list.includes(child)) detach(world, child);
    for (const child of list) attach(world, child, parent, recordOf(world, child).storage);
    touch(world, parent).children = [...list];
    return undefined;
  });
}

/** The list become the last children, in its order; who occurs twice, at the first place. */
export function attachMany(
  world: NaiveWorld,
  parent: Twin,
  list: readonly Twin[],
  storage: Storage | undefined,
): Refusal | undefined {
  if (!isAlive(world, parent) || list.some((child) => !isAlive(world, child))) return "dead-entity";
  const wanted = [...new Set(list)];
  for (const child of wanted) {
    if (child === parent || containersOf(world, parent).includes(child)) return "cycle";
    if (isBuiltin(world, child)) return "refused";
  }
  return attempt(world, brokenRule, () => {
    const others = childrenOf(world, parent).filter((child) => !wanted.includes(child));
    for (const child of wanted) attach(world, child, parent, storage ?? recordOf(world, child).storage);
    touch(world, parent).children = [...others, ...wanted];
    return undefined;
  });
}

/** All children become roots, in their order. */
export function detachChildren(world: NaiveWorld, parent: Twin): Refusal | undefined {
  return replaceChildren(world, parent, []);
}

/** All of them become roots, in that order. */
export function detachEach(world: NaiveWorld, entities: readonly Twin[]): Refusal | undefined {
  if (!entities.every((entity) => isAlive(world, entity))) return "dead-entity";
  return attempt(world, brokenRule, () => {
    for (const entity of entities) detach(world, entity);
    return undefined;
  });
}
