import { Any, type Definition, Is, type Relation, relation, type Tag, tag } from "./definition.ts";
import { inBits } from "./in-bits.ts";
import { withPolicy } from "./policy.ts";

/**
 * The parent of an entity: one at most, never in a cycle; when a parent dies, its children die with it. The pair is part
 * of the type: children of one parent share tables. In questions it covers children in both storages.
 *
 * @example
 * const cockpit = spawn(world, ChildOf(ship));
 */
export const ChildOf: Relation = withPolicy(
  relation("ChildOf", { exclusive: true, acyclic: true, onTargetDeath: "delete" }),
  { onDeath: "refuse" },
);

/**
 * The same parent, stored as a value: children of many parents share a table. For small, deep, structured trees. An
 * entity has its parent in one of both storages; adding the other one with the same parent moves it, and keeps its
 * place among its siblings. In questions it asks for this storage alone.
 *
 * @example
 * const bone = spawn(world, Parent(skeleton));
 */
export const Parent: Relation = withPolicy(
  relation("Parent", { exclusive: true, acyclic: true, onTargetDeath: "delete" }),
  { onDeath: "refuse" },
);

/**
 * Keeps the children of the entity that has it in a list from the first one on, so that nothing needs sorting. Without
 * it a list is made when children are first reordered.
 */
export const OrderedChildren: Tag = withPolicy(tag("OrderedChildren"), { onDeath: "refuse" });

/**
 * Hides an entity from all queries that name neither `Disabled` nor `DisabledTree`. Adding and removing it moves no row: it
 * is a bit beside each.
 */
export const Disabled: Tag = withPolicy(inBits(tag("Disabled")), { onDeath: "refuse" });

/** Hides an entity and everything below it; who was disabled by itself stays so when it is taken off. */
export const DisabledTree: Tag = withPolicy(tag("DisabledTree"), { onDeath: "refuse" });

/** Everybody below a `DisabledTree` has it; kept by `world/disabled.ts` alone. */
export const Hidden: Tag = withPolicy(inBits(tag("Hidden")), { onDeath: "refuse" });

/** Of the entity that stands for a definition. */
export const Stands: Tag = withPolicy(tag("Stands"), { onDeath: "refuse" });

/** In no type: everybody has it from birth to death, for listeners that want to hear of every life. */
export const Life: Tag = withPolicy(tag("Life"), { onDeath: "refuse" });

/** What core keeps by itself: users can neither see nor take it off. */
export function isInternal(definition: Definition): boolean {
  return definition === Hidden || definition === Stands || definition === Life;
}

const BUILTIN: ReadonlySet<Definition> = new Set<Definition>([
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

export const CHILD_OF: number = ChildOf.id;
export const PARENT: number = Parent.id;
