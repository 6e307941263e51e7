// `findAll`: which children a pattern tests; looks up plain steps (`findKnown`); throws `bad-path` for the empty pattern.
import {
  ChildOf,
  type Entity,
  parentOf,
  subjectsOf,
  TreelineError,
  targetOf,
  type World,
} from "@treeline/core";
import {
  type ArchetypeView,
  type EntityIndex,
  entitiesIn,
  handleOf,
  hasDefinition,
  indexOf,
  requireOptions,
} from "@treeline/core/internal";
import { findName, nameAt, nextDuplicate } from "../state/name-index.ts";
import { type Names, type PathOptions, separatorOf } from "../state/world-names.ts";
import { matchesStep, type Pattern, type PatternStep, readPattern } from "../text/pattern.ts";
import { startOfSteps } from "../text/step.ts";
import { findIndexed, isEmpty, startScope } from "./lookup.ts";
import { namesOf } from "./name.ts";

/** Which steps of the pattern may come next, ascending; the number of steps means the end of the pattern. */
type Places = readonly number[];

/** An entity on the way, and the steps that may come below it. */
interface Stop {
  readonly index: EntityIndex;
  readonly places: Places;
}

/**
 * All entities whose path matches a pattern, each once: parents before what is below them, siblings in order. A fresh list.
 *
 * In a step, `*` matches any text, `?` matches one character, and a backslash makes the next character literal. The step `*`
 * alone matches any entity, named or not; the step `**` matches any number of steps, also none, but never `from` itself.
 * `#12` is the entity with that index, in a list too. Aliases match only a first step without wildcards. The empty pattern
 * matches `from`. A pattern may be a list: there regular expressions are tested against names, and separators need no
 * backslash.
 *
 * @cost a step that is a plain name is looked up; other steps test each child, and `**` tests every entity below.
 * @param options as for `lookup`: `from`, `separator`.
 * @throws TreelineError `bad-path` if a step is empty, for a lone backslash at the end, and for a separator that is not
 *   allowed; `dead-entity` if `from` is not alive; `bad-value` if the options are not an object.
 *
 * @example
 * findAll(world, "Fleet::*::Gun?");
 * findAll(world, ["Fleet", "**", /^Gun \d+$/]);
 */
export function findAll(world: World, pattern: Pattern, options?: PathOptions): Entity[] {
  CHECK: requireOptions("findAll", options, ["from", "separator", "prefix"]);
  const names = namesOf(world);
  const separator = separatorOf(names, options);
  const top = startScope(world, options);
  if (isEmpty(pattern) && options?.from !== undefined) return [options.from];
  const start = typeof pattern === "string" ? startOfSteps(pattern, separator, top === 0) : 0;
  const scope = start === 0 ? top : 0;
  const steps = readPattern(pattern, start, separator, names.step);
  if (steps.length === 0 && isEmpty(pattern)) {
    throw new TreelineError("bad-path", "the pattern is empty; name at least one step");
  }

  const found: Entity[] = [];
  const stack: Stop[] = [];
  const passed = names.along && new Set([scope]);
  push(stack, world, names, steps, { index: scope, places: withDeeper(steps, [0]) }, true);
  for (let stop = stack.pop(); stop !== undefined; stop = stack.pop()) {
    const { index, places } = stop;
    if (passed?.has(index)) continue; // a circle of several relations
    passed?.add(index);
    const isEnd = places.at(-1) === steps.length;
    if (isEnd) found.push(handleOf(world, index));
    if (!isEnd || places.length > 1) push(stack, world, names, steps, stop, false);
  }
  return found;
}

/** Puts the children of a stop that match on the stack, the first one on top. */
function push(
  stack: Stop[],
  world: World,
  names: Names,
  steps: readonly PatternStep[],
  { index: scope, places }: Stop,
  isFirst: boolean,
): void {
  const only = places.length === 1 ? steps[places[0]!]! : undefined;
  const known = only === undefined ? undefined : findKnown(world, names, scope, only, isFirst);
  if (known !== undefined) {
    if (known !== 0) stack.push({ index: known, places: withDeeper(steps, [places[0]! + 1]) });
    return;
  }
  const nextOf = (index: EntityIndex): Places =>
    placesBelow(steps, places, index, nameAt(names.nameIndex, index));
  // Only the roots that match are sorted.
  const { along } = names;
  const isOfRoots = (archetype: ArchetypeView): boolean =>
    !archetype.hasValueParent &&
    !hasDefinition(archetype, ChildOf) &&
    !along?.relations.some((relation) => hasDefinition(archetype, relation));
  const below =
    scope === 0
      ? entitiesIn(world, isOfRoots, (index) => nextOf(index).length > 0)
      : entitiesInScope(world, names, scope);
  for (let at = below.length - 1; at >= 0; at--) {
    const next = nextOf(below[at]!);
    if (next.length > 0) stack.push({ index: below[at]!, places: next });
  }
}

/** The entity that a plain name or index means, or 0; `undefined` if each child must be tested. */
function findKnown(
  world: World,
  names: Names,
  scope: EntityIndex,
  step: PatternStep,
  isFirst: boolean,
): EntityIndex | undefined {
  if (step.kind === "index") return findIndexed(world, names, scope, step.index, isFirst);
  if (step.kind !== "name") return undefined;
  const { nameIndex, aliases } = names;
  const alias = isFirst && scope === 0 && aliases !== undefined ? findName(aliases, 0, step.name) : 0;
  const index = alias === 0 ? findName(nameIndex, scope, step.name) : alias;
  return alias !== 0 || nextDuplicate(nameIndex.duplicates, index) === 0 ? index : undefined;
}

/** The steps that may come below an entity which is tested against the steps at `places`. */
function placesBelow(
  steps: readonly PatternStep[],
  places: Places,
  index: EntityIndex,
  name: string | undefined,
): Places {
  const next: number[] = [];
  for (const place of places) {
    if (place === steps.length) continue;
    const step = steps[place]!;
    if (step.kind === "deep") next.push(place);
    else if (matchesStep(step, index, name)) next.push(place + 1);
  }
  return withDeeper(steps, next);
}

/** Adds the step after each `**`, which may match no step at all. */
function withDeeper(steps: readonly PatternStep[], places: readonly number[]): Places {
  const all = new Set(places);
  for (const place of all) if (steps[place]?.kind === "deep") all.add(place + 1);
  return all.size === places.length ? places : [...all].sort((one, other) => one - other);
}

/** Children in order, then what the entity contains along each relation. */
function entitiesInScope(world: World, names: Names, scope: EntityIndex): EntityIndex[] {
  const entity = handleOf(world, scope);
  const below = subjectsOf(world, entity, ChildOf);
  const relations = names.along?.relations ?? [];
  relations.forEach((relation, at) => {
    for (const subject of subjectsOf(world, entity, relation)) {
      const isElsewhere = relations
        .slice(0, at)
        .some((before) => targetOf(world, subject, before) !== undefined);
      if (parentOf(world, subject) === undefined && !isElsewhere) below.push(subject);
    }
  });
  return below.map(indexOf);
}
