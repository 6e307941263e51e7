/** Definitions that most tests use, and the builtins. Other tests define their own. */
import { ChildOf, component, f32, Parent, relation, tag } from "../src/index.ts";

export { Any, ChildOf, Disabled, DisabledTree, OrderedChildren, Parent } from "../src/index.ts";

export const Position = component("Position", { x: f32 });
export const Label = component<string>("Label");
export const Frozen = tag("Frozen");
export const Lit = tag("Lit");
export const Likes = relation("Likes");
export const DockedTo = relation("DockedTo", { exclusive: true });
export const Follows = relation("Follows", { acyclic: true });
export const Owns = relation("Owns", { onTargetDestroy: "delete" });
export const Knows = relation("Knows", { symmetric: true });
export const MarriedTo = relation("MarriedTo", { symmetric: true, exclusive: true });
export const Damage = relation("Damage", { fields: { amount: f32 } });

/** Both ways to store a parent. */
export const storages = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const;
