import { keepTicks } from "@treeline/core/internal";

/** How a world is told to keep ticks, and no longer to. A function only; nothing in here is state. */
export const changes: { keep: typeof keepTicks | undefined } = { keep: undefined };

/** From now on changes can be asked for. Whatever asks for them says so when it is made: who never asks ships no tracks. */
export function bringTicks(): void {
  changes.keep = keepTicks;
}
