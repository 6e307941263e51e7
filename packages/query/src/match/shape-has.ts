import { Any, ChildOf, type Definition, DisabledTree } from "@treeline/core";
import { hasDefinition, Is, Life, type Shape } from "@treeline/core/internal";

/**
 * Has the shape the component or tag, or a pair of the relation? ChildOf covers both storages of parents; all have Life. No
 * shape has a tag that is stored as bits: rows have it.
 */
export function shapeHas(shape: Shape, definition: Definition): boolean {
  if (definition === ChildOf) return shape.isLoose || hasDefinition(shape, ChildOf);
  if (definition === Any) return shape.definitions.some((one) => one.kind === "relation" && one !== Is);
  return definition === Life || hasDefinition(shape, definition);
}

/** Are all entities of the shape disabled? Those that are so by a bit of their row are left out row by row. */
export function isDisabledShape(shape: Shape): boolean {
  return hasDefinition(shape, DisabledTree);
}
