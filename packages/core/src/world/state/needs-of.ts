import { ChildOf, Life } from "../../id/builtins.ts";
import { hasDefinition, NEEDS_OBSERVERS, NEEDS_TICKS, type Shape } from "../../storage/shape.ts";
import { REMOVED } from "../../storage/tracks.ts";
import { OBSERVES_REORDERED, observedOf } from "./event-list.ts";
import type { World } from "./world.ts";

/** NEEDS_ bits of a change of entities of an archetype, as observers and tracking are now. */
export function needsOf(world: World, shape: Shape): number {
  const { epoch } = world.events;
  if (shape.needsEpoch !== epoch) {
    shape.needs = needsNow(world, shape);
    shape.needsEpoch = epoch;
  }
  return shape.needs;
}

/** The same from scratch. */
export function needsNow({ events, graph }: World, shape: Shape): number {
  let needs = shape.fixedNeeds;
  // Orders of siblings are told apart from all this.
  const observed = [Life, ...(shape.isLoose ? [ChildOf] : []), ...shape.definitions].some(
    (definition) => (observedOf(events, definition) & ~OBSERVES_REORDERED) !== 0,
  );
  if (observed) needs |= NEEDS_OBSERVERS;
  const isTracked = graph.tracking.tracked.some(
    ({ kind, definition }) => kind === REMOVED || hasDefinition(shape, definition),
  );
  return isTracked ? needs | NEEDS_TICKS : needs;
}
