// Makes an instance what its prefab is (`revert`).
import {
  type AnyKindOfRelation,
  type Component,
  type Definition,
  type Entity,
  has,
  parentOf,
  type Tag,
  type World,
} from "@treeline/core";
import { handleOf, indexOf, inheritedOf, replaceChildren } from "@treeline/core/internal";
import { children } from "@treeline/query";
import { requireIdle } from "../base/require.ts";
import { type Fact, factOf, isGiven, sameIn } from "../publish/facts.ts";
import { madeAs, publish } from "../publish/published.ts";
import { rebase } from "../publish/rebase.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { instanceAt, linkedPart, partOf, prefabOf } from "../spawn/find-part.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { gain, lose, type Merge, newMerge, place, realOf, runMerge } from "./merge.ts";
import { planPart } from "./merge-tree.ts";
import {
  factOfPart,
  listOwn,
  type Override,
  overridesOf,
  pairsOfPart,
  requireInstance,
} from "./overrides.ts";

/**
 * Makes an entity of an instance what the prefab is now: one component or tag of it, its pairs of one relation, or everything that
 * `overridesOf` lists, in it and below it. Parts return to their places among their siblings. What was attached stays, and so does
 * what instances do not get from a prefab. A component that would be inherited is shared again.
 *
 * @cost all values of the entity; without `what`, of everything below it too.
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance; `iterating` inside an iteration; what
 *   hooks throw: nothing has changed then; `name-taken`, `full`, `cycle`, `refused` and `capacity` for what the entity cannot have
 *   again: other overrides are reverted then.
 *
 * @example
 * revert(world, turret, Health);
 */
export function revert(world: World, entity: Entity, what?: Component | Tag | AnyKindOfRelation): void {
  requireInstance(world, entity);
  requireIdle(world, "revert");
  if (what !== undefined) {
    const part = prefabOf(world, entity);
    const published = madeAs(world, indexOf(entity));
    if (part === undefined || !isGiven(what, published?.part === published?.root)) return;
    const merge = newMerge(world, true);
    if (what.kind === "relation") {
      const overrides: Override[] = [];
      listOwn(world, entity, part, overrides);
      for (const one of overrides) if (one.definition === what) planPair(world, merge, one);
    } else planRevert(world, merge, entity, part, what);
    runMerge(merge);
    return;
  }
  let refusal: unknown;
  // Values and places may be those of parts that were missing.
  for (let rounds = 2; rounds > 0; rounds--) {
    const merge = newMerge(world, false);
    /** What returns, with its part. */
    const returning = planAll(world, merge, entity);
    if (![...returning.keys()].some((one) => one < 0)) rounds = 1;
    runMerge(merge);
    for (const [one, part] of returning) returnToPlace(world, realOf(merge, one), part);
    refusal = merge.refusal;
  }
  if (refusal !== undefined) throw refusal;
}

/** @returns entities that come back, or to another parent, with their parts. */
function planAll(world: World, merge: Merge, entity: Entity): Map<Entity, Entity> {
  const returning = new Map<Entity, Entity>();
  const made = new Map<Entity, Entity>();
  for (const override of overridesOf(world, entity)) {
    const { kind, entity: one, part, definition, target } = override;
    if (part === undefined) continue;
    if (target !== undefined) planPair(world, merge, override);
    else if (definition !== undefined) planRevert(world, merge, one, part, definition);
    else if (kind === "missing") returning.set(planMissing(world, merge, one, part, made), part);
    else if (kind === "moved") {
      place(merge, one, toInstance(world, one)(parentOf(world, part)!)!);
      returning.set(one, part);
    }
  }
  return returning;
}

/** Plans to make a component or tag of an entity what its part has. */
export function planRevert(
  world: World,
  merge: Merge,
  entity: Entity,
  part: Entity,
  definition: Definition,
): void {
  rebase(world, indexOf(entity), { definition, target: 0 as Entity, value: undefined });
  const now = factOfPart(world, entity, part, definition);
  const isShared = isSharedBy(world, part, definition);
  const isThere = has(world, entity, definition as Component);
  if (now !== undefined && !isShared) gain(merge, entity, now);
  else if (isThere) lose(merge, entity, factOf(world, entity, definition));
  else if (now !== undefined)
    gain(merge, entity, { ...now, definition: inheritedOf(definition), value: undefined });
}

/** Plans to give a pair of an entity back, or to take it away. */
function planPair(world: World, merge: Merge, { kind, entity, part, definition, target }: Override): void {
  const fact: Fact = { definition: definition!, target: target!, value: undefined };
  const same = pairsOfPart(world, entity, part!).find(({ now }) => sameIn([now], fact) !== undefined);
  if (kind === "added" || same === undefined) lose(merge, entity, fact);
  else {
    rebase(world, indexOf(entity), same.of);
    gain(merge, entity, same.now);
  }
}

/** Do instances inherit a component or tag of a part? */
export function isSharedBy(world: World, part: Entity, definition: Definition): boolean {
  return definition.onInstantiate === "inherit" && !ownCopiesAt(world, indexOf(part)).includes(definition);
}

/** Plans a part that an instance has removed, with all parts below it. @returns what it is in the plan. */
function planMissing(
  world: World,
  merge: Merge,
  above: Entity,
  part: Entity,
  made: Map<Entity, Entity>,
): Entity {
  const instance = handleOf(world, instanceAt(world, indexOf(above)));
  publish(world, indexOf(prefabRootOf(world, part)!));
  const inside = toInstance(world, instance, (_, target) => made.get(target));
  const stack = [{ part, above }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const copy = planPart(world, merge, step.part, step.above, inside);
    made.set(step.part, copy);
    for (const child of children(world, step.part).reverse())
      if (partOf(world, instance, child) === undefined) stack.push({ part: child, above: copy });
  }
  return made.get(part)!;
}

/** Puts an entity behind the sibling that is before its part in the prefab, and what was attached there. */
function returnToPlace(world: World, entity: Entity, part: Entity): void {
  const above = parentOf(world, entity);
  if (above === undefined) return;
  const parts = children(world, parentOf(world, part)!);
  const others = children(world, above).filter((one) => one !== entity);
  const places = others.map((one) => parts.indexOf(linkedPart(world, one)!));
  const own = parts.indexOf(part);
  const behind = places.findLastIndex((place) => place >= 0 && place < own);
  const place = places.findIndex((one, at) => at > behind && one >= 0);
  replaceChildren(world, above, others.toSpliced(place < 0 ? others.length : place, 0, entity));
}
