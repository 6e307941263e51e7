import type { Entity, World } from "@treeline/core";
import { each, type QueryTerm, query } from "../src/index.ts";

/** Who answers, in the order of the visit: the last argument of each call. */
export function visited(asked: { readonly world: World }): Entity[] {
  const found: Entity[] = [];
  each(asked as ReturnType<typeof query>, (...row: unknown[]) => found.push(row.at(-1) as Entity));
  return found;
}

/** Handles from small to large, which is the order of birth as long as no index was used again. */
export function sorted(entities: readonly Entity[]): Entity[] {
  return entities.toSorted((one, other) => one - other);
}

/** Who answers a question, sorted. */
export function askedOf(world: World, ...terms: QueryTerm[]): Entity[] {
  return sorted(visited(query(world, ...terms)));
}
