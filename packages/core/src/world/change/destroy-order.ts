import { CHILD_OF, ChildOf } from "../../id/builtins.ts";
import { PAIR_DELETES } from "../../id/definition.ts";
import { firstPairOf, isTarget } from "../../id/pair-book.ts";
import { isListed, loosePairOf } from "../../records/sibling-links.ts";
import { NEEDS_HOOKS, NEEDS_OBSERVERS } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { hasHeardTags } from "../state/bit-tags.ts";
import { needsOf } from "../state/needs-of.ts";
import type { ChangeEvents } from "../state/plans.ts";
import { orderedSources, parentIndexAt, parentPairAt, sourceIndexes } from "../state/targets.ts";
import { tellAll } from "../state/tell.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { losePair, loseParent } from "./change-entity.ts";
import { freeEntity, treeOrder } from "./free-entity.ts";
import { keptChanges, tellRemoved } from "./hook-calls.ts";

/**
 * Destroys entities one by one, for observers and hooks that see the order: tells of each and frees it, children before parents,
 * siblings in order. Each finds its ancestors alive, and nothing below it.
 *
 * @param indexes where it begins; all are living.
 * @param leavesTree relations other than ChildOf, or definitions, lead to some of them.
 * @returns how many were destroyed; what is spawned meanwhile does not count.
 */
export function destroyInOrder(world: World, indexes: readonly number[], leavesTree: boolean): number {
  const roots = destroyRoots(world, indexes);
  const order = leavesTree ? destroyOrder(world, roots) : treeOrder(world, roots);
  for (const index of order) {
    announce(world, index, 0);
    if (isTarget(world.graph.pairs, index)) removeFromSources(world, index);
    freeEntity(world, index);
  }
  return order.length;
}

/**
 * Tells observers of what an entity is about to lose, and then, if it is destroyed, hooks. Inside a visit.
 *
 * @param to the table that it goes to, with the parent that it has; 0 if it is destroyed.
 */
export function announce(world: World, index: number, to: TableNumber): void {
  const shape = shapeAt(world, index);
  const needs = needsOf(world, shape);
  if ((needs & NEEDS_OBSERVERS) !== 0 || hasHeardTags(world, shape)) {
    const events: ChangeEvents = { removed: [], added: [] };
    const valuePair = to === 0 ? 0 : loosePairOf(world.graph.links, index);
    world.slots.events!.list(world, events, index, world.entities.table[index]!, to, valuePair);
    tellAll(world, events.removed);
  }
  if (to === 0 && (needs & NEEDS_HOOKS) !== 0) tellRemoved(world, index, shape.hooked);
}

/** Something that is destroyed later still points here, as in a cycle of relations that delete: that pair goes first. */
function removeFromSources(world: World, index: number): void {
  const { pairs } = world.graph;
  const own: PairNumber[] = [];
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) own.push(pair);
  for (const pair of own) {
    for (const source of sourceIndexes(world, pair)) {
      if (source === index) continue;
      if (pairs.relation[pair] === CHILD_OF)
        loseParent(world, source, keptChanges(world, shapeAt(world, source), source));
      else losePair(world, source, pair);
    }
  }
}

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
  const definition = world.standsFor.get(index);
  if (definition?.onDeath === "delete") others.push(...world.slots.standing!.usersOf(world, definition));
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
