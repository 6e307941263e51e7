import { has, type Pair, type World } from "@treeline/core";
import { handleAt, isInLimbo, shapeAt } from "@treeline/core/internal";
import { type Clause, namesTarget } from "../term/term.ts";
import { matchesShape } from "./match-shape.ts";
import { targetedPieces } from "./match-table.ts";

/** Does the living entity at an index answer the clauses? One in limbo answers nothing yet. */
export function answersAt(world: World, clauses: readonly Clause[], index: number): boolean {
  if (isInLimbo(world, index) || !matchesShape(clauses, shapeAt(world, index))) return false;
  const entity = handleAt(world.entities, index);
  return clauses.every((clause) => {
    if (!namesTarget(clause)) return true;
    return has(world, entity, clause as unknown as Pair) === (clause.operator === "with");
  });
}

/** The indexes of all who answer, in the order of shapes and rows. A fresh list. */
export function answersTo(world: World, clauses: readonly Clause[]): number[] {
  const found: number[] = [];
  for (const { shape, bounds, length } of targetedPieces(world, clauses)) {
    const { i32 } = shape.lanes;
    for (let at = 0; at < length; at += 2) {
      for (let row = bounds[at]!; row < bounds[at + 1]!; row++) found.push(i32[row]!);
    }
  }
  return found;
}
