// `configureNames`: collisions, separator, search scopes, relations (`useAlong`); throws `bad-value`, and `name-taken` for duplicates.
import { ChildOf, type Entity, type Relation, TreelineError, type World } from "@treeline/core";
import {
  containAlong,
  type EntityIndex,
  entitiesIn,
  handleOf,
  hasDefinition,
  Parent,
  requireAlive,
  requireOptions,
  shown,
  textOf,
} from "@treeline/core/internal";
import { createAlong } from "../state/along.ts";
import { insertName, nameAt } from "../state/name-index.ts";
import { type Along, type Collisions, type Names, rootsByAlias, scopeInWorld } from "../state/world-names.ts";
import { separatorFrom } from "../text/step.ts";
import { freeName, quoted } from "../text/text.ts";
import { acceptNames, Name, namesOf } from "./name.ts";

/** How a world treats names. Options that are not given stay as they are. */
export interface NameOptions {
  /**
   * What happens when an entity would get a name that a sibling has, by naming or by moving: the change is refused with
   * `name-taken` (`"error"`, the default); the entity is named `Crate (2)`, or `Crate (3)` if that is taken too or is its
   * name already (`"suffix"`); or both have the name, and look-ups find the entity that had it first, then the next
   * (`"allow"`).
   */
  readonly collisions?: Collisions | undefined;
  /** The separator between the steps of paths: `::` by default. */
  readonly separator?: string | undefined;
  /** Where look-ups with `upwards` continue when nothing was found up to the roots, the last one first. */
  readonly search?: readonly Entity[] | undefined;
  /**
   * Relations along which names have scopes too: an entity without a parent is in the scope of its target along the first of these
   * that it has, and at the roots if it has none. Paths lead through that target. Exclusive, traversable relations, or one; an empty
   * list for none, the default.
   */
  readonly along?: Relation | readonly Relation[] | undefined;
}

/**
 * Configures how a world treats names, at any time.
 *
 * @cost constant; if names must be different from now on, all names; for another `along` reading all named entities, and a few probes
 *   for each that gets another scope.
 * @throws TreelineError `bad-value` for an unknown policy, if `search` is not a list, or if `along` has anything but exclusive,
 *   traversable relations other than `ChildOf` and `Parent`; `bad-path` for a separator that is not allowed; `dead-entity` for a
 *   search scope that is not alive; `name-taken` if entities of one scope share a name that the new policy does not allow. Nothing
 *   has changed then.
 *
 * @example
 * configureNames(world, { collisions: "suffix", separator: "/" });
 * configureNames(world, { along: In }); // two bags may each contain a "Potion"
 */
export function configureNames(world: World, options: NameOptions = {}): void {
  CHECK: requireOptions("configureNames", options, ["collisions", "separator", "search", "along"]);
  const names = namesOf(world);
  const { collisions = names.collisions, separator, search = names.search } = options;
  if (!["error", "suffix", "allow"].includes(collisions)) {
    throw new TreelineError(
      "bad-value",
      `collisions are "error", "suffix" or "allow", not ${shown(collisions)}`,
    );
  }
  if (!Array.isArray(search)) {
    throw new TreelineError("bad-value", `search is a list of entities, not ${shown(search)}`);
  }
  if (options.search !== undefined) for (const scope of search) requireAlive(world, scope);
  const along = options.along === undefined ? names.along : createAlong(requireAlong(options.along));
  const between = separator === undefined ? names.separator : separatorFrom(separator);
  if (along === names.along) {
    if (collisions !== "allow") requireNoDuplicates(world, names);
  } else useAlong(world, names, along, collisions);
  names.separator = between;
  names.collisions = collisions;
  names.freeName = freeName;
  names.search = [...search];
}

/** @throws TreelineError `bad-value`. */
function requireAlong(given: Relation | readonly Relation[]): readonly Relation[] {
  const along = Array.isArray(given) ? [...given] : [given];
  for (const relation of along) {
    const isOther = relation !== ChildOf && relation !== Parent;
    if (relation?.kind === "relation" && relation.exclusive && relation.traversable && isOther) continue;
    throw new TreelineError(
      "bad-value",
      `names have scopes along exclusive, traversable relations, not along ${relation?.name ?? shown(relation)}; ` +
        'define it as relation("In", { traversable: true })',
    );
  }
  return along;
}

/** Gives every named entity its scope along the relations, or refuses and changes nothing. @throws TreelineError `name-taken`. */
function useAlong(world: World, names: Names, along: Along | undefined, collisions: Collisions): void {
  const { nameIndex } = names;
  const named = entitiesIn(world, (archetype) => hasDefinition(archetype, Name));
  const next = { ...names, along };
  const scopes = named.map((index) => scopeInWorld(world, next, index));
  const values = named.map((index) => nameAt(nameIndex, index)!);
  if (collisions !== "allow") requireFree(world, names, named, values, scopes);
  names.along = along;
  const work = containAlong(world, along?.relations ?? []);
  if (work !== undefined) along!.frees = work.isDestroyed;
  for (const [at, index] of named.entries()) insertName(nameIndex, index, scopes[at]!, values[at]!);
}

/** Checks entities that get other scopes, whatever the policy is now. @throws TreelineError `name-taken`. */
function requireFree(
  world: World,
  names: Names,
  ...list: readonly [EntityIndex[], string[], EntityIndex[]]
): void {
  const { collisions } = names;
  names.collisions = "error";
  try {
    acceptNames(world, ...list);
  } finally {
    names.collisions = collisions;
  }
}

/** @throws TreelineError `name-taken` if entities share a name. */
function requireNoDuplicates(world: World, names: Names): void {
  const { nameIndex, aliases } = names;
  if (names.collisions !== "allow") return;
  const { next } = nameIndex.duplicates;
  for (let index = 1; nameIndex.duplicates.count > 0 && index < next.length; index++) {
    if (next[index] !== 0) refuseDuplicates(world, index, next[index]!, "name", nameAt(nameIndex, index)!);
  }
  for (const [index, root] of rootsByAlias(nameIndex, aliases)) {
    refuseDuplicates(world, index, root, "alias", nameAt(nameIndex, root)!);
  }
}

function refuseDuplicates(
  world: World,
  one: number,
  other: number,
  as: "name" | "alias",
  name: string,
): never {
  const [first, second] = [one, other].map((index) => `${textOf(world, handleOf(world, index))} (#${index})`);
  throw new TreelineError(
    "name-taken",
    `${first} has ${quoted(name)} as its ${as}, and ${second} as its name; change one of them first`,
  );
}
