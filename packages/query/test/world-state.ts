/**
 * What tests of behaviour need to know of a world and its queries that no public function returns. Everything else is tested
 * through the public surface.
 */
import { type Entity, isAlive, release, spawn, type World } from "@treeline/core";

/** The order of equal matches is that of the indexes of their handles, which no public function returns. */
export { indexOf } from "@treeline/core/internal";

/** Whether structural changes are deferred, because an iteration runs. Spawns and destroys an entity. */
export function isIterating(world: World): boolean {
  const probe = spawn(world);
  release(world, probe);
  return isAlive(world, probe);
}

/** Whether a verb has observers to notify. Ones that are left behind only cost time, which tests cannot measure. */
export function hasObservers(world: World): boolean {
  return world.events.observers.length > 0;
}

/** The names of the definitions that are observed, each once, sorted. */
export function observedNames(world: World): string[] {
  return [...new Set(world.events.observers.map(({ definition }) => definition.name))].sort();
}

/** Whether structural changes are listed for queries that cache batches or an order. Unused lists only cost time. */
export function listsChanges(world: World): boolean {
  return world.graph.journal.reading;
}

/** Whether the world keeps ticks of changes for a query. Unused ticks only cost time and memory. */
export function tracksChanges(world: World): boolean {
  return world.graph.tracking.tracked.length > 0;
}

/** Names entities in texts, as the package of names does. */
export function nameEntities(world: World, nameOf: (entity: Entity) => string): void {
  world.textOf = (_, entity) => nameOf(entity as Entity);
}
