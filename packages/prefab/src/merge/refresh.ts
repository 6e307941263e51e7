import {
  add,
  type Component,
  type Entity,
  get,
  isAlive,
  parentOf,
  type Relation,
  remove,
  targetOf,
  type World,
} from "@treeline/core";
import { handleOf, hasDefinition, indexOf, Prefab } from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { requireIdle, requirePrefab } from "../base/require.ts";
import { type Change, changesOf, pointed, termOf } from "../publish/facts.ts";
import { isSameTree, type Published, publishedOf, take, treeOf } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { followedBy } from "../spawn/find-part.ts";
import { eachLinked, eachLinkedRun, linkedByNumber } from "../state/owners.ts";
import { numberOf, recordsOf, releaseNumber, renewNumber, setLink } from "../state/part-records.ts";
import { isAllowed, mergeTree } from "./merge-tree.ts";
import { isPlain, mergeColumns, mergeFacts } from "./merge-values.ts";
import { pointInside } from "./point-inside.ts";
import { toInstance } from "./untouched.ts";

/**
 * Brings the instances of a prefab up to date after it was edited, by a merge of three: what an instance has as it was published follows the prefab, field by field;
 * everything else is an override and stays. New parts are spawned, and parts that are gone are destroyed, unless the instance has changed them or something
 * was attached to them; parts that the instance removed stay removed, and what was attached stays. Names, pairs, places and orders of siblings follow in the same way.
 * Prefabs that are instances, or contain some, are refreshed in turn, with their own instances.
 *
 * Inherited values need none of this: they are those of the prefab at any time.
 *
 * Cost: for a changed number, one comparison for each linked entity whose archetype has the component; for other changes, a change of each instance.
 *
 * What an instance cannot have is left out there, and is no error: a name that is taken, a pair whose target is `full`, and what would be a `cycle`.
 *
 * @throws TreelineError `dead-entity`; `bad-term` for what is no prefab; `iterating` inside an iteration; and what hooks and observers throw: then instances have
 *   followed in part, and another call does the rest.
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
    now.set(part, take(world, indexOf(root), index, part === root ? tree : undefined));
    // It may have been published as a part of another prefab since then.
    const number = numberOf(world, index);
    if (number !== 0 && publishedOf(world, number)?.root !== root) renewNumber(world, index);
  }
  const spawned = refreshTrees(world, root, numbers, tree, now);
  refreshValues(world, numbers, now);
  const rebased = rebasedParts(world, numbers, now);
  keepNumbers(world, numbers, now);
  for (const { entity, before, after } of rebased) {
    if (!isAlive(world, entity)) continue;
    if (after !== undefined) isAllowed(() => add(world, entity, BareIsA(after)));
    else if (before !== undefined) remove(world, entity, BareIsA(before));
  }
  for (const entity of spawned) if (isAlive(world, entity)) pointInside(world, entity);
}

function refreshTrees(
  world: World,
  root: Entity,
  numbers: readonly number[],
  now: ReadonlyMap<Entity, Entity>,
  published: ReadonlyMap<Entity, Published>,
): Entity[] {
  const spawned: Entity[] = [];
  for (const number of numbers) {
    const before = publishedOf(world, number)!;
    if (before.part !== root || before.tree === undefined || isSameTree(before.tree, now)) continue;
    const instances = linkedByNumber(world).get(number) ?? [];
    for (const entity of mergeTree(world, instances, { root, before: before.tree, now, published }))
      spawned.push(entity);
  }
  return spawned;
}

function refreshValues(world: World, numbers: readonly number[], now: ReadonlyMap<Entity, Published>): void {
  let linked: Map<number, Entity[]> | undefined;
  const waiting: Refused[] = [];
  for (const number of numbers) {
    const before = publishedOf(world, number)!;
    const after = now.get(before.part);
    if (after === undefined) continue;
    const changes: Change[] = [];
    for (const change of changesOf(before.facts, after.facts)) {
      if (isPlain(world, change)) mergeColumns(world, number, change);
      else changes.push(change);
    }
    if (changes.length === 0) continue;
    linked ??= linkedByNumber(world);
    for (const entity of linked.get(number) ?? []) {
      if (!isAlive(world, entity)) continue; // an observer has destroyed it
      for (const change of mergeFacts(world, entity, before, changes, toInstance(world, entity)))
        waiting.push({ entity, before, change });
    }
  }
  // Others have lost what they had by now.
  const refused = waiting.filter((one) => isRefused(world, one));
  exchangeNames(
    world,
    refused.filter(({ change }) => change.before !== undefined),
  );
  for (const one of refused) giveTargetBack(world, one);
}

/** An instance that cannot have the new target of an exclusive relation keeps the old one, which was removed for others to get it. */
function giveTargetBack(world: World, { entity, before, change }: Refused): void {
  const { definition } = (change.now ?? change.before)!;
  if (!definition.exclusive || !isAlive(world, entity)) return;
  if (targetOf(world, entity, definition as Relation) !== undefined) return;
  const former = before.facts.find((one) => one.definition === definition);
  if (former === undefined) return;
  const { target, value } = pointed(former, toInstance(world, entity));
  if (target !== 0) isAllowed(() => add(world, entity, termOf(definition, value, target)));
}

