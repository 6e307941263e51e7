import { TreelineError } from "../../base/error.ts";
import { ChildOf, isBuiltin, Parent, Stands } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { hasDefinition } from "../../storage/shape.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";

/** The definition for which the entity at an index stands; `undefined` for all others. */
export function definitionOfEntity(world: World, index: number): Definition | undefined {
  return hasDefinition(shapeAt(world, index), Stands) ? world.standsFor.get(index) : undefined;
}

/** @throws TreelineError `refused` for a builtin. */
export function requireMortal(definition: Definition): void {
  if (!isBuiltin(definition)) return;
  throw new TreelineError("refused", `${definition.name} is a builtin; the entity that stands for it stays`);
}

/** The indexes of all entities that have a definition, or a pair of it. A fresh list. */
export function usersOf({ graph }: World, definition: Definition): number[] {
  const { tables, shapesWith } = graph;
  const found: number[] = [];
  if (definition.storage === "bits") {
    for (const shape of graph.founded) {
      for (const row of shape.bits?.rowsWith(definition) ?? []) found.push(shape.lanes.i32[row]!);
    }
    return found;
  }
  const shapes = [
    ...(shapesWith.get(definition.id) ?? []),
    ...(definition === ChildOf ? (shapesWith.get(Parent.id) ?? []) : []),
  ];
  for (const shape of shapes) {
    for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
      const first = tables.first[table]!;
      for (let row = first; row < first + tables.count[table]!; row++) found.push(shape.lanes.i32[row]!);
    }
  }
  return found;
}
