import { Any, ChildOf, type Definition, type World } from "@treeline/core";
import {
  type Archetype,
  archetypesWith,
  DisabledTree,
  hasDefinition,
  Life,
  Parent,
} from "@treeline/core/internal";
import type { Clause, Plan } from "../term/plan.ts";
import { shapeHas } from "./pairs.ts";
import { NO, tell } from "./tests.ts";

/** A target has the pair of a reflexive relation with itself, whatever its archetype; and tags in bits are had by rows. */
function tellsNothing({ operator, definition, named }: Clause): boolean {
  if (definition.storage === "bits") return true;
  return operator !== "with" || (definition.reflexive && named);
}

/**
 * Does the archetype answer the plan, as far as it can tell? Targets are not seen here: a pair with a target asks for the
 * relation, `not` of one asks for nothing. What is disabled answers only if the plan names that.
 */
export function matchesShape({ clauses, tests, namesDisabled }: Plan, shape: Archetype): boolean {
  for (const clause of clauses) {
    const { operator, definition, named } = clause;
    if (operator === "not" && !named && shapeHas(shape, definition)) return false;
    if (!tellsNothing(clause) && !shapeHas(shape, definition)) return false;
  }
  for (const test of tests) if (tell(test, shape, undefined) === NO) return false;
  // Those that are disabled by a bit of their row are left out row by row.
  return namesDisabled || !hasDefinition(shape, DisabledTree);
}

/** Lists that together hold all archetypes which have a definition, or some pair of a relation. Not of `Any`. */
export function listsWith(world: World, definition: Definition): (readonly Archetype[])[] {
  const lists = [archetypesWith(world, definition)];
  if (definition === ChildOf) lists.push(archetypesWith(world, Parent));
  return lists;
}

function shapesIn(lists: readonly (readonly Archetype[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** Where answering archetypes are looked for: those of the rarest definition that is asked for. */
function candidatesFor(world: World, { clauses }: Plan): (readonly Archetype[])[] {
  let candidates: (readonly Archetype[])[] = [archetypesWith(world, Life)];
  for (const clause of clauses) {
    if (tellsNothing(clause) || clause.definition === Any) continue;
    const lists = listsWith(world, clause.definition);
    if (shapesIn(lists) < shapesIn(candidates)) candidates = lists;
  }
  return candidates;
}

/** How many archetypes `matchingShapes` looks at. */
export function countCandidates(world: World, plan: Plan): number {
  return shapesIn(candidatesFor(world, plan));
}

/** All founded archetypes that answer, in order of founding. */
export function matchingShapes(world: World, plan: Plan): Archetype[] {
  return candidatesFor(world, plan)
    .flatMap((list) => list.filter((shape) => matchesShape(plan, shape)))
    .sort((one, other) => one.place - other.place);
}
