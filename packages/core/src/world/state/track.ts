import { law } from "../../base/law.ts";
import { shapesWith } from "../../graph/graph.ts";
import type { Definition } from "../../id/definition.ts";
import { closeTracks, endTrack, openTracks, startTrack, trackingWork } from "../../storage/track-shapes.ts";
import { CHANGED, type Clock, REMOVED, type TrackKind } from "../../storage/tracks.ts";
import type { World, WorldState } from "./world.ts";

/** The clock that ticks are taken from. */
export function clockOf(world: World): Clock {
  return world.graph.tracking.clock;
}

/**
 * From now on it is kept when values of a component were written, or when entities got or lost a component or tag. Who has
 * it already counts as changed and added now; of what was lost before nothing is known. Whoever asks for it says
 * `untrackChanges` in the end.
 *
 * Cost: eight bytes for each row there is memory for; one write more for each that is tracked.
 */
export function trackChanges(world: World, definition: Definition, kind: TrackKind): void {
  CHECK: law(definition.kind !== "relation", () => `${definition.name} is a relation: nothing to track`);
  CHECK: law(
    kind !== CHANGED || definition.holds !== "nothing",
    () => `${definition.name} has no values that could change`,
  );
  const { tracked, clock } = world.graph.tracking;
  const known = tracked.find((one) => one.definition === definition && one.kind === kind);
  if (known !== undefined) {
    known.users++;
    return;
  }
  const one = { definition, kind, users: 1 };
  world.events.epoch++;
  world.graph.tracking.work = trackingWork;
  tracked.push(one);
  if (tracked.length === 1) for (const shape of world.graph.founded) openTracks(shape);
  if (kind === REMOVED) return;
  const shapes =
    definition.storage === "bits"
      ? world.graph.founded.filter(({ bits }) => (bits?.count(definition) ?? 0) > 0)
      : shapesWith(world.graph, definition);
  for (const shape of shapes) startTrack(shape, one, clock);
}

/** One who asked for it needs it no longer; with the last one everything goes that was kept. */
export function untrackChanges({ graph, events }: WorldState, definition: Definition, kind: TrackKind): void {
  const { tracked } = graph.tracking;
  const at = tracked.findIndex((one) => one.definition === definition && one.kind === kind);
  CHECK: law(at >= 0, () => `${definition.name} is not tracked`);
  const one = tracked[at]!;
  one.users--;
  if (one.users > 0) return;
  tracked.splice(at, 1);
  events.epoch++;
  for (const shape of graph.founded) {
    if (tracked.length === 0) closeTracks(shape);
    else endTrack(shape, one);
  }
}

/** Begins or ends to keep when a component changed, for one who asks: `trackChanges` and `untrackChanges` as one. */
export function keepTicks(world: World, definition: Definition, kind: TrackKind, isAsked: boolean): void {
  if (isAsked) trackChanges(world, definition, kind);
  else untrackChanges(world, definition, kind);
}
