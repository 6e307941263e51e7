/** Holds the real world against its twin, entity by entity. The first difference is thrown as an Error. */

import type { Entity } from "@treeline/core";
import { isAlive, parentOf } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { escapeName, lookup, pathOf } from "@treeline/names";
import { ancestors, children, depthOf, descendants } from "@treeline/query";
import type { FastWorld } from "./fast-world.ts";
import { handleOf, idOf, verbs } from "./fast-world.ts";
import type { FieldKind, Fields, SlowWorld, Twin } from "./slow-world.ts";
import { familiesOf, get, has, nameOf, targetsOf } from "./slow-world.ts";
import { textOf } from "./step.ts";
import { definitionOf, fieldsOf, isObject, rules } from "./vocabulary.ts";

/** What is looked at after a step. */
export interface Watched {
  /** What a walk uses, by name; the rest of the vocabulary is only looked at in turn. */
  readonly components: readonly string[];
  readonly relations: readonly string[];
  /** Who lives, and where, is looked at after every step; all the rest, each of it, after every so many steps. */
  readonly sampling: number;
}

export const EVERYTHING: Watched = {
  components: [...Object.keys(rules.schemas), ...rules.objects],
  relations: Object.keys(rules.relations),
  sampling: 1,
};

/** Walks count their twins from 1. */
const NEVER_BORN: Twin = 0;

type Families = ReadonlyMap<Twin | undefined, readonly Twin[]>;

/** What is at hand while everybody is compared. */
interface Round {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  readonly watched: Watched;
  readonly families: Families;
  /** Chooses what is only sampled: absent pairs and names, the dead, what is not watched. */
  readonly turn: number;
  readonly living: readonly Twin[];
}

/** @throws Error that names the broken laws of the real world. */
export function compareLaws(fast: FastWorld): void {
  const broken = verify(fast.world);
  if (broken.length > 0) throw new Error(`broken laws: ${broken.join("; ")}`);
}

/** @throws Error that says what differs. */
export function compareWorlds(fast: FastWorld, slow: SlowWorld, watched: Watched, turn: number): void {
  const families = familiesOf(slow);
  const living = [...slow.living.keys()];
  const round: Round = { fast, slow, watched, families, turn, living };
  comparePeople(round);
  compareFamily(round, undefined, [], "");
  for (const root of families.get(undefined) ?? []) {
    if (!isSampled(round, root)) continue;
    const below = twinsOf(fast, descendants(fast.world, handleOf(fast, root)));
    same(below, belowOf(families, root), () => `descendants of e${root}`);
  }
  living.forEach((twin, at) => {
    if (!isSampled(round, at)) return;
    compareComponents(round, twin);
    comparePairs(round, twin, living[(at + turn) % living.length]!);
  });
  if (living.length > 0 && isSampled(round, 0))
    compareNames(round, [undefined, ...living][turn % (living.length + 1)]);
}

function isSampled({ watched, turn }: Round, number: number): boolean {
  return (number + turn) % watched.sampling === 0;
}

/** Pre-order. */
function belowOf(families: Families, twin: Twin): Twin[] {
  return (families.get(twin) ?? []).flatMap((child) => [child, ...belowOf(families, child)]);
}

/** @throws Error unless both are the same number, text, truth value or list of these. */
export function same(actual: unknown, expected: unknown, what: () => string): void {
  if (Object.is(actual, expected)) return;
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    if (actual.every((item, at) => Object.is(item, expected[at]))) return;
  }
  throw new Error(`${what()}: ${textOf(actual)} instead of ${textOf(expected)}`);
}

/** @throws Error unless a value read from the real world is the twin's, field by field. */
export function sameValue(
  fast: FastWorld,
  what: string,
  actual: unknown,
  expected: unknown,
  where: () => string,
): void {
  const fields = fieldsOf(what);
  if (fields === undefined || expected === undefined || actual === undefined) {
    same(actual, expected, where);
    return;
  }
  for (const field in fields) {
    const seen = (actual as Record<string, unknown>)[field];
    const wanted = (expected as Fields)[field];
    if (sameField(fast, fields[field]!, seen, wanted)) continue;
    throw new Error(`${where()}.${field}: ${textOf(seen)} instead of ${textOf(wanted)}`);
  }
}

