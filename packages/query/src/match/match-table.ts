import type { World } from "@treeline/core";
import {
  eachTableOf,
  findPair,
  grownInt32,
  indexOf,
  isLiving,
  type PairNumber,
  refreshRuns,
  type Shape,
  type TableNumber,
  tableHasPair,
} from "@treeline/core/internal";
import { type Clause, namesTarget } from "../term/term.ts";
import { matchesShape, matchingShapes } from "./match-shape.ts";

/** Rows of one shape that answer: [first, end, first, end, ...]; the first `length` numbers count. */
export interface Piece {
  readonly shape: Shape;
  bounds: Int32Array<ArrayBuffer>;
  length: number;
}

/** The pair of a clause that names a target, or 0 if nobody has it or the target is dead. */
function pairOf(world: World, { definition, target }: Clause): PairNumber {
  if (!isLiving(world.entities, target)) return 0;
  return findPair(world.graph.pairs, definition.id, indexOf(target));
}

/**
 * The answering rows for clauses of which some name a target. With such a pair asked for, from the tables of the
 * rarest pair; with such pairs only excluded, from the runs of the shapes, less the tables of those pairs.
 */
export function targetedPieces(world: World, clauses: readonly Clause[]): Piece[] {
  const wanted: PairNumber[] = [];
  const unwanted: PairNumber[] = [];
  for (const clause of clauses) {
    if (!namesTarget(clause)) continue;
    const pair = pairOf(world, clause);
    if (clause.operator === "with") {
      if (pair === 0) return [];
      wanted.push(pair);
    } else if (pair !== 0) unwanted.push(pair);
  }
  return wanted.length > 0
    ? piecesWith(world, clauses, wanted, unwanted)
    : piecesWithout(world, clauses, unwanted);
}

function piecesWith(
  world: World,
  clauses: readonly Clause[],
  wanted: readonly PairNumber[],
  unwanted: readonly PairNumber[],
): Piece[] {
  const { tables, records, shapes } = world.graph;
  const rarest = wanted.reduce((one, other) => (records.tables[other]! < records.tables[one]! ? other : one));
  const pieces: Piece[] = [];
  eachTableOf(records, rarest, (table) => {
    if (tables.count[table] === 0) return;
    const shape = shapes[tables.shape[table]!]!;
    if (!matchesShape(clauses, shape)) return;
    for (const pair of wanted) if (!tableHasPair(world, table, pair)) return;
    for (const pair of unwanted) if (tableHasPair(world, table, pair)) return;
    const first = tables.first[table]!;
    pieces.push({ shape, bounds: Int32Array.of(first, first + tables.count[table]!), length: 2 });
  });
  return pieces;
}

function piecesWithout(world: World, clauses: readonly Clause[], unwanted: readonly PairNumber[]): Piece[] {
  const { tables, records } = world.graph;
  const cuts = new Map<number, TableNumber[]>();
  for (const pair of unwanted) {
    eachTableOf(records, pair, (table) => {
      if (tables.count[table] === 0) return;
      const list = cuts.get(tables.shape[table]!);
      if (list === undefined) cuts.set(tables.shape[table]!, [table]);
      else if (!list.includes(table)) list.push(table);
    });
  }
  return matchingShapes(world.graph, clauses).map((shape) => {
    refreshRuns(shape.used, shape.end);
    const cut = cuts.get(shape.number) ?? [];
    cut.sort((one, other) => tables.first[one]! - tables.first[other]!);
    return runsLess(world, shape, cut);
  });
}

/** A shape's runs without the rows of some tables, which are sorted by row. */
function runsLess({ graph }: World, shape: Shape, cut: readonly TableNumber[]): Piece {
  const { first, count } = graph.tables;
  const { bounds, length } = shape.used;
  const piece: Piece = { shape, bounds: new Int32Array(length + cut.length * 2), length: 0 };
  let next = 0;
  for (let at = 0; at < length; at += 2) {
    let from = bounds[at]!;
    const end = bounds[at + 1]!;
    for (; next < cut.length && first[cut[next]!]! < end; next++) {
      const table = cut[next]!;
      addBounds(piece, from, first[table]!);
      from = first[table]! + count[table]!;
    }
    addBounds(piece, from, end);
  }
  return piece;
}

function addBounds(piece: Piece, from: number, end: number): void {
  if (from >= end) return;
  piece.bounds = grownInt32(piece.bounds, piece.length + 2);
  piece.bounds[piece.length++] = from;
  piece.bounds[piece.length++] = end;
}
