import { Any, ChildOf, type Definition, Disabled, DisabledTree } from "@treeline/core";
import { Hidden, hasDefinition, Is, Life, type Shape } from "@treeline/core/internal";

/** Has the shape the component or tag, or a pair of the relation? ChildOf covers both storages of parents; all have Life. */
export function shapeHas(shape: Shape, definition: Definition): boolean {
  if (definition === ChildOf) return shape.isLoose || hasDefinition(shape, ChildOf);
  if (definition === Any) return shape.definitions.some((one) => one.kind === "relation" && one !== Is);
  return definition === Life || hasDefinition(shape, definition);
}

export function isDisabledShape(shape: Shape): boolean {
  return hasDefinition(shape, Disabled) || hasDefinition(shape, DisabledTree) || hasDefinition(shape, Hidden);
}