function sameField(fast: FastWorld, kind: FieldKind, seen: unknown, wanted: unknown): boolean {
  if (kind === "entity") return seen === (wanted === undefined ? undefined : handleOf(fast, wanted as Twin));
  if (kind !== "four f32") return Object.is(seen, wanted);
  const cells = seen as ArrayLike<number>;
  return cells.length === 4 && (wanted as readonly number[]).every((cell, at) => Object.is(cells[at], cell));
}

/** One row of columns against a value of the twin. Entity fields lie there as handles, also of the dead: skipped. */
export function sameColumns(
  fast: FastWorld,
  what: string,
  columns: unknown,
  row: number,
  expected: unknown,
  where: () => string,
): void {
  if (expected === undefined || columns === undefined) {
    same(columns, expected, where);
    return;
  }
  if (isObject(what)) {
    same((columns as readonly unknown[])[row], expected, where);
    return;
  }
  const fields = fieldsOf(what) ?? {};
  for (const field in fields) {
    const kind = fields[field]!;
    const column = (columns as Readonly<Record<string, ArrayLike<number>>>)[field]!;
    const wanted = (expected as Fields)[field];
    if (kind === "entity") {
      if (wanted !== undefined) same(column[row], handleOf(fast, wanted as Twin), where);
    } else if (kind === "four f32") {
      same(
        Array.from({ length: 4 }, (_, at) => column[row * 4 + at]),
        wanted,
        where,
      );
    } else {
      same(column[row], Number(wanted), () => `${where()}.${field}`);
    }
  }
}

function twinsOf(fast: FastWorld, handles: Iterable<Entity>): (Twin | undefined)[] {
  return Array.from(handles, (handle) => fast.twins.get(handle));
}

/** All living ones, and the dead: some in turn, and those that died last. */
function comparePeople({ fast, slow, turn, living }: Round): void {
  for (const twin of living) {
    same(isAlive(fast.world, handleOf(fast, twin)), true, () => `e${twin} is alive`);
  }
  const { born } = fast;
  for (const twin of [NEVER_BORN, born[turn % born.length] ?? NEVER_BORN, ...born.slice(-40)]) {
    const isLiving = slow.living.has(twin);
    same(isAlive(fast.world, handleOf(fast, twin)), isLiving, () => `e${twin} is alive`);
  }
}

/**
 * The children of one parent, and all below them.
 *
 * @param line the parent and its ancestors, nearest first.
 * @param path of the parent, with a separator behind it.
 */
function compareFamily(round: Round, parent: Twin | undefined, line: readonly Twin[], path: string): void {
  const { fast, slow, families } = round;
  const expected = families.get(parent) ?? [];
  const found = children(fast.world, parent === undefined ? undefined : handleOf(fast, parent));
  const whose = (): string => (parent === undefined ? "roots" : `children of e${parent}`);
  const isSame =
    found.length === expected.length && expected.every((twin, at) => handleOf(fast, twin) === found[at]);
  if (!isSame) same(twinsOf(fast, found), expected, whose);

  for (const child of expected) {
    const handle = handleOf(fast, child);
    const name = nameOf(slow, child);
    const childPath = `${path}${name === undefined ? `#${handle % 2 ** 24}` : escapeName(name)}`;
    same(depthOf(fast.world, handle), line.length, () => `depth of e${child}`);
    same(parentOf(fast.world, handle), parent && handleOf(fast, parent), () => `parent of e${child}`);
    if (isSampled(round, child)) {
      same(twinsOf(fast, ancestors(fast.world, handle)), line, () => `ancestors of e${child}`);
      comparePath(fast, child, childPath);
    }
    compareFamily(round, child, [child, ...line], `${childPath}::`);
  }
}

