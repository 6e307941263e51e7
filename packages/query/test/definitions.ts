/** The definitions that many tests share. Tests define others themselves. */
import { component, f32, relation, tag } from "@treeline/core";

export const Position = component("Position", { x: f32 });
export const Velocity = component("Velocity", { x: f32 });
export const Warm = component("Warm", { of: f32 });
export const Mesh = component<string>("Mesh");
export const Frozen = tag("Frozen");
export const Tag = tag("Tag");
export const Likes = relation("Likes");
export const DockedTo = relation("DockedTo", { exclusive: true });
export const SoldIn = relation("SoldIn", { exclusive: true });
export const MemberOf = relation("MemberOf", { exclusive: true });
export const Docked = relation("Docked", { traversable: true });
export const Needs = relation("Needs", { traversable: true, exclusive: false });
export const Includes = relation("Includes", { reflexive: true });
export const Knows = relation("Knows", { symmetric: true });
export const Holds = relation("Holds", { onTargetDestroy: "refuse" });
export const Damage = relation("Damage", { fields: { amount: f32 } });
export const Owes = relation("Owes", { fields: { coins: f32 } });
export const Owns = relation("Owns", { onTargetDestroy: "delete" });
export const Near = relation("Near", { reflexive: true });
export const Marker = component("Marker", {});
