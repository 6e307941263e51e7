// Types that only stand in the texts of type errors, and say what to write (`WithoutTarget`, `WithoutRole`).
import type { Entity } from "./entity.ts";

/** For the texts of type errors: a relation without a target. No value has this type. */
export interface WithoutTarget {
  readonly kind: "relation";
  readonly "call it with a target: ChildOf(parent)": never;
}

/** For the texts of type errors: a tag where a value is meant. No value has this type. */
export interface WithoutValue {
  readonly kind: "tag";
  readonly "a tag has no value: has(world, entity, Tag) tells whether it is there": never;
}

/** For the texts of type errors: an entity where a term is meant. No value has this type. */
export type WithoutRole = Entity & {
  readonly "an entity is no term: write ChildOf(entity) or asTag(entity)": never;
};