/** The path as the rule says it, and back from it. */
function comparePath(fast: FastWorld, twin: Twin, expected: string): void {
  const handle = handleOf(fast, twin);
  same(pathOf(fast.world, handle), expected, () => `path of e${twin}`);
  const found = lookup(fast.world, expected);
  if (found !== handle) same(found && fast.twins.get(found), twin, () => `lookup of ${textOf(expected)}`);
}

function compareComponents({ fast, slow, watched, turn }: Round, twin: Twin): void {
  const { world } = fast;
  const handle = handleOf(fast, twin);
  for (const what of rules.tags) {
    same(verbs.has(world, handle, definitionOf(what)), has(slow, twin, what), () => `e${twin} has ${what}`);
  }
  for (const what of watched.components) {
    const seen = verbs.get(world, handle, definitionOf(what));
    sameValue(fast, what, seen, get(slow, twin, what), () => `${what} of e${twin}`);
  }

  const what = EVERYTHING.components[turn % EVERYTHING.components.length]!;
  const definition = definitionOf(what);
  const expected = get(slow, twin, what);
  same(verbs.has(world, handle, definition), expected !== undefined, () => `e${twin} has ${what}`);
  const place = verbs.locate(world, handle, definition);
  sameColumns(fast, what, place?.columns, place?.row ?? 0, expected, () => `located ${what} of e${twin}`);
  if (isObject(what)) return;
  const into = {};
  const isThere = verbs.read(world, handle, definition, into);
  sameValue(fast, what, isThere ? into : undefined, expected, () => `${what} read of e${twin}`);
}

/** @param stranger an entity that may or may not be a target. */
function comparePairs({ fast, slow, watched, turn }: Round, twin: Twin, stranger: Twin): void {
  for (const what of watched.relations) comparePairsOf(fast, slow, what, twin);
  const what = EVERYTHING.relations[turn % EVERYTHING.relations.length]!;
  if (has(slow, twin, what, stranger)) return;
  const pair = idOf(fast, what, stranger);
  const story = (): string => `e${twin} has (${what}, e${stranger})`;
  same(verbs.has(fast.world, handleOf(fast, twin), pair), false, story);
  if (fieldsOf(what) !== undefined) same(verbs.get(fast.world, handleOf(fast, twin), pair), undefined, story);
}

function comparePairsOf(fast: FastWorld, slow: SlowWorld, what: string, twin: Twin): void {
  const { world } = fast;
  const handle = handleOf(fast, twin);
  const held = targetsOf(slow, twin, what);
  const isAny = verbs.has(world, handle, idOf(fast, what, "Any"));
  same(isAny, held.length > 0, () => `e${twin} has (${what}, Any)`);
  for (const target of held) {
    const pair = idOf(fast, what, target);
    same(verbs.has(world, handle, pair), true, () => `e${twin} has (${what}, e${target})`);
    if (fieldsOf(what) === undefined) continue;
    const where = (): string => `(${what}, e${target}) of e${twin}`;
    sameValue(fast, what, verbs.get(world, handle, pair), get(slow, twin, what, target), where);
  }

  const first = verbs.targetOf(world, handle, definitionOf(what));
  const target = first && fast.twins.get(first);
  const isOneOfThem = held.length > 0 && target !== undefined && held.includes(target);
  if (!isOneOfThem) same(target, held[0], () => `${what} target of e${twin}`);
}

/** Every name anybody has, looked for among the children of one parent. */
function compareNames({ fast, slow, families }: Round, parent: Twin | undefined): void {
  const holders = new Map<string, Twin | undefined>([["nobody", undefined]]);
  for (const being of slow.living.values()) {
    const name = being.objects.get("Name");
    if (name !== undefined) holders.set(name as string, undefined);
  }
  for (const child of families.get(parent) ?? []) {
    const name = nameOf(slow, child);
    if (name !== undefined) holders.set(name, child);
  }
  for (const [name, holder] of holders) {
    const from = parent === undefined ? undefined : { from: handleOf(fast, parent) };
    const found = lookup(fast.world, escapeName(name), from);
    const scope = parent === undefined ? "the root scope" : `e${parent}`;
    same(found && fast.twins.get(found), holder, () => `${textOf(name)} in ${scope}`);
  }
}
