import { trackChanges, untrackChanges } from "@treeline/core/internal";

/** How a world is told to keep ticks, and no longer to. Functions only; nothing in here is state. */
export const changes: {
  track: typeof trackChanges | undefined;
  untrack: typeof untrackChanges | undefined;
} = { track: undefined, untrack: undefined };

/** From now on changes can be asked for. Whatever asks for them says so when it is made: who never asks ships no tracks. */
export function bringChanges(): void {
  changes.track = trackChanges;
  changes.untrack = untrackChanges;
}
