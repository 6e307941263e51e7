// What packing gives back of lists by number (`giveBackSteps`): free numbers behind the last one in use (`forgetNumbers`).
import { shrinkAll } from "../../base/growing.ts";
import { LAST_HANDLE } from "../../base/limits.ts";
import { rehash } from "../../graph/graph.ts";
import { type EntityIndex, forgetAbove } from "../../records/entity-index.ts";
import { packFamilies } from "../../records/families.ts";
import { BY_NODE } from "../../records/pair-records.ts";
import { noteAll } from "../../storage/journal.ts";
import { NO_PLACES, shrink } from "../../storage/sparse.ts";
import { packLists } from "../../storage/table.ts";
import { settleDepths } from "../state/targets.ts";
import type { World } from "../state/world.ts";

/**
 * Gives back the numbers behind the last one that is in use, of entities, pairs, tables and nodes, and what arrays have in reserve. Numbers that
 * are in use stay the same, and so do handles. Between two steps the world is valid.
 */
export function* giveBackSteps(world: World): Generator<void, void, void> {
  const { graph, entities } = world;
  const { tables, pairs, records } = graph;
  settleDepths(world); // none that is freed is stale
  const before = entities.length + pairs.length + tables.length;
  // One step: what others have noted by number may be gone.
  forgetAbove(entities, lastEntity(entities));
  pairs.length = forgetNumbers(pairs.length, pairs, "firstFree", pairs.nextOfTarget);
  forgetNodes(world);
  tables.length = forgetNumbers(tables.length, tables, "firstFree", tables.next);
  for (const call of world.packed) call(entities.length);
  if (entities.length + pairs.length + tables.length < before) noteAll(graph.journal);
  yield;
  const { length } = entities;
  shrinkAll(entities, length, "table"); // by which it is decided whether all grow
  shrinkAll(entities, length);
  shrinkAll(pairs, length, "firstOf");
  shrinkAll(pairs, pairs.length, "firstOf", false);
  yield;
  shrinkAll(records, pairs.length, BY_NODE, false);
  shrinkAll(records, records.nodes, BY_NODE);
  yield;
  packFamilies(graph.families, entities, pairs.length);
  yield;
  packLists(tables, length);
  yield;
  shrinkAll(tables, tables.length);
  shrinkAll(graph.journal, graph.journal.length);
  if (graph.hashed * 4 <= graph.buckets.length) rehash(graph);
  for (const store of graph.sparse) {
    if (store === undefined) continue;
    store.pages = store.pages.map((page) => (page.every((place) => place === 0) ? NO_PLACES : page));
    if (store.count * 4 < store.lanes.capacity) shrink(store);
  }
}

/** The last index that is alive, or that is never used again because its generations are used up. */
function lastEntity({ handles, table, length }: EntityIndex): number {
  let last = length - 1;
  while (last > 0 && table[last] === 0 && -handles[last]! <= LAST_HANDLE) last--;
  return last;
}

/**
 * Takes the free numbers behind the last one in use out of the list of free ones, which stays in its order.
 *
 * @returns the new length.
 */
function forgetNumbers<First extends string>(
  length: number,
  record: { [Name in First]: number },
  first: First,
  next: Int32Array,
): number {
  const isFree = new Uint8Array(length);
  for (let at: number = record[first]; at !== 0; at = next[at]!) isFree[at] = 1;
  let end = length;
  while (end > 1 && isFree[end - 1] === 1) end--;
  let last = 0;
  for (let at: number = record[first]; at !== 0; at = next[at]!) {
    if (at >= end) continue;
    if (last === 0) (record as { [name: string]: number })[first] = at;
    else next[last] = at;
    last = at;
  }
  if (last === 0) (record as { [name: string]: number })[first] = 0;
  else next[last] = 0;
  return end;
}

/** The same for the nodes of tables, whose free groups are in lists by their lengths. */
function forgetNodes({ graph }: World): void {
  const { tables, records } = graph;
  let end = 1;
  for (let table = 1; table < tables.length; table++)
    if (tables.archetype[table]! >= 0) end = Math.max(end, tables.nodes[table]! + tables.pairs[table]!);
  records.nodes = end;
  const { freeNodes, nodeNext } = records;
  for (let count = 1; count < freeNodes.length; count++) {
    let last = 0;
    const first = freeNodes[count] ?? 0;
    freeNodes[count] = 0;
    for (let at = first; at !== 0; ) {
      const after = nodeNext[at]!;
      if (at < end) {
        if (last === 0) freeNodes[count] = at;
        else nodeNext[last] = at;
        nodeNext[at] = 0;
        last = at;
      }
      at = after;
    }
  }
}
