// Lists what an entity has (`componentsOf`, `tagsOf`, `pairsOf`), and the definitions that a world has used (`definitions`).
import { CHILD_OF, isInternal, Parent } from "../../id/builtins.ts";
import {
  type Component,
  type DataRelation,
  type Definition,
  type EntityTag,
  Is,
  type Pair,
  type Tag,
} from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import type { RowOf, Schema } from "../../id/field.ts";
import { handleAt, sortByOrder } from "../../records/entity-index.ts";
import { type AnyKindOfRelation, requireRelation } from "./read-entity.ts";
import { requireAlive } from "./require.ts";
import { orderedTargetsAt } from "./targets.ts";
import { asTag } from "./terms.ts";
import { copyValue, definitionsAt, valueAt } from "./values.ts";
import type { World } from "./world.ts";

/** A relation of a listed pair: call it with a target, and with the value if it has fields, to get such a pair. */
export interface PairRelation extends Definition {
  readonly kind: "relation";
  (target: Entity, value?: unknown): Pair<unknown, unknown, unknown>;
}

/** A pair that an entity has, as plain data. */
export interface PresentPair<Value = unknown> {
  /** For the parent of an entity: `ChildOf` or `Parent`, whichever stores it. */
  readonly relation: PairRelation;
  readonly target: Entity;
  /** A copy of its value; `undefined` for a relation without fields. */
  readonly value: Value;
}

/**
 * The components with values that an entity has, in the order of definition. `get` reads their values. Returns a new list.
 *
 * @cost the types of the entity.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 *
 * @example
 * for (const one of componentsOf(world, ship)) console.log(one.name, get(world, ship, one));
 */
export function componentsOf(world: World, entity: Entity): Component[] {
  requireAlive(world, entity);
  return definitionsAt(world, indexOf(entity)).filter(
    (one) => one.kind !== "relation" && one.holds !== "nothing" && !isInternal(one),
  ) as Component[];
}

/**
 * What an entity has without a value: its tags in the order of definition, `Disabled` and `DisabledTree` among them, and then the
 * entities that it has as tags, as `asTag` returns them, in the order in which those were spawned or got their present parents. A component whose schema
 * is empty is a tag here. Returns a new list.
 *
 * A `DisabledTree` above the entity is not listed: `isDisabled` tells whether there is one.
 *
 * @cost the types of the entity.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 *
 * @example
 * for (const one of tagsOf(world, ship)) add(world, other, one);
 */
export function tagsOf(world: World, entity: Entity): (Tag | EntityTag)[] {
  requireAlive(world, entity);
  const { entities } = world;
  const index = indexOf(entity);
  const all = definitionsAt(world, index);
  const tags = all.filter((one) => one.kind !== "relation" && one.holds === "nothing" && !isInternal(one));
  const used = orderedTargetsAt(world, index, Is).map(indexOf);
  return [
    ...(tags as Tag[]),
    ...sortByOrder(used, entities.order).map((one) => asTag(handleAt(entities, one))),
  ];
}

/**
 * The pairs that an entity has, its parent included: relations in the order of definition, and targets of one relation in the order
 * in which they were added. Entities that are used as tags are listed by `tagsOf`. Returns a new list of new objects.
 *
 * The pair of an entity with itself that each reflexive relation has by definition is not listed, because it is not stored.
 *
 * @cost the types of the entity; for several targets of a relation, sorting them.
 * @param relation only its pairs. `ChildOf` means the parent in either storage, `Parent` only a parent stored by value.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `relation` is not a relation, or is `Any`.
 *
 * @example
 * for (const { relation, target, value } of pairsOf(world, ship)) add(world, other, relation(target, value));
 */
export function pairsOf<S extends Schema>(
  world: World,
  entity: Entity,
  relation: DataRelation<S>,
): PresentPair<RowOf<S>>[];
export function pairsOf(world: World, entity: Entity, relation?: AnyKindOfRelation): PresentPair[];
export function pairsOf(world: World, entity: Entity, relation?: AnyKindOfRelation): PresentPair[] {
  requireAlive(world, entity);
  if (relation !== undefined) requireRelation(relation);
  const index = indexOf(entity);
  const found: PresentPair[] = [];
  for (const definition of new Set(definitionsAt(world, index).toReversed())) {
    if (definition.kind !== "relation" || definition === Is) continue;
    const isAsked = definition === relation || (definition === Parent && relation?.id === CHILD_OF);
    if (relation !== undefined && !isAsked) continue;
    for (const target of orderedTargetsAt(world, index, definition)) {
      const place = valueAt(world, index, definition, target);
      const value = place && copyValue(world, place);
      found.push({ relation: definition as PairRelation, target, value });
    }
  }
  return found;
}

/**
 * The components, tags and relations that the world has used, in the order of definition: those that an entity has or once had,
 * and those that have a component entity. `Disabled` is among them while an entity has it. Returns a new list.
 *
 * @cost proportional to the archetypes.
 */
export function definitions(world: World): Definition[] {
  const found = new Set(world.definitionsByEntity.values());
  for (const archetype of world.graph.founded) {
    for (const one of archetype.definitions) found.add(one);
    for (const { definition, count } of archetype.bits?.columns ?? []) if (count > 0) found.add(definition);
  }
  const known = [...found].filter((one) => one !== Is && !isInternal(one));
  return known.sort((one, other) => one.id - other.id);
}

/**
 * The component, tag or relation of this name that the world has used; of several, the one that was defined first.
 *
 * @cost that of `definitions`. Keep a map if you look up many names.
 * @returns `undefined` if there is none.
 *
 * @example
 * const Position = definitionNamed(world, "Position");
 */
export function definitionNamed(world: World, name: string): Definition | undefined {
  return definitions(world).find((one) => one.name === name);
}
