// Which parts of instances come, go and move when the prefab has others (`planTree`, `planGone`), and the order of siblings (`orderParts`).
import { type Entity, parentOf, type Relation, type SpawnTerm, subjectsOf, type World } from "@treeline/core";
import { indexOf, replaceChildren } from "@treeline/core/internal";
import { children, isDescendant } from "@treeline/query";
import { type Fact, type InInstance, pointedValue } from "../publish/facts.ts";
import { childrenIn, type Published } from "../publish/published.ts";
import { linkedPart, partOf, partsOf } from "../spawn/find-part.ts";
import { partTerms } from "../spawn/part-terms.ts";
import { storageOf } from "../spawn/storage-of.ts";
import { loses, type Merge, parentIn, place as planPlace, planSpawn, relationsIn } from "./merge.ts";
import { hasMade, isUntouched } from "./untouched.ts";

type Tree = NonNullable<Published["tree"]>;

/** How the tree of a prefab differs from the one that an instance got. */
export interface TreeChange {
  readonly instance: Entity;
  readonly before: Tree;
  readonly now: Tree;
  /** By part, the entities that it had before, and those that it will have, in the plan. */
  readonly present: ReadonlyMap<Entity, Entity>;
  readonly made: Map<Entity, Entity>;
  /** The same for all instances with that tree. */
  readonly orders: readonly OrderChange[];
}

/** Plans to bring an instance to the tree that its prefab has now: new parts are spawned; parts that the instance has left where they were follow. */
export function planTree(
  world: World,
  merge: Merge,
  instance: Entity,
  { root, tree: before }: Published,
  now: Tree,
  orders: readonly OrderChange[],
): TreeChange {
  const present = partsOf(world, instance, root);
  const made = new Map<Entity, Entity>();
  const own = (part: Entity): Entity | undefined => present.get(part) ?? made.get(part);
  const isPart = (target: Entity): boolean => target === root || now.has(target);
  for (const [part, parent] of now) {
    const above = own(parent);
    const former = before!.get(part);
    const entity = present.get(part);
    if (former === undefined) {
      if (entity !== undefined || above === undefined) continue;
      const inside: InInstance = (target) => (isPart(target) ? own(target) : target);
      made.set(part, planPart(world, merge, part, above, inside));
    } else if (former !== parent && entity !== undefined && parentOf(world, entity) === present.get(former)) {
      // What finds no place when its parent is gone is attached to the instance.
      const place = above ?? (isPart(former) ? undefined : instance);
      if (place !== undefined) planPlace(merge, entity, place);
    }
  }
  return { instance, before: before!, now, present, made, orders };
}

/** Plans a copy of a part. @param inside what entities are in the instance; `undefined` for parts that it has not. @returns what it is in the plan. */
export function planPart(
  world: World,
  merge: Merge,
  part: Entity,
  parent: Entity,
  inside: InInstance,
): Entity {
  const index = indexOf(part);
  return planSpawn(merge, parent, storageOf(world, index, undefined), () => {
    const terms: SpawnTerm[] = [];
    for (const term of partTerms(world, index, false, (target) => inside(target) ?? target)) {
      if (typeof term !== "object") {
        terms.push(term);
        continue;
      }
      const { definition, target, value } = term as unknown as Fact;
      if (target !== 0 && inside(target) === undefined) continue;
      terms.push({ definition, target, value: pointedValue(definition, value, inside) } as never);
    }
    return terms;
  });
}

/** Plans to destroy the parts that are gone, unless the instance has changed them, or something stays that is below them or holds them. @returns those that stay. */
export function planGone(world: World, merge: Merge, changes: readonly TreeChange[]): [Entity, Entity][] {
  const { gone } = merge;
  const holding = [...relationsIn(world)].filter((one) => one.onTargetDestroy !== "remove");
  const all: [entity: Entity, instance: Entity][] = [];
  for (const { instance, before, now, present } of changes)
    for (const part of before.keys()) {
      const entity = now.has(part) ? undefined : present.get(part);
      if (entity === undefined) continue;
      all.push([entity, instance]);
      if (isUntouched(world, entity)) gone.add(entity);
    }
  const isHeld = (entity: Entity, instance: Entity): boolean =>
    holding.some((relation) =>
      subjectsOf(world, entity, relation as Relation).some(
        (one) =>
          !gone.has(one) &&
          !loses(merge, one, relation, entity) &&
          (relation.onTargetDestroy === "refuse" ||
            ((one === instance || isDescendant(world, one, instance)) &&
              !hasMade(world, one, relation, entity))),
      ),
    );
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const [entity, instance] of all) {
      const isBelow = (child: Entity): boolean => !gone.has(child) && parentIn(merge, child) === entity;
      if (gone.has(entity) && (children(world, entity).some(isBelow) || isHeld(entity, instance)))
        gone.delete(entity);
    }
  }
  return all.filter(([entity]) => !gone.has(entity));
}

/** Siblings whose parent has others now, or has them in another order. */
export interface OrderChange {
  readonly parent: Entity;
  readonly parts: ReadonlySet<Entity>;
  /** Those of them that it had before, in that order. */
  readonly old: readonly Entity[];
}

export function orderChanges(before: Tree, now: Tree): OrderChange[] {
  const former = childrenIn(before);
  const found: OrderChange[] = [];
  for (const [parent, list] of childrenIn(now)) {
    const parts = new Set(list);
    const old = (former.get(parent) ?? []).filter((part) => parts.has(part));
    if (list.length !== old.length || !list.every((part, at) => part === old[at]))
      found.push({ parent, parts, old });
  }
  return found;
}

/** Siblings of the instance that are in the former order get the new one; what was attached stays behind the same sibling. */
export function orderParts(
  world: World,
  instance: Entity,
  root: Entity,
  { parent, parts, old }: OrderChange,
): void {
  const above = parent === root ? instance : partOf(world, instance, parent);
  if (above === undefined) return;
  const present = children(world, above);
  const madeFrom = present.map((child) => linkedPart(world, child)!);
  const isOld = new Set(old);
  const own = madeFrom.filter((part) => isOld.has(part));
  const isOwn = new Set(own);
  const expected = old.filter((part) => isOwn.has(part));
  if (!own.every((part, at) => part === expected[at])) return;
  const behind = new Map<Entity | undefined, Entity[]>([[undefined, []]]);
  let last: Entity | undefined;
  for (const [at, child] of present.entries()) {
    if (parts.has(madeFrom[at]!) && !behind.has(madeFrom[at]!)) behind.set((last = madeFrom[at]!), [child]);
    else behind.get(last)!.push(child);
  }
  replaceChildren(
    world,
    above,
    [undefined, ...parts].flatMap((part) => behind.get(part) ?? []),
  );
}
