// The bare builtins and their traits; which are hidden from users (`isInternal`); refuses to destroy their entities (`permanent`).
import { type Definition, defineRelation, type Relation, type Tag, tag } from "./definition.ts";

/** Component entities of builtins cannot be destroyed. */
function permanent<D extends Definition>(definition: D): D {
  definition.onDestroy = "refuse";
  return definition;
}

function builtinTag(name: string): Tag {
  return permanent(tag(name));
}

/** Makes a definition internal; it must not have been used. */
export function hidden<D extends Definition>(definition: D): D {
  definition.isInternal = true;
  return definition;
}

/** One bit per row. What installs the code for that is in `define/definitions.ts`. */
function inBits(tag: Tag): Tag {
  tag.storage = "bits";
  return tag;
}

function parentRelation(name: string): Relation {
  const traits = { exclusive: true, acyclic: true, traversable: true, onTargetDestroy: "delete" } as const;
  return permanent(defineRelation(name, traits) as Relation);
}

// The bare builtins. `define/definitions.ts` documents them, and exports the versions that install what they need.

export const ChildOf: Relation = /* @__PURE__ */ parentRelation("ChildOf");
export const Parent: Relation = /* @__PURE__ */ parentRelation("Parent");
export const OrderedChildren: Tag = /* @__PURE__ */ builtinTag("OrderedChildren");
export const Disabled: Tag = /* @__PURE__ */ inBits(/* @__PURE__ */ builtinTag("Disabled"));
export const DisabledTree: Tag = /* @__PURE__ */ builtinTag("DisabledTree");

/**
 * A prefab and everything below it have it. Queries that do not name it leave out their archetypes. The package `prefab` exports the
 * version that installs what it needs.
 */
export const Prefab: Tag = /* @__PURE__ */ builtinTag("Prefab");

/** Every entity below a `DisabledTree` has it; only `world/change/disabled.ts` and `disabled-along.ts` set it. */
export const DisabledFromAbove: Tag = /* @__PURE__ */ hidden(
  /* @__PURE__ */ inBits(/* @__PURE__ */ builtinTag("DisabledFromAbove")),
);

/** Every component entity has it. */
export const ComponentEntity: Tag = /* @__PURE__ */ hidden(/* @__PURE__ */ builtinTag("ComponentEntity"));

/** In no type: every entity has it from spawn to destruction, for observers that observe all spawns and destructions. */
export const Life: Tag = /* @__PURE__ */ hidden(/* @__PURE__ */ builtinTag("Life"));

/** Whether core, or the package that made it, manages the definition: users can neither see nor remove it. */
export function isInternal(definition: Definition): boolean {
  return definition.isInternal;
}

/** A function, because bundlers drop calls marked as pure, but keep property reads. */
function numberOf({ id }: Definition): number {
  return id;
}

export const CHILD_OF: number = /* @__PURE__ */ numberOf(ChildOf);
export const PARENT: number = /* @__PURE__ */ numberOf(Parent);
const LAST_BUILTIN: number = /* @__PURE__ */ numberOf(Life);

/** Whether every world starts with it. Builtins have the lowest numbers; their component entities are permanent roots. */
export function isBuiltin({ id }: Definition): boolean {
  return id <= LAST_BUILTIN;
}
