import { type Definition, defineRelation, inBits, type Relation, type Tag, tag } from "./definition.ts";

/** The entities that stand for definitions of every world do not die. */
function immortal<D extends Definition>(definition: D): D {
  definition.onDestroy = "refuse";
  return definition;
}

function builtinTag(name: string): Tag {
  return immortal(tag(name));
}

function parentRelation(name: string): Relation {
  const traits = { exclusive: true, acyclic: true, traversable: true, onTargetDestroy: "delete" } as const;
  return immortal(defineRelation(name, traits) as Relation);
}

// The bare builtins: `define/definitions.ts` says what they are for, and gives users what they bring along.

export const ChildOf: Relation = /* @__PURE__ */ parentRelation("ChildOf");
export const Parent: Relation = /* @__PURE__ */ parentRelation("Parent");
export const OrderedChildren: Tag = /* @__PURE__ */ builtinTag("OrderedChildren");
export const Disabled: Tag = /* @__PURE__ */ inBits(/* @__PURE__ */ builtinTag("Disabled"));
export const DisabledTree: Tag = /* @__PURE__ */ builtinTag("DisabledTree");

/** Everybody below a `DisabledTree` has it; kept by `world/change/disabled.ts` alone. */
export const DisabledFromAbove: Tag = /* @__PURE__ */ inBits(/* @__PURE__ */ builtinTag("Hidden"));

/** Of the entity that stands for a definition. */
export const ComponentEntity: Tag = /* @__PURE__ */ builtinTag("Stands");

/** In no type: everybody has it from birth to death, for listeners that want to hear of every life. */
export const Life: Tag = /* @__PURE__ */ builtinTag("Life");

/** What core keeps by itself: users can neither see nor take it off. */
export function isInternal(definition: Definition): boolean {
  return definition === DisabledFromAbove || definition === ComponentEntity || definition === Life;
}

/** A call, since bundlers drop those that are marked, but keep whatever reads a property. */
function numberOf({ id }: Definition): number {
  return id;
}

export const CHILD_OF: number = /* @__PURE__ */ numberOf(ChildOf);
export const PARENT: number = /* @__PURE__ */ numberOf(Parent);
const LAST_BUILTIN: number = /* @__PURE__ */ numberOf(Life);

/** Is it one that every world starts with? They have the first numbers. Their entities neither die nor have parents. */
export function isBuiltin({ id }: Definition): boolean {
  return id <= LAST_BUILTIN;
}
