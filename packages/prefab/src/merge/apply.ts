import { type Component, type Definition, type Entity, isAlive, type Tag, type World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { requireIdle } from "../base/require.ts";
import { factOf } from "../publish/facts.ts";
import { rebase } from "../publish/rebase.ts";
import { instanceAt, prefabOf } from "../spawn/find-part.ts";
import { Merge } from "./merge.ts";
import { listOwn, type Override, requireInstance } from "./overrides.ts";
import { isSharedBy } from "./revert.ts";

/**
 * Gives the prefab what an entity of an instance has changed: one component or tag, or all that `overridesOf` lists of this entity (not of those below it). Other
 * instances inherit it, or follow with `refreshInstances`.
 *
 * Entities of the instance that values point to become the parts that they were made from. All is state of the world: `restore` of a snapshot undoes it.
 *
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance; `iterating` inside an iteration; and what hooks throw, and `name-taken` where
 *   the prefab has the name: nothing has changed then.
 *
 * @example
 * applyToPrefab(world, turret, Health);
 * refreshInstances(world, tank);
 */
export function applyToPrefab(world: World, entity: Entity, what?: Component | Tag): void {
  requireInstance(world, entity);
  requireIdle(world, "applyToPrefab");
  const part = prefabOf(world, entity);
  if (part === undefined) return;
  const overrides: Override[] = [];
  listOwn(world, entity, part, overrides);
  const merge = new Merge(world, true);
  for (const { definition, kind, fields } of overrides) {
    if (definition === undefined || (what !== undefined && definition !== what)) continue;
    if (kind === "removed") {
      merge.lose(part, factOf(world, part, definition));
      continue;
    }
    const own = factOf(world, entity, definition);
    const value =
      definition.holds === "fields"
        ? inPrefab(world, entity, definition, own.value as object, kind === "added" ? undefined : fields)
        : own.value;
    merge.gain(part, { ...own, value });
    if (isSharedBy(world, part, definition)) merge.lose(entity, own);
  }
  merge.run();
  for (const { definition, fields } of overrides)
    if (definition !== undefined && (what === undefined || definition === what) && isAlive(world, entity))
      rebase(world, indexOf(entity), definition, undefined, fields.length > 0 ? fields : undefined);
}

/** Some fields of a value, with the parts of the prefab in place of entities of the instance. */
function inPrefab(
  world: World,
  entity: Entity,
  definition: Definition,
  value: object,
  fields: readonly string[] | undefined,
): object {
  const own = instanceAt(world, indexOf(entity));
  const found: { [name: string]: unknown } = {};
  for (const [name, { kind }] of definition.fields) {
    if (fields?.includes(name) === false) continue;
    const field = (value as { readonly [name: string]: unknown })[name];
    const isInside =
      kind === "entity" && field !== undefined && instanceAt(world, indexOf(field as Entity)) === own;
    found[name] = isInside ? (prefabOf(world, field as Entity) ?? field) : field;
  }
  return found;
}
