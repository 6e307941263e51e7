import { Any, ChildOf, type World } from "@treeline/core";
import {
  type Archetype,
  archetypeAt,
  archetypesWith,
  DisabledTree,
  hasDefinition,
  Life,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import type { Clause, Plan, Reading } from "../term/plan.ts";
import { hasAt, shapeHas } from "./pairs.ts";
import { NO, Sight, tellAll, YES } from "./tests.ts";

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
  if (tellAll(tests, shape) === NO) return false;
  // Those that are disabled by a bit of their row are left out row by row.
  return namesDisabled || !hasDefinition(shape, DisabledTree);
}

/** Where answering archetypes are looked for: those of the rarest definition that is asked for, in order of founding. */
export function candidatesFor(world: World, { clauses }: Plan): readonly Archetype[] {
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

/** All founded archetypes that answer, in order of founding. */
export function matchingShapes(world: World, plan: Plan): Archetype[] {
  return candidatesFor(world, plan).filter((shape) => matchesShape(plan, shape));
}

/** Does the living entity at an index answer clauses, and tests of what it has? One in limbo answers nothing yet. */
export function answersAt(world: World, { plan, targets }: Reading, index: number): boolean {
  const shape = archetypeAt(world, index);
  if (tableAt(world, index) === 0 || !matchesShape(plan, shape)) return false;
  const row = rowAt(world, index);
  if (!plan.namesDisabled && shape.bits?.cutsOut(row)) return false;
  for (const [at, { operator, definition, named }] of plan.clauses.entries()) {
    if (operator === "maybe" || !named) continue;
    if (hasAt(world, index, definition, targets[at]!) !== (operator === "with")) return false;
  }
  return tellAll(plan.tests, shape, Object.assign(new Sight(world), { shape, index, row })) === YES;
}
