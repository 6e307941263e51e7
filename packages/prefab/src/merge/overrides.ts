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
  set,
  type Tag,
  type World,
} from "@treeline/core";
import {
  addHidden,
  deferCommand,
  handleOf,
  indexOf,
  inheritedOf,
  mustDefer,
  removeMatching,
  requireAlive,
} from "@treeline/core/internal";
import { childNamed, Name } from "@treeline/names";
import { children } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { OwnCopies } from "../base/definitions.ts";
import { refuseTerm, requireIdle } from "../base/require.ts";
import {
  changedFields,
  copied,
  type Fact,
  factOf,
  factsOf,
  isGiven,
  pointed,
  sameIn,
  termOf,
} from "../publish/facts.ts";
import { publish, publishedOf, treeOf } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import {
  instanceAt,
  instanceOf,
  instancesAbove,
  isInstanceRoot,
  partOf,
  partsOf,
  prefabOf,
} from "../spawn/find-part.ts";
import { copyPart } from "../spawn/instantiate.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { linkAt } from "../state/part-records.ts";
import { isAllowed } from "./merge-tree.ts";
import { pointInside } from "./point-inside.ts";
import { toInstance } from "./untouched.ts";

/** What an instance has changed. */
export interface Override {
  /**
   * `value`: fields of a component differ. `added`, `removed`: a component or tag that the prefab has not, or has. `attached`: an entity that
   * was put there. `missing`: a part that the instance has removed. `moved`: a part that has another parent.
   */
  readonly kind: "value" | "added" | "removed" | "attached" | "missing" | "moved";
  /** The entity of the instance; for `missing` the one below which the part would be. */
  readonly entity: Entity;
  /** What the entity was made from; for `missing` the part. `undefined` for `attached`. */
  readonly part: Entity | undefined;
  /** The component or tag of the first three kinds. */
  readonly definition: Definition | undefined;
  /** The names of the fields of a `value` that differ; empty for a component without fields. */
  readonly fields: readonly string[];
}

/**
 * Lists what an instance has changed, parents before children. Values that are equal to those of the prefab, now or as they were published, are no overrides.
 * Of what is below attached entities only parts of the instance are listed, and no pairs. Returns a new list. Cost: all values of the instance.
 *
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance.
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
  fields: readonly string[] = [],
): void {
  found.push({ kind, entity, part, definition, fields });
}

/** @throws TreelineError `dead-entity`, `bad-term`. */
function requireInstance(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (linkAt(world, indexOf(entity)) !== 0) return;
  refuseTerm(world, entity, "belongs to no instance of a prefab");
}

/** What a part has or inherits, with the entities of the instance. */
function factOfPart(world: World, entity: Entity, part: Entity, definition: Definition): Fact | undefined {
  if (!has(world, part, definition as Component)) return undefined;
  return pointed(factOf(world, part, definition), toInstance(world, entity));
}

function listOwn(world: World, entity: Entity, part: Entity, found: Override[]): void {
  const published = publishedOf(world, linkAt(world, indexOf(entity)));
  const inInstance = toInstance(world, entity);
  for (const own of factsOf(world, entity, published?.part === published?.root)) {
    const { definition } = own;
    if (own.target !== 0) continue;
    const made = published && sameIn(published.facts, own);
    const now = factOfPart(world, entity, part, definition);
    if (now === undefined) {
      if (made === undefined) report(found, "added", entity, part, definition);
      continue;
    }
    const changed = made && changedFields(pointed(made, inInstance), own);
    const fields = changedFields(now, own).filter((field) => changed?.includes(field) !== false);
    if (fields.length === 0) continue;
    const names = fields.map(([name]) => name).filter((name) => name !== "");
    report(found, "value", entity, part, definition, names);
  }
  for (const { definition, target } of published?.facts ?? [])
    if (
      target === 0 &&
      !has(world, entity, definition as Component) &&
      has(world, part, definition as Component)
    )
      report(found, "removed", entity, part, definition);
}

