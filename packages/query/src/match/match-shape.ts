import { Any, ChildOf, type Definition, Disabled, DisabledTree, Parent } from "@treeline/core";
import { type Graph, Hidden, hasDefinition, Is, type Shape, shapesWith } from "@treeline/core/internal";
import { type Clause, namesDisabled, namesTarget } from "../term/term.ts";

/** Has the shape the component or tag, or a pair of the relation? ChildOf covers both storages of parents. */
function has(shape: Shape, definition: Definition): boolean {
  if (definition === ChildOf) return shape.isLoose || hasDefinition(shape, ChildOf);
  if (definition === Any) return shape.definitions.some((one) => one.kind === "relation" && one !== Is);
  return hasDefinition(shape, definition);
}

/** A target has the pair of a reflexive relation with itself, whatever its shape. */
function tellsNothing(clause: Clause): boolean {
  return clause.operator !== "with" || (clause.definition.reflexive && namesTarget(clause));
}

function isDisabled(shape: Shape): boolean {
  return hasDefinition(shape, Disabled) || hasDefinition(shape, DisabledTree) || hasDefinition(shape, Hidden);
}

/**
 * Does the shape answer the clauses, as far as it can tell? Targets are not seen here: a pair with a target asks for
 * the relation, `not` of one asks for nothing. What is disabled answers only if a clause names that.
 */
export function matchesShape(clauses: readonly Clause[], shape: Shape): boolean {
  for (const clause of clauses) {
    const { operator, definition } = clause;
    if (operator === "not" && !namesTarget(clause) && has(shape, definition)) return false;
    if (!tellsNothing(clause) && !has(shape, definition)) return false;
  }
  return !isDisabled(shape) || namesDisabled(clauses);
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
function candidatesFor(graph: Graph, clauses: readonly Clause[]): (readonly Shape[])[] {
  let candidates: (readonly Shape[])[] = [graph.founded];
  for (const clause of clauses) {
    const lists = listsFor(graph, clause);
    if (lists !== undefined && shapesIn(lists) < shapesIn(candidates)) candidates = lists;
  }
  return candidates;
}

/** How many shapes `matchingShapes` looks at. */
export function countCandidates(graph: Graph, clauses: readonly Clause[]): number {
  return shapesIn(candidatesFor(graph, clauses));
}

/** All founded shapes that answer, in order of founding. */
export function matchingShapes(graph: Graph, clauses: readonly Clause[]): Shape[] {
  const [first, second] = candidatesFor(graph, clauses);
  const found = first!.filter((shape) => matchesShape(clauses, shape));
  if (second === undefined || second.length === 0) return found;
  for (const shape of second) if (matchesShape(clauses, shape)) found.push(shape);
  return found.sort((one, other) => one.place - other.place);
}
