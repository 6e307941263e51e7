import { type Entity, indexOf } from "../../id/entity.ts";
import { Commands, type World, worldState } from "./world.ts";

/** The commands of a command buffer. */
export class RecordedCommands extends Commands {
  /** The entities that they will spawn, which are pending. */
  readonly spawned: Set<Entity> = new Set();
}

/** The command buffers of a world. */
class Buffers {
  /** The commands of those that will spawn entities. */
  readonly spawning: Set<RecordedCommands> = new Set();
  /** How many `record` calls are running, one inside the other. */
  recording = 0;
}

/**
 * The entities that recorded commands will spawn are pending, as those of deferred commands are. But outside of `record` verbs run
 * at once, and must not change entities without rows: then the entity index has minus their handles, so that they are not alive.
 */
export const buffersOf: (world: World) => Buffers = /* @__PURE__ */ worldState(() => new Buffers());

/** Makes the entities that recorded commands will spawn alive, or ends that. */
export function showSpawned(world: World, { spawned }: RecordedCommands, isShown: boolean): void {
  for (const entity of spawned) world.entities.handles[indexOf(entity)] = isShown ? entity : -entity;
}

/** How many entities recorded commands will spawn. */
export function countRecorded(world: World): number {
  let count = 0;
  for (const { spawned } of buffersOf(world).spawning) count += spawned.size;
  return count;
}
