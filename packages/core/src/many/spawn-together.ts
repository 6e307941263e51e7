// `spawnTogether`: entities that refer to one another, all or none; throws `cycle` (`requireNoCycles`) and `iterating`.
import { TreelineError } from "../base/error.ts";
import { ChildOf } from "../id/builtins.ts";
import type { Definition, PlainTerm, SpawnTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import { checkGroups, undoSpawns } from "../world/change/insert.ts";
import { checkTerms, definitionOfTerm, isParental, plainTerms, targetOfTerm } from "../world/change/terms.ts";
import { hooksOf } from "../world/state/hooks.ts";
import { addPending, endDeferred, mustDefer } from "../world/state/lock.ts";
import { type Group, groupOf } from "../world/state/plans.ts";
import type { World } from "../world/state/world.ts";
import { planOf, requireRoomForEntities } from "../world/verb/spawn.ts";
import { insertTogetherInBulk } from "./bulk-together.ts";
import { marksFor } from "./list.ts";
import { checkAll, insertChecked } from "./spawn-rows.ts";

/**
 * Spawns entities whose parents, targets and fields may be one another: all of them or none. Nothing is added to the terms by a spawn
 * scope. Hooks are called for all before the first one is inserted; observers are notified entity by entity, in the order of the
 * list.
 *
 * The caller sees to it that parents come before their children.
 *
 * @param termsOf returns the terms of the entity at a place of the list. The handles of all are known by then; it must change nothing.
 * @param errorAt returns the error to throw for one that was thrown, and the place of the entity that is refused; `undefined` if all are.
 * @param hasHidden terms may name hidden definitions.
 * @throws TreelineError as `spawn`; `cycle` if a relation that refuses them would have one; `iterating` inside an iteration, where the values would have to wait; and what `termsOf` throws.
 *   Nothing has changed then.
 */
export function spawnTogether(
  world: World,
  count: number,
  termsOf: (place: number, spawned: readonly Entity[]) => readonly SpawnTerm[],
  errorAt: (error: unknown, place: number | undefined) => unknown = (error) => error,
  hasHidden = false,
): Entity[] {
  if (mustDefer(world))
    throw new TreelineError(
      "iterating",
      "entities cannot be spawned together inside an iteration; do it afterwards",
    );
  const indexes: number[] = [];
  const groups: Group[] = [];
  const { scope } = world;
  // Observers are called when all exist.
  world.deferDepth++;
  world.scope = undefined;
  let isDone = false;
  try {
    requireRoomForEntities(world, count);
    for (let at = 0; at < count; at++) indexes.push(addPending(world));
    const spawned = indexes.map((index) => handleAt(world.entities, index));
    for (let at = 0; at < count; at++) {
      const terms: readonly PlainTerm[] = plainTerms(world, termsOf(at, spawned));
      checkTerms(world, terms, hasHidden);
      groups.push(groupOf(planOf(world, terms, 0), terms, [indexes[at]!]));
    }
    if (count > 0) {
      requireNoCycles(world, groups);
      if (!insertTogetherInBulk(world, groups)) insertChecked(world, groups);
    }
    isDone = true;
    return spawned;
  } catch (error) {
    throw errorAt(error, indexes.length < count ? undefined : placeOfRefusal(world, groups, count, error));
  } finally {
    try {
      if (!isDone) undoSpawns(world, indexes);
    } finally {
      world.scope = scope;
      endDeferred(world, isDone);
    }
  }
}

/**
 * Which of pending entities is the first that cannot be spawned with those before it: by a cycle, a pair, or what hooks refuse that
 * see several entities at once, such as those of names. These hooks are called again, for fewer entities: some 20 times for a million.
 *
 * @param groups of the entities whose terms are legal. @returns `undefined` if no single entity is refused, or another hook refuses it.
 */
function placeOfRefusal(
  world: World,
  groups: readonly Group[],
  count: number,
  error: unknown,
): number | undefined {
  if (groups.length < count) return groups.length;
  const isRefused = (first: number): boolean => {
    const some = groups.slice(0, first);
    try {
      requireNoCycles(world, some);
      checkGroups(world, some);
      checkAll(world, some, ({ definition }) => hooksOf(definition).checkMoves !== undefined);
      return false;
    } catch (again) {
      return (again as Partial<TreelineError>).code === (error as Partial<TreelineError>).code;
    }
  };
  if (!(error instanceof TreelineError) || !isRefused(count)) return undefined;
  let least = 0;
  let most = count;
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (isRefused(middle)) most = middle;
    else least = middle;
  }
  return least;
}

/** @throws TreelineError `cycle` if pairs among new entities close one, along one relation or along those that `DisabledTree` follows. */
function requireNoCycles(world: World, groups: readonly Group[]): void {
  /** Entity index -> 1 + its place. */
  const places = marksFor(world);
  for (let at = 0; at < groups.length; at++) places[groups[at]!.indexes[0]!] = at + 1;
  try {
    for (const relation of forwardRelations(groups, places))
      requireNoCycleAlong(world, relation, groups, places);
  } finally {
    for (const { indexes } of groups) places[indexes[0]!] = 0;
  }
}

/** The acyclic relations with a pair that leads to the same place or a later one: without one there is no cycle. */
function forwardRelations(groups: readonly Group[], places: Int32Array): Set<Definition> {
  const found = new Set<Definition>();
  for (let at = 0; at < groups.length; at++) {
    for (const term of groups[at]!.terms) {
      const relation = definitionOfTerm(term);
      if (relation.acyclic && places[indexOf(targetOfTerm(term) as Entity)]! > at) found.add(relation);
    }
  }
  return found;
}

function requireNoCycleAlong(
  world: World,
  relation: Definition,
  groups: readonly Group[],
  places: Int32Array,
): void {
  const { disabling } = world.slots;
  const isFollowed = disabling?.has(relation.id) === true;
  const targetsOf = (at: number): number[] =>
    groups[at]!.terms.flatMap((term) => {
      const other = definitionOfTerm(term);
      const isAlong = other === relation || (isFollowed && (isParental(other) || disabling.has(other.id)));
      const place = isAlong ? places[indexOf(targetOfTerm(term) as Entity)]! : 0;
      return place === 0 ? [] : [place - 1];
    });
  /** 0: not met; 1: on the present path; 2: done. */
  const states = new Uint8Array(groups.length);
  for (let start = 0; start < groups.length; start++) {
    if (states[start] !== 0) continue;
    const path = [start];
    const open = [targetsOf(start)];
    states[start] = 1;
    while (path.length > 0) {
      const next = open.at(-1)!.pop();
      if (next === undefined) {
        states[path.pop()!] = 2;
        open.pop();
      } else if (states[next] === 1) {
        const name = isFollowed ? `${ChildOf.name}, ${[...disabling.values()].join(", ")}` : relation.name;
        const text =
          path.length === 1 || path.at(-1) === next
            ? "an entity would be its own target"
            : "they would close a cycle";
        throw new TreelineError(
          "cycle",
          `${groups.length} entities cannot be spawned together: ${text} of ${name}`,
        );
      } else if (states[next] === 0) {
        states[next] = 1;
        path.push(next);
        open.push(targetsOf(next));
      }
    }
  }
}
