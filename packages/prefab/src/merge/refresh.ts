// `refreshInstances`; one number for each part from then on (`keepNumbers`).
import { add, type Entity, isAlive, targetOf, type World } from "@treeline/core";
import { handleOf, hasDefinition, indexOf, Prefab, removeMatching } from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { requireIdle, requirePrefab } from "../base/require.ts";
import { outlivePart } from "../make/template-work.ts";
import { type Change, changesOf } from "../publish/facts.ts";
import { isSameTree, type Published, publishedOf, take, treeOf } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { followedBy } from "../spawn/find-part.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { eachLinkedRun, linkedByNumber } from "../state/owners.ts";
import {
  ensureNumber,
  numberOf,
  recordsOf,
  releaseNumber,
  renewNumber,
  setLink,
} from "../state/part-records.ts";
import { isAllowed, type Merge, newMerge, runMerge } from "./merge.ts";
import { orderChanges, orderParts, planGone, planTree, type TreeChange } from "./merge-tree.ts";
import { isPlain, mergeColumns, mergeFacts } from "./merge-values.ts";

/**
 * Brings the instances of a prefab up to date after it was edited, by a merge of three: what an instance has as it was published
 * follows the prefab, field by field; everything else is an override and stays. New parts are spawned, and parts that are gone are
 * destroyed, unless the instance has changed them or something was attached to them; parts that the instance removed stay removed,
 * and what was attached stays. Names, pairs, places and orders of siblings follow in the same way. Prefabs that are instances, or
 * contain some, are refreshed in turn, with their own instances.
 *
 * Inherited values need none of this: they are those of the prefab at any time.
 *
 * It is one change: names, places and targets that parts give up are free for others, and what goes is destroyed last. What an
 * instance cannot have is left out there, and is no error: a name that is taken, a pair whose target is `full`, and what would be a
 * `cycle`.
 *
 * @cost for a changed number, one comparison for each linked entity whose archetype has the component; for other changes, a change
 *   of each instance.
 * @throws TreelineError `dead-entity`; `bad-term` for what is no prefab; `iterating` inside an iteration; `refused` if a part that
 *   goes is the target of a pair that refuses it; `capacity` for new parts; what `check` hooks throw: then nothing has changed in
 *   the instances of that prefab; and what observers throw: then instances have followed in part, and another call does the rest.
 *
 * @example
 * set(world, turretOfPrefab, Health, { points: 120 });
 * refreshInstances(world, tank);
 */
export function refreshInstances(world: World, prefab: Entity): void {
  requirePrefab(world, prefab);
  requireIdle(world, "refreshInstances");
  for (const root of prefabsAfter(world, prefab)) if (isAlive(world, root)) refresh(world, root);
}

/** A prefab, and those that contain its instances, in turn: each after those that it follows. */
function prefabsAfter(world: World, prefab: Entity): Entity[] {
  const followers = new Map<Entity, Entity[]>();
  eachLinkedRun(world, (archetype, _, first, end) => {
    if (!hasDefinition(archetype, Prefab)) return;
    for (let row = first; row < end; row++) {
      const index = archetype.lanes.i32[row]!;
      // A part of an instance that was moved into a prefab without the rest may even be in its own.
      const root = followedBy(world, index);
      if (root === undefined) continue;
      let list = followers.get(root);
      if (list === undefined) followers.set(root, (list = []));
      list.push(prefabRootOf(world, handleOf(world, index))!);
    }
  });
  const met = new Set([prefab]);
  const order: Entity[] = [];
  const stack = [prefab];
  for (let root = stack.at(-1); root !== undefined; root = stack.at(-1)) {
    const next = followers.get(root)?.pop();
    if (next === undefined) order.push(stack.pop()!);
    else if (!met.has(next)) {
      met.add(next);
      stack.push(next);
    }
  }
  return order.reverse();
}

