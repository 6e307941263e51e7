import { ChildOf } from "../id/builtins.ts";
import { PAIR_LISTED } from "../id/definition.ts";
import { dropPair, firstPairOf, giveKeptPair, isTarget } from "../id/pair-book.ts";
import { type EntityIndex, giveIndexes } from "../records/entity-index.ts";
import { unhang } from "../records/pair-records.ts";
import { markRange } from "../storage/bits.ts";
import { forgetRows } from "../storage/copy-rows.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import { giveColumnsBack, makeRoomFor, takeAllRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { freeRows } from "../storage/slices.ts";
import { type PairNumber, type TableNumber, UNLISTED } from "../storage/table.ts";
import type { Graph } from "./graph.ts";
import { closeIfIdle, dropTable, dropTablesOf } from "./table-graph.ts";

/** Rows, or tables, that one call goes through: V8 optimises functions that are called often sooner than those that run long. */
export const AT_ONCE = 1024;

/**
 * Frees tables with their rows and the entities in them, which keep no state elsewhere, and the pairs that no other table has.
 *
 * Most tables have the pair of their parent and no other, and are all that the pair has: then both go together here, and
 * nothing of them is reset that is set anew when their numbers are given again. Each archetype keeps one such table with its
 * pair as a spare, so that parents that come and go with their children found no tables: see `spareTableBelow`.
 *
 * @param list numbers of tables, or minus them; those in places `from .. end` are freed, the last one first.
 * @param hangs whether the records of their pairs may hang below one that stays; else nobody looks at these links again.
 */
export function freeTables(
  graph: Graph,
  entities: EntityIndex,
  list: Int32Array,
  from: number,
  end: number,
  hangs: boolean,
): void {
  const { tables, records, pairs, shapes, journal } = graph;
  const { next, previous } = tables;
  for (let at = end - 1; at >= from; at--) {
    const table = Math.abs(list[at]!);
    const shape = shapes[tables.shape[table]!]!;
    const first = tables.first[table]!;
    const count = tables.count[table]!;
    for (let row = 0; row < count; row += AT_ONCE)
      giveIndexes(entities, shape.lanes.i32, first + row, first + Math.min(row + AT_ONCE, count));
    const pair = tables.parentPair[table]!;
    const isAll = tables.pairs[table] === 1 && records.main[pair] === table && records.tables[pair] === 1;
    if (!isAll || (pairs.traits[pair]! & PAIR_LISTED) !== 0) {
      takeAllRows(graph, shape, table);
      dropTable(graph, shape, table);
      continue;
    }

    const rows = tables.capacity[table]!;
    shape.rows -= count;
    markRange(shape.used, first, first + count, false);
    shape.bits?.clear(first, first + count);
    if (shape.lanes.objects.length > 0) forgetRows(shape.lanes, first, first + count);
    if (first + rows === shape.end) shape.end = first;
    else freeRows(shape, first, rows);
    const before = previous[table]!;
    const after = next[table]!;
    if (before === 0) shape.firstTable = after;
    else next[before] = after;
    if (after === 0) shape.lastTable = before;
    else previous[after] = before;
    shape.tables--;
    tables.shape[table] = -1;
    tables.count[table] = 0;
    tables.alive--;

    if (hangs && records.above[pair] !== 0) unhang(records, pair);
    records.isStale[pair] = 0;
    dropPair(pairs, pair);
    if (shape.spare === 0) {
      // Both numbers belong to nobody but are not free, and the table stays filed under the pair.
      pairs.firstFree = pairs.nextOfTarget[pair]!;
      shape.spare = table;
      tables.first[table] = UNLISTED;
      tables.capacity[table] = 0;
    } else {
      const node = tables.nodes[table]!;
      records.nodeNext[node] = records.freeNodes[1] ?? 0;
      records.freeNodes[1] = node;
      next[table] = tables.firstFree;
      tables.firstFree = table;
    }
    if (shape.rows === 0) giveColumnsBack(graph, shape);
    if (journal.reading) note(journal, TABLE_CHANGED, table);
  }
}

/**
 * Makes the spare table of an archetype that of the children of an entity which has none so far, with room for a row, which
 * must follow. The caller hangs the record of its pair. Not for parents whose children stand in a list from the first one on.
 *
 * @returns 0 if there is no spare table, or if the target has pairs already; else the table.
 * @throws TreelineError `capacity`, or what the memory throws; nothing has changed then.
 */
export function spareTableBelow(graph: Graph, shape: Shape, target: number): TableNumber {
  const { tables, pairs, records } = graph;
  const table = shape.spare;
  if (table === 0 || isTarget(pairs, target)) return 0;
  makeRoomFor(graph, shape, table, 1);
  shape.spare = 0;
  tables.shape[table] = shape.number;
  tables.alive++;
  const pair = tables.parentPair[table]!;
  giveKeptPair(pairs, pair, ChildOf, target);
  records.depth[pair] = 1;
  records.above[pair] = 0;
  records.firstBelow[pair] = 0;
  return table;
}

/** Frees a pair of a destroyed target with its tables, which are empty. A pair that is free already is left alone. */
export function freePair(graph: Graph, pair: PairNumber): void {
  if (graph.pairs.relation[pair] === 0) return;
  dropTablesOf(graph, pair);
  if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
}

/** The same for all pairs of a destroyed target. */
export function freePairsOf(graph: Graph, target: number): void {
  for (let pair = firstPairOf(graph.pairs, target); pair !== 0; pair = firstPairOf(graph.pairs, target)) {
    freePair(graph, pair);
  }
}
