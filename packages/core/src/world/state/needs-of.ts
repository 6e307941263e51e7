import { ChildOf, Life } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { NEEDS_OBSERVERS, NEEDS_TICKS } from "../../storage/needs.ts";
import { hasDefinition, type Shape } from "../../storage/shape.ts";
import { REMOVED } from "../../storage/tracks.ts";
import { type Events, OBSERVES_REORDERED, observedOf } from "./event-list.ts";
import type { World } from "./world.ts";

/** NEEDS_ bits of a change of entities of an archetype, as observers and tracking are now. */
export function needsOf(world: World, shape: Shape): number {
  return shape.needsEpoch === world.events.epoch ? shape.needs : refreshNeeds(world, shape);
}

/** Orders of siblings are told apart from all this. */
function isObservedAtAll(events: Events, definition: Definition): boolean {
  return (observedOf(events, definition) & ~OBSERVES_REORDERED) !== 0;
}

function refreshNeeds(world: World, shape: Shape): number {
  const { events, graph } = world;
  let needs = shape.fixedNeeds;
  const isObserved =
    isObservedAtAll(events, Life) ||
    (shape.isLoose && isObservedAtAll(events, ChildOf)) ||
    shape.definitions.some((definition) => isObservedAtAll(events, definition));
  if (isObserved) needs |= NEEDS_OBSERVERS;
  const isTracked = graph.tracking.tracked.some(
    ({ kind, definition }) => kind === REMOVED || hasDefinition(shape, definition),
  );
  if (isTracked) needs |= NEEDS_TICKS;
  shape.needs = needs;
  shape.needsEpoch = events.epoch;
  return needs;
}
