import type { Entity, World } from "@treeline/core";
import { enterVisit, handleAt, leaveVisit, refreshRuns, type Shape } from "@treeline/core/internal";
import { targetedPieces } from "../match/match-table.ts";
import { type Query, requireUsable } from "../query/query.ts";
import type { QueryTerm, RowsOf } from "../term/term.ts";
import { eachStretch } from "./each-stretch.ts";
import { createGivers, type Giver } from "./givers.ts";

/**
 * Calls `visit` once per row: one argument per term that has values, in the order of the terms, and the entity last.
 * Fields of an argument read and write the columns; the same objects are used for the next row. With a cascade term,
 * parents come before children. Structural changes wait for the end of the visit, and are then made in order.
 *
 * Components and pairs with data give a row view, components without schema their value, `maybe` the same or
 * `undefined`, `cascade(C)` the C of the nearest ancestor that has it, or `undefined`. Tags, also in `maybe`, bare
 * pairs, wildcards, entities as tags and `not` give nothing.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none; what the visitor throws, or else
 *   the first error of a change that waited.
 *
 * @example
 * each(moving, (position, velocity) => {
 *   position.x += velocity.x;
 * });
 */
export function each<const Terms extends readonly QueryTerm[]>(
  query: Query<Terms>,
  visit: (...row: [...RowsOf<Terms>, Entity]) => void,
): void {
  requireUsable(query);
  const call = visit as unknown as Visitor;
  const givers = (query.spares.rows.pop() as Giver[] | undefined) ?? createGivers(query);
  enterVisit(query.world);
  let isDone = false;
  try {
    if (query.cascade !== undefined) visitStretches(query, givers, call);
    else if (query.isTargeted) {
      for (const { shape, bounds, length } of targetedPieces(query.world, query.clauses)) {
        visitBounds(query, givers, shape, bounds, length, call);
      }
    } else {
      for (const shape of query.shapes) {
        if (shape.rows === 0) continue;
        refreshRuns(shape.used, shape.end);
        visitBounds(query, givers, shape, shape.used.bounds, shape.used.length, call);
      }
    }
    isDone = true;
  } finally {
    query.spares.rows.push(givers);
    leaveVisit(query.world, isDone);
  }
}

type Visitor = (...row: unknown[]) => void;

function visitBounds(
  { world }: Query,
  givers: readonly Giver[],
  shape: Shape,
  bounds: Int32Array,
  length: number,
  visit: Visitor,
): void {
  if (length === 0) return;
  for (const giver of givers) giver.turnTo(world, shape, bounds[0]!);
  for (let at = 0; at < length; at += 2) {
    visitRows(world.entities, givers, shape.lanes.i32, bounds[at]!, bounds[at + 1]!, visit);
  }
}

/** The loop over rows, once for each number of arguments, so that nothing is gathered per row. */
function visitRows(
  entities: World["entities"],
  givers: readonly Giver[],
  indexes: Int32Array,
  first: number,
  end: number,
  visit: Visitor,
): void {
  const [a, b, c, d] = givers as [Giver, Giver, Giver, Giver];
  switch (givers.length) {
    case 0:
      for (let row = first; row < end; row++) visit(handleAt(entities, indexes[row]!));
      return;
    case 1:
      for (let row = first; row < end; row++) visit(a.at(row), handleAt(entities, indexes[row]!));
      return;
    case 2:
      for (let row = first; row < end; row++) visit(a.at(row), b.at(row), handleAt(entities, indexes[row]!));
      return;
    case 3:
      for (let row = first; row < end; row++) {
        visit(a.at(row), b.at(row), c.at(row), handleAt(entities, indexes[row]!));
      }
      return;
    case 4:
      for (let row = first; row < end; row++) {
        visit(a.at(row), b.at(row), c.at(row), d.at(row), handleAt(entities, indexes[row]!));
      }
      return;
    default: {
      const row: unknown[] = [];
      for (let at = first; at < end; at++) {
        for (let place = 0; place < givers.length; place++) row[place] = givers[place]!.at(at);
        row[givers.length] = handleAt(entities, indexes[at]!);
        visit(...row);
      }
    }
  }
}

function visitStretches(query: Query, givers: readonly Giver[], visit: Visitor): void {
  const { world } = query;
  const row: unknown[] = [];
  eachStretch(query, (stretch) => {
    const { rows, parentRows, from, to } = stretch;
    const shape = stretch.shapeOfRows();
    const parents = stretch.shapeOfParents();
    for (const giver of givers) {
      if (giver.ofParents) giver.turnTo(world, parents, 0);
      else giver.turnTo(world, shape, rows[from]!);
    }
    for (let at = from; at < to; at++) {
      for (let place = 0; place < givers.length; place++) {
        const giver = givers[place]!;
        row[place] = giver.ofParents ? giver.at(parentRows[at] ?? 0) : giver.at(rows[at]!);
      }
      row[givers.length] = handleAt(world.entities, shape.lanes.i32[rows[at]!]!);
      visit(...row);
    }
  });
}
