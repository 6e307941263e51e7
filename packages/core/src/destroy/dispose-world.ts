// `disposeWorld`: the order of its last destruction (`rootsInOrder`); frees memory; makes every later use throw `disposed`.
import { TreelineError } from "../base/error.ts";
import { indexOf } from "../id/entity.ts";
import { isTarget } from "../id/pair-index.ts";
import { membersOf, ROOTS } from "../records/families.ts";
import { replaceLanes } from "../storage/lanes.ts";
import { emptyStore } from "../storage/sparse.ts";
import { destroyEach, treeOrder } from "../world/change/free-entity.ts";
import { buffersOf, RecordedCommands, showSpawned } from "../world/state/buffers.ts";
import { freePending } from "../world/state/lock.ts";
import { parentIndexAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";

/**
 * Ends a world: destroys every entity, children before their parents, and frees all memory. Observers, monitors and hooks hear of
 * each entity and can read the world as in any destruction; then they end. The world, its queries and its command buffers cannot
 * be used afterwards: every function throws `disposed`. Disposing of a world again does nothing.
 *
 * Roots that nothing points at go first, then the other roots; trees with component entities go last, so that a definition
 * outlives the entities that have it. Nothing can refuse: policies with `"refuse"` do not count. Changes that observers and hooks
 * make are thrown away, like those of command buffers: `onRemove` hooks get the values that these would have written.
 *
 * @cost without observers and hooks, the archetypes; with them, as destroying entities one by one.
 * @throws TreelineError `iterating` inside an iteration, an observer, a hook or `record`: nothing has changed then. The first
 *   error of an observer or hook, when the world has ended.
 *
 * @example
 * disposeWorld(world); // the level is over
 */
export function disposeWorld(world: World): void {
  if (isDisposed(world)) return;
  if (world.deferDepth > 0 || world.commands.isFlushing) {
    throw new TreelineError(
      "iterating",
      "a world cannot be disposed of while it is read or changed; do it afterwards",
    );
  }
  const errors = world.slots.calls === undefined ? [] : destroyEverything(world);
  const { graph, entities, events } = world;
  for (const observer of events.observers) observer.isStopped = true;
  events.observers = [];
  events.byDefinition.clear();
  for (const archetype of graph.archetypes) {
    replaceLanes(archetype.lanes, 0);
    archetype.bits = undefined;
  }
  for (const store of graph.sparse) {
    if (store === undefined) continue;
    emptyStore(store);
    empty(store);
  }
  graph.memory.close?.();
  for (const record of [
    graph.tables,
    graph.tables.lists,
    graph.pairs,
    graph.records,
    graph.families,
    graph.journal,
    graph,
    entities,
  ])
    empty(record);
  graph.archetypes.length = 0;
  graph.founded.length = 0;
  graph.archetypeByKey.clear();
  graph.componentIndex.clear();
  // Every function reads a property of the world before it does anything.
  for (const name of Object.keys(world)) Object.defineProperty(world, name, { get: refuse, set: refuse });
  if (errors.length > 0) throw errors[0];
}

function isDisposed(world: World): boolean {
  return Object.getOwnPropertyDescriptor(world, "graph")?.get !== undefined;
}

function refuse(): never {
  throw new TreelineError("disposed", "this world was disposed; make another one: createWorld()");
}

/** Replaces the typed arrays of a record, which queries may still hold, by empty ones. */
function empty(record: object): void {
  const arrays = record as { [name: string]: unknown };
  for (const [name, array] of Object.entries(arrays)) {
    if (ArrayBuffer.isView(array))
      arrays[name] = new (array.constructor as new (length: number) => unknown)(0);
  }
}

/** Destroys all entities for observers and hooks, whose changes are thrown away. @returns the errors of observers and hooks. */
function destroyEverything(world: World): unknown[] {
  const commands = new RecordedCommands();
  commands.next = -1;
  commands.isWide = true;
  world.commands = commands;
  world.hasCommands = true;
  world.deferDepth++;
  world.changes++;
  for (const buffer of buffersOf(world).filled) discard(world, buffer);
  destroyEach(world, treeOrder(world, rootsInOrder(world)));
  for (const read of commands.last) attempt(commands.errors, read); // it grows
  for (const command of commands.list) world.slots.calls!.dropValues(world, command, true);
  return commands.errors;
}

function discard(world: World, buffer: RecordedCommands): void {
  showSpawned(world, buffer, true);
  for (const entity of buffer.spawned) freePending(world, indexOf(entity));
  for (const command of buffer.list) world.slots.calls!.dropValues(world, command, true);
}

function attempt(errors: unknown[], run: () => void): void {
  try {
    run();
  } catch (error) {
    errors.push(error);
  }
}

/** The indexes of all roots: those that nothing points at, the others, and those above component entities. */
function rootsInOrder(world: World): number[] {
  const { graph } = world;
  const modules = new Set<number>();
  for (const entity of world.componentEntities.values()) {
    let index = indexOf(entity);
    for (let above = index; above !== 0; above = parentIndexAt(world, above)) index = above;
    modules.add(index);
  }
  const groups: number[][] = [[], [], []];
  for (const index of membersOf(graph.families, ROOTS))
    groups[modules.has(index) ? 2 : isTarget(graph.pairs, index) ? 1 : 0]!.push(index);
  return groups.flat();
}
