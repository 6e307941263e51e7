import { type Relation, relation } from "../../src/index.ts";

/** One relation for each thing that may happen when a target dies. */
export const Likes: Relation = relation("Likes");
export const Owns: Relation = relation("Owns", { onTargetDestroy: "delete" });
export const Holds: Relation = relation("Holds", { onTargetDestroy: "refuse" });
