import type { Entity, World } from "@treeline/core";
import { each, eachRun, type Query, type QueryTerm, query } from "../src/index.ts";

/** The entities that match, in the order of iteration: the last argument of each call. */
export function iterated(tested: { readonly world: World }): Entity[] {
  const found: Entity[] = [];
  each(tested as ReturnType<typeof query>, (...row: unknown[]) => found.push(row.at(-1) as Entity));
  return found;
}

/** Handles from small to large: the order of spawning as long as no index was used again. */
export function sorted(entities: readonly Entity[]): Entity[] {
  return entities.toSorted((one, other) => one - other);
}

/** The entities that match a query description, sorted. */
export function matchesOf(world: World, ...terms: QueryTerm[]): Entity[] {
  return sorted(iterated(query(world, ...terms)));
}

/** The entities of each run, in the order of iteration. */
export function matchesByRun(tested: Query): Entity[][] {
  const runs: Entity[][] = [];
  eachRun(tested, (run) => {
    runs.push(Array.from({ length: run.end - run.first }, (_, at) => run.entityAt(run.first + at)));
  });
  return runs;
}
