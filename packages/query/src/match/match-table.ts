import type { World } from "@treeline/core";
import type { Shape } from "@treeline/core/internal";
import { type Clause, namesTarget, readsPairs } from "../term/term.ts";
import { countCandidates, matchesShape, matchingShapes } from "./match-shape.ts";
import { countUnsure, type Sources, sifted, sourcesOf, spotsOfSources } from "./sources.ts";
import { type Bounds, countSpots, less, shapeOfSpot, shared, spotOf, spotsOfShapes } from "./spots.ts";

/** So few sources are gone through without looking for a shorter way. */
const FEW = 16;

/** Rows of one shape that answer: [first, end, first, end, ...]; the first `length` numbers count. */
export interface Piece {
  readonly shape: Shape;
  bounds: Int32Array<ArrayBuffer>;
  length: number;
}

/**
 * The answering rows for clauses of which some name a target, each once: one piece for each shape, in order of founding,
 * with whole runs. If values of a pair are asked for, which lie in other columns in every table, one piece for each
 * table.
 *
 * It starts from the sources of the rarest pair that is asked for, in both storages of parents, or from the rows of the
 * answering shapes if they are fewer; the other pairs sift them.
 */
export function targetedPieces(world: World, clauses: readonly Clause[]): Piece[] {
  const wanted: Sources[] = [];
  const unwanted: Sources[] = [];
  for (const clause of clauses) {
    if (!namesTarget(clause)) continue;
    const sources = sourcesOf(world, clause);
    if (clause.operator === "not") {
      if (sources.cost > 0) unwanted.push(sources);
    } else if (sources.cost > 0) wanted.push(sources);
    else return [];
  }
  const bounds =
    wanted.length > 0
      ? spotsWith(world, clauses, wanted, unwanted)
      : spotsWithout(world, spotsOfShapes(matchingShapes(world.graph, clauses)), unwanted);
  const pieces = piecesByShape(world, bounds);
  return clauses.some(readsPairs) ? piecesByTable(world, pieces) : pieces;
}

function spotsWith(
  world: World,
  clauses: readonly Clause[],
  wanted: readonly Sources[],
  unwanted: readonly Sources[],
): Bounds {
  const rarest = wanted.reduce((one, other) => (other.cost < one.cost ? other : one));
  let bounds = spotsOfFewShapes(world, clauses, rarest.cost);
  const isAll = bounds === undefined;
  bounds ??= spotsOfSources(world, rarest, (shape) => matchesShape(clauses, shape));
  for (const sources of wanted) {
    if (!isAll || sources !== rarest) bounds = siftedBy(world, bounds, sources, true);
  }
  for (const sources of unwanted) bounds = siftedBy(world, bounds, sources, false);
  return bounds;
}

/** The rows of the answering shapes, if it takes fewer steps than `cost` to look at all of them. */
function spotsOfFewShapes({ graph }: World, clauses: readonly Clause[], cost: number): Bounds | undefined {
  if (cost <= FEW || countCandidates(graph, clauses) >= cost) return undefined;
  const shapes = matchingShapes(graph, clauses);
  const rows = shapes.reduce((sum, shape) => sum + shape.rows, 0);
  return rows < cost ? spotsOfShapes(shapes) : undefined;
}

/** Looks at the rows of the set, or goes through the sources if these are fewer. */
function siftedBy(world: World, bounds: Bounds, sources: Sources, keep: boolean): Bounds {
  if (countUnsure(world, bounds, sources) <= sources.cost) return sifted(world, bounds, sources, keep);
  const others = spotsOfSources(world, sources, () => true);
  return keep ? shared(bounds, others) : less(bounds, others);
}

/** With pairs that are only excluded, whole tables go out of long runs: looking at all rows would cost more. */
function spotsWithout(world: World, bounds: Bounds, unwanted: readonly Sources[]): Bounds {
  let left = bounds;
  for (const sources of unwanted) {
    left =
      countSpots(left) < sources.cost
        ? sifted(world, left, sources, false)
        : less(
            left,
            spotsOfSources(world, sources, () => true),
          );
  }
  return left;
}

function piecesByShape(world: World, bounds: Bounds): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < bounds.length; ) {
    const shape = shapeOfSpot(world, bounds[at]!);
    const base = spotOf(shape, 0);
    const own: number[] = [];
    for (; at < bounds.length && shapeOfSpot(world, bounds[at]!) === shape; at += 2) {
      own.push(bounds[at]! - base, bounds[at + 1]! - base);
    }
    pieces.push(pieceOf(shape, own));
  }
  return pieces;
}

function pieceOf(shape: Shape, bounds: readonly number[]): Piece {
  return { shape, bounds: new Int32Array(bounds), length: bounds.length };
}

function piecesByTable({ graph, entities }: World, pieces: readonly Piece[]): Piece[] {
  const { first, count } = graph.tables;
  const found: Piece[] = [];
  for (const { shape, bounds, length } of pieces) {
    let own: number[] = [];
    let end = 0;
    for (let at = 0; at < length; at += 2) {
      for (let row = bounds[at]!; row < bounds[at + 1]!; ) {
        if (row >= end) {
          if (own.length > 0) found.push(pieceOf(shape, own));
          own = [];
          const table = entities.table[shape.lanes.i32[row]!]!;
          end = first[table]! + count[table]!;
        }
        const next = Math.min(end, bounds[at + 1]!);
        own.push(row, next);
        row = next;
      }
    }
    found.push(pieceOf(shape, own));
  }
  return found;
}
