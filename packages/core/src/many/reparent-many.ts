// `reparentMany`: checks moves as if those before were made (`requireParents`); common moves need no plan (`moveInside`).
import { shown, TreelineError } from "../base/error.ts";
import { INDEX_SPAN } from "../base/limits.ts";
import { destroyAll } from "../destroy/destroy.ts";
import { CHILD_OF, ChildOf, isBuiltin, Parent } from "../id/builtins.ts";
import type { Definition, PlainTerm, Relation, Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair, isTarget } from "../id/pair-index.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import type { Joins } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import { NEEDS_BUILTIN, NEEDS_HOOKS } from "../storage/needs.ts";
import type { PairNumber } from "../storage/table.ts";
import { gainParent, goalAt } from "../world/change/goal.ts";
import { requireMoves } from "../world/change/hook-calls.ts";
import { withReserved } from "../world/change/insert.ts";
import { ensurePair, installTree } from "../world/change/pair.ts";
import { OBSERVES, observedOf } from "../world/state/event-list.ts";
import { type Goal, NO_CHANGES } from "../world/state/plans.ts";
import { refuseCycle, requireAlive, requirePlace } from "../world/state/require.ts";
import { parentIndexAt } from "../world/state/targets.ts";
import { archetypeAt, hasAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { commitInside, isInside, setParent } from "../world/verb/reparent.ts";
import { changeList, NOTHING } from "./change-list.ts";
import { changeOrDefer, countsFor, distinctIn, indexesIn, marksFor, requireSameLength } from "./list.ts";

/**
 * Gives several entities other parents: `add` of the parent for each in the order of the list, but all or nothing. Each becomes the
 * last child of its parent, with everything below it; a child of that parent keeps its place. One that is listed twice counts once, at
 * its first place.
 *
 * `check` hooks are called for all before the first one moves, and names that leave are free for those that come. Observers are notified
 * entity by entity; the changes that they make follow at the end. Inside an iteration it is deferred to the end: entities that have
 * been destroyed by then are left out; those whose parent has been are destroyed as well, see `ifParentDestroyed` of `createWorld`.
 *
 * @cost one move for each, without rows for parents that are stored by value; for entities with children also the steps from the
 *   new parent to its root, once for each change of parent along the list.
 * @param parents one for all, or a list of the same length.
 * @param storage `ChildOf` or `Parent`; by default each keeps the one it has, ChildOf for roots.
 * @throws TreelineError `bad-value` if it is no list, or the lengths differ; `dead-entity` if one of the lists is not alive; `cycle` if a
 *   parent is the entity itself or below it when its turn comes; `refused` for a builtin; `bad-term` for another relation; `capacity`;
 *   `iterating` in a strict world inside an iteration; and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 *
 * @example
 * reparentMany(world, [sail, mast], ship);
 * reparentMany(world, crates, crates.map((_, place) => holds[place % holds.length]!));
 */
export function reparentMany(
  world: World,
  entities: readonly Entity[],
  parents: Entity | readonly Entity[],
  storage?: Relation,
): void {
  if (storage !== undefined && storage !== ChildOf && storage !== Parent)
    throw new TreelineError(
      "bad-term",
      `parents are stored by ChildOf or by Parent, not by ${shown(storage)}`,
    );
  const isList = Array.isArray(parents);
  const indexes = indexesIn(world, "reparentMany", entities);
  if (isList) requireSameLength("reparentMany", entities, parents);
  let targets = targetsOf(world, parents, isList, entities.length);
  if (indexes.length < entities.length) {
    const all = targets;
    targets = [];
    distinctIn(world, entities, (place) => targets.push(all[place]!));
  }
  if (world.deferDepth === 0) {
    reparentList(world, indexes, targets, storage);
    return;
  }
  const handles = targets.map((target) => handleAt(world.entities, target));
  changeOrDefer(world, indexes, (isLeft) => reparentLeft(world, indexes, handles, storage, isLeft!));
  for (const [at, target] of handles.entries()) {
    const entity = handleAt(world.entities, indexes[at]!);
    const definition = storage ?? (hasAt(world, indexes[at]!, Parent) ? Parent : ChildOf);
    world.slots.pending!.give(
      world,
      [entity],
      [{ definition, target, value: undefined } as Term as PlainTerm],
    );
  }
}

/** The indexes of the parents, by place in the list. @throws TreelineError `dead-entity`. */
function targetsOf(
  world: World,
  parents: Entity | readonly Entity[],
  isList: boolean,
  count: number,
): number[] {
  const targets: number[] = [];
  let last = 0;
  for (let place = 0; place < count || !isList; place++) {
    const parent = isList ? (parents as readonly Entity[])[place]! : (parents as Entity);
    if (parent !== last) requireAlive(world, parent);
    last = parent;
    if (!isList) return new Array<number>(count).fill(indexOf(parent));
    targets.push(indexOf(parent));
  }
  return targets;
}

/** The same at the end of an iteration, for those that are left. */
function reparentLeft(
  world: World,
  indexes: readonly number[],
  targets: readonly Entity[],
  storage: Definition | undefined,
  isLeft: (place: number) => boolean,
): void {
  const { entities } = world;
  const isOrphan = (_: number, place: number): boolean =>
    isLeft(place) && !isLiving(entities, targets[place]!);
  let orphans = indexes.filter(isOrphan);
  while (orphans.length > 0 && !world.dropsOrphans) {
    destroyWithParent(world, orphans);
    orphans = indexes.filter(isOrphan); // some had a destroyed one as their parent
  }
  const left = indexes
    .map((_, place) => place)
    .filter((place) => isLeft(place) && isLiving(entities, targets[place]!));
  const parents = left.map((place) => indexOf(targets[place]!));
  reparentList(
    world,
    left.map((place) => indexes[place]!),
    parents,
    storage,
  );
}

/** Destroys entities whose deferred parent is not alive, unless the world leaves them where they are. */
export function destroyWithParent(world: World, indexes: readonly number[]): void {
  if (indexes.length > 0 && !world.dropsOrphans) destroyAll(world, indexes);
}

/**
 * The same for entities at indexes, each once, without deferring.
 *
 * @param targets the indexes of their parents, in the same order.
 */
export function reparentList(
  world: World,
  indexes: readonly number[],
  targets: readonly number[],
  storage?: Definition,
): void {
  if (moveInside(world, indexes, targets, storage, false)) return;
  requireParents(world, indexes, targets);
  const hooked = new Map<number, Entity>();
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if (archetypeAt(world, index).hooked.length > 0 && parentIndexAt(world, index) !== targets[at])
      hooked.set(index, handleAt(world.entities, targets[at]!));
  }
  const calls = requireMoves(world, hooked);
  if (hooked.size === 0 && moveInside(world, indexes, targets, storage, true)) return;
  installTree(world.slots); // the caller may have got nothing but entities
  const isByValue = (index: number): boolean =>
    storage === undefined ? archetypeAt(world, index).hasValueParent : storage === Parent;
  const goalOf = (index: number, at: number): Goal => {
    const target = targets[at]!;
    const byValue = isByValue(index);
    const goal = goalAt(world, index);
    if (parentIndexAt(world, index) !== target || byValue !== goal.archetype.hasValueParent)
      gainParent(world, goal, ensurePair(world, ChildOf, target), byValue);
    return goal;
  };
  changeList(world, {
    indexes,
    keyOf: (_, table, at) => table * INDEX_SPAN + targets[at]!,
    goalOf,
    termsOf: NOTHING,
    calls,
    commit: (_, index, at) => {
      setParent(world, index, targets[at]!, isByValue(index), 0, calls.get(index) ?? NO_CHANGES);
    },
  });
}

