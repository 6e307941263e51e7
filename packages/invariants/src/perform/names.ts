/** Performs steps about names, paths and scopes in the real world. */
import { type Entity, parentOf, targetOf, type World } from "@treeline/core";
import { indexOf, tableAt } from "@treeline/core/internal";
import {
  childNamed,
  configureNames,
  ensurePath,
  findAll,
  findLabelled,
  labelOf,
  lookup,
  type PathOptions,
  pathOf,
  place,
  withoutScope,
  withScope,
} from "@treeline/names";
import type { RealWorld } from "../step/real-world.ts";
import { assignTwins, handleOf, twinOf, twinsOf } from "../step/real-world.ts";
import type { Command, NameCommand, NameQuery, Step } from "../step/step.ts";
import { definitionOf } from "../step/vocabulary.ts";
import type { PatternText } from "../twin/find.ts";
import type { PathOptions as NaiveOptions } from "../twin/lookup.ts";
import { parsePath } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import { allText, oneText, PENDING } from "./twin-lookup.ts";

/** The twin does not know what pending entities were given; pending walks do. */
function unlessPending(real: RealWorld, twin: Twin, text: string): string {
  return tableAt(real.world, indexOf(handleOf(real, twin))) === 0 ? PENDING : text;
}

type Ensure = Extract<NameCommand, { verb: "ensurePath" }>;
type Place = Extract<NameCommand, { verb: "place" }>;
type Within = Extract<NameCommand, { verb: "within" }>;

export const THROWN = "the callback of withScope throws";

export function configure(
  real: RealWorld,
  { verb: _, search, ...given }: Extract<Step, { verb: "configure" }>,
): void {
  const options: Parameters<typeof configureNames>[1] & object = { ...given, along: undefined };
  const along = given.along?.map((what) => definitionOf(what) as never);
  if (along !== undefined) Object.assign(options, { along: along.length === 1 ? along[0] : along });
  if (search !== undefined) Object.assign(options, { search: search.map((twin) => handleOf(real, twin)) });
  configureNames(real.world, options);
  real.separator = given.separator ?? real.separator;
  real.along = given.along ?? real.along;
}

export function realOptions(real: RealWorld, { from, separator, prefix }: NaiveOptions): PathOptions {
  return { ...(from === undefined ? {} : { from: handleOf(real, from) }), separator, prefix };
}

/** Runs a function in the scope of a parent, or outside of any scope. */
export function inScope<Result>(world: World, parent: Entity | undefined, run: () => Result): Result {
  return parent === undefined ? withoutScope(world, run) : withScope(world, parent, run);
}

/** The child of a parent with a name; among the roots, one with the name, or with it as its alias. */
export function namedIn(world: World, parent: Entity | undefined, name: string): Entity | undefined {
  return parent === undefined
    ? withoutScope(world, () => lookup(world, [name]))
    : childNamed(world, parent, name);
}

/** Calls `ensurePath` again for each beginning of the path, to learn which entities were created. */
export function ensure(real: RealWorld, step: Ensure): string {
  const { path, storage, spawned } = step;
  const options = { ...realOptions(real, step), storage: storageOf(storage) };
  const entity = ensurePath(real.world, path, options);
  if (real.hasReactions) return `${oneText(twinOf(real, entity))} is there`;
  const beginnings = real.twins.has(entity)
    ? []
    : beginningsOf(path, step.separator ?? real.separator, step.prefix);
  if (!real.twins.has(entity)) assignTwins(real, [spawned[0]!], [entity]);
  for (const [at, beginning] of beginnings.entries()) {
    const above = ensurePath(real.world, beginning, options);
    if (real.twins.has(above)) break;
    assignTwins(real, [spawned[at + 1]!], [above]);
  }
  if (ensurePath(real.world, path, options) !== entity) throw new Error("the same path led to two entities");
  return `${oneText(real.twins.get(entity))} is there`;
}

/** The ancestors that were created get their twins from the bottom up. */
export function placeEntity(real: RealWorld, step: Place): undefined {
  const { world } = real;
  const entity = handleOf(real, step.entity);
  const options = {
    ...realOptions(real, step),
    storage: storageOf(step.storage),
  };
  place(world, entity, step.path, options);
  if (real.hasReactions) return undefined;
  let above = aboveOf(real, entity);
  for (let at = 0; above !== undefined && !real.twins.has(above); at++) {
    assignTwins(real, [step.spawned[at]!], [above]);
    above = aboveOf(real, above);
  }
  return undefined;
}

function storageOf(what: string | undefined): undefined {
  return what === undefined ? undefined : (definitionOf(what) as never);
}

/** The entity in whose scope the name of another one is. */
export function aboveOf({ world, along }: RealWorld, entity: Entity): Entity | undefined {
  const targets = along.map((what) => targetOf(world, entity, definitionOf(what) as never));
  return parentOf(world, entity) ?? targets.find((target) => target !== undefined);
}

/** Shorter and shorter beginnings, as long as their last step is a name. */
function beginningsOf(
  path: Ensure["path"],
  separator: string,
  prefix: string | undefined,
): (string | readonly string[])[] {
  const parsed = parsePath(path, separator, prefix);
  if (parsed === "bad-path") throw new Error("a bad path was accepted");
  const { steps, lead } = parsed;
  const found: (string | readonly string[])[] = [];
  for (let count = steps.length - 1; count > 0 && steps[count - 1]!.index === undefined; count--) {
    const raws = steps.slice(0, count).map(({ raw }) => raw);
    found.push(typeof path === "string" ? lead + raws.join(separator) : raws);
  }
  return found;
}

export function within(
  real: RealWorld,
  step: Within,
  perform: (command: Command) => string | undefined,
): string {
  const parent = step.parent === undefined ? undefined : handleOf(real, step.parent);
  const codes: string[] = [];
  try {
    const end = inScope(real.world, parent, () => {
      for (const part of step.steps) codes.push(perform(part) ?? "done");
      if (step.isThrowing) throw new Error(THROWN);
      return "done";
    });
    codes.push(end);
  } catch (error) {
    if ((error as Error).message !== THROWN) throw error;
    codes.push("thrown");
  }
  return codes.join(" ");
}

export function queryNames(real: RealWorld, step: NameQuery): string {
  const { world } = real;
  const twinAt = (found: Entity | undefined): Twin | undefined => found && real.twins.get(found);
  switch (step.verb) {
    case "lookup": {
      const search = step.search?.map((twin) => handleOf(real, twin));
      const options = { ...realOptions(real, step), upwards: step.upwards, search };
      return oneText(twinAt(lookup(world, step.path, options)));
    }
    case "findAll":
      return allText(twinsOf(real, findAll(world, realPattern(step.pattern), realOptions(real, step))));
    case "childNamed":
      return oneText(twinAt(childNamed(world, handleOf(real, step.parent), step.name)));
    case "pathOf":
      return unlessPending(
        real,
        step.entity,
        JSON.stringify(pathOf(world, handleOf(real, step.entity), realOptions(real, step))),
      );
    case "labelOf":
      return unlessPending(real, step.entity, labelOf(world, handleOf(real, step.entity)));
    case "findLabelled":
      return allText(twinsOf(real, findLabelled(world, step.label)));
  }
}

/** Creates each regular expression again, with an arbitrary `lastIndex`. */
function realPattern(pattern: PatternText): string | (string | RegExp)[] {
  if (typeof pattern === "string") return pattern;
  return pattern.map((part) => {
    if (typeof part === "string") return part;
    const expression = new RegExp(part.source, part.flags);
    expression.lastIndex = 1;
    return expression;
  });
}
