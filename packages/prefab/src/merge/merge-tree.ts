import {
  add,
  type Definition,
  type Entity,
  get,
  isAlive,
  parentOf,
  remove,
  spawn,
  TreelineError,
  type World,
} from "@treeline/core";
import { ChildOf, destroyAll, handleOf, indexOf } from "@treeline/core/internal";
import { Name } from "@treeline/names";
import { children, isDescendant, setChildOrder } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { outlivePart } from "../make/template-work.ts";
import { isGiven } from "../publish/facts.ts";
import { childrenIn, type Published } from "../publish/published.ts";
import { linkedPart, partOf } from "../spawn/find-part.ts";
import { copyPart, definitionIn } from "../spawn/instantiate.ts";
import { partTerms } from "../spawn/part-terms.ts";
import { ensureNumber, numberOf, recordsOf } from "../state/part-records.ts";
import { isUntouched } from "./untouched.ts";

type Tree = NonNullable<Published["tree"]>;

/** How the tree of a prefab differs from the one that some instances got. */
interface TreeChange {
  readonly root: Entity;
  readonly before: Tree;
  readonly now: Tree;
  /** What new parts give to instances. */
  readonly published: ReadonlyMap<Entity, Published>;
}

/** The entity of an instance that was made from a part; the instance itself for the root. */
function counterpart(world: World, instance: Entity, root: Entity, part: Entity): Entity | undefined {
  return part === root ? instance : partOf(world, instance, part);
}

/**
 * Brings instances to the tree that their prefab has now: parts that are gone are destroyed, unless the instance has changed them; new parts are
 * spawned; parts and orders of siblings that the instance has left as they were follow.
 *
 * @returns the entities that were spawned.
 */
export function mergeTree(world: World, instances: readonly Entity[], change: TreeChange): Entity[] {
  /** By instance. */
  const waiting = new Map<Entity, Map<Entity, Entity>>();
  let isDone = false;
  try {
    for (const instance of instances) {
      if (!isAlive(world, instance)) continue; // it was destroyed with a part that is gone
      const saved = new Map<Entity, Entity>();
      waiting.set(instance, saved);
      saveParts(world, instance, change, saved);
      removeParts(world, instance, change);
    }
    const orders = orderChanges(change);
    const spawned = addParts(world, instances, change);
    for (const instance of instances) {
      if (!isAlive(world, instance)) continue;
      moveParts(world, instance, change, waiting.get(instance)!);
      waiting.delete(instance);
      for (const one of orders) orderParts(world, instance, change.root, one);
    }
    isDone = true;
    return spawned;
  } finally {
    if (!isDone) for (const [instance, saved] of waiting) endWaiting(world, instance, change, saved);
  }
}

/** An observer or a hook has thrown: what waits goes where it shall be, or to the instance, unless it throws again. */
function endWaiting(
  world: World,
  instance: Entity,
  { root, now }: TreeChange,
  waiting: ReadonlyMap<Entity, Entity>,
): void {
  for (const [entity, shelter] of waiting) {
    const waits = (): boolean => isAlive(world, entity) && parentOf(world, entity) === shelter;
    const above = isAlive(world, entity) ? now.get(linkedPart(world, entity)!) : undefined;
    const home = above && isAlive(world, instance) ? counterpart(world, instance, root, above) : undefined;
    for (const parent of [home, instance])
      if (parent !== undefined && isAlive(world, parent) && waits())
        ignoreErrors(() => attachNamed(world, entity, parent));
    if (isAlive(world, shelter) && !waits()) ignoreErrors(() => destroyAll(world, [indexOf(shelter)]));
  }
}

/** For what follows an error that is thrown already. */
function ignoreErrors(run: () => void): void {
  try {
    run();
  } catch {}
}

/**
 * Takes parts that will have another parent out of those that are gone.
 * @param waiting gets, by such an entity, another one below which it waits: names are free there.
 */
function saveParts(
  world: World,
  instance: Entity,
  { root, before, now }: TreeChange,
  waiting: Map<Entity, Entity>,
): void {
  for (const part of now.keys()) {
    const former = before.get(part);
    if (former === undefined || former === root || now.has(former)) continue;
    const entity = counterpart(world, instance, root, part);
    const above = counterpart(world, instance, root, former);
    if (entity === undefined || above === undefined || parentOf(world, entity) !== above) continue;
    const shelter = spawn(world, ChildOf(instance));
    waiting.set(entity, shelter);
    attach(world, entity, shelter);
  }
}

function removeParts(world: World, instance: Entity, { root, before, now }: TreeChange): void {
  const gone = [...before.keys()].filter((part) => !now.has(part));
  const removed = new Set<Entity>();
  for (const part of gone.reverse()) {
    const entity = counterpart(world, instance, root, part);
    if (entity === undefined) continue;
    const isEmpty = children(world, entity).every((child) => removed.has(child));
    if (isEmpty && isUntouched(world, entity)) removed.add(entity);
    else outlivePart(world, entity, instance); // it stays, as if it had been attached
  }
  if (removed.size > 0) destroyAll(world, topmost(world, removed));
}

