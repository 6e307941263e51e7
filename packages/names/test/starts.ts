import type { Entity, World } from "@treeline/core";
import { childNamed, lookup, type PathOptions, withoutScope } from "../src/index.ts";

/** Options for a path that begins at an entity, or at the roots. */
export function startingAt(from: Entity | undefined): PathOptions {
  return from === undefined ? {} : { from };
}

/** The child of a parent with a name, or without a parent the root that has it, or has it as its alias. */
export function namedIn(world: World, parent: Entity | undefined, name: string): Entity | undefined {
  return parent === undefined
    ? withoutScope(world, () => lookup(world, [name]))
    : childNamed(world, parent, name);
}
