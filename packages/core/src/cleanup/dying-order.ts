import { ChildOf } from "../id/builtins.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { PAIR_DELETES } from "../id/pair-traits.ts";
import { orderedSources } from "../world/relation.ts";
import { sourceIndexes } from "../world/targets.ts";
import type { World } from "../world/world.ts";
import { usersOf } from "./users.ts";

/**
 * The dying in the order of death: depth-first, children before parents, siblings in order; along all relations that
 * delete. Of one entity its children come first, then its sources by other relations. An entity that is reached twice,
 * or by a cycle, dies where it is reached first.
 *
 * @param roots where it begins, in order.
 */
export function inDyingOrder(world: World, roots: readonly number[]): number[] {
  const order: number[] = [];
  const entered = new Set<number>();
  for (const root of roots) if (!entered.has(root)) walk(world, root, entered, order);
  return order;
}

function walk(world: World, root: number, entered: Set<number>, order: number[]): void {
  entered.add(root);
  /** Way from the root down: an entity, and those of its sources that are still to come, the next one last. */
  const way = [{ index: root, waiting: dyingSources(world, root) }];
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const next = step.waiting.pop();
    if (next === undefined) {
      order.push(step.index);
      way.pop();
    } else if (!entered.has(next)) {
      entered.add(next);
      way.push({ index: next, waiting: dyingSources(world, next) });
    }
  }
}

/** Who dies because an entity does, the first one last. */
function dyingSources(world: World, index: number): number[] {
  const { pairs } = world.graph;
  const { order } = world.entities;
  const others: number[] = [];
  const definition = world.standsFor.get(index);
  if (definition?.onDeath === "delete") others.push(...usersOf(world, definition));
  let children: number[] = [];
  if (isTarget(pairs, index)) {
    children = orderedSources(world, index, ChildOf);
    for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if ((pairs.traits[pair]! & PAIR_DELETES) === 0 || pairs.relation[pair] === ChildOf.id) continue;
      for (const source of sourceIndexes(world, pair)) others.push(source);
    }
  }
  others.sort((one, other) => order[one]! - order[other]!);
  return others.length === 0 ? children.reverse() : [...children, ...others].reverse();
}
