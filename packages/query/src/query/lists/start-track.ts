import type { Definition, World } from "@treeline/core";
import { type TrackKind, trackChanges, untrackChanges } from "@treeline/core/internal";

/** Brought by visits with row views: those that are in use mark what they write, if anybody asks for it now. */
export const views: { turnMarks: ((world: World) => void) | undefined } = { turnMarks: undefined };

/** From now on the world keeps ticks of a kind, and visits that are running mark what they write. */
export function startTrack(world: World, definition: Definition, kind: TrackKind): void {
  trackChanges(world, definition, kind);
  if (world.visits > 0) views.turnMarks?.(world);
}

/** One use of such ticks ends. */
export function stopTrack(world: World, definition: Definition, kind: TrackKind): void {
  untrackChanges(world, definition, kind);
  if (world.visits > 0) views.turnMarks?.(world);
}
