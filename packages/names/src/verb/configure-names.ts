import { type Entity, TreelineError, type World } from "@treeline/core";
import { handleOf, requireAlive, shown, textOf } from "@treeline/core/internal";
import { nameAt } from "../state/name-index.ts";
import { type Collisions, type Names, rootsByAlias } from "../state/world-names.ts";
import { separatorFrom } from "../text/step.ts";
import { quoted } from "../text/text.ts";
import { namesOf } from "./name.ts";

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
}

/**
 * Configures how a world treats names, at any time.
 *
 * @throws TreelineError `bad-value` for an unknown policy, or if `search` is not a list; `bad-path` for a separator that is
 *   not allowed; `dead-entity` for a search scope that is not alive; `name-taken` if siblings share a name that the new
 *   policy does not allow. Nothing has changed then.
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
  if (collisions !== "allow") requireNoDuplicates(world, names);
  names.separator = separator === undefined ? names.separator : separatorFrom(separator);
  names.collisions = collisions;
  names.search = [...search];
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
  const [first, second] = [one, other].map((index) => `${textOf(world, handleOf(world, index))} (e${index})`);
  throw new TreelineError(
    "name-taken",
    `${first} has ${quoted(name)} as its ${as}, and ${second} as its name; change one of them first`,
  );
}
