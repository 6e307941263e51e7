/**
 * The parts of a handle, and where its entity is stored. None of it is public; tests need it to check that a change moves no
 * more rows than it must, and that depths are right.
 */
import type { Definition } from "../src/id/definition.ts";
import { generationOf, indexOf } from "../src/id/entity.ts";
import { findPair } from "../src/id/pair-index.ts";
import { ChildOf, type Entity, type World } from "../src/index.ts";
import { DisabledFromAbove } from "../src/internal.ts";
import { depthAt } from "../src/world/state/targets.ts";
import { hasBitAt } from "../src/world/state/values.ts";

export { generationOf, indexOf };

/** The number of ancestors of an entity along a relation. */
export function depthOf(world: World, entity: Entity, relation: Definition = ChildOf): number {
  return depthAt(world, indexOf(entity), relation);
}

/** The number of a pair; 0 if there is none. */
export function pairOf(world: World, relation: Definition, target: Entity): number {
  return findPair(world.graph.pairs, relation.id, indexOf(target));
}

/** The number of the table in which an entity is stored. */
export function tableOf(world: World, entity: Entity): number {
  return world.entities.table[indexOf(entity)]!;
}

/** The row of its archetype in which an entity is stored. */
export function rowOf(world: World, entity: Entity): number {
  return world.entities.row[indexOf(entity)]!;
}

/** Whether a DisabledTree of an ancestor disables an entity, whatever tags it has itself. */
export function isDisabledFromAbove(world: World, entity: Entity): boolean {
  return hasBitAt(world, indexOf(entity), DisabledFromAbove);
}
