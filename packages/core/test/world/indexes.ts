/** Internal indexes, rows and tables that tests of the world read, in one place. */

import type { Definition } from "../../src/id/definition.ts";
import { indexOf } from "../../src/id/entity.ts";
import { findPair } from "../../src/id/pair-index.ts";
import { ChildOf, type Entity, type World } from "../../src/index.ts";
import { depthAt } from "../../src/world/state/targets.ts";

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

/** The row of its table in which an entity is stored. */
export function rowOf(world: World, entity: Entity): number {
  return world.entities.row[indexOf(entity)]!;
}
