import type { EntityIndex } from "../id/entity.ts";
import type { World } from "../world/state/world.ts";
import type { Archetype } from "./archetype.ts";

/**
 * The indexes of all entities of some archetypes, in the order in which they were born or got their present parents. A fresh
 * list.
 *
 * Cost: the entities of these archetypes, and sorting those that are meant.
 */
export function entitiesIn(
  world: World,
  isMeant: (archetype: Archetype) => boolean,
  isAsked: (index: EntityIndex) => boolean = () => true,
): EntityIndex[] {
  const { graph, entities } = world;
  const { tables } = graph;
  const found: EntityIndex[] = [];
  for (const shape of graph.founded) {
    if (shape.rows === 0 || !isMeant(shape)) continue;
    for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
      const first = tables.first[table]!;
      const end = first + tables.count[table]!;
      for (let row = first; row < end; row++) {
        const index = shape.lanes.i32[row]!;
        if (isAsked(index)) found.push(index);
      }
    }
  }
  const { order } = entities;
  return found.sort((one, other) => order[one]! - order[other]!);
}
