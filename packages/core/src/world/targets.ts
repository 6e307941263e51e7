import type { Definition } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import { type PairRecords, pairOfRelation } from "../records/pair-records.ts";
import { refreshDepths } from "../records/pair-tree.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import type { World } from "./world.ts";

/** The parent of the entity at an index. */
export function parentAt(world: World, index: number): Entity | undefined {
  const { graph, entities } = world;
  const pair = graph.tables.parentPair[entities.table[index]!]!;
  return pair === 0 ? undefined : handleAt(entities, graph.pairs.target[pair]!);
}

/** The index of the parent; 0 for roots. */
export function parentIndexAt(world: World, index: number): number {
  const { graph, entities } = world;
  const pair = graph.tables.parentPair[entities.table[index]!]!;
  return pair === 0 ? 0 : graph.pairs.target[pair]!;
}

/** The first pair of a relation that the entity at an index has, or 0. */
export function pairAt(world: World, index: number, relation: Definition): PairNumber {
  const { tables, records, pairs } = world.graph;
  return pairOfRelation(records, tables, pairs.relation, world.entities.table[index]!, relation.id);
}

/** Does a table have this pair? */
export function tableHasPair(world: World, table: TableNumber, pair: PairNumber): boolean {
  const { tables, records } = world.graph;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) if (records.nodePair[node] === pair) return true;
  return false;
}

/** Calls `visit` with every table of a pair; the table may be dropped meanwhile, others may not. */
export function eachTableOf(
  records: PairRecords,
  pair: PairNumber,
  visit: (table: TableNumber) => void,
): void {
  let node = records.firstNode[pair]!;
  while (node !== 0) {
    const next = records.nodeNext[node]!;
    visit(records.nodeTable[node]!);
    node = next;
  }
}

/** Sets all depths right; to be called before any depth is read. */
export function settleDepths(world: World): void {
  const { graph } = world;
  if (graph.records.staleList.length === 0) return;
  refreshDepths(graph.records, (pair) => {
    if (!graph.journal.reading) return;
    eachTableOf(graph.records, pair, (table) => note(graph.journal, TABLE_CHANGED, table));
  });
}

/** Depth of the entity at an index along ChildOf; a root has 0. */
export function depthAt(world: World, index: number): number {
  settleDepths(world);
  const { graph, entities } = world;
  const pair = graph.tables.parentPair[entities.table[index]!]!;
  return pair === 0 ? 0 : graph.records.depth[pair]!;
}
