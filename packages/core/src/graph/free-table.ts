import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { dropPair, firstPairOf, giveKeptPair, isTarget, keepPair } from "../id/pair-book.ts";
import { PAIR_LISTED } from "../id/pair-traits.ts";
import { freeNode } from "../records/pair-records.ts";
import { unhang } from "../records/pair-tree.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import { makeRoomFor, takeAllRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { giveTableNumber, type PairNumber, type TableNumber } from "../storage/table.ts";
import type { Graph } from "./graph.ts";
import { closeIfIdle, dropTable, dropTablesOf } from "./table-graph.ts";

/**
 * Frees a table with its rows, whose entities are not alive any more, and the pairs that no other table has.
 *
 * Most such tables have one pair, and are all that the pair has: then both go together, and nothing of them is reset that is
 * set anew when their numbers are given again. Each archetype keeps one such table of children with its pair as a spare, so
 * that parents that come and go with their children found no tables: see `spareTableBelow`.
 */
export function freeTable(graph: Graph, shape: Shape, table: TableNumber): void {
  const { tables, records, pairs, journal } = graph;
  takeAllRows(graph, shape, table);
  const node = tables.nodes[table]!;
  const pair = records.nodePair[node]!;
  if (
    tables.pairs[table] !== 1 ||
    records.main[pair] !== table ||
    records.tables[pair] !== 1 ||
    (pairs.traits[pair]! & PAIR_LISTED) !== 0
  ) {
    dropTable(graph, shape, table);
    return;
  }
  if (records.above[pair] !== 0) unhang(records, pair);
  records.isStale[pair] = 0;
  const isSpare = shape.spare === 0 && pairs.relation[pair] === CHILD_OF;
  dropPair(pairs, pair);
  if (isSpare) {
    // Both numbers belong to nobody but are not free, and the table stays filed under the pair.
    keepPair(pairs, pair);
    shape.spare = table;
    tables.shape[table] = -1;
    tables.alive--;
  } else {
    freeNode(records, node);
    giveTableNumber(tables, table);
  }
  if (journal.reading) note(journal, TABLE_CHANGED, table);
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
