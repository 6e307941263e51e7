import {
  type Entity,
  entityAt,
  get,
  isAlive,
  parentOf,
  subjectsOf,
  TreelineError,
  type World,
} from "@treeline/core";
import { handleOf, indexOf, requireAlive, shown, textOf, worldState } from "@treeline/core/internal";
import { children } from "@treeline/query";
import { BareIsA, Slot } from "../base/definitions.ts";
import { publishedOf } from "../publish/published.ts";
import { editionOf, linkAt, recordsOf } from "../state/part-records.ts";

/**
 * What an entity of an instance was made from: the prefab for its root, a part of the prefab for others.
 *
 * @returns `undefined` for an entity that is in no instance, and if the part is not alive.
 * @throws TreelineError `dead-entity`.
 */
export function prefabOf(world: World, entity: Entity): Entity | undefined {
  requireAlive(world, entity);
  const part = linkedPart(world, entity);
  return part !== undefined && isAlive(world, part) ? part : undefined;
}

function linkedPart(world: World, entity: Entity): Entity | undefined {
  const number = linkAt(world, indexOf(entity));
  return number === 0 ? undefined : recordsOf(world).handles[number];
}

/** Was an entity made from a part, or from what that was made from in turn? */
function isFrom(world: World, entity: Entity, part: Entity): boolean {
  let from = linkedPart(world, entity);
  while (from !== undefined && from !== part)
    from = isAlive(world, from) ? linkedPart(world, from) : undefined;
  return from === part;
}

/**
 * The entity of an instance that was made from a part of its prefab, wherever in the instance it is now, and whatever it is named. For a
 * variant, the part may also be one of the prefab that it is based on.
 *
 * Cost: the depth of the part; if entities of the instance were spawned, destroyed or moved since it was made, the size of the instance.
 *
 * @returns `undefined` if the instance has removed it, or the part is new and the instance was not refreshed.
 * @throws TreelineError `dead-entity` if the instance is not alive.
 *
 * @example
 * const barrel = partOf(world, tank, partOfPrefab);
 */
export function partOf(world: World, instance: Entity, part: Entity): Entity | undefined {
  requireAlive(world, instance);
  if (isFrom(world, instance, part)) return instance;
  const place = publishedOf(world, linkAt(world, indexOf(instance)))?.places?.get(part);
  if (place !== undefined) {
    // Usually the entities of an instance have adjacent indexes.
    const guess = entityAt(world, indexOf(instance) + place);
    if (guess !== undefined && linkedPart(world, guess) === part && isBelow(world, guess, instance))
      return guess;
  }
  const stack = [instance];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (isFrom(world, at, part)) return at;
    const below = children(world, at);
    for (let child = below.length - 1; child >= 0; child--) stack.push(below[child]!);
  }
  return undefined;
}

function isBelow(world: World, entity: Entity, above: Entity): boolean {
  let at: Entity | undefined = entity;
  while (at !== undefined && at !== above) at = parentOf(world, at);
  return at === above;
}

/** By prefab, the parts by the names of their slots; valid for one edition. */
const slotsKept = /* @__PURE__ */ worldState(() => ({
  edition: 0,
  slots: new Map<Entity, Map<string, Entity>>(),
}));

/**
 * The entity of an instance that has a slot: that was made from the part of its prefab with `Slot(name)`. Renaming and moving the entity or the part
 * changes nothing. Cost: as `partOf`.
 *
 * @returns `undefined` if the instance has removed it.
 * @throws TreelineError `dead-entity` if the instance is not alive; `bad-term` if it is no instance, or its prefab has no such slot.
 *
 * @example
 * const gun = slotOf(world, tank, "turret");
 */
export function slotOf(world: World, instance: Entity, name: string): Entity | undefined {
  const prefab = prefabOf(world, instance);
  if (prefab === undefined)
    throw new TreelineError("bad-term", `${textOf(world, instance)} is not an instance of a prefab`);
  const part = slotsOf(world, prefab).get(name);
  if (part === undefined)
    throw new TreelineError(
      "bad-term",
      `${textOf(world, prefab)} has no slot ${shown(name)}; add Slot(${shown(name)}) to a part`,
    );
  return partOf(world, instance, part);
}

function slotsOf(world: World, prefab: Entity): Map<string, Entity> {
  const kept = slotsKept(world);
  const edition = editionOf(world);
  if (kept.edition !== edition) {
    kept.edition = edition;
    kept.slots.clear();
  }
  let found = kept.slots.get(prefab);
  if (found !== undefined) return found;
  kept.slots.set(prefab, (found = new Map()));
  const stack = [prefab];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const child of children(world, at).reverse()) stack.push(child);
    // A part of a variant has the slot of what it was made from.
    for (
      let from: Entity | undefined = at;
      from !== undefined && isAlive(world, from);
      from = linkedPart(world, from)
    ) {
      const name = get(world, from, Slot);
      if (name !== undefined && !found.has(name)) found.set(name, at);
    }
  }
  return found;
}

/**
 * The entities that are instances of a prefab, in the order in which they were spawned or got their present parents; parts of other prefabs that are instances, and their
 * copies, among them. Returns a new list.
 *
 * @throws TreelineError `dead-entity`.
 */
export function instancesOf(world: World, prefab: Entity): Entity[] {
  return subjectsOf(world, prefab, BareIsA);
}

/** The index of the root of the instance that an entity belongs to: the nearest at or above it that was made from the root of a prefab. 0 for none. */
export function instanceAt(world: World, index: number): number {
  const number = linkAt(world, index);
  const published = number === 0 ? undefined : publishedOf(world, number);
  if (published === undefined) return 0;
  for (let at: Entity | undefined = handleOf(world, index); at !== undefined; at = parentOf(world, at))
    if (linkedPart(world, at) === published.root) return indexOf(at);
  return 0;
}
