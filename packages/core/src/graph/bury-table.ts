import { dropPair } from "../id/pair-book.ts";
import { PAIR_HANGS } from "../id/pair-traits.ts";
import { freeNode } from "../records/pair-records.ts";
import { unhang } from "../records/pair-tree.ts";
import { forgetRows } from "../storage/copy-rows.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import { giveColumnsBack, takeAllRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { freeRows } from "../storage/slices.ts";
import { giveTableNumber, type TableNumber } from "../storage/table.ts";
import { takeFilled } from "../storage/table-lists.ts";
import { markRangeUnused } from "../storage/used-bits.ts";
import type { Graph } from "./graph.ts";
import { dropTable } from "./table-graph.ts";

/**
 * Ends a table with rows, whose entities have just died. The everyday one has one pair, and is all that the pair has: then
 * both go together, and nothing of them is set right that is set anew when their numbers are given again.
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
  dropPair(pairs, pair);
  freeNode(records, node);
  giveTableNumber(tables, table);
  note(graph.journal, TABLE_CHANGED, table);
}
