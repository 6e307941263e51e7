import type { Definition, World } from "@treeline/core";
import { keepTicks, type Track } from "@treeline/core/internal";

/** Brought by visits with row views: those that are in use mark what they write, if anybody asks for it now. */
export const views: { turnMarks: ((world: World) => void) | undefined } = { turnMarks: undefined };

/** From now on the world keeps ticks of a kind, and visits that are running mark what they write; or one use of them ends. */
export function track(world: World, definition: Definition, kind: Track["kind"], isAsked: boolean): void {
  keepTicks(world, definition, kind, isAsked);
  views.turnMarks?.(world);
}
