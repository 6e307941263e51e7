// What a change needs with the present observers and tracking (`needsOf`, cached by epoch); starts and ends tracking (`keepTicks`).
import { invariant } from "../../base/error.ts";
import { ChildOf, Life } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { type Archetype, hasDefinition, NEEDS_OBSERVERS, NEEDS_TICKS } from "../../storage/archetype.ts";
import {
  CHANGED,
  type Clock,
  isInRows,
  openTracks,
  REMOVED,
  RETARGETED,
  type TrackKind,
  Tracks,
} from "../../storage/tracks.ts";
import { OBSERVES, observedOf } from "./event-list.ts";
import { markTargets } from "./mark-targets.ts";
import type { Slots, World, WorldState } from "./world.ts";

/** NEEDS_ bits of a change of entities of an archetype, for the present observers and tracking. */
export function needsOf(world: World, archetype: Archetype): number {
  const { epoch } = world.events;
  if (archetype.needsEpoch !== epoch) {
    archetype.needs = needsNow(world, archetype);
    archetype.needsEpoch = epoch;
  }
  return archetype.needs;
}

/** Computes the bits of `needsOf` without its cache. */
export function needsNow({ events, graph }: WorldState, archetype: Archetype): number {
  let needs = archetype.fixedNeeds;
  // Observers of sibling order are notified separately from all this.
  const observed = [Life, ...(archetype.hasValueParent ? [ChildOf] : []), ...archetype.definitions].some(
    (definition) => (observedOf(events, definition) & ~OBSERVES.reordered) !== 0,
  );
  if (observed) needs |= NEEDS_OBSERVERS;
  const isTracked = graph.tracking.tracked.some(
    ({ kind, definition }) => kind === REMOVED || hasDefinition(archetype, definition),
  );
  return isTracked ? needs | NEEDS_TICKS : needs;
}

/**
 * The clock, for a reader of changes. What was written until now to arrays over columns that row views have passed is marked first.
 *
 * @param tick of an iteration that reads changes and ends now; -1 if nothing can have been written since the last call.
 */
export function clockOf(world: World, tick = 0): Clock {
  const { clock, handed } = world.graph.tracking;
  handed?.settle(tick);
  return clock;
}

/** What definitions have brought that are stored as bits, or that disable entities; see `Slots`. */
export function slotsOf(
  world: World,
): Pick<Slots, "cutRows" | "disabledReads" | "pending" | "sparsePairs" | "templates"> {
  return world.slots;
}

/**
 * Starts to record when values of a component were written, when entities got or lost a component or tag, or when they got another
 * target of an exclusive relation; or, unless `starts`, ends one such use, and the last one drops the ticks. For entities that have it already, changed and added count from now;
 * earlier losses are not known.
 *
 * @cost eight bytes for each row of capacity, and one more write for each tracked row that is written.
 */
export function keepTicks(world: World, definition: Definition, kind: TrackKind, starts: boolean): void {
  CHECK: invariant(
    definition.kind !== "relation" || (definition.exclusive && kind !== CHANGED),
    () => `${definition.name} is a relation: only targets of exclusive ones are tracked`,
  );
  CHECK: invariant(
    kind !== CHANGED || definition.holds !== "nothing",
    () => `${definition.name} has no values that could change`,
  );
  const { founded, tracking, journal } = world.graph;
  const { tracked } = tracking;
  let one = tracked.find((other) => other.definition === definition && other.kind === kind);
  CHECK: invariant(starts || one !== undefined, () => `${definition.name} is not tracked`);
  if (one !== undefined) {
    one.users += starts ? 1 : -1;
    if (one.users > 0) return;
    tracked.splice(tracked.indexOf(one), 1);
    if (kind === RETARGETED) {
      journal.cursors = journal.cursors.filter((reader) => reader !== one);
      journal.reading = journal.cursors.length > 0;
    }
    world.events.epoch++;
    for (const archetype of founded) {
      if (tracked.length === 0) archetype.lanes.tracks = undefined;
      else archetype.lanes.tracks!.end(one);
    }
    tracking.handed?.settle(0);
    return;
  }
  one = { definition, kind, users: 1, at: 0, lost: true };
  world.events.epoch++;
  tracking.found = openTracks;
  tracked.push(one);
  if (kind === RETARGETED) {
    world.slots.markTargets = markTargets;
    journal.cursors.push(one);
    journal.reading = true;
  }
  for (const archetype of founded) {
    archetype.lanes.tracks ??= new Tracks(tracking, archetype);
    if (kind !== REMOVED && isInRows(archetype, definition)) archetype.lanes.tracks.start(one);
  }
  if (kind === CHANGED) tracking.handed?.begin(definition);
}
