import { createWorld, type Entity, spawn, type World } from "@treeline/core";
import { type QueryTerm, variable } from "../../src/index.ts";
import type { Plan } from "../../src/term/plan.ts";
import { readTerms } from "../../src/term/read.ts";

/** The world of the tests of terms: nothing changes in it. */
export const world: World = createWorld();
export const ship: Entity = spawn(world);
export const station: Entity = spawn(world);
export const one = variable("one");
export const other = variable("other");

/** The plan of terms, which may be wrong. */
export function read(...terms: readonly unknown[]): Plan {
  return readTerms(world, terms as readonly QueryTerm[]).plan;
}
