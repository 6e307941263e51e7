/** Patterns for names in the naive twin: tries every way in which the steps may match. */
import { entityOfAlias } from "./collisions.ts";
import { begin, type PathOptions } from "./lookup.ts";
import { type NaiveStep, parsePath } from "./paths.ts";
import type { Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { allNamedBelow, isAlive, namedBelow, nameOf } from "./world.ts";

/** A separator that occurs in no name. */
const NOWHERE = "\u{1F573}\u{1F573}";

/** A regular expression as plain data. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
}

export type PatternText = string | readonly (string | Expression)[];

type Matcher =
  | { readonly kind: "anywhere" | "any entity" }
  | { readonly kind: "index"; readonly index: number }
  /** `literal`: it matches only this name. */
  | {
      readonly kind: "name";
      readonly fits: (name: string) => boolean;
      readonly literal: string | undefined;
    };

/** Each entity once, parents before the entities below them, siblings in order. */
export function findNaively(
  world: NaiveWorld,
  pattern: PatternText,
  options: PathOptions = {},
): readonly Twin[] | Refusal {
  const begun = begin(world, typeof pattern === "string" ? pattern : ["a list"], options);
  if (typeof begun === "string") return begun;
  const { parsed, start } = begun;
  const matchers = typeof pattern === "string" ? parsed.steps.map(matcherOf) : pattern.map(matcherIn);
  if (matchers.length === 0) return options.from === undefined ? "bad-path" : [options.from];
  if (matchers.includes("bad-path")) return "bad-path";
  const found = new Set<Twin | undefined>();
  if (start !== undefined && !isAlive(world, start)) return []; // pending
  match(world, matchers as Matcher[], start, start === undefined, found, start === undefined ? [] : [start]);
  const passed = new Set<Twin>(start === undefined ? [] : [start]);
  const tops = [...namedBelow(world, start), ...world.living.keys()]; // a first step may lead into a circle
  const below = tops.flatMap((top) => allNamedBelow(world, top, passed));
  return below.filter((twin) => found.has(twin));
}

function match(
  world: NaiveWorld,
  [first, ...rest]: readonly Matcher[],
  at: Twin | undefined,
  isFirstFromRoots: boolean,
  found: Set<Twin | undefined>,
  trail: readonly Twin[],
): void {
  const enter = (steps: readonly Matcher[], twin: Twin): void => {
    if (!trail.includes(twin)) match(world, steps, twin, false, found, [...trail, twin]);
  };
  if (first === undefined) {
    found.add(at);
    return;
  }
  if (first.kind === "anywhere") {
    match(world, rest, at, false, found, trail);
    for (const child of namedBelow(world, at)) enter([first, ...rest], child);
    return;
  }
  if (isFirstFromRoots && first.kind === "index") {
    if (first.index === 0) match(world, rest, undefined, true, found, trail);
    const indexed = [...world.living.keys()].find((twin) => world.indexOf(twin) === first.index);
    if (indexed !== undefined) enter(rest, indexed);
    return;
  }
  const alias = isFirstFromRoots && first.kind === "name" ? first.literal : undefined;
  const aliased = alias === undefined ? undefined : entityOfAlias(world, alias);
  if (aliased !== undefined) {
    enter(rest, aliased);
    return;
  }
  for (const child of namedBelow(world, at)) if (fits(world, first, child)) enter(rest, child);
}

function fits(world: NaiveWorld, matcher: Matcher, twin: Twin): boolean {
  if (matcher.kind === "index") return world.indexOf(twin) === matcher.index;
  if (matcher.kind !== "name") return true;
  const name = nameOf(world, twin);
  return name !== undefined && matcher.fits(name);
}

function matcherOf({ raw, index }: NaiveStep): Matcher {
  if (index !== undefined) return { kind: "index", index };
  return globMatcher(raw);
}

/** One step of a list. */
function matcherIn(step: string | Expression): Matcher | "bad-path" {
  if (typeof step !== "string") {
    const { source, flags } = step;
    const fits = (name: string): boolean => new RegExp(source, flags.replaceAll(/[gy]/g, "")).test(name);
    return { kind: "name", fits, literal: undefined };
  }
  const parsed = parsePath(step, NOWHERE);
  return parsed === "bad-path" || parsed.steps.length === 0 ? "bad-path" : matcherOf(parsed.steps[0]!);
}

function globMatcher(glob: string): Matcher {
  if (glob === "**") return { kind: "anywhere" };
  if (glob === "*") return { kind: "any entity" };
  const signs = signsOf(glob);
  const literals = signs.map((sign) => (typeof sign === "string" ? undefined : sign.literal));
  const literal = literals.includes(undefined) ? undefined : literals.join("");
  return { kind: "name", fits: (name) => fitsGlob(signs, Array.from(name)), literal };
}

/** A literal character, any text, or any single character. */
type Sign = { readonly literal: string } | "any text" | "any character";

function signsOf(glob: string): Sign[] {
  const signs: Sign[] = [];
  const left = Array.from(glob);
  while (left.length > 0) {
    const sign = left.shift()!;
    if (sign === "\\") signs.push({ literal: left.shift()! });
    else if (sign === "*") signs.push("any text");
    else signs.push(sign === "?" ? "any character" : { literal: sign });
  }
  return signs;
}

/** By code points: an unpaired surrogate matches only itself. */
function fitsGlob([first, ...signs]: readonly Sign[], name: readonly string[]): boolean {
  if (first === undefined) return name.length === 0;
  if (first === "any text")
    return fitsGlob(signs, name) || (name.length > 0 && fitsGlob([first, ...signs], name.slice(1)));
  if (name.length === 0 || (first !== "any character" && first.literal !== name[0])) return false;
  return fitsGlob(signs, name.slice(1));
}
