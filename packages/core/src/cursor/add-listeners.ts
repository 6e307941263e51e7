import { enroll, type Listener } from "../world/event-list.ts";
import type { World } from "../world/world.ts";

/** Listens in a world. @returns a function that ends the listening at once, also for facts that are being told. */
export function addListeners(world: World, listeners: readonly Listener[]): () => void {
  return enroll(world.events, listeners);
}
