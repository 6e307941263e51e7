import {
  component,
  type Entity,
  get,
  has,
  type Tag,
  type ValueComponent,
  value,
  type World,
} from "@treeline/core";
import { archetypesOfDefinition, handleOf, Prefab, runsOf } from "@treeline/core/internal";

/**
 * The key of a prefab in documents, such as the name of its file: instances are saved with it. `loadPrefabs` sets it; a prefab that is made by
 * code gets one as a term.
 *
 * @example
 * const tank = prefab(world, PrefabKey("vehicles/tank"), Name("Tank"));
 */
export const PrefabKey: ValueComponent<string> = /* @__PURE__ */ component(
  "PrefabKey",
  /* @__PURE__ */ value(""),
  {
    onInstantiate: "skip",
  },
);

/** All prefabs that have a key. A new map; of several with one key, the first. */
export function prefabsByKey(world: World): Map<string, Entity> {
  const found = new Map<string, Entity>();
  for (const archetype of archetypesOfDefinition(world, PrefabKey)) {
    const { bounds, length } = runsOf(archetype);
    for (let at = 0; at < length; at += 2) {
      for (let row = bounds[at]!; row < bounds[at + 1]!; row++) {
        const entity = handleOf(world, archetype.lanes.i32[row]!);
        const key = keyOf(world, entity);
        if (key !== undefined && !found.has(key)) found.set(key, entity);
      }
    }
  }
  return found;
}

/** The key of a prefab; `undefined` for other entities, and for a prefab without one. */
export function keyOf(world: World, entity: Entity): string | undefined {
  return has(world, entity, Prefab as Tag) ? get(world, entity, PrefabKey) : undefined;
}

/**
 * The prefab with a key. Cost: all prefabs that have one.
 *
 * @returns `undefined` if there is none; the first one if there are several.
 *
 * @example
 * const lab = instantiate(world, prefabAt(world, "modules/lab")!);
 */
export function prefabAt(world: World, key: string): Entity | undefined {
  return prefabsByKey(world).get(key);
}