/** Refreshes the instances of one prefab. */
function refresh(world: World, root: Entity): void {
  const { published } = recordsOf(world);
  const numbers: number[] = [];
  for (let number = 1; number < published.length; number++)
    if ((published[number] as Published | undefined)?.root === root) numbers.push(number);
  if (numbers.length === 0) return;
  const tree = treeOf(world, indexOf(root));
  const now = new Map<Entity, Published>();
  for (const part of [root, ...tree.keys()]) {
    const index = indexOf(part);
    const one = take(world, indexOf(root), index, part === root ? tree : undefined);
    now.set(part, one);
    const number = numberOf(world, index);
    if (number === 0) published[ensureNumber(world, index)] = one;
    // It may have been published as a part of another prefab since then.
    else if (publishedOf(world, number)?.root !== root) renewNumber(world, index);
  }
  const merge = newMerge(world, false);
  const trees = planTrees(world, merge, root, numbers, tree);
  const plain = planValues(world, merge, numbers, now, trees);
  const kept = planGone(world, merge, [...trees.values()]);
  runMerge(merge);
  for (const [number, change] of plain) mergeColumns(world, number, change);
  for (const { instance, orders } of trees.values())
    for (const one of orders) if (isAlive(world, instance)) orderParts(world, instance, root, one);
  for (const [entity, instance] of kept) if (isAlive(world, entity)) outlivePart(world, entity, instance);
  const rebased = rebasedParts(world, numbers, now);
  keepNumbers(world, numbers, now);
  for (const { entity, before, after } of rebased) {
    if (!isAlive(world, entity)) continue;
    if (after !== undefined) isAllowed(() => add(world, entity, BareIsA(after)));
    else if (before !== undefined)
      removeMatching(world, indexOf(entity), { definition: BareIsA, target: before });
  }
}

/** @returns what becomes of instances whose prefab has another tree. */
function planTrees(
  world: World,
  merge: Merge,
  root: Entity,
  numbers: readonly number[],
  now: ReadonlyMap<Entity, Entity>,
): Map<Entity, TreeChange> {
  const found = new Map<Entity, TreeChange>();
  for (const number of numbers) {
    const before = publishedOf(world, number)!;
    if (before.part !== root || before.tree === undefined || isSameTree(before.tree, now)) continue;
    const orders = orderChanges(before.tree, now);
    for (const instance of linkedByNumber(world).get(number) ?? [])
      found.set(instance, planTree(world, merge, instance, before, now, orders));
  }
  return found;
}

/** @returns changes that are written into columns directly, with the numbers of what they concern. */
function planValues(
  world: World,
  merge: Merge,
  numbers: readonly number[],
  now: ReadonlyMap<Entity, Published>,
  trees: ReadonlyMap<Entity, TreeChange>,
): [number, Change][] {
  let linked: Map<number, Entity[]> | undefined;
  const plain: [number, Change][] = [];
  const planned = (instance: Entity, part: Entity): Entity | undefined => trees.get(instance)?.made.get(part);
  for (const number of numbers) {
    const before = publishedOf(world, number)!;
    const after = now.get(before.part);
    if (after === undefined) continue;
    const changes: Change[] = [];
    for (const change of changesOf(before.facts, after.facts)) {
      if (isPlain(world, change)) plain.push([number, change]);
      else changes.push(change);
    }
    if (changes.length === 0) continue;
    linked ??= linkedByNumber(world);
    for (const entity of linked.get(number) ?? [])
      mergeFacts(world, merge, entity, before, changes, toInstance(world, entity, planned));
  }
  return plain;
}

/** The parts of instances whose parts of the prefab are instances of another prefab now, or of none; those that the instance has changed left aside. */
function rebasedParts(
  world: World,
  numbers: readonly number[],
  now: ReadonlyMap<Entity, Published>,
): { entity: Entity; before: Entity | undefined; after: Entity | undefined }[] {
  const found: ReturnType<typeof rebasedParts> = [];
  for (const number of numbers) {
    const { part, base: before } = publishedOf(world, number)!;
    const after = now.get(part)?.base;
    if (!now.has(part) || before === after) continue;
    const isKnown = before !== undefined && isAlive(world, before);
    for (const entity of linkedByNumber(world).get(number) ?? [])
      if (targetOf(world, entity, BareIsA) === (isKnown ? before : undefined))
        found.push({ entity, before, after });
  }
  return found;
}

/** From now on all instances have what is published now: one number for each part. */
function keepNumbers(world: World, numbers: readonly number[], now: ReadonlyMap<Entity, Published>): void {
  const { published } = recordsOf(world);
  let linked: Map<number, Entity[]> | undefined;
  for (const number of numbers) {
    const { part } = publishedOf(world, number)!;
    const newest = now.has(part) ? numberOf(world, indexOf(part)) : 0;
    if (newest === number) continue;
    linked ??= linkedByNumber(world);
    const entities = linked.get(number) ?? [];
    if (newest === 0 && entities.length > 0) continue;
    for (const entity of entities) setLink(world, indexOf(entity), newest);
    releaseNumber(world, number);
  }
  for (const [part, one] of now) {
    const number = numberOf(world, indexOf(part));
    if (number !== 0) published[number] = one;
  }
}
