import {
  Any,
  type Definition,
  Is,
  inBits,
  plainRelation,
  type Relation,
  type Tag,
  tag,
} from "./definition.ts";

/** The entities that stand for definitions of every world do not die. */
function immortal<D extends Definition>(definition: D): D {
  definition.onDeath = "refuse";
  return definition;
}

function builtinTag(name: string): Tag {
  return immortal(tag(name));
}

function parentRelation(name: string): Relation {
  const traits = { exclusive: true, acyclic: true, traversable: true, onTargetDeath: "delete" } as const;
  return immortal(plainRelation(name, traits) as Relation);
}

/**
 * The parent of an entity: one at most, never in a cycle; when a parent dies, its children die with it. The pair is part
 * of the type: children of one parent share tables. In questions it covers children in both storages.
 *
 * @example
 * const cockpit = spawn(world, ChildOf(ship));
 */
export const ChildOf: Relation = /* @__PURE__ */ parentRelation("ChildOf");

/**
 * The same parent, stored as a value: children of many parents share a table. For small, deep, structured trees. An
 * entity has its parent in one of both storages; adding the other one with the same parent moves it, and keeps its
 * place among its siblings. In questions it asks for this storage alone.
 *
 * @example
 * const bone = spawn(world, Parent(skeleton));
 */
export const Parent: Relation = /* @__PURE__ */ parentRelation("Parent");

/**
 * Keeps the children of the entity that has it in a list from the first one on, so that nothing needs sorting. Without
 * it a list is made when children are first reordered.
 */
export const OrderedChildren: Tag = /* @__PURE__ */ builtinTag("OrderedChildren");

/**
 * Hides an entity from all queries that name neither `Disabled` nor `DisabledTree`. Adding and removing it moves no row: it
 * is a bit beside each.
 */
export const Disabled: Tag = /* @__PURE__ */ inBits(/* @__PURE__ */ builtinTag("Disabled"));

/** Hides an entity and everything below it; who was disabled by itself stays so when it is taken off. */
export const DisabledTree: Tag = /* @__PURE__ */ builtinTag("DisabledTree");

/** Everybody below a `DisabledTree` has it; kept by `world/change/disabled.ts` alone. */
export const Hidden: Tag = /* @__PURE__ */ inBits(/* @__PURE__ */ builtinTag("Hidden"));

/** Of the entity that stands for a definition. */
export const Stands: Tag = /* @__PURE__ */ builtinTag("Stands");

/** In no type: everybody has it from birth to death, for listeners that want to hear of every life. */
export const Life: Tag = /* @__PURE__ */ builtinTag("Life");

/** What core keeps by itself: users can neither see nor take it off. */
export function isInternal(definition: Definition): boolean {
  return definition === Hidden || definition === Stands || definition === Life;
}

const BUILTIN: ReadonlySet<Definition> = /* @__PURE__ */ new Set<Definition>([
  Any,
  ChildOf,
  Disabled,
  DisabledTree,
  Hidden,
  Is,
  Life,
  OrderedChildren,
  Parent,
  Stands,
]);

/** Is it one that every world starts with? Their entities neither die nor have parents. */
export function isBuiltin(definition: Definition): boolean {
  return BUILTIN.has(definition);
}

/** A call, since bundlers drop those that are marked, but keep whatever reads a property. */
function numberOf({ id }: Definition): number {
  return id;
}

export const CHILD_OF: number = /* @__PURE__ */ numberOf(ChildOf);
export const PARENT: number = /* @__PURE__ */ numberOf(Parent);