/**
 * Checks moves in their order, as if those before had been made.
 *
 * @throws TreelineError `cycle`; `refused` for a builtin.
 */
function requireParents(world: World, indexes: readonly number[], targets: readonly number[]): void {
  const { pairs } = world.graph;
  const marks = marksFor(world);
  let hasInner = false;
  for (let at = 0; at < targets.length; at++) marks[targets[at]!] = 1;
  for (let at = 0; at < indexes.length && !hasInner; at++)
    hasInner = marks[indexes[at]!] === 1 || isTarget(pairs, indexes[at]!);
  for (let at = 0; at < targets.length; at++) marks[targets[at]!] = 0;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if ((archetypeAt(world, index).fixedNeeds & NEEDS_BUILTIN) === 0) continue;
    const definition = world.definitionsByEntity.get(index);
    if (definition !== undefined && isBuiltin(definition)) requirePlace(world, index, ChildOf, targets[at]!);
  }
  if (!hasInner) return;

  const moved = new Map<number, number>();
  const inner = new Set(targets);
  const aboveOf = (index: number): number => moved.get(index) ?? parentIndexAt(world, index);
  let above = new Set<number>();
  let target = 0;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if (inner.has(index) || isTarget(pairs, index)) {
      if (targets[at] !== target) {
        target = targets[at]!;
        above = new Set();
        for (let step = target; step !== 0; step = aboveOf(step)) above.add(step);
      }
      if (above.has(index)) {
        const chain = [...above];
        refuseCycle(world, ChildOf, chain.slice(0, chain.indexOf(index) + 1));
      }
      world.slots.requireNotAbove?.(world, ChildOf, index, target, moved);
    }
    moved.set(index, targets[at]!);
  }
}

