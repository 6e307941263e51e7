/** Parents, children, depths, paths and names, held against the twin. */
import { parentOf } from "@treeline/core";
import { escapeName, lookup, pathOf } from "@treeline/names";
import { ancestors, children, depthOf, descendants } from "@treeline/query";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf, twinsOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { lookupSlowly, stepTo } from "../twin/lookup.ts";
import type { PathText } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { childrenOf, descendantsOf } from "../twin/world.ts";
import type { Round } from "./round.ts";
import { isSampled } from "./round.ts";

export function compareFamilies(round: Round): void {
  const { fast, slow } = round;
  compareFamily(round, undefined, [], "");
  for (const root of childrenOf(slow, undefined)) {
    if (!isSampled(round, root)) continue;
    const below = twinsOf(fast, descendants(fast.world, handleOf(fast, root)));
    same(below, descendantsOf(slow, root), () => `descendants of e${root}`);
  }
}

/** Who is whose child, and in which order. */
export function compareChildren(fast: FastWorld, slow: SlowWorld): void {
  for (const parent of [undefined, ...slow.living.keys()]) compareSiblings(fast, slow, parent);
}

function compareSiblings(fast: FastWorld, slow: SlowWorld, parent: Twin | undefined): void {
  const expected = childrenOf(slow, parent);
  const found = children(fast.world, parent === undefined ? undefined : handleOf(fast, parent));
  const whose = (): string => (parent === undefined ? "roots" : `children of e${parent}`);
  const isSame =
    found.length === expected.length && expected.every((twin, at) => handleOf(fast, twin) === found[at]);
  if (!isSame) same(twinsOf(fast, found), expected, whose);
}

/**
 * The children of one parent, and all below them.
 *
 * @param line the parent and its ancestors, nearest first.
 * @param path of the parent, with a separator behind it.
 */
function compareFamily(round: Round, parent: Twin | undefined, line: readonly Twin[], path: string): void {
  const { fast, slow } = round;
  compareSiblings(fast, slow, parent);
  for (const child of childrenOf(slow, parent)) {
    const handle = handleOf(fast, child);
    const { separator } = slow.names;
    const childPath = `${path}${stepTo(slow, child, separator)}`;
    same(depthOf(fast.world, handle), line.length, () => `depth of e${child}`);
    same(parentOf(fast.world, handle), parent && handleOf(fast, parent), () => `parent of e${child}`);
    if (isSampled(round, child)) {
      same(twinsOf(fast, ancestors(fast.world, handle)), line, () => `ancestors of e${child}`);
      comparePath(round, child, childPath);
    }
    compareFamily(round, child, [child, ...line], `${childPath}${separator}`);
  }
}

/** The path as the rule says it, and back from it, unless somebody else answers to it. */
function comparePath({ fast, slow }: Round, twin: Twin, expected: string): void {
  const handle = handleOf(fast, twin);
  same(pathOf(fast.world, handle), expected, () => `path of e${twin}`);
  const isShared = slow.names.collisions === "allow";
  const holder = isShared ? heardAt(slow, expected) : twin;
  const found = lookup(fast.world, expected);
  if (found !== handleOf(fast, holder ?? 0)) {
    same(found && fast.twins.get(found), holder, () => `lookup of ${textOf(expected)}`);
  }
}

function heardAt(slow: SlowWorld, path: PathText, from?: Twin): Twin | undefined {
  const found = lookupSlowly(slow, path, { from });
  if (typeof found === "string") throw new Error(`${textOf(path)} cannot be looked up: ${found}`);
  return found.twin;
}

/** Every name and alias anybody has, looked for among the children of one parent. */
export function compareNames({ fast, slow }: Round, parent: Twin | undefined): void {
  const names = new Set(["nobody"]);
  for (const { objects } of slow.living.values()) {
    for (const what of ["Name", "Alias"]) if (objects.has(what)) names.add(objects.get(what) as string);
  }
  for (const name of names) {
    const from = parent === undefined ? undefined : { from: handleOf(fast, parent) };
    const found = lookup(fast.world, escapeName(name, slow.names), from);
    const scope = parent === undefined ? "the root scope" : `e${parent}`;
    same(found && fast.twins.get(found), heardAt(slow, [name], parent), () => `${textOf(name)} in ${scope}`);
  }
}
