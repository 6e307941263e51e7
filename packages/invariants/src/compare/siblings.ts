/** Compares parents, children, depths, paths and names with the twin. */
import { parentOf } from "@treeline/core";
import { escapeName, lookup, pathOf } from "@treeline/names";
import { ancestors, children, depthOf, descendants, roots } from "@treeline/query";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, twinsOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { lookupNaively, pathTextOf } from "../twin/lookup.ts";
import type { PathText } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { childrenOf, descendantsOf } from "../twin/world.ts";
import type { Round } from "./round.ts";
import { isSampled } from "./round.ts";

export function compareTrees(round: Round): void {
  const { real, naive } = round;
  compareSubtree(round, undefined, []);
  for (const root of childrenOf(naive, undefined)) {
    if (!isSampled(round, root)) continue;
    const below = twinsOf(real, descendants(real.world, handleOf(real, root)));
    same(below, descendantsOf(naive, root), () => `descendants of e${root}`);
  }
}

/** Compares the children of each parent, and their order. */
export function compareChildren(real: RealWorld, naive: NaiveWorld): void {
  for (const parent of [undefined, ...naive.living.keys()]) compareSiblings(real, naive, parent);
}

function compareSiblings(real: RealWorld, naive: NaiveWorld, parent: Twin | undefined): void {
  const expected = childrenOf(naive, parent);
  const found = parent === undefined ? roots(real.world) : children(real.world, handleOf(real, parent));
  const label = (): string => (parent === undefined ? "roots" : `children of e${parent}`);
  const isSame =
    found.length === expected.length && expected.every((twin, at) => handleOf(real, twin) === found[at]);
  if (!isSame) same(twinsOf(real, found), expected, label);
}

/**
 * The children of one parent, and all entities below them.
 *
 * @param branch the parent and its ancestors, nearest first.
 */
function compareSubtree(round: Round, parent: Twin | undefined, branch: readonly Twin[]): void {
  const { real, naive } = round;
  compareSiblings(real, naive, parent);
  for (const child of childrenOf(naive, parent)) {
    const handle = handleOf(real, child);
    same(depthOf(real.world, handle), branch.length, () => `depth of e${child}`);
    same(parentOf(real.world, handle), parent && handleOf(real, parent), () => `parent of e${child}`);
    if (isSampled(round, child)) {
      same(twinsOf(real, ancestors(real.world, handle)), branch, () => `ancestors of e${child}`);
      comparePath(round, child, pathTextOf(naive, child));
    }
    compareSubtree(round, child, [child, ...branch]);
  }
}

/** The path is as the rule says, and looking it up returns the entity, unless another entity is found at it. */
function comparePath({ real, naive }: Round, twin: Twin, expected: string): void {
  const handle = handleOf(real, twin);
  same(pathOf(real.world, handle), expected, () => `path of e${twin}`);
  const isShared = naive.names.collisions === "allow";
  const expectedTwin = isShared ? foundAt(naive, expected) : twin;
  const found = lookup(real.world, expected);
  if (found !== handleOf(real, expectedTwin ?? 0)) {
    same(found && real.twins.get(found), expectedTwin, () => `lookup of ${textOf(expected)}`);
  }
}

function foundAt(naive: NaiveWorld, path: PathText, from?: Twin): Twin | undefined {
  const found = lookupNaively(naive, path, { from });
  if (typeof found === "string") throw new Error(`${textOf(path)} cannot be looked up: ${found}`);
  return found.twin;
}

/** Looks up every name and alias in use among the children of one parent. */
export function compareNames({ real, naive }: Round, parent: Twin | undefined): void {
  const names = new Set(["unused"]);
  for (const { objects } of naive.living.values()) {
    for (const what of ["Name", "Alias"]) if (objects.has(what)) names.add(objects.get(what) as string);
  }
  const { separator } = naive.names;
  for (const name of names) {
    const from = parent === undefined ? undefined : { from: handleOf(real, parent) };
    const found = lookup(real.world, escapeName(name, { separator }), from);
    const scope = parent === undefined ? "the root scope" : `e${parent}`;
    same(found && real.twins.get(found), foundAt(naive, [name], parent), () => `${textOf(name)} in ${scope}`);
  }
}
