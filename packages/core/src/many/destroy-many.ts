import { deletionSetOf, IN_ORDER } from "../destroy/deletion-set.ts";
import { destroyAll, needsCalls, removeFromRemaining, requireNoRefusal } from "../destroy/destroy.ts";
import { closeIfIdle, type Graph } from "../graph/graph.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { giveIndex, handleAt, isLiving } from "../records/entity-index.ts";
import { leaveFamily } from "../records/families.ts";
import { type Archetype, NEEDS_VALUE_PARENT } from "../storage/archetype.ts";
import { note, VALUE_PARENT_MOVED } from "../storage/journal.ts";
import { NONE, takeRows } from "../storage/rows.ts";
import type { TableNumber } from "../storage/table.ts";
import { destroyEach, destroyOrder, freeRow, freeState, KEEPS_STATE } from "../world/change/free-entity.ts";
import { noteMove, tidyLeft } from "../world/change/move-entity.ts";
import { spareTableFor } from "../world/change/pair.ts";
import { keepTexts } from "../world/state/last-texts.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { requireHandle } from "../world/state/require.ts";
import type { World } from "../world/state/world.ts";
import { changeOrDefer, countsFor, distinctIn, requireArray } from "./list.ts";

/**
 * Destroys several entities, each with everything that goes with it, as one change: `destroy` for each in the order of the list, but
 * all or nothing. An entity that is not alive is ignored, as `destroy` does; one that goes with an earlier one, or that is listed
 * twice, is destroyed once.
 *
 * Entities that stay alive lose their pairs with destroyed targets first. Then observers and hooks that depend on the order are called
 * as by one `destroy` after another; the changes that they make follow at the end. Inside an iteration it is deferred to the end.
 *
 * @cost as `destroy`; of entities that are no targets, and have neither observers nor hooks, the rows of each table are taken
 *   together.
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
  if (world.deferDepth === 0) {
    destroyList(world, entities);
    return;
  }
  const indexes = distinctIn(world, entities);
  const alive = indexes.map((index) => handleAt(world.entities, index));
  changeOrDefer(world, indexes, () => destroyList(world, alive));
}

/** Entities that are not alive, or no longer when their turn comes, are left out. */
function destroyList(world: World, list: readonly Entity[]): void {
  if (world.slots.templates !== undefined && world.deferDepth === 0) {
    defer(world, () => destroyList(world, list)); // as in `destroyAll`
    return;
  }
  if (areLeaves(world, list)) {
    world.slots.destroy ??= destroyAll;
    world.slots.spareTable ??= spareTableFor;
    CHECK: keepTexts(world, distinctIn(world, list));
    freeLeaves(world, list);
    return;
  }
  const indexes = distinctIn(world, list);
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
function areLeaves(world: World, list: readonly Entity[]): boolean {
  const { graph, entities } = world;
  const { firstOfTarget } = graph.pairs;
  const { handles, table } = entities;
  const { archetype: archetypeOf } = graph.tables;
  let last = -1;
  for (let at = 0; at < list.length; at++) {
    const index = indexOf(list[at]!);
    if (handles[index] !== list[at]) continue;
    if (index < firstOfTarget.length && firstOfTarget[index] !== 0) return false;
    const number = archetypeOf[table[index]!]!;
    if (number === last) continue;
    if (needsCalls(world, graph.archetypes[number]!)) return false;
    last = number;
  }
  return true;
}

/** Takes an entity out of its family. */
function leave({ families, entities, journal }: Graph, index: number, byValue: boolean): void {
  leaveFamily(families, entities, index, byValue);
  if (byValue && journal.reading) note(journal, VALUE_PARENT_MOVED, index);
}

/** Frees entities as `freeRow` does, but takes the rows of each table together. */
function freeLeaves(world: World, list: readonly Entity[]): void {
  const { graph, entities } = world;
  const { tables, archetypes, journal } = graph;
  const { handles, table: tableAt, row } = entities;
  const counts = countsFor(world);
  /** Of each entity: its table, and its row there. */
  const tableOf = new Int32Array(list.length);
  const rowOf = new Int32Array(list.length);
  const distinct: TableNumber[] = [];
  let last = -1;
  let archetype: Archetype | undefined;
  let kept = 0;
  for (let at = 0; at < list.length; at++) {
    const index = indexOf(list[at]!);
    if (handles[index] !== list[at]) continue; // also of one that is given again
    const table = tableAt[index]!;
    const number = tables.archetype[table]!;
    if (number !== last) {
      last = number;
      archetype = archetypes[number]!;
      kept = archetype.fixedNeeds & KEEPS_STATE;
    }
    if (archetype!.bits !== undefined) {
      freeRow(world, index);
      continue;
    }
    if (kept !== 0 && kept !== NEEDS_VALUE_PARENT) freeState(world, archetype!, index);
    const pair = entities.family[index]!;
    leave(graph, index, archetype!.hasValueParent);
    if (archetype!.hasValueParent) closeIfIdle(graph, pair);
    if (counts[table]!++ === 0) distinct.push(table);
    tableOf[at] = table;
    rowOf[at] = row[index]!;
    giveIndex(entities, index);
  }
  // Sorted by table: `counts` becomes the place after the rows of each.
  let end = 0;
  for (const table of distinct) end = counts[table]! += end;
  const holes = new Int32Array(end);
  for (let at = list.length - 1; at >= 0; at--) {
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