/** NEEDS_ bits of archetypes whose entities must be checked before they move. */
const CHECKED: number = NEEDS_BUILTIN | NEEDS_HOOKS;

/**
 * The common moves, of entities of one storage whose parents all have children: only families change.
 *
 * @param isChecked the moves are allowed, and no hook is called. Else only entities without children and hooks move, below others
 *   that have children, so that there is nothing to check.
 * @returns false, with nothing changed, if a move needs more than that.
 */
function moveInside(
  world: World,
  indexes: readonly number[],
  targets: readonly number[],
  storage: Definition | undefined,
  isChecked: boolean,
): boolean {
  const { graph, events, entities } = world;
  const { pairs } = graph;
  const moves = OBSERVES.added | OBSERVES.removed;
  if (((observedOf(events, ChildOf) | observedOf(events, Parent)) & moves) !== 0 || indexes.length === 0)
    return false;
  const count = indexes.length;
  const into = new Int32Array(count);
  const byValue = archetypeAt(world, indexes[0]!).hasValueParent;
  if (storage !== undefined && (storage === Parent) !== byValue) return false;
  let archetype: Archetype | undefined;
  const arrivals = countsFor(world);
  const distinct: PairNumber[] = [];
  let isInsideAll = true;
  for (let at = 0; at < count && isInsideAll; at++) {
    const index = indexes[at]!;
    const own = archetypeAt(world, index);
    if (own !== archetype) {
      archetype = own;
      isInsideAll = own.hasValueParent === byValue && (isChecked || (own.fixedNeeds & CHECKED) === 0);
    }
    const old = entities.family[index]!;
    const target = targets[at]!;
    const pair = at > 0 && target === targets[at - 1] ? into[at - 1]! : findPair(pairs, CHILD_OF, target);
    if (old === 0 || pair === 0 || (!isChecked && isTarget(pairs, index))) isInsideAll = false;
    into[at] = pair;
    if (!isInsideAll || old === pair) continue;
    isInsideAll = isInside(world, own, old, pair);
    if (arrivals[pair]!++ === 0) distinct.push(pair);
  }
  const joins: Joins = new Map();
  for (const pair of distinct) {
    joins.set(pair, arrivals[pair]!);
    arrivals[pair] = 0;
  }
  if (!isInsideAll) return false;
  // Parents that lose all children in the meantime keep their pairs and lists for those that come.
  withReserved(world, [], [], joins, () => {
    for (let at = 0; at < count; at++) {
      const index = indexes[at]!;
      const old = entities.family[index]!;
      if (old !== into[at]) commitInside(world, index, old, into[at]!);
    }
  });
  return true;
}
