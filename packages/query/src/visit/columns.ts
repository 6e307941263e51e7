import { type Definition, type Term, TreelineError, type World } from "@treeline/core";
import {
  type Column,
  columnOf,
  definitionOf,
  findPair,
  indexOf,
  isLiving,
  pairColumn,
  type Shape,
} from "@treeline/core/internal";
import type { Clause } from "../term/term.ts";

/**
 * The column of a component, or of a pair with data, in a shape. For a pair, `row` says in which table: pairs of one
 * relation stand in the order of the table's type.
 *
 * @throws TreelineError `bad-query` if there is none.
 */
export function columnFor(world: World, shape: Shape, what: unknown, row: number): Column {
  const definition = definitionOf(what as Definition | Term);
  const column =
    definition.kind === "relation"
      ? columnOfPair(world, shape, definition, (what as Term).target, row)
      : columnOf(shape, definition);
  if (column === undefined) {
    throw new TreelineError(
      "bad-query",
      `these rows have no values of ${definition.name}; make it a term of the query, or use columnsIf after maybe`,
    );
  }
  return column;
}

export function columnOfPair(
  world: World,
  shape: Shape,
  relation: Definition,
  target: number,
  row: number,
): Column | undefined {
  if (!isLiving(world.entities, target)) return undefined;
  const pair = findPair(world.graph.pairs, relation.id, indexOf(target));
  const table = world.entities.table[shape.lanes.i32[row]!]!;
  return pair === 0 ? undefined : pairColumn(world, shape, table, pair);
}

/**
 * Values of pairs lie in other columns in every table, so only a pair that the query asks for can be read by runs.
 *
 * @throws TreelineError `bad-query` otherwise.
 */
export function requireAskedPair(clauses: readonly Clause[], what: unknown): void {
  const wanted = what as Definition | Term;
  const definition = definitionOf(wanted);
  if (definition.kind !== "relation") return;
  const target = typeof wanted === "function" ? 0 : (wanted as Term).target;
  const isAsked = clauses.some(
    (clause) => clause.operator === "with" && clause.definition === definition && clause.target === target,
  );
  if (!isAsked) {
    throw new TreelineError(
      "bad-query",
      `name ${definition.name}(target) as a term of the query to read its values`,
    );
  }
}
