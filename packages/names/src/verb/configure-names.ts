import { type Entity, TreelineError, type World } from "@treeline/core";
import { handleOf, requireAlive, shown, textOf } from "@treeline/core/internal";
import { nameAt } from "../state/name-index.ts";
import { type Collisions, type Names, rootsByAlias } from "../state/world-names.ts";
import { separatorFrom } from "../text/step.ts";
import { quoted } from "../text/text.ts";
import { namesOf } from "./name.ts";

/** How a world deals with names. What is not given stays as it is. */
export interface NameOptions {
  /**
   * What happens when an entity would get a name, or bring it along, that a sibling has: the change is refused with
   * `name-taken` (`"error"`, the default); the comer is called `Crate (2)`, and where that is taken too, or is its name,
   * `Crate (3)` (`"suffix"`); or both have it, and who had it first is found, then the next (`"allow"`).
   */
  readonly collisions?: Collisions | undefined;
  /** Stands between the steps of paths: `::` by default. */
  readonly separator?: string | undefined;
  /** Where look-ups with `upwards` go when nothing was found up to the roots, the last one first. */
  readonly search?: readonly Entity[] | undefined;
}

/**
 * Says how a world deals with names, at any time.
 *
 * @throws TreelineError `bad-value` for a policy that there is not, and for scopes that are no list; `bad-path` for
 *   what cannot separate; `dead-entity` for a dead search scope; `name-taken` if siblings share a name and the world
 *   shall not allow that any more. Nothing has changed then.
 *
 * @example
 * configureNames(world, { collisions: "suffix", separator: "/" });
 */
export function configureNames(world: World, options: NameOptions = {}): void {
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
  if (collisions !== "allow") requireNoTwins(world, names);
  names.separator = separator === undefined ? names.separator : separatorFrom(separator);
  names.collisions = collisions;
  names.search = [...search];
}

/** @throws TreelineError `name-taken` if names are shared that may not be any more. */
function requireNoTwins(world: World, names: Names): void {
  const { nameIndex, aliases } = names;
  if (names.collisions !== "allow") return;
  const { next } = nameIndex.twins;
  for (let index = 1; nameIndex.twins.count > 0 && index < next.length; index++) {
    if (next[index] !== 0) refuseTwins(world, index, next[index]!, "name", nameAt(nameIndex, index)!);
  }
  for (const [index, root] of rootsByAlias(nameIndex, aliases)) {
    refuseTwins(world, index, root, "alias", nameAt(nameIndex, root)!);
  }
}

function refuseTwins(world: World, one: number, other: number, as: "name" | "alias", name: string): never {
  const [first, second] = [one, other].map((index) => `${textOf(world, handleOf(world, index))} (e${index})`);
  throw new TreelineError(
    "name-taken",
    `${first} has ${quoted(name)} as its ${as}, and ${second} as its name; give one of them another one first`,
  );
}
