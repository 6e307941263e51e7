// What an archetype has instead of a component that its entities inherit (`inheritedOf`).
import { hidden } from "./builtins.ts";
import { type Definition, tag } from "./definition.ts";

/**
 * "Inherits C": what an archetype has instead of C if its entities read the values of C from what they are instances of. It has no
 * column, and `hasDefinition(archetype, C)` holds for it, so queries for C match; an archetype never has both. Adding C replaces it.
 * Made once for each C that is inherited anywhere. See decision 0083.
 */
export function inheritedOf(definition: Definition): Definition {
  definition.inherited ??= standIn(definition);
  return definition.inherited;
}

function standIn(definition: Definition): Definition {
  const made = hidden(tag(`inherits ${definition.name}`));
  made.standsFor = definition;
  made.requires = definition.requires;
  return made;
}
