import { Any, ChildOf, Parent } from "@treeline/core";
import { type Graph, type Shape, shapesWith } from "@treeline/core/internal";
import { type Clause, namesTarget, type Plan } from "../term/plan.ts";
import { isDisabledShape, shapeHas } from "./shape-has.ts";
import { NO, tell } from "./tell.ts";

/** A target has the pair of a reflexive relation with itself, whatever its shape; and tags in bits are had by rows. */
function tellsNothing(clause: Clause): boolean {
  if (clause.definition.storage === "bits") return true;
  return clause.operator !== "with" || (clause.definition.reflexive && namesTarget(clause));
}

/**
 * Does the shape answer the plan, as far as it can tell? Targets are not seen here: a pair with a target asks for the
 * relation, `not` of one asks for nothing. What is disabled answers only if the plan names that.
 */
export function matchesShape({ clauses, tests, namesDisabled }: Plan, shape: Shape): boolean {
  for (const clause of clauses) {
    const { operator, definition } = clause;
    if (operator === "not" && !namesTarget(clause) && shapeHas(shape, definition)) return false;
    if (!tellsNothing(clause) && !shapeHas(shape, definition)) return false;
  }
  for (const test of tests) if (tell(test, shape, undefined) === NO) return false;
  return namesDisabled || !isDisabledShape(shape);
}

/** Lists that together hold all shapes which have what a clause asks for; undefined if it asks for nothing. */
function listsFor(graph: Graph, clause: Clause): (readonly Shape[])[] | undefined {
  const { definition } = clause;
  if (tellsNothing(clause) || definition === Any) return undefined;
  const lists = [shapesWith(graph, definition)];
  if (definition === ChildOf) lists.push(shapesWith(graph, Parent));
  return lists;
}

function shapesIn(lists: readonly (readonly Shape[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** Where answering shapes are looked for: those of the rarest definition that is asked for. */
function candidatesFor(graph: Graph, plan: Plan): (readonly Shape[])[] {
  let candidates: (readonly Shape[])[] = [graph.founded];
  for (const clause of plan.clauses) {
    const lists = listsFor(graph, clause);
    if (lists !== undefined && shapesIn(lists) < shapesIn(candidates)) candidates = lists;
  }
  return candidates;
}

/** How many shapes `matchingShapes` looks at. */
export function countCandidates(graph: Graph, plan: Plan): number {
  return shapesIn(candidatesFor(graph, plan));
}

/** All founded shapes that answer, in order of founding. */
export function matchingShapes(graph: Graph, plan: Plan): Shape[] {
  const [first, second] = candidatesFor(graph, plan);
  const found = first!.filter((shape) => matchesShape(plan, shape));
  if (second === undefined || second.length === 0) return found;
  for (const shape of second) if (matchesShape(plan, shape)) found.push(shape);
  return found.sort((one, other) => one.place - other.place);
}
