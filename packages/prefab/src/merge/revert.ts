import {
  add,
  type Component,
  type Definition,
  type Entity,
  get,
  has,
  isAlive,
  parentOf,
  remove,
  type Tag,
  type World,
} from "@treeline/core";
import { addHidden, handleOf, indexOf, inheritedOf } from "@treeline/core/internal";
import { childNamed, Name } from "@treeline/names";
import { children } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { requireIdle } from "../base/require.ts";
import { copied, isGiven, termOf } from "../publish/facts.ts";
import { publish, publishedOf } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { instanceAt, partOf, prefabOf } from "../spawn/find-part.ts";
import { copyPart } from "../spawn/instantiate.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { linkAt } from "../state/part-records.ts";
import { isAllowed } from "./merge.ts";
import { factOfPart, overridesOf, requireInstance } from "./overrides.ts";
import { pointInside } from "./point-inside.ts";
import { toInstance } from "./untouched.ts";

/**
 * Makes an entity of an instance what the prefab is now: one component or tag of it, or everything that `overridesOf` lists, in it and below it. What was attached stays,
 * and so does what instances do not get from a prefab. A component that would be inherited is shared again.
 *
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance; `iterating` inside an iteration; and what hooks throw, and what is
 *   refused, such as `name-taken`: other overrides are reverted then.
 *
 * @example
 * revert(world, turret, Health);
 */
export function revert(world: World, entity: Entity, what?: Component | Tag): void {
  requireInstance(world, entity);
  requireIdle(world, "revert");
  if (what !== undefined) {
    const part = prefabOf(world, entity);
    const published = publishedOf(world, linkAt(world, indexOf(entity)));
    if (part !== undefined && isGiven(what, published?.part === published?.root))
      revertOne(world, entity, part, what);
    return;
  }
  let refused = Number.POSITIVE_INFINITY;
  let before: number;
  do {
    before = refused;
    refused = revertAll(world, entity, isAllowed);
  } while (refused > 0 && refused < before); // what was taken may be free by now
  if (refused === 0) return;
  exchangeNames(world, entity);
  revertAll(world, entity, (run) => {
    run();
    return true;
  });
}

/** Reverts what `overridesOf` lists, one by one. @returns how many of them `attempt` has not made. */
function revertAll(world: World, entity: Entity, attempt: (run: () => void) => boolean): number {
  let refused = 0;
  for (const { kind, entity: one, part } of overridesOf(world, entity)) {
    if (kind !== "missing" || !isAlive(world, one) || partOf(world, entity, part!) !== undefined) continue;
    if (!attempt(() => bringBack(world, one, part!))) refused++;
  }
  // Values may point to parts that were missing.
  for (const { kind, entity: one, part, definition } of overridesOf(world, entity)) {
    if (!isAlive(world, one) || part === undefined) continue;
    const run = (): void => {
      if (definition !== undefined) revertOne(world, one, part, definition);
      else if (kind === "moved") attach(world, one, toInstance(world, one)(parentOf(world, part)!)!);
    };
    if (!attempt(run)) refused++;
  }
  return refused;
}

/** Gives parts that have exchanged their names the former ones: they have none for a moment. */
function exchangeNames(world: World, entity: Entity): void {
  /** By part of the instance, the name that it shall have. */
  const names = new Map<Entity, string>();
  for (const { kind, entity: one, part, definition } of overridesOf(world, entity))
    if (kind === "value" && definition === Name) names.set(one, get(world, part!, Name)!);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const [one, name] of names) {
      const parent = parentOf(world, one);
      const other = parent && childNamed(world, parent, name);
      if (other !== undefined && !names.has(other)) names.delete(one); // it keeps its name
    }
  }
  for (const one of names.keys()) if (isAlive(world, one)) remove(world, one, Name);
  for (const [one, name] of names) if (isAlive(world, one)) isAllowed(() => add(world, one, Name(name)));
}

export function revertOne(world: World, entity: Entity, part: Entity, definition: Definition): void {
  const now = factOfPart(world, entity, part, definition);
  const isShared = isSharedBy(world, part, definition);
  if (now === undefined || isShared) remove(world, entity, definition as Component);
  if (now === undefined) return;
  if (!isShared) add(world, entity, termOf(definition, copied(definition, now.value)));
  else if (!has(world, entity, definition as Component))
    addHidden(world, entity, [termOf(inheritedOf(definition))]);
}

/** Do instances inherit a component or tag of a part? */
export function isSharedBy(world: World, part: Entity, definition: Definition): boolean {
  return definition.onInstantiate === "inherit" && !ownCopiesAt(world, indexOf(part)).includes(definition);
}

/** A part that an instance has removed, with all parts below it. */
function bringBack(world: World, above: Entity, part: Entity): void {
  const instance = handleOf(world, instanceAt(world, indexOf(above)));
  publish(world, indexOf(prefabRootOf(world, part)!));
  const made: Entity[] = [];
  const stack = [{ part, above }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const inInstance = (_: number, target: Entity): Entity | undefined => {
      const other = toInstance(world, instance)(target);
      return other === target ? undefined : other;
    };
    const [copy] = copyPart(world, indexOf(step.part), [step.above], inInstance);
    made.push(copy!);
    for (const child of children(world, step.part).reverse())
      if (partOf(world, instance, child) === undefined) stack.push({ part: child, above: copy! });
  }
  for (const one of made) if (isAlive(world, one)) pointInside(world, one);
}
