// What an instance has changed (`overridesOf`), and `autoOverride`.
import {
  type Component,
  type Definition,
  type Entity,
  has,
  isAlive,
  parentOf,
  type Tag,
  type World,
} from "@treeline/core";
import {
  addHidden,
  deferCommand,
  indexOf,
  mustDefer,
  removeMatching,
  requireAlive,
} from "@treeline/core/internal";
import { children } from "@treeline/query";
import { OwnCopies } from "../base/definitions.ts";
import { refuseTerm, requireParts } from "../base/require.ts";
import {
  changedFields,
  type Fact,
  factsOf,
  givenFact,
  pairFacts,
  pointed,
  sameIn,
} from "../publish/facts.ts";
import { madeAs, treeOf } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { instanceOf, instancesAbove, isInstanceRoot, partsOf, prefabOf } from "../spawn/find-part.ts";
import { isOfPrefab } from "../spawn/part-terms.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { linkAt } from "../state/part-records.ts";
import { madeFacts } from "./untouched.ts";

/** What an instance has changed. */
export interface Override {
  /**
   * `value`: fields of a component or a pair differ. `added`, `removed`: a component, a tag or a pair that the prefab has not, or
   * has. `attached`: an entity that was put there. `missing`: a part that the instance has removed. `moved`: a part that has
   * another parent.
   */
  readonly kind: "value" | "added" | "removed" | "attached" | "missing" | "moved";
  /** The entity of the instance; for `missing` the one below which the part would be. */
  readonly entity: Entity;
  /** What the entity was made from; for `missing` the part. `undefined` for `attached`. */
  readonly part: Entity | undefined;
  /** The component, tag or relation of the first three kinds. */
  readonly definition: Definition | undefined;
  /** The target of a pair, in the instance; `undefined` for what is none. */
  readonly target: Entity | undefined;
  /** The names of the fields of a `value` that differ; empty for a component without fields. */
  readonly fields: readonly string[];
}

/**
 * Lists what an instance has changed, parents before children. Values that are equal to those of the prefab, now or as they were
 * published, are no overrides. Of what is below attached entities only parts of the instance are listed, and no pairs. Returns a
 * new list.
 *
 * @cost all values of the instance.
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance; `iterating` as `partOf`.
 *
 * @example
 * for (const { entity, definition, fields } of overridesOf(world, tank)) panel.show(entity, definition?.name, fields);
 */
export function overridesOf(world: World, instance: Entity): Override[] {
  requireInstance(world, instance);
  const found: Override[] = [];
  const near = instancesAbove(world, instance);
  const root = instanceOf(world, instance, near);
  const stack = [{ entity: instance, near, isBelowAttached: false }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { entity } = step;
    let { near, isBelowAttached } = step;
    if (entity !== instance && isInstanceRoot(world, entity)) near = { entity, above: near };
    const part = prefabOf(world, entity);
    if (part !== undefined && instanceOf(world, entity, near) === root) {
      listOwn(world, entity, part, found);
      isBelowAttached = false;
    } else {
      if (!isBelowAttached) report(found, "attached", entity, undefined);
      isBelowAttached = true;
    }
    for (const child of children(world, entity).reverse())
      stack.push({ entity: child, near, isBelowAttached });
  }
  listPlaces(world, instance, found);
  return found;
}

function report(
  found: Override[],
  kind: Override["kind"],
  entity: Entity,
  part: Entity | undefined,
  definition?: Definition,
  target?: Entity,
  fields: readonly string[] = [],
): void {
  found.push({ kind, entity, part, definition, target: target || undefined, fields });
}

/** @throws TreelineError `dead-entity`, `bad-term`. */
export function requireInstance(world: World, entity: Entity): void {
  requireAlive(world, entity);
  requireParts(world, entity);
  if (linkAt(world, indexOf(entity)) !== 0) return;
  refuseTerm(world, entity, "belongs to no instance of a prefab");
}

/** What a part has or inherits, with the entities of the instance. */
export function factOfPart(
  world: World,
  entity: Entity,
  part: Entity,
  definition: Definition,
): Fact | undefined {
  const fact = givenFact(world, part, definition);
  return fact && pointed(fact, toInstance(world, entity));
}

