import { archetypeWith, Graph, openPair, tableFor, tidyEmpty } from "../../src/graph/graph.ts";
import { findPair } from "../../src/id/pair-index.ts";
import { type Definition, plainMemory } from "../../src/index.ts";
import { EntityIndex, takeIndex } from "../../src/records/entity-index.ts";
import type { Archetype } from "../../src/storage/archetype.ts";
import { appendRow, enter, leave, type Rows, takeRow } from "../../src/storage/rows.ts";
import type { PairNumber, TableNumber } from "../../src/storage/table.ts";
import { leaveTree } from "../../src/world/change/pair.ts";

/** A graph with what is needed to put rows into its tables. */
export interface GraphFixture {
  readonly graph: Graph;
  readonly rows: Rows;
}

export function startGraph(): GraphFixture {
  const graph = new Graph(plainMemory(), { leaveTree }, new EntityIndex(1));
  return { graph, rows: graph };
}

export function archetypeFor(graph: Graph, ...definitions: Definition[]): Archetype {
  return definitions.reduce(
    (archetype, definition) => archetypeWith(graph, archetype, definition),
    graph.root,
  );
}

/** The number of a pair, which may already exist. */
export function pairFor(graph: Graph, relation: Definition, target: number): PairNumber {
  const known = findPair(graph.pairs, relation.id, target);
  return known !== 0 ? known : openPair(graph, relation, target);
}

/** Pairs are given as [relation, target index]. */
export function pairsFor(graph: Graph, ...pairs: (readonly [Definition, number])[]): PairNumber[] {
  return pairs.map(([relation, target]) => pairFor(graph, relation, target));
}

export function want(graph: Graph, pairs: readonly PairNumber[]): number {
  const sorted = pairs.toSorted((one, other) => one - other);
  graph.wanted.set(sorted);
  return sorted.length;
}

/** Finds or creates the table of an archetype with these pairs. */
export function tableOf(graph: Graph, archetype: Archetype, ...pairs: PairNumber[]): TableNumber {
  return tableFor(graph, archetype, want(graph, pairs));
}

/** Adds an entity to a table, whose index is the number of the table. */
export function fill({ graph, rows }: GraphFixture, table: TableNumber): void {
  const archetype = graph.archetypes[graph.tables.archetype[table]!]!;
  const { entities } = graph;
  while (entities.length <= table) takeIndex(entities);
  entities.row[table] = appendRow(rows, archetype, table);
  if (archetype.hasPairs) enter(rows, archetype, table, table);
}

/** Removes the only entity of a table, and applies the rule for empty tables. */
export function drain(fixture: GraphFixture, table: TableNumber): void {
  empty(fixture, table);
  const { graph } = fixture;
  tidyEmpty(graph, graph.archetypes[graph.tables.archetype[table]!]!, table);
}

/** The same without that rule. */
export function empty({ graph, rows }: GraphFixture, table: TableNumber): void {
  const archetype = graph.archetypes[graph.tables.archetype[table]!]!;
  if (archetype.hasPairs) leave(rows, archetype, table, table);
  takeRow(rows, archetype, graph.entities.row[table]!);
}
