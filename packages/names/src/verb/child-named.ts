import { type Entity, TreelineError, type World } from "@treeline/core";
import { handleOf, indexOf, requireAlive } from "@treeline/core/internal";
import { findName } from "../book/name-book.ts";
import { kindOf } from "../text/text.ts";
import { namesOf } from "./name.ts";

/**
 * The child with a name, which is taken as it is: nothing in it separates or escapes, and no alias is asked. Of several
 * the first to have it.
 *
 * Cost: two probes.
 *
 * @param parent `undefined` for the roots.
 * @returns the child, or `undefined` if there is none.
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-name` unless the name is a string.
 *
 * @example
 * const gun = childNamed(world, turret, "Gun::left");
 */
export function childNamed(world: World, parent: Entity | undefined, name: string): Entity | undefined {
  if (typeof name !== "string") refuse(name);
  if (parent !== undefined) requireAlive(world, parent);
  const index = findName(namesOf(world).book, parent === undefined ? 0 : indexOf(parent), name);
  return index === 0 ? undefined : handleOf(world, index);
}

function refuse(name: unknown): never {
  throw new TreelineError("bad-name", `a name is a string, not ${kindOf(name)}; give the name of a child`);
}
