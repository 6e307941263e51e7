import type { World } from "@treeline/core";
import type { Shape } from "@treeline/core/internal";
import { type Clause, namesTarget, type Plan, type Test } from "../term/plan.ts";
import { isVariable } from "../term/variable.ts";
import { countCandidates, matchesShape, matchingShapes } from "./match-shape.ts";
import { countUnsure, type Sources, sifted, sourcesOf, spotsOfSources } from "./sources.ts";
import {
  type Bounds,
  countSpots,
  joined,
  less,
  shapeOfSpot,
  shared,
  spotOf,
  spotsOfShapes,
} from "./spots.ts";

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
 * with whole runs. What the plan asks besides clauses is looked at as far as shapes tell it. If values of a pair are asked for, which lie in other columns in every table, one piece for each
 * table.
 *
 * It starts from the sources of the rarest pair that is asked for, in both storages of parents, or from the rows of the
 * answering shapes if they are fewer; the other pairs sift them.
 */
export function targetedPieces(world: World, plan: Plan, clauses: readonly Clause[]): Piece[] {
  const wanted: Sources[] = [];
  const unwanted: Sources[] = [];
  for (const clause of clauses) {
    if (clause.operator === "maybe" || !namesTarget(clause)) continue;
    const sources = sourcesOf(world, clause);
    if (clause.operator === "not") {
      if (sources.cost > 0) unwanted.push(sources);
    } else if (sources.cost > 0) wanted.push(sources);
    else return [];
  }
  const bounds =
    wanted.length > 0
      ? spotsWith(world, plan, wanted, unwanted)
      : spotsWithout(world, spotsOfShapes(matchingShapes(world.graph, plan)), unwanted);
  const pieces = piecesByShape(world, bounds);
  return plan.readsPairs ? piecesByTable(world, pieces) : pieces;
}

/**
 * Where all who answer are, if one of the tests asks for one of several pairs with targets: their sources, by piece. The
 * tests have still to be asked. Undefined if no test does.
 */
export function piecesOfEither(world: World, plan: Plan): Piece[] | undefined {
  const either = eitherOf(plan);
  return either === undefined ? undefined : piecesOf(world, plan, either);
}

function piecesOf(world: World, plan: Plan, either: Test): Piece[] {
  let bounds: Bounds = [];
  for (const one of either.of) {
    const sources = sourcesOf(world, one);
    if (sources.cost > 0)
      bounds = joined(
        bounds,
        spotsOfSources(world, sources, (shape) => matchesShape(plan, shape)),
      );
  }
  const pieces = piecesByShape(world, bounds);
  return plan.readsPairs ? piecesByTable(world, pieces) : pieces;
}

function eitherOf({ tests }: Plan): Test | undefined {
  for (let at = 0; at < tests.length; at++) if (asksForOneOfPairs(tests[at]!)) return tests[at];
  return undefined;
}

function asksForOneOfPairs({ kind, of }: Test): boolean {
  if (kind !== "any") return false;
  for (let at = 0; at < of.length; at++) {
    const one = of[at]!;
    if (one.kind !== "has" || !namesTarget(one) || isVariable(one.target)) return false;
  }
  return true;
}

function spotsWith(
  world: World,
  plan: Plan,
  wanted: readonly Sources[],
  unwanted: readonly Sources[],
): Bounds {
  const rarest = wanted.reduce((one, other) => (other.cost < one.cost ? other : one));
  let bounds = spotsOfFewShapes(world, plan, rarest.cost);
  const isAll = bounds === undefined;
  bounds ??= spotsOfSources(world, rarest, (shape) => matchesShape(plan, shape));
  for (const sources of wanted) {
    if (!isAll || sources !== rarest) bounds = siftedBy(world, bounds, sources, true);
  }
  for (const sources of unwanted) bounds = siftedBy(world, bounds, sources, false);
  return bounds;
}

/** The rows of the answering shapes, if it takes fewer steps than `cost` to look at all of them. */
function spotsOfFewShapes({ graph }: World, plan: Plan, cost: number): Bounds | undefined {
  if (cost <= FEW || countCandidates(graph, plan) >= cost) return undefined;
  const shapes = matchingShapes(graph, plan);
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