/** Parts that are missing or elsewhere. */
function listPlaces(world: World, instance: Entity, found: Override[]): void {
  const published = publishedOf(world, linkAt(world, indexOf(instance)));
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

function revertOne(world: World, entity: Entity, part: Entity, definition: Definition): void {
  const now = factOfPart(world, entity, part, definition);
  const isShared = isSharedBy(world, part, definition);
  if (now === undefined || isShared) remove(world, entity, definition as Component);
  if (now === undefined) return;
  if (!isShared) add(world, entity, termOf(definition, copied(definition, now.value)));
  else if (!has(world, entity, definition as Component))
    addHidden(world, entity, [termOf(inheritedOf(definition))]);
}

/** Do instances inherit a component or tag of a part? */
function isSharedBy(world: World, part: Entity, definition: Definition): boolean {
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

/**
 * Gives the prefab what an entity of an instance has changed: one component or tag, or all that `overridesOf` lists of this entity (not of those below it). Other
 * instances inherit it, or follow with `refreshInstances`.
 *
 * Entities of the instance that values point to become the parts that they were made from. All is state of the world: `restore` of a snapshot undoes it.
 *
 * @throws TreelineError `dead-entity`; `bad-term` for an entity that belongs to no instance; `iterating` inside an iteration; and what hooks throw.
 *
 * @example
 * applyToPrefab(world, turret, Health);
 * refreshInstances(world, tank);
 */
export function applyToPrefab(world: World, entity: Entity, what?: Component | Tag): void {
  requireInstance(world, entity);
  requireIdle(world, "applyToPrefab");
  const part = prefabOf(world, entity);
  if (part === undefined) return;
  const overrides: Override[] = [];
  listOwn(world, entity, part, overrides);
  for (const { definition, kind, fields } of overrides) {
    if (what !== undefined && definition !== what) continue;
    if (kind === "removed") remove(world, part, definition as Tag);
    else applyOne(world, entity, part, definition!, kind === "added" ? undefined : fields);
  }
}

/** @param fields the names of those that differ; `undefined` for the whole value. */
function applyOne(
  world: World,
  entity: Entity,
  part: Entity,
  definition: Definition,
  fields: readonly string[] | undefined,
): void {
  if (definition.holds === "nothing") add(world, part, definition as Tag);
  else {
    const whole = copied(definition, get(world, entity, definition as Component));
    const value =
      definition.holds === "fields" ? inPrefab(world, entity, definition, whole as object, fields) : whole;
    set(world, part, definition as Component<unknown, unknown, unknown>, value);
  }
  if (isSharedBy(world, part, definition)) revertOne(world, entity, part, definition);
}

/** Some fields of a value, with the parts of the prefab in place of entities of the instance. */
function inPrefab(
  world: World,
  entity: Entity,
  definition: Definition,
  value: object,
  fields: readonly string[] | undefined,
): object {
  const own = instanceAt(world, indexOf(entity));
  const found: { [name: string]: unknown } = {};
  for (const [name, { kind }] of definition.fields) {
    if (fields?.includes(name) === false) continue;
    const field = (value as { readonly [name: string]: unknown })[name];
    const isInside =
      kind === "entity" && field !== undefined && instanceAt(world, indexOf(field as Entity)) === own;
    found[name] = isInside ? (prefabOf(world, field as Entity) ?? field) : field;
  }
  return found;
}

/**
 * Whether instances get a value of their own of a component that they would inherit, from the first moment on; or not any more. It
 * concerns instances that are made from now on.
 *
 * Inside an iteration it is done when that ends.
 *
 * @param part a prefab or a part of one.
 * @throws TreelineError `dead-entity`; `iterating` inside an iteration of a strict world.
 *
 * @example
 * autoOverride(world, turretOfPrefab, Mesh);
 */
export function autoOverride(world: World, part: Entity, what: Component | Tag, isOn = true): void {
  requireAlive(world, part);
  const index = indexOf(part);
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
