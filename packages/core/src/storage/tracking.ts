import type { Definition } from "../id/definition.ts";
import type { Lanes } from "./lanes.ts";
import type { Shape } from "./shape.ts";
import { type Clock, type Track, type TrackKind, trackIn } from "./tracks.ts";

/** One kind of thing that is tracked in all shapes. */
export interface Tracked {
  readonly definition: Definition;
  readonly kind: TrackKind;
  /** How many want it; with the last one the tracks go. */
  users: number;
}

/** What is done with tracks where shapes are founded and rows change theirs. Brought by who tracks something. */
export interface TrackingWork {
  startTracks(tracking: Tracking, shape: Shape): void;
  moveTicks(tracking: Tracking, origin: Shape, fromRow: number, destination: Shape, toRow: number): void;
  stampBits(
    tracking: Tracking,
    shape: Shape,
    definition: Definition,
    first: number,
    end: number,
    on: boolean,
  ): void;
}

/** What is tracked in a world. */
export interface Tracking {
  readonly clock: Clock;
  /** There as soon as something was tracked. */
  work: TrackingWork | undefined;
  /** Each definition and kind once; empty in most worlds. */
  readonly tracked: Tracked[];
}

export function createTracking(): Tracking {
  return { clock: { now: 1 }, work: undefined, tracked: [] };
}

/**
 * Of CHANGED and ADDED every founded shape with the definition has one. Of REMOVED only shapes without it, once somebody
 * came there who had lost it. Of tags that are stored as bits any shape, once somebody there got or lost it, or came there
 * after that.
 */
export function trackOf(
  { lanes }: { readonly lanes: Pick<Lanes, "tracks"> },
  { id }: Definition,
  kind: TrackKind,
): Track | undefined {
  return trackIn(lanes.tracks, id, kind);
}
