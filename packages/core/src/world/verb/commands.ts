// Command buffers: `createCommands`, `record`, `applyCommands`, `discardCommands`.
import { warnOfPromise } from "../../base/warn.ts";
import { indexOf } from "../../id/entity.ts";
import { buffersOf, keepSpawned, RecordedCommands, showSpawned } from "../state/buffers.ts";
import { beginDeferred, defer, freePending, mustDefer } from "../state/lock.ts";
import type { Command, World } from "../state/world.ts";

declare const bufferBrand: unique symbol;

/** Structural changes that are recorded now and made later: see `createCommands`. */
export interface CommandBuffer {
  readonly [bufferBrand]: true;
}

/** The state of a command buffer. */
interface BufferState {
  readonly world: World;
  readonly commands: RecordedCommands;
}

/**
 * Makes an empty command buffer: a list of changes that `record` fills and `applyCommands` makes. With one buffer for each
 * system, systems can run in any order, and their changes are made in an order that you choose.
 *
 * A buffer can be filled several times before it is applied, and used again after that. Call `discardCommands` for one that you
 * no longer need: the world keeps the entities that it would have spawned.
 *
 * @cost constant.
 *
 * @example
 * const movement = createCommands(world);
 * const damage = createCommands(world);
 * record(damage, () => hurtAll(world));
 * record(movement, () => moveAll(world));
 * applyCommands(movement);
 * applyCommands(damage);
 */
export function createCommands(world: World): CommandBuffer {
  buffersOf(world);
  const buffer: BufferState = { world, commands: new RecordedCommands() };
  buffer.commands.next = -1;
  buffer.commands.isWide = true;
  return buffer as unknown as CommandBuffer;
}

/**
 * Runs a function and records its structural changes in a command buffer instead of making them: `spawn`, `add`, `set`,
 * `destroy` and all other verbs, as inside an iteration. Every `set` and `patch` is recorded, even of a component that the entity
 * has. Writes through row views, `locate` and columns are made at once.
 *
 * An entity spawned by the function is alive until `record` returns, and again once its buffer is applied: every `record` may
 * name it. It is not alive in between. Works in strict worlds, and inside iterations; calls may be nested.
 *
 * @cost the function, and an object for each change; showing the entities that other buffers have spawned.
 * @returns what the function returns.
 * @throws what the function throws: what was recorded until then stays in the buffer; `dead-entity`, `bad-term` and `bad-value` of
 *   verbs in it, which are refused at once, as inside an iteration.
 *
 * @example
 * const shot = record(commands, () => spawn(world, Position({ x: 1 }), ChildOf(ship)));
 */
export function record<Result>(buffer: CommandBuffer, run: () => Result): Result {
  const { world, commands } = buffer as unknown as BufferState;
  const buffers = buffersOf(world);
  const { commands: outer, hasCommands, isStrict } = world;
  const keep = (): void => {
    keepSpawned(world, commands);
    if (outer instanceof RecordedCommands) keepSpawned(world, outer);
  };
  keep();
  if (buffers.recording++ === 0) for (const one of buffers.filled) showSpawned(world, one, true);
  beginDeferred(world);
  world.commands = commands;
  world.hasCommands = true;
  world.isStrict = false;
  let errors: unknown[] = [];
  let result: Result;
  try {
    result = run();
    CHECK: warnOfPromise("record", result);
  } finally {
    world.commands = outer;
    world.hasCommands = hasCommands;
    world.isStrict = isStrict;
    world.deferDepth--;
    keep();
    if (--buffers.recording === 0) for (const one of buffers.filled) showSpawned(world, one, false);
    errors = commands.errors.splice(0); // of observers of an `emit`
  }
  if (errors.length > 0) throw errors[0];
  return result;
}

/**
 * Makes the changes of a command buffer, in the order in which they were recorded; the buffer is empty then. Inside an iteration,
 * an observer or another `record` they are appended to the changes that are deferred there.
 *
 * Dropped and refused changes are as those of `defer`: a change to an entity that is not alive by then is dropped, a pair with
 * such a target is left out, a refused change changes nothing, and the others are made. An entity that another buffer spawns is
 * not alive before that buffer is applied.
 *
 * @cost the changes.
 * @throws TreelineError the first error of a refused change, when all others have been made; `iterating` inside an iteration of a
 *   strict world and inside `check` hooks: the buffer keeps its changes then.
 */
export function applyCommands(buffer: CommandBuffer): void {
  const { world, commands } = buffer as unknown as BufferState;
  if (world.commands === commands) return; // inside its own `record`
  if (world.deferDepth !== 0) mustDefer(world);
  const taken = takeCommands(world, commands);
  defer(world, () => {
    const { commands: queue } = world;
    // What was deferred before may name what the buffer spawns, which must not be alive for it.
    const turn = (isShown: boolean): Command =>
      ({ run: () => showSpawned(world, taken, isShown) }) as Command;
    const isEarlier = queue.list.length > Math.max(queue.next, 0) && taken.spawned.size > 0;
    if (isEarlier) {
      queue.list.splice(Math.max(queue.next, 0), 0, turn(false));
      queue.list.push(turn(true));
    }
    for (const command of taken.list) queue.list.push(command);
    if (queue instanceof RecordedCommands) for (const entity of taken.spawned) queue.spawned.add(entity);
    for (const read of taken.last) queue.last.push(read);
    queue.isWide = true;
    world.hasCommands = true;
  });
}

/** Empties a buffer; what it spawns is alive from now on. */
function takeCommands(
  world: World,
  commands: RecordedCommands,
): Pick<RecordedCommands, "list" | "last" | "spawned"> {
  keepSpawned(world, commands); // inside its own `record`
  showSpawned(world, commands, true);
  buffersOf(world).filled.delete(commands);
  const spawned = new Set(commands.spawned);
  commands.spawned.clear();
  commands.first = 0;
  return { list: commands.list.splice(0), spawned, last: commands.last.splice(0) };
}

/**
 * Throws the changes of a command buffer away; the buffer is empty then. The entities that it would have spawned are no longer
 * alive. Components with an `onRemove` hook get it called for each value that the changes would have written.
 *
 * @cost the changes.
 * @throws what an `onRemove` hook throws, at the end.
 */
export function discardCommands(buffer: CommandBuffer): void {
  const { world, commands } = buffer as unknown as BufferState;
  const { list, spawned, last } = takeCommands(world, commands);
  for (const entity of spawned) freePending(world, indexOf(entity));
  defer(world, () => {
    for (const command of list) world.slots.calls?.dropValues(world, command, true);
    for (const read of last) read();
  });
}
