import { Any, ChildOf, type World } from "@treeline/core";
import { type Archetype, archetypesWith, DisabledTree, hasDefinition, Life } from "@treeline/core/internal";
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

/** Where answering archetypes are looked for: those of the rarest definition that is asked for, in order of founding. */
function candidatesFor(world: World, { clauses }: Plan): readonly Archetype[] {
  let candidates = archetypesWith(world, Life);
  for (const clause of clauses) {
    const { definition } = clause;
    // Those are in several lists.
    if (definition === Any || definition === ChildOf || tellsNothing(clause)) continue;
    const list = archetypesWith(world, definition);
    if (list.length < candidates.length) candidates = list;
  }
  return candidates;
}

/** How many archetypes `matchingShapes` looks at. */
export function countCandidates(world: World, plan: Plan): number {
  return candidatesFor(world, plan).length;
}

/** All founded archetypes that answer, in order of founding. */
export function matchingShapes(world: World, plan: Plan): Archetype[] {
  return candidatesFor(world, plan).filter((shape) => matchesShape(plan, shape));
}