export function listOwn(world: World, entity: Entity, part: Entity, found: Override[]): void {
  const published = madeAs(world, indexOf(entity));
  const isRoot = published?.part === published?.root;
  const own = factsOf(world, entity, isRoot);
  const made = madeFacts(world, entity);
  const hasPairs = [own, made].some((facts) => facts.some(({ target }) => target !== 0));
  const pairs = hasPairs ? pairsOfPart(world, entity, part).map(({ now }) => now) : [];
  for (const fact of own) {
    const { definition, target } = fact;
    if (definition.onInstantiate === "skip") continue;
    const now = target === 0 ? factOfPart(world, entity, part, definition) : sameIn(pairs, fact);
    const before = sameIn(made, fact);
    if (now === undefined) {
      if (before === undefined) report(found, "added", entity, part, definition, target);
      continue;
    }
    const changed = before && changedFields(before, fact);
    const fields = changedFields(now, fact).filter((field) => changed?.includes(field) !== false);
    if (fields.length === 0) continue;
    const names = fields.map(([name]) => name).filter((name) => name !== "");
    report(found, "value", entity, part, definition, target, names);
  }
  for (const [at, fact] of made.entries()) {
    const { definition, target } = fact;
    const isPair = published!.facts[at]!.target !== 0;
    const isLost = isPair
      ? target !== 0 && sameIn(own, fact) === undefined && sameIn(pairs, fact) !== undefined
      : !has(world, entity, definition as Component) && givenFact(world, part, definition) !== undefined;
    if (isLost) report(found, "removed", entity, part, definition, target);
  }
}

/** A pair that instances get of a part, and the same in the instance of an entity. */
interface PairOfPart {
  readonly of: Fact;
  readonly now: Fact;
}

/** The pairs that an entity of an instance would get of its part, those to what the instance has not left aside. */
export function pairsOfPart(world: World, entity: Entity, part: Entity): PairOfPart[] {
  const inInstance = toInstance(world, entity);
  return pairFacts(world, part)
    .filter(({ definition }) => definition.onInstantiate !== "skip")
    .map((of) => ({ of, now: pointed(of, inInstance) }))
    .filter(({ of, now }) => now.target !== 0 && !isOfPrefab(world, part, of, now.target));
}

/** Parts that are missing or elsewhere. */
function listPlaces(world: World, instance: Entity, found: Override[]): void {
  const published = madeAs(world, indexOf(instance));
  if (published?.tree === undefined || !isAlive(world, published.root)) return;
  const { root, tree } = published;
  if (prefabRootOf(world, root) !== root) return; // it is a part of another prefab now
  const partsNow = treeOf(world, indexOf(root));
  const present = partsOf(world, instance, root);
  for (const [part, parent] of tree) {
    const above = partsNow.has(part) ? present.get(parent) : undefined;
    if (above === undefined) continue;
    const entity = present.get(part);
    if (entity === undefined) report(found, "missing", above, part);
    else if (parentOf(world, entity) !== above && partsNow.get(part) === parent)
      report(found, "moved", entity, part);
  }
}

/**
 * Whether instances get a value of their own of a component that they would inherit, from the first moment on; or not any more. Of
 * one that the part lacks they get the default, or nothing if it has none. It concerns instances that are made from now on.
 *
 * Inside an iteration it is done when that ends.
 *
 * @cost constant.
 * @param part a prefab or a part of one.
 * @throws TreelineError `dead-entity`; `bad-term` for what instances never get, by `onInstantiate: "skip"`; `iterating` inside an
 *   iteration of a strict world.
 *
 * @example
 * autoOverride(world, turretOfPrefab, Mesh);
 */
export function autoOverride(world: World, part: Entity, what: Component | Tag, isOn = true): void {
  requireAlive(world, part);
  const index = indexOf(part);
  if (isOn && what.onInstantiate === "skip")
    refuseTerm(world, part, `gives no ${what.name} to instances, which skip it`);
  const change = (): void => {
    if (!isAlive(world, part)) return;
    const others = ownCopiesAt(world, index).filter((one) => one !== what);
    const list = isOn ? [...others, what] : others;
    if (list.length === 0) removeMatching(world, index, { definition: OwnCopies, target: 0 });
    else addHidden(world, part, [OwnCopies(list)]);
  };
  if (mustDefer(world)) deferCommand(world, index, change);
  else change();
}
