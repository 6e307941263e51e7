import type { World } from "@treeline/core";
import { ANY, type Question } from "@treeline/core/internal";
import { hasAt } from "../match/has-at.ts";
import { shapeHas } from "../match/shape-has.ts";

/** Who has what one traversal looks for. Shapes tell it, but for pairs with a target and tags that are stored as bits. */
export interface Owners {
  readonly what: Question;
  /** It is one of those. */
  readonly isOfRows: boolean;
  /** By shape number: 1 if it has the definition, -1 if not, 0 while nobody asked. */
  byShape: Int8Array<ArrayBuffer>;
}

export function createOwners(what: Question): Owners {
  const { definition, target } = what;
  const isOfRows = definition.storage === "bits" || (definition.kind === "relation" && target !== ANY);
  return { what, isOfRows, byShape: new Int8Array(16) };
}

/** Do all entities of a shape have the definition, or some pair of the relation? Loose ones have ChildOf as well. */
export function shapeOwns({ graph }: World, owners: Owners, shape: number): boolean {
  const known = owners.byShape[shape];
  if (known === 1) return true;
  if (known === -1) return false;
  const has = shapeHas(graph.shapes[shape]!, owners.what.definition);
  if (shape >= owners.byShape.length) {
    const longer = new Int8Array(shape * 2);
    longer.set(owners.byShape);
    owners.byShape = longer;
  }
  owners.byShape[shape] = has ? 1 : -1;
  return has;
}

/** Has the entity at an index what is looked for? */
export function owns(world: World, owners: Owners, index: number): boolean {
  const { definition, target } = owners.what;
  if (owners.isOfRows) return hasAt(world, index, definition, target);
  return shapeOwns(world, owners, world.graph.tables.shape[world.entities.table[index]!]!);
}
