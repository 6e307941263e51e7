// The keys of prefabs in documents (`PrefabKey`, `prefabAt`).
import {
  component,
  type Entity,
  get,
  has,
  isAlive,
  type Move,
  type Tag,
  TreelineError,
  type ValueComponent,
  value,
  type World,
  withHooks,
} from "@treeline/core";
import { Prefab, shown, textOf, worldState } from "@treeline/core/internal";

/**
 * The key of a prefab in documents, such as the name of its file: instances are saved with it. `loadPrefabs` sets it; a prefab that is made by
 * code gets one as a term. Another value is another key: the old one is free then. Clones and instances have none.
 *
 * `spawn`, `add`, `set` and lists throw TreelineError `name-taken` for the key of another entity. Nothing has changed then.
 *
 * @example
 * const tank = prefab(world, PrefabKey("vehicles/tank"), Name("Tank"));
 */
export const PrefabKey: ValueComponent<string> = /* @__PURE__ */ withHooks(
  /* @__PURE__ */ component("PrefabKey", /* @__PURE__ */ value(""), { onInstantiate: "skip" }),
  {
    check: requireFree,
    checkMoves: requireFreeForAll,
    written: (world, entity, key) => {
      keysOf(world).set(key, entity);
    },
    onRemove: (world, entity, key) => {
      if (entityWith(world, key) === entity) keysOf(world).delete(key);
    },
    anyOrder: true,
    identifies: "world",
  },
);

/** By key, the entity that got it last, which may have another one by now. */
const keysOf = /* @__PURE__ */ worldState((_world, { records }) => {
  const record = { keys: new Map<string, Entity>() };
  records.push({
    record,
    settle(isRestored) {
      if (!isRestored) record.keys.clear();
    },
  });
  return record.keys; // a snapshot restores the map itself
});

/** The entity that has a key, be it no prefab. */
function entityWith(world: World, key: string): Entity | undefined {
  const keyed = keysOf(world).get(key);
  return keyed !== undefined && isAlive(world, keyed) && get(world, keyed, PrefabKey) === key
    ? keyed
    : undefined;
}

function requireFree(world: World, entity: Entity | undefined, key: string): void {
  const keyed = entityWith(world, key);
  if (keyed !== undefined && keyed !== entity) refuseTaken(key, textOf(world, keyed));
}

/** Entities that only move keep their keys, and those that are spawned together have different ones. */
function requireFreeForAll(world: World, moves: readonly Move<string>[]): void {
  const keys = new Set<string>();
  for (const { entity, value } of moves) {
    requireFree(world, entity, value);
    if (keys.has(value)) refuseTaken(value, "another one of the list");
    keys.add(value);
  }
}

function refuseTaken(key: string, keyed: string): never {
  let text = `${shown(key)} is the key of ${keyed}`;
  CHECK: text += "; choose another key for the prefab, or change that one first";
  throw new TreelineError("name-taken", text);
}

/** All prefabs that have a key. A new map. */
export function prefabsByKey(world: World): Map<string, Entity> {
  const found = new Map<string, Entity>();
  for (const key of keysOf(world).keys()) {
    const prefab = prefabAt(world, key);
    if (prefab !== undefined) found.set(key, prefab);
  }
  return found;
}

/** The key by which a prefab is found; `undefined` for other entities, and for a prefab without one. */
export function keyOf(world: World, entity: Entity): string | undefined {
  const key = get(world, entity, PrefabKey);
  return key !== undefined && prefabAt(world, key) === entity ? key : undefined;
}

/**
 * The prefab with a key.
 *
 * @cost constant.
 * @returns `undefined` if there is none.
 *
 * @example
 * const lab = instantiate(world, prefabAt(world, "modules/lab")!);
 */
export function prefabAt(world: World, key: string): Entity | undefined {
  const keyed = entityWith(world, key);
  return keyed !== undefined && has(world, keyed, Prefab as Tag) ? keyed : undefined;
}