/** Tries a change that was refused again. */
function isRefused(world: World, { entity, before, change }: Refused): boolean {
  if (!isAlive(world, entity)) return false;
  return mergeFacts(world, entity, before, [change], toInstance(world, entity)).length > 0;
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

/** A change that was refused in an instance; a name may be taken by a sibling that gets another one as well. */
interface Refused {
  readonly entity: Entity;
  readonly before: Published;
  readonly change: Change;
}

/** Names that were taken, by siblings that get other names as well: those that can be had, parent by parent. */
function exchangeNames(world: World, waiting: readonly Refused[]): void {
  const lists = new Map<Entity | undefined, Refused[]>();
  for (const one of waiting) {
    const parent = parentOf(world, one.entity);
    const list = lists.get(parent);
    if (list === undefined) lists.set(parent, [one]);
    else list.push(one);
  }
  for (const list of lists.values()) exchangeAmong(world, list);
}

/** One after another; of siblings that exchange their names, one has none for a moment. */
function exchangeAmong(world: World, siblings: Refused[]): void {
  let waiting = siblings;
  const giveFree = (): void => {
    for (let before = 0; before !== waiting.length; ) {
      before = waiting.length;
      waiting = waiting.filter((one) => isRefused(world, one));
    }
  };
  const siblingNamed = ({ change }: Refused): Refused | undefined =>
    waiting.find(
      ({ entity }) => get(world, entity, change.now!.definition as Component) === change.now!.value,
    );
  giveFree();
  for (const first of waiting) {
    if (!waiting.includes(first)) continue;
    let sibling = siblingNamed(first);
    for (let left = waiting.length; sibling !== undefined && sibling !== first && left > 0; left--)
      sibling = siblingNamed(sibling);
    if (sibling !== first) continue;
    const { entity, change } = first;
    const { definition, value: now } = change.now!;
    const former = get(world, entity, definition as Component);
    const give = (value: unknown): boolean => isAllowed(() => add(world, entity, termOf(definition, value)));
    remove(world, entity, definition as Component);
    waiting = waiting.filter((one) => one !== first);
    giveFree();
    if (isAlive(world, entity) && !give(now)) give(former); // an observer has given the name away
  }
}

/** From now on all instances have what is published now: one number for each part. */
function keepNumbers(world: World, numbers: readonly number[], now: ReadonlyMap<Entity, Published>): void {
  const { published } = recordsOf(world);
  const kept = new Map<number, number>();
  for (const number of numbers) {
    const { part } = published[number] as Published;
    const newest = now.has(part) ? numberOf(world, indexOf(part)) : 0;
    if (newest !== number) kept.set(number, newest);
  }
  const unused = new Set(kept.keys());
  if (kept.size > 0) {
    eachLinked(world, (index, number) => {
      const newest = kept.get(number);
      if (newest === 0) unused.delete(number);
      else if (newest !== undefined) setLink(world, index, newest);
    });
    for (const number of unused) releaseNumber(world, number);
  }
  for (const [part, one] of now) {
    const number = numberOf(world, indexOf(part));
    if (number !== 0) published[number] = one;
  }
}
