import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { dropPair, giveKeptPair, isTarget, keepPair } from "../id/pair-book.ts";
import { PAIR_HANGS } from "../id/pair-traits.ts";
import { freeNode } from "../records/pair-records.ts";
import { unhang } from "../records/pair-tree.ts";
import { forgetRows } from "../storage/copy-rows.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import { giveColumnsBack, makeRoomFor, takeAllRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { freeRows } from "../storage/slices.ts";
import { giveTableNumber, type PairNumber, type TableNumber, UNLISTED } from "../storage/table.ts";
import { takeFilled } from "../storage/table-lists.ts";
import { markRangeUnused } from "../storage/used-bits.ts";
import type { Graph } from "./graph.ts";
import { dropTable } from "./table-graph.ts";

/**
 * Ends a table with rows, whose entities have just died. The everyday one has one pair, and is all that the pair has: then
 * both go together, and nothing of them is set right that is set anew when their numbers are given again. Each shape
 * keeps one such table with its pair as a spare, for the next family: parents that come and go with their children cost less.
 */
export function buryTable(graph: Graph, shape: Shape, table: TableNumber): void {
  const { tables, records, pairs } = graph;
  const node = tables.nodes[table]!;
  const pair = records.nodePair[node]!;
  if (records.main[pair] !== table || records.tables[pair] !== 1 || graph.links.used) {
    takeAllRows(graph, shape, table);
    dropTable(graph, shape, table);
    return;
  }
  const first = tables.first[table]!;
  const count = tables.count[table]!;
  shape.rows -= count;
  markRangeUnused(shape.used, first, first + count);
  if (shape.lanes.objects.length > 0) forgetRows(shape.lanes, first, first + count);
  freeRows(shape, first, tables.capacity[table]!);
  takeFilled(tables, shape, table);
  if (shape.rows === 0) giveColumnsBack(graph, shape);

  if ((pairs.traits[pair]! & PAIR_HANGS) !== 0) unhang(records, pair);
  records.isStale[pair] = 0;
  const isSpare = shape.spare === 0 && pairs.relation[pair] === CHILD_OF;
  dropPair(pairs, pair);
  if (isSpare) setAside(graph, shape, table, pair);
  else {
    freeNode(records, node);
    giveTableNumber(tables, table);
  }
  note(graph.journal, TABLE_CHANGED, table);
}

/** Their numbers are nobody's, but not free; what files one under the other stays. */
function setAside({ tables, pairs }: Graph, shape: Shape, table: TableNumber, pair: PairNumber): void {
  shape.spare = table;
  keepPair(pairs, pair);
  tables.shape[table] = -1;
  tables.first[table] = UNLISTED;
  tables.count[table] = 0;
  tables.capacity[table] = 0;
  tables.alive--;
}

/**
 * Makes a spare table that of the children of an entity which has none so far, with room for a row, which must follow.
 * The caller hangs the record of its pair.
 *
 * @returns 0 if there is none; else the table.
 * @throws TreelineError `capacity`, or what the memory throws; nothing has changed then.
 */
export function spareTableBelow(graph: Graph, shape: Shape, target: number): TableNumber {
  const { tables, pairs, records } = graph;
  const table = shape.spare;
  if (table === 0 || graph.links.used || isTarget(pairs, target)) return 0;
  makeRoomFor(graph, shape, table, 1);
  shape.spare = 0;
  tables.shape[table] = shape.number;
  tables.alive++;
  const pair = tables.parentPair[table]!;
  giveKeptPair(pairs, pair, ChildOf, target);
  records.depth[pair] = 1;
  return table;
}
