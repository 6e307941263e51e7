import {
  add,
  asTag,
  ChildOf,
  type Component,
  componentsOf,
  type Definition,
  type Entity,
  get,
  Parent,
  pairsOf,
  parentOf,
  remove,
  type SpawnTerm,
  set,
  spawn,
  type Tag,
  tagsOf,
  type World,
} from "@treeline/core";
import {
  addHidden,
  archetypeViewAt,
  destroyAll,
  hasDefinition,
  indexOf,
  inheritedOf,
  Prefab,
  removeMatching,
} from "@treeline/core/internal";
import { Name } from "@treeline/names";
import { children, setChildOrder } from "@treeline/query";
import { BareIsA, OwnCopies } from "../base/definitions.ts";
import { pointTo } from "../merge/point-inside.ts";
import { changedFields, factOf, isSame, pointed, termOf } from "../publish/facts.ts";
import { treeOf } from "../publish/published.ts";
import { linkedPart } from "../spawn/find-part.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { linkAt, noteEdit, setLink } from "../state/part-records.ts";
import { PrefabKey } from "./definitions.ts";
import { Addresses, idOf, lastIdOf, setIds } from "./part-ids.ts";

/**
 * Brings a prefab to what another one is, which was made from a newer document of it. Parts with equal addresses stay the same entities;
 * other parts of the newer one are moved into it; the rest of the newer one is left to be destroyed.
 */
export function updatePrefab(world: World, prefab: Entity, newer: Entity): void {
  const addresses = new Addresses(world);
  const old = addresses.of(prefab);
  const now = addresses.of(newer);
  const oldAt = new Map([...old].map(([part, { address }]) => [address, part]));
  /** A part of the newer one -> the part that it is in the prefab. */
  const same = new Map<Entity, Entity>();
  for (const [part, { address }] of now) {
    // An instance of another prefab is another part, with all its parts.
    const own = address === "" ? prefab : oldAt.get(address);
    if (own !== undefined && (part === newer || linkedPart(world, own)! === linkedPart(world, part)!))
      same.set(part, own);
  }
  const kept = new Set(same.values());
  const target = (part: Entity): Entity => same.get(part) ?? part;
  const tree = [...treeOf(world, indexOf(newer))];
  setIds(
    world,
    prefab,
    tree.flatMap(([part]) => (idOf(world, part) === 0 ? [] : [[idOf(world, part), target(part)] as const])),
    lastIdOf(world, newer),
  );
  unname(world, same, prefab);
  const waiting = destroyOthers(world, prefab, kept);
  for (const [part, parent] of tree) placeBelow(world, part, target(part), target(parent));
  destroyAll(world, waiting.map(indexOf));
  for (const [part, own] of same) syncPart(world, own, part, (one) => target(one as Entity));
  for (const [part] of tree) if (!same.has(part)) pointTo(world, part, (one) => target(one as Entity));
  for (const [part, own] of same) syncName(world, own, part);
  const orders = new Map<Entity, Entity[]>();
  for (const [part, parent] of tree) {
    const list = orders.get(target(parent)) ?? [];
    orders.set(target(parent), list);
    list.push(target(part));
  }
  for (const [parent, order] of orders)
    if (children(world, parent).some((child, at) => child !== order[at])) setChildOrder(world, parent, order);
  noteEdit(world);
}

/** Takes away the names of parts that will have others, or other siblings. */
function unname(world: World, same: ReadonlyMap<Entity, Entity>, prefab: Entity): void {
  for (const [part, own] of same) {
    if (own === prefab) continue;
    const parent = same.get(parentOf(world, part)!);
    const stays = get(world, own, Name) === get(world, part, Name) && parentOf(world, own) === parent;
    if (!stays && get(world, own, Name) !== undefined) remove(world, own, Name);
  }
}

/** Destroys the parts that the newer one has not. @returns entities to which parts below them were moved meanwhile. */
function destroyOthers(world: World, prefab: Entity, kept: ReadonlySet<Entity>): Entity[] {
  const tree = treeOf(world, indexOf(prefab));
  const gone = new Set([...tree.keys()].filter((part) => !kept.has(part)));
  const waiting: Entity[] = [];
  for (const [part, parent] of tree) {
    if (gone.has(part) || !gone.has(parent)) continue;
    const shelter = spawn(world, Prefab as Tag, ChildOf(prefab));
    waiting.push(shelter);
    add(world, part, ChildOf(shelter));
  }
  destroyAll(world, [...gone].filter((part) => !gone.has(tree.get(part)!)).map(indexOf));
  return waiting;
}

