import type { Definition } from "../id/definition.ts";
import { hasDefinition, type Shape } from "./shape.ts";
import { bringTracks, createTrack } from "./ticks.ts";
import { type Tracked, type Tracking, type TrackingWork, trackOf } from "./tracking.ts";
import { type Clock, markRow, REMOVED, type Track, type TrackKind, trackIn } from "./tracks.ts";

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
    markRow(track, toRow, tickAfter(track, origin, fromRow));
  }
}

/** The shape that a row has come to has tracks for what the row has lost, now or earlier. */
function openRemoved({ tracked, clock }: Tracking, origin: Shape, row: number, destination: Shape): void {
  for (let at = 0; at < tracked.length; at++) {
    const { definition, kind } = tracked[at]!;
    if (kind !== REMOVED || hasDefinition(destination, definition)) continue;
    if (trackOf(destination, definition, REMOVED) !== undefined) continue;
    const isLost = hasDefinition(origin, definition);
    const wasLost = (trackOf(origin, definition, REMOVED)?.rows[row] ?? 0) > 0;
    if (isLost || wasLost) openTrack(destination, definition, REMOVED, clock);
  }
}

function tickAfter({ definition, kind, clock }: Track, origin: Shape, row: number): number {
  const had = definition < origin.places.length && origin.places[definition] !== 0;
  if (had === (kind === REMOVED)) return clock.now;
  return trackIn(origin.lanes.tracks, definition, kind)?.rows[row] ?? 0;
}

/** What tracks are for where shapes are founded and rows change theirs. */
export const trackingWork: TrackingWork = { startTracks, moveTicks };
