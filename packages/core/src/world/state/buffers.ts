// Which entities command buffers will spawn; they are alive inside `record` only (`showSpawned`).
import { type Entity, indexOf } from "../../id/entity.ts";
import { isPending } from "./lock.ts";
import { Commands, type World, worldState } from "./world.ts";

/** The commands of a command buffer. */
export class RecordedCommands extends Commands {
  /** The entities that they will spawn, which are pending. */
  readonly spawned: Set<Entity> = new Set();
  /** From this place on, what commands spawn is not among `spawned` yet: entities with order numbers above `lastOrder`. */
  first = 0;
  lastOrder = 0;
}

/** The command buffers of a world. */
class Buffers {
  /** The commands of those that have some. */
  readonly filled: Set<RecordedCommands> = new Set();
  /** How many `record` calls are running, one inside the other. */
  recording = 0;
}

/**
 * The entities that recorded commands will spawn are pending, as those of deferred commands are. But outside of `record` verbs run
 * at once, and must not change entities without rows: then the entity index has minus their handles, so that they are not alive.
 */
export const buffersOf: (world: World) => Buffers = /* @__PURE__ */ worldState(() => new Buffers());

/** Adds what the last commands will spawn to `spawned`, and begins again after them. */
export function keepSpawned(world: World, commands: RecordedCommands): void {
  const { list, spawned, lastOrder } = commands;
  const { entities } = world;
  for (let at = commands.first; at < list.length; at++) {
    // Others may be pending too, which have lower order numbers.
    for (const entity of list[at]!.entities ?? []) {
      const index = indexOf(entity);
      if (entities.order[index]! > lastOrder && isPending(world, index)) spawned.add(entity);
    }
  }
  if (list.length > 0) buffersOf(world).filled.add(commands);
  commands.first = list.length;
  commands.lastOrder = entities.lastOrder;
}

/** Makes the entities that recorded commands will spawn alive, or ends that. */
export function showSpawned(
  world: World,
  { spawned }: Pick<RecordedCommands, "spawned">,
  isShown: boolean,
): void {
  for (const entity of spawned) world.entities.handles[indexOf(entity)] = isShown ? entity : -entity;
}

/** How many entities recorded commands will spawn. */
export function countRecorded(world: World): number {
  let count = 0;
  for (const { spawned } of buffersOf(world).filled) count += spawned.size;
  return count;
}
