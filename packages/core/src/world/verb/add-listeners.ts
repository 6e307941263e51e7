import { insertWithNeeds } from "../change/insert.ts";
import { enroll, type Listener } from "../state/event-list.ts";
import type { World } from "../state/world.ts";

/** Listens in a world. @returns a function that ends the listening at once, also for facts that are being told. */
export function addListeners(world: World, listeners: readonly Listener[]): () => void {
  world.slots.insert ??= insertWithNeeds;
  return enroll(world.events, listeners);
}
