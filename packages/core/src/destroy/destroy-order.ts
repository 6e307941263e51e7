import { ChildOf } from "../id/builtins.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { PAIR_DELETES } from "../id/pair-traits.ts";
import { orderedSources } from "../world/relation.ts";
import { parentIndexAt, sourceIndexes } from "../world/targets.ts";
import type { World } from "../world/world.ts";
import { usersOf } from "./users.ts";

/**
 * The dying in the order of death: depth-first, children before parents, siblings in order; along all relations that
 * delete. Of one entity its children come first, then its sources by other relations. An entity that is reached twice,
 * or by a cycle, dies where it is reached first.
 *
 * The tree goes before other relations, which may make circles with it: who is reached by another relation while
 * somebody below is still to die waits until the way there is done.
 *
 * @param roots where it begins, in order.
 */
export function inDyingOrder(world: World, roots: readonly number[]): number[] {
  const walk: Walk = { order: [], entered: new Set(), above: new Set(), late: [...roots] };
  for (const root of walk.late) if (!walk.entered.has(root)) walkFrom(world, walk, root);
  return walk.order;
}

interface Walk {
  readonly order: number[];
  readonly entered: Set<number>;
  /** Ancestors of those at which the way left the tree. */
  readonly above: Set<number>;
  /** Where to begin, in order; grows meanwhile. */
  readonly late: number[];
}

/** A step of the way from a root down: an entity, and those that die before it, the next one last. */
interface Step {
  readonly index: number;
  readonly waiting: number[];
}

function walkFrom(world: World, walk: Walk, root: number): void {
  const way: Step[] = [stepTo(world, walk, root, 0)];
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const next = step.waiting.pop();
    if (next === undefined) {
      walk.order.push(step.index);
      way.pop();
    } else if (walk.entered.has(next)) continue;
    else if (walk.above.has(next) && parentIndexAt(world, next) !== step.index) walk.late.push(next);
    else way.push(stepTo(world, walk, next, step.index));
  }
}

function stepTo(world: World, { entered, above }: Walk, index: number, from: number): Step {
  entered.add(index);
  let parent = parentIndexAt(world, index);
  if (parent !== from) {
    for (; parent !== 0 && !above.has(parent); parent = parentIndexAt(world, parent)) above.add(parent);
  }
  return { index, waiting: dyingSources(world, index) };
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
