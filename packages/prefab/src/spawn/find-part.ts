// Which entity of an instance was made from which part (`partOf`, `slotOf`, `prefabOf`).
import {
  type Entity,
  entityAt,
  get,
  isAlive,
  parentOf,
  subjectsOf,
  targetOf,
  type World,
} from "@treeline/core";
import { handleOf, indexOf, requireAlive, shown, tableAt, worldState } from "@treeline/core/internal";
import { children } from "@treeline/query";
import { BareIsA, Slot } from "../base/definitions.ts";
import { refuseTerm, requireParts } from "../base/require.ts";
import { madeAs } from "../publish/published.ts";
import { editionOf, linkAt, recordsOf } from "../state/part-records.ts";
import { filedPart, filePart } from "../state/part-table.ts";

/**
 * What an entity of an instance was made from: the prefab for its root, a part of the prefab for others.
 *
 * @cost constant.
 * @returns `undefined` for an entity that is in no instance, and if the part is not alive.
 * @throws TreelineError `dead-entity`.
 */
export function prefabOf(world: World, entity: Entity): Entity | undefined {
  requireAlive(world, entity);
  const part = linkedPart(world, entity);
  if (part === undefined && tableAt(world, indexOf(entity)) === 0) return targetOf(world, entity, BareIsA);
  return part !== undefined && isAlive(world, part) ? part : undefined;
}

/** The same; the part may be gone. */
export function linkedPart(world: World, entity: Entity): Entity | undefined {
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
 * The entity of an instance that was made from a part of its prefab, wherever in the instance it is now, and whatever it is named.
 * For a variant, the part may also be one of the prefab that it is based on. Entities of another instance that was attached below
 * are not meant.
 *
 * @cost the depth of the part below the instance. Once after its parts were destroyed and made again, or if they did not get
 *   adjacent indexes, and whenever the answer is `undefined`: the size of the instance.
 * @param part if several parts were made from it, the first one in the order of the tree is found. If the instance has several
 *   entities made from one part, such as a clone beside it, one of them is found.
 * @returns `undefined` if the instance has removed it, or the part is new and the instance was not refreshed.
 * @throws TreelineError `dead-entity` if the instance is not alive; `bad-term` for what is no instance; `iterating` inside the
 *   iteration in which it was spawned: it gets its parts at the end.
 *
 * @example
 * const barrel = partOf(world, tank, partOfPrefab);
 */
export function partOf(world: World, instance: Entity, part: Entity): Entity | undefined {
  requireAlive(world, instance);
  requireParts(world, instance);
  const own = indexOf(instance);
  const published = madeAs(world, own);
  let direct: Entity | undefined = part;
  let place = published?.places?.get(part) ?? 0;
  if (place === 0) {
    if (linkedPart(world, instance) === part) return instance;
    direct = published && sourcesOf(world, published.part).parts.get(part);
    if (direct !== part && isFrom(world, instance, part)) return instance;
    if (published === undefined) return undefined;
    place = (direct && published.places?.get(direct)) ?? 0;
  }
  /** A part of the prefab is found as itself only, although other parts, or the prefab, may be made from it as well. */
  const isOwn = direct === part;
  direct ??= part;
  const { root } = published!;
  // Usually the entities of an instance have adjacent indexes.
  if (place !== 0 && isPart(world, own + place, direct, instance, root)) return handleOf(world, own + place);
  const found = filedPart(world, own, indexOf(direct), (index) =>
    isPart(world, index, direct, instance, root),
  );
  return found === 0 ? fileParts(world, instance, part, root, isOwn) : handleOf(world, found);
}

/** Is the entity at an index made from a part, below an instance, and not in another instance of the same prefab that was attached there? */
function isPart(world: World, index: number, part: Entity, instance: Entity, root: Entity): boolean {
  const entity = entityAt(world, index);
  if (entity === undefined || part === root || linkedPart(world, entity) !== part) return false;
  for (let at = parentOf(world, entity); at !== instance; at = parentOf(world, at))
    if (at === undefined || linkedPart(world, at) === root) return false;
  return true;
}

/** Files all parts of an instance. @returns the first entity that was made from a part; if that is not the prefab's own, also in turn. */
function fileParts(
  world: World,
  instance: Entity,
  part: Entity,
  root: Entity,
  isOwn: boolean,
): Entity | undefined {
  let found: Entity | undefined;
  let isDirect = false;
  const stack = children(world, instance).reverse();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const from = linkedPart(world, at);
    if (from === root) continue;
    if (from !== undefined) filePart(world, indexOf(instance), indexOf(from), indexOf(at));
    if (!isDirect && from === part) {
      isDirect = true;
      found = at;
    } else if (!isOwn && found === undefined && isFrom(world, at, part)) found = at;
    const below = children(world, at);
    for (let child = below.length - 1; child >= 0; child--) stack.push(below[child]!);
  }
  return found;
}