/** Those whose parent is not destroyed as well. */
function topmost(world: World, entities: ReadonlySet<Entity>): number[] {
  return [...entities].filter((entity) => !entities.has(parentOf(world, entity)!)).map(indexOf);
}

/** Parents come before their children, so that each finds its parent. */
function addParts(
  world: World,
  instances: readonly Entity[],
  { root, before, now, published }: TreeChange,
): Entity[] {
  const spawned: Entity[] = [];
  for (const [part, parent] of now) {
    if (before.has(part)) continue;
    if (numberOf(world, indexOf(part)) === 0)
      recordsOf(world).published[ensureNumber(world, indexOf(part))] = published.get(part);
    const parents: Entity[] = [];
    const of: Entity[] = [];
    for (const instance of instances) {
      const above = isAlive(world, instance) ? counterpart(world, instance, root, parent) : undefined;
      if (above === undefined || counterpart(world, instance, root, part) !== undefined) continue;
      parents.push(above);
      of.push(instance);
    }
    if (parents.length === 0) continue;
    const inInstance = (at: number, target: Entity): Entity | undefined =>
      target === root || now.has(target) ? counterpart(world, of[at]!, root, target) : undefined;
    for (const entity of copyWhereAllowed(world, indexOf(part), parents, inInstance)) spawned.push(entity);
  }
  return spawned;
}

/** Copies of a part; each without what is refused there. */
function copyWhereAllowed(
  world: World,
  part: number,
  parents: readonly Entity[],
  inInstance: (at: number, target: Entity) => Entity | undefined,
): Entity[] {
  let made: Entity[] | undefined;
  const copy = (): void => {
    made = copyPart(world, part, parents, inInstance);
  };
  if (isAllowed(copy, () => inInstance(0, handleOf(world, part)) !== undefined)) return made!;
  return parents.map((parent, at) => {
    const inside = (_: number, target: Entity): Entity | undefined => inInstance(at, target);
    const [entity] = copyPart(world, part, [parent], inside, mayBeRefused);
    for (const term of partTerms(world, part, false, (target) => inside(0, target)))
      if (mayBeRefused(definitionIn(term) as Definition)) isAllowed(() => add(world, entity!, term));
    return entity!;
  });
}

/** Names, and relations that limit their subjects or refuse cycles. */
function mayBeRefused(definition: Definition): boolean {
  const isName = !isGiven(definition, true) && isGiven(definition, false);
  return isName || definition.maxSubjects > 0 || definition.acyclic;
}

/**
 * What an instance cannot have is left out: a name that is taken, a target that is full, a cycle.
 * @param isDone whether it is there all the same: then the error is one of an observer.
 * @returns false in that case.
 */
export function isAllowed(run: () => void, isDone?: () => boolean): boolean {
  try {
    run();
    return true;
  } catch (error) {
    const isRefusal = error instanceof TreelineError && ["name-taken", "full", "cycle"].includes(error.code);
    if (!isRefusal || isDone?.() === true) throw error;
    return false;
  }
}

/** @param waiting entities that wait elsewhere, with what they are below. */
function moveParts(
  world: World,
  instance: Entity,
  { root, before, now }: TreeChange,
  waiting: ReadonlyMap<Entity, Entity>,
): void {
  for (const [part, parent] of now) {
    const former = before.get(part);
    if (former === undefined || former === parent) continue;
    const entity = counterpart(world, instance, root, part);
    const above = counterpart(world, instance, root, parent);
    if (entity === undefined || above === undefined) continue;
    const isLeft =
      waiting.has(entity) || parentOf(world, entity) === counterpart(world, instance, root, former);
    if (isLeft && entity !== above && !isDescendant(world, above, entity)) attachNamed(world, entity, above);
  }
  // What has found no place is attached to the instance.
  for (const [entity, shelter] of waiting)
    if (isAlive(world, entity) && parentOf(world, entity) === shelter) attachNamed(world, entity, instance);
  destroyAll(world, [...waiting.values()].map(indexOf));
}

/** Attaches an entity, without its name where that is taken; it stays where it is if it would be below itself. */
function attachNamed(world: World, entity: Entity, parent: Entity): void {
  const move = (): void => attach(world, entity, parent);
  const name = get(world, entity, Name);
  if (isAllowed(move) || name === undefined) return;
  remove(world, entity, Name);
  if (!isAllowed(move)) add(world, entity, Name(name));
}

/** Siblings whose parent has others now, or has them in another order. */
interface OrderChange {
  readonly parent: Entity;
  readonly parts: ReadonlySet<Entity>;
  /** Those of them that it had before, in that order. */
  readonly old: readonly Entity[];
}

function orderChanges({ before, now }: TreeChange): OrderChange[] {
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
function orderParts(world: World, instance: Entity, root: Entity, { parent, parts, old }: OrderChange): void {
  const above = counterpart(world, instance, root, parent);
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
  setChildOrder(
    world,
    above,
    [undefined, ...parts].flatMap((part) => behind.get(part) ?? []),
  );
}
