import { deletionSetOf, IN_ORDER } from "../destroy/deletion-set.ts";
import { destroyAll, needsCalls, removeFromRemaining, requireNoRefusal } from "../destroy/destroy.ts";
import { PAIR_LISTED } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { isTarget } from "../id/pair-index.ts";
import { giveIndex, isLiving } from "../records/entity-index.ts";
import type { Archetype } from "../storage/archetype.ts";
import { NONE, takeRows } from "../storage/rows.ts";
import type { TableNumber } from "../storage/table.ts";
import { destroyEach, destroyOrder, freeRow, freeState, KEEPS_STATE } from "../world/change/free-entity.ts";
import { noteMove, tidyLeft } from "../world/change/move-entity.ts";
import { spareTableFor } from "../world/change/pair.ts";
import { keepTexts } from "../world/state/last-texts.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { requireHandle } from "../world/state/require.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { changeOrDefer, countsFor, distinctIn, requireArray } from "./list.ts";

/**
 * Destroys several entities, each with everything that goes with it, as one change: `destroy` for each in the order of the list, but
 * all or nothing. An entity that is not alive is ignored, as `destroy` does; one that goes with an earlier one, or that is listed
 * twice, is destroyed once.
 *
 * Entities that stay alive lose their pairs with destroyed targets first. Then observers and hooks that depend on the order are called
 * as by one `destroy` after another; the changes that they make follow at the end. Inside an iteration it is deferred to the end. Cost: as `destroy`; of entities that are no targets, and have neither
 * observers nor hooks, the rows of each table are taken together.
 *
 * @throws TreelineError `bad-value` if it is no list; `dead-entity` for a value that cannot be a handle; `refused` as `destroy`: nothing
 *   has changed then. `capacity` as `destroy`. `iterating` in a strict world inside an iteration.
 *
 * @example
 * destroyMany(world, [crate, barrel, ...bullets]);
 */
export function destroyMany(world: World, entities: readonly Entity[]): void {
  requireArray("destroyMany", "entities", entities);
  for (let at = 0; at < entities.length; at++)
    if (!isLiving(world.entities, entities[at]!)) requireHandle(world, entities[at]!);
  const indexes = distinctIn(world, entities);
  changeOrDefer(world, indexes, (isLeft) =>
    destroyList(world, isLeft === undefined ? indexes : indexes.filter((_, place) => isLeft(place))),
  );
}

function destroyList(world: World, indexes: readonly number[]): void {
  if (areLeaves(world, indexes)) {
    world.slots.destroy ??= destroyAll;
    world.slots.spareTable ??= spareTableFor;
    CHECK: keepTexts(world, indexes);
    freeLeaves(world, indexes);
    return;
  }
  const set = deletionSetOf(world, indexes);
  if (set.announces !== IN_ORDER) {
    destroyAll(world, indexes);
    return;
  }
  CHECK: keepTexts(world, indexes);
  world.slots.destroy ??= destroyAll;
  if (set.hasRemaining) requireNoRefusal(world, set);
  defer(world, () =>
    whileChanging(world, () => {
      if (set.hasRemaining) {
        world.slots.scopes?.leave(world, set);
        removeFromRemaining(world, set);
      }
      destroyEach(world, destroyOrder(world, indexes));
    }),
  );
}

/** Is none of them a target, and must neither observers nor hooks be called? */
function areLeaves(world: World, indexes: readonly number[]): boolean {
  const { pairs } = world.graph;
  let last: Archetype | undefined;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if (isTarget(pairs, index)) return false;
    const archetype = archetypeAt(world, index);
    if (archetype === last) continue;
    if (needsCalls(world, archetype)) return false;
    last = archetype;
  }
  return true;
}

/** Frees entities as `freeRow` does, but takes the rows of each table together. */
function freeLeaves(world: World, indexes: readonly number[]): void {
  const { graph, entities } = world;
  const { tables, archetypes, pairs, journal } = graph;
  const counts = countsFor(world);
  /** Of each entity: its table, and its row there. */
  const tableOf = new Int32Array(indexes.length);
  const rowOf = new Int32Array(indexes.length);
  const distinct: TableNumber[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    const table = entities.table[index]!;
    const archetype = archetypes[tables.archetype[table]!]!;
    if (archetype.bits !== undefined) {
      freeRow(world, index);
      continue;
    }
    const isInList = (pairs.traits[tables.parentPair[table]!]! & PAIR_LISTED) !== 0;
    if (isInList || (archetype.fixedNeeds & KEEPS_STATE) !== 0) freeState(world, archetype, index);
    tableOf[at] = table;
    rowOf[at] = entities.row[index]!;
    if (counts[table]!++ === 0) distinct.push(table);
    giveIndex(entities, index);
  }
  // Sorted by table: `counts` becomes the place after the rows of each.
  let end = 0;
  for (const table of distinct) end = counts[table]! += end;
  const holes = new Int32Array(end);
  for (let at = indexes.length - 1; at >= 0; at--) {
    if (tableOf[at] !== 0) holes[--counts[tableOf[at]!]!] = rowOf[at]!;
  }
  for (let at = distinct.length - 1; at >= 0; at--) {
    const table = distinct[at]!;
    const from = counts[table]!;
    counts[table] = 0;
    const archetype = archetypes[tables.archetype[table]!]!;
    takeRows(graph, archetype, table, holes, from, end, entities.row);
    if (journal.reading)
      for (let place = from; place < end; place++)
        if (holes[place] !== NONE) noteMove(world, holes[place]!, archetype.hasValueParent);
    if (tables.count[table] === 0) tidyLeft(world, table);
    end = from;
  }
}