/** `partOf` for the prefab's own parts: finds the entities of an instance in one walk, by their parts. @param root the prefab. */
export function partsOf(world: World, instance: Entity, root: Entity): Map<Entity, Entity> {
  const found = new Map([[root, instance]]);
  const stack = children(world, instance).reverse();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const part = linkedPart(world, at);
    if (part === root) continue;
    if (part !== undefined && !found.has(part)) found.set(part, at);
    for (const child of children(world, at).reverse()) stack.push(child);
  }
  return found;
}

/** What is at and below a part of a prefab. */
interface Sources {
  /** The parts themselves; and by what they were made from, in turn, the first one of them. */
  readonly parts: Map<Entity, Entity>;
  /** By the names of slots. */
  readonly slots: Map<string, Entity>;
}

/** By part; valid for one edition. */
const sourcesKept = /* @__PURE__ */ worldState(() => ({ edition: 0, sources: new Map<Entity, Sources>() }));

function sourcesOf(world: World, prefab: Entity): Sources {
  const kept = sourcesKept(world);
  const edition = editionOf(world);
  if (kept.edition !== edition) {
    kept.edition = edition;
    kept.sources.clear();
  }
  let found = kept.sources.get(prefab);
  if (found !== undefined) return found;
  kept.sources.set(prefab, (found = { parts: new Map(), slots: new Map() }));
  const stack = isAlive(world, prefab) ? [prefab] : [];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    found.parts.set(at, at);
    for (const child of children(world, at).reverse()) stack.push(child);
  }
  for (const at of [...found.parts.keys()])
    for (let from: Entity | undefined = at; from !== undefined; from = linkedPart(world, from)) {
      if (!found.parts.has(from)) found.parts.set(from, at);
      if (!isAlive(world, from)) break;
      // A part of a variant has the slot of what it was made from.
      const name = get(world, from, Slot);
      if (name !== undefined && !found.slots.has(name)) found.slots.set(name, at);
    }
  return found;
}

/**
 * The entity of an instance that has a slot: that was made from the part of its prefab with `Slot(name)`. Renaming and moving the
 * entity or the part changes nothing.
 *
 * @cost as `partOf`.
 * @returns `undefined` if the instance has removed it.
 * @throws TreelineError `dead-entity` if the instance is not alive; `bad-term` if it is no instance, or its prefab has no such slot;
 *   `iterating` as `partOf`.
 *
 * @example
 * const gun = slotOf(world, tank, "turret");
 */
export function slotOf(world: World, instance: Entity, name: string): Entity | undefined {
  const prefab = prefabOf(world, instance);
  if (prefab === undefined) refuseTerm(world, instance, "is not an instance of a prefab");
  const part = sourcesOf(world, prefab).slots.get(name);
  if (part === undefined) refuseTerm(world, prefab, `has no slot ${shown(name)}; add it to a part`);
  return partOf(world, instance, part);
}

/**
 * The entities that are instances of a prefab, in the order in which they were spawned or got their present parents; parts of other
 * prefabs that are instances, and their copies, among them. Returns a new list.
 *
 * @cost as `subjectsOf`.
 * @throws TreelineError `dead-entity`.
 */
export function instancesOf(world: World, prefab: Entity): Entity[] {
  return subjectsOf(world, prefab, BareIsA);
}

/** The index of the root of the instance that an entity belongs to: the nearest at or above it that was made from the root of a prefab. 0 for none. */
export function instanceAt(world: World, index: number): number {
  const published = madeAs(world, index);
  if (published === undefined) return 0;
  for (let at: Entity | undefined = handleOf(world, index); at !== undefined; at = parentOf(world, at))
    if (linkedPart(world, at) === published.root) return indexOf(at);
  return 0;
}

/** The prefab that an entity follows as one of the entities of an instance; `undefined` if it is in none. */
export function followedBy(world: World, index: number): Entity | undefined {
  return instanceAt(world, index) === 0 ? undefined : madeAs(world, index)!.root;
}

/** The root of an instance above an entity, and the next one above that. */
export interface InstanceAbove {
  readonly entity: Entity;
  readonly above: InstanceAbove | undefined;
}

/** Is an entity the root of an instance of a prefab that is alive? */
export function isInstanceRoot(world: World, entity: Entity): boolean {
  const published = madeAs(world, indexOf(entity));
  return published !== undefined && published.part === published.root && isAlive(world, published.root);
}

/**
 * The root of the instance that an entity was made with, if it is below that.
 * @param near the nearest root of an instance at or above it.
 */
export function instanceOf(
  world: World,
  entity: Entity,
  near: InstanceAbove | undefined,
): Entity | undefined {
  const published = madeAs(world, indexOf(entity));
  if (published === undefined) return undefined;
  let at = near;
  while (at !== undefined && linkedPart(world, at.entity) !== published.root) at = at.above;
  return at?.entity;
}

/** The roots of instances at and above an entity. */
export function instancesAbove(world: World, entity: Entity): InstanceAbove | undefined {
  const above: Entity[] = [];
  for (let at: Entity | undefined = entity; at !== undefined; at = parentOf(world, at))
    if (isInstanceRoot(world, at)) above.push(at);
  return above.reduceRight<InstanceAbove | undefined>(
    (found, one) => ({ entity: one, above: found }),
    undefined,
  );
}