/** Moves a part below its parent, stored as in the newer prefab. */
function placeBelow(world: World, part: Entity, own: Entity, parent: Entity): void {
  const isValueParent = archetypeViewAt(world, indexOf(part)).hasValueParent;
  const isSame = archetypeViewAt(world, indexOf(own)).hasValueParent === isValueParent;
  if (parentOf(world, own) === parent && isSame) return;
  add(world, own, (isValueParent ? Parent : ChildOf)(parent));
}

/** Is it said elsewhere what becomes of it? */
function isApart(definition: Definition): boolean {
  return definition === Prefab || definition === PrefabKey || definition === Name;
}

/** Gives a part the values, tags and pairs of the newer one. */
function syncPart(world: World, own: Entity, part: Entity, target: (entity: number) => number): void {
  const index = indexOf(own);
  const from = indexOf(part);
  if (linkAt(world, from) !== 0 && linkAt(world, index) !== 0) setLink(world, index, linkAt(world, from));
  const wanted = ownOf(world, part);
  for (const definition of ownOf(world, own))
    if (!wanted.includes(definition)) remove(world, own, definition as Tag);
  for (const definition of wanted) {
    const fact = pointed(factOf(world, part, definition), (one) => target(one) as Entity);
    const isThere = ownOf(world, own).includes(definition);
    if (!isThere || changedFields(factOf(world, own, definition), fact).length > 0)
      add(world, own, termOf(definition, fact.value));
  }
  syncHidden(world, index, own, from);
  syncPairs(world, own, part, target);
}

/** Own components and tags. */
function ownOf(world: World, entity: Entity): Definition[] {
  return [...componentsOf(world, entity), ...tagsOf(world, entity)].filter(
    (one): one is Component | Tag => !("target" in one) && !isApart(one),
  );
}

/** What instances inherit, and what they get as their own. */
function syncHidden(world: World, index: number, own: Entity, from: number): void {
  const now = archetypeViewAt(world, from);
  for (const { standsFor } of archetypeViewAt(world, index).definitions)
    if (standsFor !== undefined && !hasDefinition(now, standsFor))
      removeMatching(world, index, { definition: inheritedOf(standsFor), target: 0 });
  for (const { standsFor } of now.definitions)
    if (standsFor !== undefined && !hasDefinition(archetypeViewAt(world, index), standsFor))
      addHidden(world, own, [inheritedOf(standsFor) as never]);
  if (hasDefinition(now, OwnCopies)) addHidden(world, own, [OwnCopies([...ownCopiesAt(world, from)])]);
  else if (hasDefinition(archetypeViewAt(world, index), OwnCopies))
    removeMatching(world, index, { definition: OwnCopies, target: 0 });
}

function syncPairs(world: World, own: Entity, part: Entity, target: (entity: number) => number): void {
  const isTree = (relation: Definition): boolean =>
    relation === ChildOf || relation === Parent || relation === BareIsA;
  const wanted = pairsOf(world, part)
    .filter(({ relation }) => !isTree(relation))
    .map((pair) => ({ ...pair, target: target(pair.target) as Entity }));
  const isIn = (pairs: ReturnType<typeof pairsOf>, pair: (typeof wanted)[number]): boolean =>
    pairs.some(
      (one) => one.relation === pair.relation && one.target === pair.target && isSame(one.value, pair.value),
    );
  for (const pair of pairsOf(world, own))
    if (
      !isTree(pair.relation) &&
      !wanted.some((one) => one.relation === pair.relation && one.target === pair.target)
    )
      remove(world, own, pair.relation(pair.target));
  for (const pair of wanted)
    if (!isIn(pairsOf(world, own), pair))
      add(world, own, pair.relation(pair.target, pair.value) as SpawnTerm);
  const tags = tagsOf(world, part).flatMap((one) => ("target" in one ? target(one.target) : []));
  for (const one of tagsOf(world, own))
    if ("target" in one && !tags.includes(one.target)) remove(world, own, one);
  for (const one of tags) add(world, own, asTag(one as Entity));
}

function syncName(world: World, own: Entity, part: Entity): void {
  const name = get(world, part, Name);
  if (name !== undefined && get(world, own, Name) !== name) set(world, own, Name, name);
}
