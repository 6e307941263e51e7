import { type Relation, relation } from "./definition.ts";

/**
 * The parent of an entity: one at most, never in a cycle; when a parent dies, its children die with it.
 *
 * @example
 * const cockpit = spawn(world, ChildOf(ship));
 */
export const ChildOf: Relation = relation("ChildOf", {
  exclusive: true,
  acyclic: true,
  onTargetDeath: "delete",
});

export const CHILD_OF: number = ChildOf.id;
