import { Parent, type World } from "@treeline/core";
import {
  countInList,
  loosePairOf,
  type PairNumber,
  type Shape,
  type TableNumber,
} from "@treeline/core/internal";
import { countCandidates, matchingShapes } from "../match/match-shape.ts";
import type { Piece } from "../match/match-table.ts";
import {
  type Condition,
  countTargets,
  type End,
  type Exclusion,
  firstPair,
  hasLoose,
  pairAfter,
  shapesOfSources,
} from "./bonds.ts";
import type { Query } from "./query-state.ts";
import type { Spans } from "./spans.ts";

/** So many steps are taken without looking for a shorter way. */
const FEW = 16;
/** So many tables of a pair are looked at to guess how many rows the others have. */
const SAMPLE = 8;

/** What is known on the way to one answer. */
export interface Search {
  readonly query: Query;
  readonly world: World;
  readonly spans: Spans;
  /** Where the spans of this search begin. */
  readonly start: number;
  readonly variables: readonly End[];
  readonly conditions: readonly Condition[];
  readonly exclusions: readonly Exclusion[];
  /** Something is asked about parents: loose ones of one table differ. */
  readonly asksParents: boolean;
  /**
   * Who is visited, as far as it is known: rows `first .. end` of one table, absolute, that have the same loose pair if parents
   * are asked for. All conditions treat them alike. Table 0: not known yet.
   */
  shape: Shape;
  table: TableNumber;
  first: number;
  end: number;
  loose: PairNumber;
  /** Shapes that answer, and the steps it takes to go through their rows; undefined until they are needed. */
  answering: readonly Shape[] | undefined;
  steps: number;
  /** All rows that answer if nothing is asked of them that names another one; undefined until they are needed. */
  everybody: readonly Piece[] | undefined;
}

/** About how many ways there are; 0 if nothing has to be found; infinite if it has to be known first who is visited. */
export function costOf(search: Search, condition: Condition): number {
  const { world } = search;
  const { source, definition, target } = condition;
  const isOpen = target !== undefined && target.index === 0;
  if (source === undefined) {
    if (!isOpen) return search.table === 0 ? costOfSources(search, condition) : 0;
    if (search.table === 0) return Number.POSITIVE_INFINITY;
    const selves = definition.reflexive ? search.end - search.first : 0;
    return selves + countTargets(world, search.table, search.loose, definition);
  }
  if (source.index !== 0) {
    if (!isOpen) return 0;
    const loose = loosePairOf(world.graph.links, source.index);
    const selves = definition.reflexive ? 1 : 0;
    return selves + countTargets(world, world.entities.table[source.index]!, loose, definition);
  }
  if (target !== undefined && !isOpen) return costOfSources(search, condition);
  shapesOfSources(world, condition);
  return condition.rows;
}

/** Of a condition whose target is known: tables, or rows where rows have to be told apart. */
function costOfSources(search: Search, { source, definition, target }: Condition): number {
  const { world } = search;
  const { links } = world.graph;
  let cost = definition.reflexive ? 1 : 0;
  for (
    let pair = firstPair(world, definition, target!.index);
    pair !== 0;
    pair = pairAfter(world, definition, pair)
  ) {
    if (definition !== Parent) cost += costOfTables(search, pair, source === undefined);
    if (hasLoose(world, definition, pair)) cost += countInList(links, pair);
  }
  return cost;
}

function costOfTables({ world, asksParents }: Search, pair: PairNumber, areVisited: boolean): number {
  const { records, tables, shapes } = world.graph;
  let sum = 0;
  let looked = 0;
  for (let node = records.firstNode[pair]!; node !== 0 && looked < SAMPLE; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const isOne = areVisited && !(asksParents && shapes[tables.shape[table]!]!.isLoose);
    sum += isOne ? 1 : tables.count[table]!;
    looked++;
  }
  return looked === 0 ? 0 : (sum * records.tables[pair]!) / looked;
}

/** Does it take fewer steps to go through all shapes that answer? */
export function isShorter(search: Search, least: number): boolean {
  if (least <= FEW) return false;
  if (search.answering === undefined) {
    const { query, world, asksParents } = search;
    if (query.isTargeted && countCandidates(world.graph, query.plan) >= least) return false;
    search.answering = query.isTargeted ? matchingShapes(world.graph, query.plan) : query.shapes;
    for (const { isLoose, rows, tables } of search.answering) {
      search.steps += isLoose && asksParents ? rows : tables;
    }
  }
  return search.steps < least;
}
