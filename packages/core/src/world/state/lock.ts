// Whether a change is deferred or refused with `iterating` (`mustDefer`); runs deferred commands; pending spawns (`addPending`).
import { TreelineError } from "../../base/error.ts";
import { warnOfPromise } from "../../base/warn.ts";
import { freePairsOf } from "../../graph/graph.ts";
import type { Definition, DefinitionState, PlainTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { giveIndex, handleAt, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { takeTableNumber } from "../../storage/table.ts";
import { copyTerms, definitionOfTerm, givePending, liveTerms, termsOfPending } from "./terms.ts";
import { placeOfPending } from "./values.ts";
import { type Command, Commands, type Slots, type World, type WorldState } from "./world.ts";

/**
 * Begins an iteration: structural changes are deferred until the outermost one ends. Verbs that call hooks and observers only count
 * `deferDepth`, since hooks and observers install what spawns deferred: programs without them do not ship that.
 */
export function beginDeferred(world: World): void {
  const { slots } = world;
  slots.spawnDeferred ??= spawnDeferred;
  slots.pending ??= {
    given: new Map(),
    termsOf: termsOfPending,
    placeOf: placeOfPending,
    give: givePending,
  };
  world.deferDepth++;
}

/** Only installs what spawns inside iterations. Not called by `beginDeferred`: the first iteration of a process calls few functions. */
export function installPending(slots: Slots): void {
  beginDeferred({ slots, deferDepth: 0 } as World);
}

/**
 * Ends an iteration. When the outermost one ends, the deferred changes are made, in order of issue.
 * @param isDone false if an error ends the iteration; then only that error is thrown.
 * @throws the error of the first refused change or of the first observer that threw.
 */
export function endDeferred(world: World, isDone: boolean): void {
  world.deferDepth--;
  if (world.hasCommands && world.deferDepth === 0 && !world.commands.isFlushing) flushCommands(world, isDone);
}

/**
 * Makes a change for which hooks are called, inside an iteration: other writes of components with hooks are deferred until it
 * ends.
 */
export function whileChanging<Result>(world: World, change: () => Result): Result {
  world.changes++;
  try {
    return change();
  } finally {
    world.changes--;
  }
}

/**
 * Runs a function and makes its structural changes when it ends, in order of issue, as after an iteration.
 *
 * An entity spawned by the function is alive at once, and what it was given can be read; queries find it at the end. A change to an entity that is destroyed
 * by then is dropped. A pair whose target is destroyed by then is left out; if its relation deletes its subjects, as ChildOf
 * does, the entity is destroyed as well. A change that is refused changes nothing, and the others are made. `onRemove` hooks
 * get the values that dropped and refused changes were to write.
 *
 * @cost constant, and the deferred changes.
 * @returns what the function returns.
 * @throws what the function throws, after the changes deferred until then have been made; otherwise the first error of a deferred
 *   change, at the end.
 *
 * @example
 * defer(world, () => {
 *   for (const crate of crates) destroy(world, crate);
 * });
 */
export function defer<Result>(world: World, run: () => Result): Result {
  installPending(world.slots);
  return whileDeferred(world, run);
}

/** The same for verbs. */
export function whileDeferred<Result>(world: World, run: () => Result): Result {
  world.deferDepth++;
  let isDone = false;
  try {
    const result = run();
    CHECK: warnOfPromise("defer", result);
    isDone = true;
    return result;
  } finally {
    endDeferred(world, isDone);
  }
}

/**
 * Must the caller defer its change?
 * @throws TreelineError `iterating` in a strict world inside an iteration, and inside `check` hooks.
 */
export function mustDefer(world: World): boolean {
  if (world.deferDepth === 0) return false;
  if (world.isStrict || world.checks > 0) {
    let text = world.isStrict ? "this world is strict" : "a check hook changes nothing";
    CHECK: text = world.isStrict
      ? "this world is strict: spawn, destroy, add, remove and move after the iteration, not inside it"
      : "a check hook cannot change entities; do it in `written`, or in an observer";
    throw new TreelineError("iterating", text);
  }
  return true;
}

/**
 * Appends a change to the deferred commands. It will be made in the present spawn scope.
 * @param touched the index of the entity that it changes; 0 if it may change any entity.
 * @param entities the entities that it spawns, or gives `terms`. @param lost what they lose before that.
 */
export function deferCommand(
  world: World,
  touched: number,
  run: () => void,
  entities?: readonly Entity[],
  terms?: readonly PlainTerm[],
  lost?: { readonly definition: Definition; readonly target: number },
): void {
  const { commands } = world;
  if (entities !== undefined) world.slots.pending?.give(world, entities, terms ?? [], lost);
  if (touched === 0) commands.isWide = true;
  else commands.touched.add(touched);
  commands.list.push({ run, scope: world.scope, entities, terms });
  world.hasCommands = true;
}

/**
 * Defers a function that reads the world and changes no entity until all deferred commands have run.
 * @returns false outside of iterations: then it is neither deferred nor called.
 */
export function deferLast(world: World, read: () => void): boolean {
  if (world.deferDepth === 0) return false;
  world.commands.last.push(read);
  world.hasCommands = true;
  return true;
}

/**
 * Must a write to an entity be deferred, since a deferred command comes before it? Any deferred command may affect hooks, which
 * can read other entities; so may a change that hooks have accepted and that is still being made.
 */
export function mustDeferWrite(world: World, index: number, { hooks }: DefinitionState): boolean {
  const { commands, deferDepth } = world;
  if (deferDepth === 0) return false;
  if (hooks !== undefined && world.changes > 0) return true;
  if (!world.hasCommands || commands.next === commands.list.length) return false;
  return commands.isWide || hooks !== undefined || commands.touched.has(index);
}

/** Stores the error of an observer until the end of the outermost iteration. */
export function keepError(world: World, error: unknown): void {
  world.commands.errors.push(error);
  world.hasCommands = true;
}

function flushCommands(world: World, isDone: boolean): void {
  const { commands, scope } = world;
  const { list, last, errors } = commands;
  commands.isFlushing = true;
  while (commands.next < list.length || commands.nextLast < last.length) {
    const command =
      commands.next < list.length ? list[commands.next++]! : ({ run: last[commands.nextLast++]! } as Command);
    let isRefused = false;
    world.scope = command.scope; // functions that run last have none
    try {
      command.run();
    } catch (error) {
      errors.push(error);
      isRefused = true;
    }
    world.slots.calls?.dropValues(world, command, isRefused);
  }
  world.commands = new Commands();
  world.hasCommands = false;
  world.scope = scope;
  if (isDone && errors.length > 0) throw errors[0];
}

/** No row of an archetype: a pending entity has none of the bits of the entities without components. */
const NO_ROW = -1;

/**
 * Inside an iteration a spawned entity gets its handle at once, and its row when the iteration ends. Until then it is pending: in
 * a table of the empty archetype that is in no list, so that no query finds the entity and it has no components.
 * @returns its index.
 */
export function addPending(world: World): number {
  const { entities, graph } = world;
  let table = world.pendingTable;
  if (table === 0) world.pendingTable = table = takeTableNumber(graph.tables, graph.root.number);
  const index = takeIndex(entities);
  entities.table[index] = table;
  entities.row[index] = NO_ROW;
  renewOrder(entities, index);
  return index;
}

/** Is the entity at an index still pending, without a row? */
export function isPending({ entities, pendingTable }: WorldState, index: number): boolean {
  return pendingTable !== 0 && entities.table[index] === pendingTable;
}

/** Frees a pending entity, unless it has got its row by now. */
export function freePending(world: World, index: number): void {
  if (!isPending(world, index)) return;
  world.slots.pending?.given.delete(index);
  giveIndex(world.entities, index);
  freePairsOf(world.graph, index);
}

/**
 * Defers the spawning of entities. Pending entities that have no row after the command are destroyed.
 * @param isWide whether the command depends on other entities, or spawns several.
 * @param terms the terms that `collectValues` has read last.
 * @param create gets the terms whose targets are still alive; not called if the entities go with a target that is not.
 * @returns their handles.
 */
export function spawnDeferred(
  world: World,
  count: number,
  isWide: boolean,
  terms: readonly PlainTerm[],
  create: (world: World, live: readonly PlainTerm[], indexes: number[]) => void,
): Entity[] {
  const copies = copyTerms(world, terms);
  const { given, give } = world.slots.pending!;
  const spawned = Array.from({ length: count }, () => handleAt(world.entities, addPending(world)));
  const indexes = spawned.map(indexOf);
  const run = (): void => {
    for (const index of indexes) given.delete(index);
    try {
      const live = liveTerms(world, copies);
      if (live !== undefined) create(world, live, indexes);
    } finally {
      for (const index of indexes) freePending(world, index);
    }
  };
  deferCommand(world, isWide ? 0 : indexes[0]!, run, spawned, copies);
  // The terms of a spawn exclude one another already.
  const isWhole =
    world.slots.prefabs === undefined && !copies.some((term) => definitionOfTerm(term).requires);
  for (const index of indexes) given.set(index, isWhole ? copies : []);
  if (!isWhole) give(world, spawned, copies);
  return spawned;
}
