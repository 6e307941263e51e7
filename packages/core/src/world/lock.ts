import type { World } from "./world.ts";

/** Begins a visit: structural changes are refused until the outermost one ends. */
export function enterVisit(world: World): void {
  world.visits++;
}

export function leaveVisit(world: World): void {
  world.visits--;
}
