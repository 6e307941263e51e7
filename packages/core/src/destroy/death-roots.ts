import { ChildOf } from "../id/builtins.ts";
import { isListed } from "../records/sibling-links.ts";
import { orderedSources } from "../world/relation.ts";
import { parentIndexAt, parentPairAt } from "../world/targets.ts";
import type { World } from "../world/world.ts";

/**
 * Where the death of several entities begins: by birth or last attach, siblings in their order. Those that lie below
 * another one are left out, since they are met on the way down from there, each in its place among its siblings.
 */
export function deathRoots(world: World, indexes: readonly number[]): number[] {
  const { order } = world.entities;
  const roots = topmost(world, indexes).sort((one, other) => order[one]! - order[other]!);
  if (world.graph.links.used && roots.length > 1) orderSiblings(world, roots);
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
