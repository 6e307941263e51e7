import type { Definition } from "../id/definition.ts";
import { hasDefinition, type Shape } from "./shape.ts";
import { bringTracks, createTrack } from "./ticks.ts";
import { type Tracked, type Tracking, type TrackingWork, trackOf } from "./tracking.ts";
import {
  ADDED,
  type Clock,
  markRow,
  markRows,
  REMOVED,
  type Track,
  type TrackKind,
  trackIn,
} from "./tracks.ts";

const NO_TRACKS: readonly Track[] = [];

/** Something is tracked in the world of a founded shape. */
export function openTracks({ lanes }: Shape): void {
  bringTracks();
  lanes.tracks ??= NO_TRACKS;
}

/** Nothing is tracked any more. */
export function closeTracks({ lanes }: Shape): void {
  lanes.tracks = undefined;
}

function openTrack({ lanes }: Shape, { id }: Definition, kind: TrackKind, clock: Clock): Track {
  const track = createTrack(id, kind, clock, lanes.capacity);
  lanes.tracks = [...(lanes.tracks ?? NO_TRACKS), track];
  return track;
}

/** What is tracked from now on, in a shape that has it: rows that are there count as changed and added now. */
export function startTrack(shape: Shape, { definition, kind }: Tracked, clock: Clock): void {
  const track = openTrack(shape, definition, kind, clock);
  if (shape.rows === 0) return;
  track.rows.fill(clock.now);
  track.blocks.fill(clock.now);
  track.last = clock.now;
}

export function endTrack({ lanes }: Shape, { definition, kind }: Tracked): void {
  lanes.tracks = lanes.tracks?.filter((track) => track.definition !== definition.id || track.kind !== kind);
}

/** A shape is founded where something is tracked: it gets the tracks of what it has. */
export function startTracks({ tracked, clock }: Tracking, shape: Shape): void {
  openTracks(shape);
  for (const { definition, kind } of tracked) {
    if (kind !== REMOVED && hasDefinition(shape, definition)) openTrack(shape, definition, kind, clock);
  }
}

/** Rows `first .. end`, which are there already, got or lost a tag that is stored as bits. */
function stampBits(
  { tracked, clock }: Tracking,
  shape: Shape,
  definition: Definition,
  first: number,
  end: number,
  on: boolean,
): void {
  const kind = on ? ADDED : REMOVED;
  for (let at = 0; at < tracked.length; at++) {
    if (tracked[at]!.definition !== definition || tracked[at]!.kind !== kind) continue;
    const track = trackOf(shape, definition, kind) ?? openTrack(shape, definition, kind, clock);
    markRows(track, first, end, clock.now);
  }
}

/**
 * After a row got a place in another shape: what it got or lost is stamped, other ticks go along.
 *
 * Cost: the tracks of both shapes.
 */
export function moveTicks(
  tracking: Tracking,
  origin: Shape,
  fromRow: number,
  destination: Shape,
  toRow: number,
): void {
  openRemoved(tracking, origin, fromRow, destination);
  const tracks = destination.lanes.tracks!;
  for (let at = 0; at < tracks.length; at++) {
    const track = tracks[at]!;
    markRow(track, toRow, tickAfter(track, origin, fromRow, destination));
  }
}

/** The shape that a row has come to has tracks for what the row has lost, now or earlier, and for what it has in bits. */
function openRemoved({ tracked, clock }: Tracking, origin: Shape, row: number, destination: Shape): void {
  for (let at = 0; at < tracked.length; at++) {
    const { definition, kind } = tracked[at]!;
    const isOfBits = definition.storage === "bits";
    if ((kind !== REMOVED && !isOfBits) || hasDefinition(destination, definition)) continue;
    if (trackOf(destination, definition, kind) !== undefined) continue;
    const isLost = hasDefinition(origin, definition);
    const hasTick = (trackOf(origin, definition, kind)?.rows[row] ?? 0) > 0;
    if (isLost || hasTick) openTrack(destination, definition, kind, clock);
  }
}

function tickAfter(
  { definition, kind, clock }: Track,
  origin: Shape,
  row: number,
  { places }: Shape,
): number {
  const had = definition < origin.places.length && origin.places[definition] !== 0;
  const has = definition < places.length && places[definition] !== 0;
  // What is stored as bits stands in no shape, and comes along as it was.
  if (had !== has && had === (kind === REMOVED)) return clock.now;
  return trackIn(origin.lanes.tracks, definition, kind)?.rows[row] ?? 0;
}

/** What tracks are for where shapes are founded and rows change theirs. */
export const trackingWork: TrackingWork = { startTracks, moveTicks, stampBits };
