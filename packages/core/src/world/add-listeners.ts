import { enroll, type Listener } from "./event-list.ts";
import { insertWithNeeds } from "./insert.ts";
import type { World } from "./world.ts";

/** Listens in a world. @returns a function that ends the listening at once, also for facts that are being told. */
export function addListeners(world: World, listeners: readonly Listener[]): () => void {
  world.slots.insert ??= insertWithNeeds;
  return enroll(world.events, listeners);
}
