import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { PAIR_DELETES } from "../id/pair-traits.ts";
import { isListed } from "../records/sibling-links.ts";
import { orderedSources } from "../world/state/relation.ts";
import { parentIndexAt, parentPairAt, sourceIndexes } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { definitionOfEntity, usersOf } from "./users.ts";

/**
 * Where the destruction of several entities begins: by birth or last attach, siblings in their order. Those that lie below
 * another one are left out, since they are met on the way down from there, each in its place among its siblings.
 */
export function destroyRoots(world: World, indexes: readonly number[]): number[] {
  const { order } = world.entities;
  const roots = topmost(world, indexes).sort((one, other) => order[one]! - order[other]!);
  if (roots.length > 1) orderSiblings(world, roots);
  return roots;
}

/** Cost: each ancestor is passed once, however many are below it. */
function topmost(world: World, indexes: readonly number[]): number[] {
  if (indexes.length === 1) return [...indexes];
  const all = new Set(indexes);
  /** Ancestors that were passed: does one of `all` lie at or above them? */
  const isBelow = new Map<number, boolean>();
  return indexes.filter((index) => {
    const way: number[] = [];
    let at = parentIndexAt(world, index);
    for (; at !== 0 && !all.has(at) && !isBelow.has(at); at = parentIndexAt(world, at)) way.push(at);
    const found = at !== 0 && (all.has(at) || isBelow.get(at) === true);
    for (const passed of way) isBelow.set(passed, found);
    return !found;
  });
}

/** Siblings that stand in a list share out their places anew, in the order of the list. */
function orderSiblings(world: World, roots: number[]): void {
  const places = new Map<number, number[]>();
  roots.forEach((index, place) => {
    const pair = parentPairAt(world, index);
    if (pair === 0 || !isListed(world.graph.links, pair)) return;
    const known = places.get(pair);
    if (known === undefined) places.set(pair, [place]);
    else known.push(place);
  });
  for (const [pair, own] of places) {
    if (own.length === 1) continue;
    const siblings = new Set(own.map((place) => roots[place]!));
    const listed = orderedSources(world, world.graph.pairs.target[pair]!, ChildOf);
    listed
      .filter((index) => siblings.has(index))
      .forEach((index, at) => {
        roots[own[at]!] = index;
      });
  }
}

/**
 * What is destroyed, in order, along all relations that delete: depth-first, children before parents, siblings in order. Of
 * one entity its children come first, then its sources by other relations. An entity that is reached twice, or by a cycle, is
 * destroyed where it is reached first. Along the tree alone `treeOrder` comes to the same.
 *
 * The tree goes before other relations, which may make circles with it: what is reached by another relation while something
 * below it is still to come waits until the way there is done.
 *
 * @param roots where it begins, in order.
 */
export function destroyOrder(world: World, roots: readonly number[]): number[] {
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

/** A step of the way from a root down: an entity, and those that go before it, the next one last. */
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
  return { index, waiting: goneBefore(world, index) };
}

/** What is destroyed because an entity is, the first one last. */
function goneBefore(world: World, index: number): number[] {
  const { pairs } = world.graph;
  const { order } = world.entities;
  const others: number[] = [];
  const definition = definitionOfEntity(world, index);
  if (definition?.onDeath === "delete") others.push(...usersOf(world, definition));
  let children: number[] = [];
  if (isTarget(pairs, index)) {
    children = orderedSources(world, index, ChildOf);
    for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if ((pairs.traits[pair]! & PAIR_DELETES) === 0 || pairs.relation[pair] === CHILD_OF) continue;
      for (const source of sourceIndexes(world, pair)) others.push(source);
    }
  }
  others.sort((one, other) => order[one]! - order[other]!);
  return others.length === 0 ? children.reverse() : [...children, ...others].reverse();
}
