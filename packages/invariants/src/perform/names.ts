/** Steps about names, paths and scopes, done on the real world. */
import type { Entity } from "@treeline/core";
import {
  childNamed,
  configureNames,
  ensurePath,
  findAll,
  findLabelled,
  labelOf,
  lookup,
  pathOf,
  withScope,
} from "@treeline/names";
import type { FastWorld } from "../step/fast-world.ts";
import { christen, handleOf, twinOf, twinsOf } from "../step/fast-world.ts";
import type { Command, NameCommand, Seek, Step } from "../step/step.ts";
import { definitionOf } from "../step/vocabulary.ts";
import type { PatternText } from "../twin/find.ts";
import { parsePath } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import { allText, oneText } from "./twin-lookup.ts";

type Ensure = Extract<NameCommand, { verb: "ensurePath" }>;
type Within = Extract<NameCommand, { verb: "within" }>;

export const TORN = "whoever was called had enough";

export function configure(
  fast: FastWorld,
  { verb: _, search, ...given }: Extract<Step, { verb: "configure" }>,
): void {
  const scopes = search?.map((twin) => handleOf(fast, twin));
  configureNames(fast.world, scopes === undefined ? given : { ...given, search: scopes });
  fast.separator = given.separator ?? fast.separator;
}

export function toldOptions(
  fast: FastWorld,
  { from, separator }: { readonly from?: Twin | undefined; readonly separator?: string | undefined },
): { from: Entity | undefined; separator: string | undefined } {
  return { from: from === undefined ? undefined : handleOf(fast, from), separator };
}

/** Asked again for the beginnings of the path, it tells who else was created. */
export function ensure(fast: FastWorld, step: Ensure): string {
  const { path, storage, born } = step;
  const options = { ...toldOptions(fast, step), storage: storage && (definitionOf(storage) as never) };
  const entity = ensurePath(fast.world, path, options);
  if (fast.isMeddledWith) return `${oneText(twinOf(fast, entity))} is there`;
  const beginnings = fast.twins.has(entity) ? [] : beginningsOf(path, step.separator ?? fast.separator);
  if (!fast.twins.has(entity)) christen(fast, [born[0]!], [entity]);
  for (const [at, beginning] of beginnings.entries()) {
    const above = ensurePath(fast.world, beginning, options);
    if (fast.twins.has(above)) break;
    christen(fast, [born[at + 1]!], [above]);
  }
  if (ensurePath(fast.world, path, options) !== entity) throw new Error("the same path led to two entities");
  return `${oneText(fast.twins.get(entity))} is there`;
}

/** Shorter and shorter ones, as far as steps are names. */
function beginningsOf(path: Ensure["path"], separator: string): (string | readonly string[])[] {
  const parsed = parsePath(path, separator);
  if (parsed === "bad-path") throw new Error("a bad path was taken");
  const { steps, isAbsolute } = parsed;
  const found: (string | readonly string[])[] = [];
  for (let count = steps.length - 1; count > 0 && steps[count - 1]!.index === undefined; count--) {
    const raws = steps.slice(0, count).map(({ raw }) => raw);
    found.push(typeof path === "string" ? (isAbsolute ? separator : "") + raws.join(separator) : raws);
  }
  return found;
}

export function within(
  fast: FastWorld,
  step: Within,
  perform: (command: Command) => string | undefined,
): string {
  const parent = step.parent === undefined ? undefined : handleOf(fast, step.parent);
  const told: string[] = [];
  try {
    const end = withScope(fast.world, parent, () => {
      for (const part of step.steps) told.push(perform(part) ?? "done");
      if (step.isTorn) throw new Error(TORN);
      return "done";
    });
    told.push(end);
  } catch (error) {
    if ((error as Error).message !== TORN) throw error;
    told.push("torn");
  }
  return told.join(" ");
}

export function seek(fast: FastWorld, step: Seek): string {
  const { world } = fast;
  const twinAt = (found: Entity | undefined): Twin | undefined => found && fast.twins.get(found);
  switch (step.verb) {
    case "seek": {
      const search = step.search?.map((twin) => handleOf(fast, twin));
      const options = { ...toldOptions(fast, step), upwards: step.upwards, search };
      return oneText(twinAt(lookup(world, step.path, options)));
    }
    case "seekAll":
      return allText(twinsOf(fast, findAll(world, toldPattern(step.pattern), toldOptions(fast, step))));
    case "seekChild": {
      const parent = step.parent === undefined ? undefined : handleOf(fast, step.parent);
      return oneText(twinAt(childNamed(world, parent, step.name)));
    }
    case "tellPath":
      return JSON.stringify(pathOf(world, handleOf(fast, step.entity), toldOptions(fast, step)));
    case "tellLabel":
      return labelOf(world, handleOf(fast, step.entity));
    case "seekLabel":
      return allText(twinsOf(fast, findLabelled(world, step.label)));
  }
}

/** Expressions are made anew each time; what they remember of the last time is made up. */
function toldPattern(pattern: PatternText): string | (string | RegExp)[] {
  if (typeof pattern === "string") return pattern;
  return pattern.map((part) => {
    if (typeof part === "string") return part;
    const expression = new RegExp(part.source, part.flags);
    expression.lastIndex = 1;
    return expression;
  });
}
