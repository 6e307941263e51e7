// Gives the prefab what an instance has changed (`applyToPrefab`).
import {
  type AnyKindOfRelation,
  type Component,
  type Definition,
  type Entity,
  isAlive,
  type Tag,
  type World,
} from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { requireIdle } from "../base/require.ts";
import { factOf, pairFacts, sameIn } from "../publish/facts.ts";
import { rebase } from "../publish/rebase.ts";
import { instanceAt, prefabOf } from "../spawn/find-part.ts";
import { gain, lose, type Merge, newMerge, runMerge } from "./merge.ts";
import { listOwn, type Override, pairsOfPart, requireInstance } from "./overrides.ts";
import { isSharedBy } from "./revert.ts";

/**
 * Gives the prefab what an entity of an instance has changed: one component or tag, its pairs of one relation, or all that
 * `overridesOf` lists of this entity (not of those below it). Other instances inherit it, or follow with `refreshInstances`.
 *
 * Entities of the instance that values point to become the parts that they were made from. All is state of the world: `restore` of
 * a snapshot undoes it.
 *
 * @cost as the changes of the prefab by `set` and `add`.
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance; `iterating` inside an iteration;
 *   `name-taken` if the prefab has the name; `full`, `cycle`, `refused` and `capacity` if the prefab cannot have it; and what hooks
 *   throw. Nothing has changed then.
 *
 * @example
 * applyToPrefab(world, turret, Health);
 * refreshInstances(world, tank);
 */
export function applyToPrefab(
  world: World,
  entity: Entity,
  what?: Component | Tag | AnyKindOfRelation,
): void {
  requireInstance(world, entity);
  requireIdle(world, "applyToPrefab");
  const part = prefabOf(world, entity);
  if (part === undefined) return;
  const all: Override[] = [];
  listOwn(world, entity, part, all);
  const overrides = all.filter(({ definition }) => what === undefined || definition === what);
  const merge = newMerge(world, true);
  /** The target of each pair in the prefab. */
  const targets = overrides.map((one) => planOne(world, merge, part, one));
  runMerge(merge);
  for (const [at, { definition, fields }] of overrides.entries())
    if (isAlive(world, entity))
      rebase(
        world,
        indexOf(entity),
        { definition: definition!, target: targets[at] ?? (0 as Entity), value: undefined },
        fields.length > 0 ? fields : undefined,
      );
}

/** Plans to give a part what an entity of an instance has changed. @returns the target of a pair in the prefab. */
function planOne(
  world: World,
  merge: Merge,
  part: Entity,
  { kind, entity, definition, target, fields }: Override,
): Entity | undefined {
  const fact = { definition: definition!, target: target ?? (0 as Entity), value: undefined };
  if (kind === "removed") {
    const of = pairsOfPart(world, entity, part).find(({ now }) => sameIn([now], fact) !== undefined)?.of;
    lose(merge, part, of ?? factOf(world, part, definition!));
    return of?.target;
  }
  const own =
    target === undefined ? factOf(world, entity, definition!) : sameIn(pairFacts(world, entity), fact)!;
  const some = kind === "added" ? undefined : fields;
  const { holds } = own.definition;
  const value =
    holds === "fields" ? inPrefab(world, entity, own.definition, own.value as object, some) : own.value;
  const inside = target && partAlike(world, entity, target);
  gain(merge, part, { ...own, target: inside ?? own.target, value });
  if (isSharedBy(world, part, own.definition)) lose(merge, entity, own);
  return inside;
}

/** The part that an entity of the same instance was made from; other entities are themselves. */
function partAlike(world: World, entity: Entity, target: Entity): Entity {
  const isInside = instanceAt(world, indexOf(target)) === instanceAt(world, indexOf(entity));
  return isInside ? (prefabOf(world, target) ?? target) : target;
}

/** Some fields of a value, with the parts of the prefab in place of entities of the instance. */
function inPrefab(
  world: World,
  entity: Entity,
  definition: Definition,
  value: object,
  fields: readonly string[] | undefined,
): object {
  const found: { [name: string]: unknown } = {};
  for (const [name, { kind }] of definition.fields) {
    if (fields?.includes(name) === false) continue;
    const field = (value as { readonly [name: string]: unknown })[name];
    const isEntity = kind === "entity" && field !== undefined;
    found[name] = isEntity ? partAlike(world, entity, field as Entity) : field;
  }
  return found;
}
