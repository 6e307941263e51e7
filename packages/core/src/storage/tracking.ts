import type { Definition } from "../id/definition.ts";
import type { Lanes } from "./lanes.ts";
import { hasDefinition, type Shape } from "./shape.ts";
import { type Clock, createTrack, markRow, REMOVED, type Track, type TrackKind, trackIn } from "./tracks.ts";

/** One kind of thing that is tracked in all shapes. */
export interface Tracked {
  readonly definition: Definition;
  readonly kind: TrackKind;
  /** How many want it; with the last one the tracks go. */
  users: number;
}

/** What is tracked in a world. */
export interface Tracking {
  readonly clock: Clock;
  /** Each definition and kind once; empty in most worlds. */
  readonly tracked: Tracked[];
}

export function createTracking(): Tracking {
  return { clock: { now: 1 }, tracked: [] };
}

const NO_TRACKS: readonly Track[] = [];

/**
 * Of CHANGED and ADDED every founded shape with the definition has one. Of REMOVED only shapes without it, once somebody
 * came there who had lost it.
 */
export function trackOf(
  { lanes }: { readonly lanes: Pick<Lanes, "tracks"> },
  { id }: Definition,
  kind: TrackKind,
): Track | undefined {
  return trackIn(lanes.tracks, id, kind);
}

/** Something is tracked in the world of a founded shape. */
export function openTracks({ lanes }: Shape): void {
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
