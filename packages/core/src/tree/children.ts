// Places a child (`moveTo`), moves many at once (`moveAll`, `attachAll`), replaces children, spawns chains; checks before the first change.
import { destroyAll } from "../destroy/destroy.ts";
import { CHILD_OF, ChildOf, Parent } from "../id/builtins.ts";
import type { Relation, ValueTerm } from "../id/definition.ts";
import { type Entity, type EntityIndex, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-index.ts";
import { reparentList } from "../many/reparent-many.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { countIn, memberAt, nextIn } from "../records/families.ts";
import type { PairNumber } from "../storage/table.ts";
import { loseParent } from "../world/change/change-entity.ts";
import { requireMoves } from "../world/change/hook-calls.ts";
import { defer, mustDefer, whileChanging } from "../world/state/lock.ts";
import { NO_CHANGES } from "../world/state/plans.ts";
import { requirePlace } from "../world/state/require.ts";
import { countSubjects, orderedSubjects, parentIndexAt, parentPairAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import {
  moveSibling,
  notifyReordered,
  orderSiblings,
  relistSiblings,
  setParent,
} from "../world/verb/reparent.ts";
import { insideScope, requireRoomForEntities, spawn, spawnNow } from "../world/verb/spawn.ts";

/**
 * Makes an entity a child of a parent, without deferring. The pair keeps the storage of the present parent, ChildOf for roots; a
 * child of that parent moves among its siblings.
 *
 * A deferred verb may find entities that are no longer alive: such an entity is ignored; if its parent has been destroyed,
 * the entity is destroyed too, see `ifParentDestroyed` of `createWorld`.
 *
 * @param place among the parent's other children: 0 for the first, up to their number for the last. `undefined` for the end, or,
 *   for a child of that parent, for its present place.
 * @param sibling a child of that parent from which the place counts instead: 0 before it, 1 after it.
 * @returns -1; or the number of other children if there is no such place: then nothing has changed.
 * @throws as `add` of the parent does.
 */
export function moveTo(
  world: World,
  entity: Entity,
  parent: Entity,
  place?: number,
  sibling?: Entity,
): number {
  const { entities, graph } = world;
  if (!isLiving(entities, entity)) return -1;
  const index = indexOf(entity);
  if (!isLiving(entities, parent)) {
    if (!world.dropsOrphans) destroyAll(world, [index]);
    return -1;
  }
  const target = indexOf(parent);
  const pair = place === undefined ? 0 : findPair(graph.pairs, CHILD_OF, target);
  if (place === undefined || pair === 0) {
    if (place !== undefined && place !== 0) return 0;
    setParent(world, index, target);
    return -1;
  }
  const { families } = graph;
  const isInside = parentPairAt(world, index) === pair;
  let before: EntityIndex; // 0 is the end
  if (sibling !== undefined)
    before = place === 0 ? indexOf(sibling) : nextIn(families, entities, indexOf(sibling));
  else {
    const others = countIn(families, pair) - (isInside ? 1 : 0);
    if (!Number.isInteger(place) || place < 0 || place > others) return others;
    before = memberAt(families, entities, pair, place, isInside ? index : 0);
  }
  if (isInside) moveSibling(world, pair, index, before);
  else setParent(world, index, target, undefined, before);
  return -1;
}

/**
 * Gives several entities other parents, or none, as one change, without deferring: everything is checked before the first entity
 * moves, and entities that leave make room for entities that arrive. Each becomes the last child of its new parent; an entity
 * that already has that parent keeps its place.
 *
 * @param moves living entities, each once, with their new parents; `undefined` makes roots of them.
 * @throws TreelineError `cycle`, `refused`, `full`, and what a `check` hook throws. Nothing has changed then.
 */
export function moveAll(world: World, moves: readonly (readonly [Entity, Entity | undefined])[]): void {
  const parents = new Map<EntityIndex, Entity | undefined>();
  for (const [entity, parent] of moves) {
    const index = indexOf(entity);
    const target = parent === undefined ? 0 : indexOf(parent);
    if (parentIndexAt(world, index) === target) continue;
    if (target !== 0) requirePlace(world, index, ChildOf, target);
    parents.set(index, parent);
  }
  const checked = requireMoves(world, parents);
  defer(world, () =>
    whileChanging(world, () => {
      for (const [index, parent] of parents) {
        const calls = checked.get(index) ?? NO_CHANGES;
        if (parent === undefined) loseParent(world, index, calls);
        else setParent(world, index, indexOf(parent), undefined, 0, calls);
      }
    }),
  );
}

/**
 * Makes exactly the listed entities the children of a parent, in that order, without deferring: children that are not listed
 * become roots, added children keep the storage of their present parents, ChildOf for roots. Entities that are not alive are
 * skipped; if the parent is not alive, the listed are destroyed too, see `ifParentDestroyed` of `createWorld`.
 *
 * @param list each once.
 * @param byValue another storage of added children: see `attachAll`.
 * @throws TreelineError `cycle`, `refused`, and what a `check` hook throws. Nothing has changed then.
 */
export function replaceChildren(
  world: World,
  parent: Entity,
  list: readonly Entity[],
  byValue?: boolean,
): void {
  const wanted: EntityIndex[] = [];
  for (const entity of list) if (isLiving(world.entities, entity)) wanted.push(indexOf(entity));
  if (!isLiving(world.entities, parent)) {
    if (!world.dropsOrphans) destroyAll(world, wanted);
    return;
  }
  const { pairs } = world.graph;
  const target = indexOf(parent);
  const known = findPair(pairs, CHILD_OF, target);
  const isSame = known !== 0 && wanted.every((index) => parentPairAt(world, index) === known);
  if (isSame && wanted.length === countSubjects(world, known)) {
    orderSiblings(world, known, wanted);
    return;
  }
  const present = new Set(orderedSubjects(world, target, ChildOf));
  const chosen = new Set(wanted);
  const leaving = [...present].filter((index) => !chosen.has(index));
  const arriving = wanted.filter((index) => !present.has(index));

  /** Added child -> the next present child in the list; 0 after the last of them. */
  const places = new Map<EntityIndex, EntityIndex>();
  let next = 0;
  for (const index of wanted.toReversed()) {
    if (present.has(index)) next = index;
    else places.set(index, next);
  }

  // Check everything ...
  for (const index of arriving) requirePlace(world, index, ChildOf, target);
  const parents = new Map<EntityIndex, Entity | undefined>(leaving.map((index) => [index, undefined]));
  for (const index of arriving) parents.set(index, parent);
  const checked = requireMoves(world, parents);

  // ... and only then change.
  const staying = wanted.filter((index) => present.has(index));
  defer(world, () => {
    const pair = staying.length === 0 ? 0 : findPair(pairs, CHILD_OF, target);
    let isReordered = false;
    whileChanging(world, () => {
      for (const index of leaving) loseParent(world, index, checked.get(index) ?? NO_CHANGES);
      isReordered = pair !== 0 && relistSiblings(world, pair, staying);
      for (const index of arriving) {
        setParent(world, index, target, byValue, places.get(index)!, checked.get(index) ?? NO_CHANGES);
      }
    });
    if (isReordered) notifyReordered(world, pair);
  });
}

/**
 * Makes several entities the last children of a parent, in the order of a list, as one change, without deferring; all others stay
 * before them. Entities that are not alive are skipped; if the parent is not alive, the listed are destroyed too, see
 * `ifParentDestroyed` of `createWorld`.
 *
 * @param given one that occurs twice counts once, at its first place.
 * @param byValue the storage that they get: `Parent` if true, else `ChildOf`. Default: that of their present parents, and ChildOf
 *   for roots.
 * @throws TreelineError `cycle`, `refused`, and what a `check` hook throws. Nothing has changed then.
 */
export function attachAll(world: World, parent: Entity, given: readonly Entity[], byValue?: boolean): void {
  const { entities, graph } = world;
  const { pairs } = graph;
  const list = [...new Set(given.filter((entity) => isLiving(entities, entity)).map(indexOf))];
  if (!isLiving(entities, parent)) {
    if (!world.dropsOrphans) destroyAll(world, list);
    return;
  }
  const target = indexOf(parent);
  const known = findPair(pairs, CHILD_OF, target);
  if (known !== 0 && list.some((index) => parentPairAt(world, index) === known)) {
    attachBehind(world, parent, known, list, byValue);
    return;
  }

  const storage = byValue === undefined ? undefined : byValue ? Parent : ChildOf;
  reparentList(world, list, new Array<EntityIndex>(list.length).fill(target), storage);
}

/** The same if some of them are children of the parent, whose pair is given. */
function attachBehind(
  world: World,
  parent: Entity,
  pair: PairNumber,
  list: readonly EntityIndex[],
  byValue: boolean | undefined,
): void {
  const wanted = new Set(list);
  const others = orderedSubjects(world, indexOf(parent), ChildOf).filter((index) => !wanted.has(index));
  const present = list.filter((index) => parentPairAt(world, index) === pair);
  defer(world, () => {
    const order = [...others, ...list].map((index) => handleAt(world.entities, index));
    replaceChildren(world, parent, order, byValue);
    if (byValue === undefined) return;
    for (const index of present) setParent(world, index, indexOf(parent), byValue);
  });
}

/**
 * Spawns a chain of entities, each below the one before it, whatever the scope: all of them or none. Inside an iteration they are
 * deferred, as with `spawn`.
 *
 * @param above the parent of the first; `undefined` if that becomes a root.
 * @param storage `ChildOf` or `Parent`.
 * @param terms one for each entity, from the first on.
 * @param finish outside of iterations: a change that belongs to the spawns. If it throws, nothing has changed.
 * @throws TreelineError `capacity`; what `spawn` throws, and `finish`. Nothing has changed then.
 */
export function spawnBelow(
  world: World,
  above: Entity | undefined,
  storage: Relation,
  terms: readonly ValueTerm[],
  finish?: (last: Entity | undefined) => void,
): Entity[] {
  requireRoomForEntities(world, terms.length);
  const spawned: Entity[] = [];
  const isLater = terms.length > 0 && mustDefer(world);
  const spawnEach = (): void => {
    for (const term of terms) {
      const parent = spawned.at(-1) ?? above;
      const own = parent === undefined ? [term] : [term, storage(parent)];
      spawned.push(isLater ? spawn(world, ...own) : spawnNow(world, own));
    }
  };
  if (isLater) {
    insideScope(world, undefined, spawnEach);
    return spawned;
  }
  // One deferred scope, so that observers that throw are called when all are spawned.
  defer(world, () => {
    try {
      spawnEach();
      finish?.(spawned.at(-1));
    } catch (error) {
      if (spawned.length > 0) destroyAll(world, [indexOf(spawned[0]!)]);
      throw error;
    }
  });
  return spawned;
}
