/** Compares all functions about names with the twin: for each scope, each entity and each kept path. */

import { get } from "@treeline/core";
import type { PathHandle } from "@treeline/names";
import { Alias, childNamed, escapeName, escapePattern, findAll, lookup, path, pathOf } from "@treeline/names";
import { inScope, namedIn, realOptions } from "../perform/names.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, twinsOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import { textOf } from "../step/step.ts";
import { entityOfName } from "../twin/collisions.ts";
import { begin, follow, lookupNaively, pathTextOf } from "../twin/lookup.ts";
import type { NaivePath } from "../twin/paths.ts";
import { escapeNaively } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { allNamedBelow, isAlive, namedBelow, nameOf } from "../twin/world.ts";
import { compareInvariants } from "./compare.ts";

/** A path that is kept, and its meaning. */
export interface KeptPath {
  readonly handle: PathHandle;
  readonly parsed: NaivePath;
  readonly from: Twin | undefined;
}

/** Both worlds, and what is compared after a step. */
interface NamesRound {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  /** Kept paths. */
  readonly keptPaths: (KeptPath | undefined)[] | undefined;
  readonly turn: number;
  readonly isReacting: boolean;
}

type KeepPath = Extract<Step, { verb: "keepPath" }>;

export function keepPath({ real, naive, keptPaths }: NamesRound, step: KeepPath): undefined {
  const scope = step.scope === undefined ? undefined : handleOf(real, step.scope);
  const handle = inScope(real.world, scope, () => path(real.world, step.path, realOptions(real, step)));
  const begun = begin({ ...naive, scope: step.scope }, step.path, step);
  if (typeof begun === "string") throw new Error(`${textOf(step.path)} is kept, but is not a path`);
  if (keptPaths !== undefined) keptPaths[step.slot] = { handle, parsed: begun.parsed, from: begun.start };
  return undefined;
}

/**
 * @throws Error that says what differs. Once observers have changed the world, the order of arrival among namesakes is unknown.
 */
export function compareNaming(both: NamesRound): void {
  const { real, naive, keptPaths, turn, isReacting } = both;
  compareInvariants(real);
  const names = namesIn(naive);
  if (isReacting && naive.names.collisions === "allow") {
    for (const name of names) compareAnyMatch(real, naive, name);
    return;
  }
  for (const one of keptPaths ?? []) if (one !== undefined) compareKeptPath(real, naive, one);
  for (const scope of [undefined, ...naive.living.keys()]) {
    for (const name of names) compareNameIn(real, naive, scope, name);
  }
  for (const twin of naive.living.keys()) comparePathOf(real, naive, twin);
  const name = names[turn % names.length];
  if (name !== undefined) compareFound(real, naive, name);
}

function compareKeptPath(real: RealWorld, naive: NaiveWorld, { handle, parsed, from }: KeptPath): void {
  const isLost = from !== undefined && !isAlive(naive, from);
  const { steps } = parsed;
  const expected = isLost ? undefined : steps.length === 0 ? from : follow(naive, steps, from);
  sameTwin(real, handle.entity, expected, () => `entity of the kept path ${textOf(steps)}`);
}

function sameTwin(
  real: RealWorld,
  found: PathHandle["entity"],
  expected: Twin | undefined,
  what: () => string,
): void {
  if (found === undefined && expected === undefined) return;
  same(found && (real.twins.get(found) ?? "an unknown entity"), expected, what);
}

/** Names and aliases in use, and one that is unused. */
function namesIn(naive: NaiveWorld): string[] {
  const names = new Set(["unused"]);
  for (const { objects } of naive.living.values()) {
    for (const what of ["Name", "Alias"]) if (objects.has(what)) names.add(objects.get(what) as string);
  }
  return [...names];
}

function compareNameIn(real: RealWorld, naive: NaiveWorld, scope: Twin | undefined, name: string): void {
  const { world } = real;
  const handle = scope === undefined ? undefined : handleOf(real, scope);
  const where = (): string => `${textOf(name)} in ${scope === undefined ? "the roots" : `e${scope}`}`;
  if (handle !== undefined)
    sameTwin(real, childNamed(world, handle, name), entityOfName(naive, scope, name), where);
  const expected = lookupNaively(naive, [name], { from: scope });
  const found = lookup(world, [name], handle === undefined ? {} : { from: handle });
  sameTwin(real, found, typeof expected === "string" ? undefined : expected.twin, () => `found ${where()}`);
}

/** In every scope that has an entity of the name, such an entity is found. */
function compareAnyMatch(real: RealWorld, naive: NaiveWorld, name: string): void {
  for (const scope of [undefined, ...naive.living.keys()]) {
    const candidates = namedBelow(naive, scope).filter((twin) => nameOf(naive, twin) === name);
    const handle = scope === undefined ? undefined : handleOf(real, scope);
    const found = namedIn(real.world, handle, name);
    if (scope === undefined && found !== undefined && get(real.world, found, Alias) === name) continue;
    const twin = found === undefined ? undefined : real.twins.get(found);
    const isRight = found === undefined ? candidates.length === 0 : candidates.includes(twin!);
    if (!isRight)
      throw new Error(`${textOf(name)} in ${scope}: ${twin}, which is none of ${textOf(candidates)}`);
  }
}

/** The path is as the rule says; where names are unique, looking it up returns the same entity. */
function comparePathOf(real: RealWorld, naive: NaiveWorld, twin: Twin): void {
  const { collisions } = naive.names;
  const expected = pathTextOf(naive, twin);
  const actual = pathOf(real.world, handleOf(real, twin));
  same(actual, expected, () => `path of e${twin}`);
  const found = lookupNaively(naive, actual);
  if (typeof found === "string") throw new Error(`the path of e${twin} is refused: ${found}`);
  if (collisions !== "allow") same(found.twin, twin, () => `entity that the twin finds at ${textOf(actual)}`);
  sameTwin(real, lookup(real.world, actual), found.twin, () => `entity found at ${textOf(actual)}`);
}

/** All entities with the name, at any depth; and the name as a step. */
function compareFound(real: RealWorld, naive: NaiveWorld, name: string): void {
  const { separator } = naive.names;
  const step = escapeName(name, { separator });
  same(step, escapeNaively(name, separator), () => `the step of ${textOf(name)}`);
  const all = namedBelow(naive, undefined).flatMap((root) => allNamedBelow(naive, root));
  const expected = all.filter((twin) => nameOf(naive, twin) === name);
  const pattern = `**${separator}${escapePattern(name, { separator })}`;
  same(twinsOf(real, findAll(real.world, pattern)), expected, () => `all at ${textOf(pattern)}`);
}
