import type { Definition } from "@treeline/core";
import { type Graph, hasDefinition, type Shape, shapesWith } from "@treeline/core/internal";
import { type Clause, namesTarget } from "../term/term.ts";

/**
 * Does the shape answer the clauses, as far as it can tell? Targets are not seen here: a pair with a target asks for
 * the relation, `not` of one asks for nothing.
 */
export function matchesShape(clauses: readonly Clause[], shape: Shape): boolean {
  for (const clause of clauses) {
    if (clause.operator === "with" && !hasDefinition(shape, clause.definition)) return false;
    if (clause.operator === "not" && !namesTarget(clause) && hasDefinition(shape, clause.definition))
      return false;
  }
  return true;
}

/** All founded shapes that answer, found from the shapes of the rarest definition that is asked for. */
export function matchingShapes(graph: Graph, clauses: readonly Clause[]): Shape[] {
  let candidates: readonly Shape[] | undefined;
  for (const { operator, definition } of clauses) {
    if (operator !== "with") continue;
    const shapes = shapesWith(graph, definition as Definition);
    if (candidates === undefined || shapes.length < candidates.length) candidates = shapes;
  }
  return (candidates ?? graph.founded).filter((shape) => matchesShape(clauses, shape));
}
