import { loosePairOf } from "../../records/sibling-links.ts";
import { NEEDS_HOOKS, NEEDS_OBSERVERS } from "../../storage/needs.ts";
import type { TableNumber } from "../../storage/table.ts";
import { hasHeardTags } from "../state/bit-tags.ts";
import { needsOf } from "../state/needs-of.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { type ChangeEvents, listEvents, tellAll } from "./events.ts";
import { tellRemoved } from "./hook-calls.ts";

/**
 * Tells observers of what an entity is about to lose, and then, if it is destroyed, hooks. Inside a visit.
 *
 * @param to the table that it goes to, with the parent that it has; 0 if it is destroyed.
 */
export function announce(world: World, index: number, to: TableNumber): void {
  const shape = shapeAt(world, index);
  const needs = needsOf(world, shape);
  if ((needs & NEEDS_OBSERVERS) !== 0 || hasHeardTags(world, shape)) {
    const events: ChangeEvents = { removed: [], added: [] };
    const valuePair = to === 0 ? 0 : loosePairOf(world.graph.links, index);
    listEvents(world, events, index, world.entities.table[index]!, to, valuePair);
    tellAll(world, events.removed);
  }
  if (to === 0 && (needs & NEEDS_HOOKS) !== 0) tellRemoved(world, index, shape.hooked);
}
