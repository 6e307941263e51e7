import type { Definition, World } from "@treeline/core";
import type { TrackKind } from "@treeline/core/internal";
import { changes } from "../term/changes.ts";

/** Brought by visits with row views: those that are in use mark what they write, if anybody asks for it now. */
export const views: { turnMarks: ((world: World) => void) | undefined } = { turnMarks: undefined };

/** From now on the world keeps ticks of a kind, and visits that are running mark what they write. */
export function startTrack(world: World, definition: Definition, kind: TrackKind): void {
  changes.track!(world, definition, kind);
  if (world.visits > 0) views.turnMarks?.(world);
}

/** One use of such ticks ends. */
export function stopTrack(world: World, definition: Definition, kind: TrackKind): void {
  changes.untrack!(world, definition, kind);
  if (world.visits > 0) views.turnMarks?.(world);
}
