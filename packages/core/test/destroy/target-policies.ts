import { type Relation, relation } from "../../src/index.ts";

/** One relation for each thing that can happen when a target is destroyed. */
export const Likes: Relation = relation("Likes");
export const Owns: Relation = relation("Owns", { onTargetDestroy: "delete" });
export const Holds: Relation = relation("Holds", { onTargetDestroy: "refuse" });
