/** All that can be asked of names, held against the twin: of every scope, everybody and every path that is kept. */
import type { PathHandle } from "@treeline/names";
import {
  childNamed,
  escapeName,
  escapePattern,
  findAll,
  lookup,
  path,
  pathOf,
  withScope,
} from "@treeline/names";
import { toldOptions } from "../perform/names.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf, twinsOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import { textOf } from "../step/step.ts";
import { entityOfName } from "../twin/collisions.ts";
import { begin, follow, lookupSlowly, stepTo } from "../twin/lookup.ts";
import type { SlowPath } from "../twin/paths.ts";
import { escapeSlowly } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { ancestorsOf, childrenOf, descendantsOf, isAlive, nameOf } from "../twin/world.ts";
import { compareInvariants } from "./compare.ts";

/** A path that is kept, and what it means. */
export interface Held {
  readonly handle: PathHandle;
  readonly parsed: SlowPath;
  readonly from: Twin | undefined;
}

/** Both worlds, and what is looked at after a step. */
interface NamesTold {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  /** Paths that are kept. */
  readonly held: (Held | undefined)[] | undefined;
  readonly turn: number;
  readonly isReacting: boolean;
}

type Hold = Extract<Step, { verb: "hold" }>;

export function hold({ fast, slow, held }: NamesTold, step: Hold): undefined {
  const scope = step.scope === undefined ? undefined : handleOf(fast, step.scope);
  const handle = withScope(fast.world, scope, () => path(fast.world, step.path, toldOptions(fast, step)));
  const begun = begin({ ...slow, scope: step.scope }, step.path, step);
  if (typeof begun === "string") throw new Error(`${textOf(step.path)} is kept: it is no path`);
  if (held !== undefined) held[step.slot] = { handle, parsed: begun.parsed, from: begun.start };
  return undefined;
}

/** @throws Error that says what differs. Who came first among several is not known once listeners have meddled. */
export function compareNaming(both: NamesTold): void {
  const { fast, slow, held, turn, isReacting } = both;
  compareInvariants(fast);
  const names = namesIn(slow);
  if (isReacting && slow.names.collisions === "allow") {
    for (const name of names) compareAnyHolder(fast, slow, name);
    return;
  }
  for (const one of held ?? []) if (one !== undefined) compareHeld(fast, slow, one);
  for (const scope of [undefined, ...slow.living.keys()]) {
    for (const name of names) compareHolder(fast, slow, scope, name);
  }
  for (const twin of slow.living.keys()) comparePathOf(fast, slow, twin);
  const name = names[turn % names.length];
  if (name !== undefined) compareFound(fast, slow, name);
}

function compareHeld(fast: FastWorld, slow: SlowWorld, { handle, parsed, from }: Held): void {
  const isLost = from !== undefined && !isAlive(slow, from);
  const { steps } = parsed;
  const expected = isLost ? undefined : steps.length === 0 ? from : follow(slow, steps, from);
  sameTwin(fast, handle.entity, expected, () => `who is found by the kept path ${textOf(steps)}`);
}

function sameTwin(
  fast: FastWorld,
  found: PathHandle["entity"],
  expected: Twin | undefined,
  what: () => string,
): void {
  if (found === undefined && expected === undefined) return;
  same(found && (fast.twins.get(found) ?? "a stranger"), expected, what);
}

/** Names and aliases that somebody has, and one that nobody has. */
function namesIn(slow: SlowWorld): string[] {
  const names = new Set(["nobody's"]);
  for (const { objects } of slow.living.values()) {
    for (const what of ["Name", "Alias"]) if (objects.has(what)) names.add(objects.get(what) as string);
  }
  return [...names];
}

function compareHolder(fast: FastWorld, slow: SlowWorld, scope: Twin | undefined, name: string): void {
  const { world } = fast;
  const handle = scope === undefined ? undefined : handleOf(fast, scope);
  const where = (): string => `${textOf(name)} in ${scope === undefined ? "the roots" : `e${scope}`}`;
  sameTwin(fast, childNamed(world, handle, name), entityOfName(slow, scope, name), where);
  const expected = lookupSlowly(slow, [name], { from: scope });
  const found = lookup(world, [name], { from: handle });
  sameTwin(fast, found, typeof expected === "string" ? undefined : expected.twin, () => `found ${where()}`);
}

/** In every scope somebody is found who has the name, if anybody does. */
function compareAnyHolder(fast: FastWorld, slow: SlowWorld, name: string): void {
  for (const scope of [undefined, ...slow.living.keys()]) {
    const holders = childrenOf(slow, scope).filter((twin) => nameOf(slow, twin) === name);
    const handle = scope === undefined ? undefined : handleOf(fast, scope);
    const found = childNamed(fast.world, handle, name);
    const twin = found === undefined ? undefined : fast.twins.get(found);
    const isRight = found === undefined ? holders.length === 0 : holders.includes(twin!);
    if (!isRight)
      throw new Error(`${textOf(name)} in ${scope}: ${twin}, which is none of ${textOf(holders)}`);
  }
}

/** The path as the rule says it, and back from it: where names are not shared, to the same one. */
function comparePathOf(fast: FastWorld, slow: SlowWorld, twin: Twin): void {
  const { collisions, separator } = slow.names;
  const line = [twin, ...ancestorsOf(slow, twin)].reverse();
  const expected = line.map((one) => stepTo(slow, one, separator)).join(separator);
  const told = pathOf(fast.world, handleOf(fast, twin));
  same(told, expected, () => `path of e${twin}`);
  const found = lookupSlowly(slow, told);
  if (typeof found === "string") throw new Error(`the path of e${twin} is refused: ${found}`);
  if (collisions !== "allow") same(found.twin, twin, () => `who the twin finds at ${textOf(told)}`);
  sameTwin(fast, lookup(fast.world, told), found.twin, () => `who is found at ${textOf(told)}`);
}

/** Everybody with the name, wherever; and the name as a step. */
function compareFound(fast: FastWorld, slow: SlowWorld, name: string): void {
  const { separator } = slow.names;
  const step = escapeName(name, { separator });
  same(step, escapeSlowly(name, separator), () => `the step of ${textOf(name)}`);
  const all = slow.roots.flatMap((root) => [root, ...descendantsOf(slow, root)]);
  const expected = all.filter((twin) => nameOf(slow, twin) === name);
  const pattern = `**${separator}${escapePattern(name, { separator })}`;
  same(twinsOf(fast, findAll(fast.world, pattern)), expected, () => `all at ${textOf(pattern)}`);
}
