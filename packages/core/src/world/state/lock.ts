import { TreelineError } from "../../base/error.ts";
import { freePairsOf } from "../../graph/graph.ts";
import type { Definition } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-index.ts";
import { giveIndex, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { takeTableNumber, UNLISTED } from "../../storage/table.ts";
import { Commands, type World, type WorldState } from "./world.ts";

/** Begins a visit: structural changes wait until the outermost one ends. */
export function beginDeferred(world: World): void {
  world.deferDepth++;
}

/**
 * Ends a visit. With the outermost one the waiting changes are made, in order of issue.
 * @param isDone false if the visit is left by an error, which then is the one that users see.
 * @throws what the first refused change or listener threw.
 */
export function endDeferred(world: World, isDone: boolean): void {
  world.deferDepth--;
  if (world.hasCommands && world.deferDepth === 0 && !world.commands.isFlushing) flushCommands(world, isDone);
}

/** Makes a change that hooks are told of, inside a visit: nobody else writes a component with hooks meanwhile. */
export function whileChanging<Result>(world: World, change: () => Result): Result {
  world.changes++;
  try {
    return change();
  } finally {
    world.changes--;
  }
}

/**
 * Runs a function and makes the structural changes in it when it ends, in order of issue; as inside a visit.
 *
 * What is spawned meanwhile is alive at once and has nothing until the end. A change to an entity that has died by then
 * is dropped. A pair with a target that has died by then is left out; if its relation deletes its sources, as ChildOf
 * does, the entity dies as well. A change that is refused changes nothing, and the others are made.
 *
 * @returns what the function returns.
 * @throws what the function throws: what it has queued until then is done all the same; or else the first error of a change
 *   that waited, in the end.
 *
 * @example
 * defer(world, () => {
 *   for (const crate of crates) destroy(world, crate);
 * });
 */
export function defer<Result>(world: World, run: () => Result): Result {
  beginDeferred(world);
  let isDone = false;
  try {
    const result = run();
    isDone = true;
    return result;
  } finally {
    endDeferred(world, isDone);
  }
}

/**
 * Must the caller queue its change? @throws TreelineError `iterating` in a strict world inside a visit, and inside `check` hooks.
 */
export function mustDefer(world: World): boolean {
  if (world.deferDepth === 0) return false;
  if (world.isStrict || world.checks > 0) {
    throw new TreelineError(
      "iterating",
      world.isStrict
        ? "this world is strict: spawn, destroy and move after the iteration, not in it"
        : "a check hook only looks; change entities in `written`, or in a listener",
    );
  }
  return true;
}

/**
 * Puts a change at the end of the queue. It will be made in the scope for births in which it is put there.
 * @param touched the index of the entity it changes; 0 if it may change anybody.
 */
export function deferCommand(world: World, touched: number, command: () => void): void {
  const { commands } = world;
  if (touched === 0) commands.isWide = true;
  else commands.touched.add(touched);
  commands.list.push(command);
  commands.scopes.push(world.scope);
  world.hasCommands = true;
}

/** Puts a look at the world, which changes nobody, behind all that waits by then. @returns false outside of visits: nobody looks. */
export function deferLast(world: World, look: () => void): boolean {
  if (world.deferDepth === 0) return false;
  world.commands.last.push(look);
  world.hasCommands = true;
  return true;
}

/**
 * Must a write to an entity wait, since something that waits comes before it? Whatever waits may matter to hooks, which
 * look at others too; and so does a change that they have let through and that is still being made.
 */
export function mustDeferWrite(world: World, index: number, { hooks }: Definition): boolean {
  const { commands, deferDepth } = world;
  if (deferDepth === 0) return false;
  if (hooks !== undefined && world.changes > 0) return true;
  if (!world.hasCommands || commands.next === commands.list.length) return false;
  return commands.isWide || hooks !== undefined || commands.touched.has(index);
}

/** Keeps the error of a listener for the end of the outermost visit. */
export function keepError(world: World, error: unknown): void {
  world.commands.errors.push(error);
  world.hasCommands = true;
}

function flushCommands(world: World, isDone: boolean): void {
  const { commands, scope } = world;
  const { list, scopes, last, errors } = commands;
  commands.isFlushing = true;
  while (commands.next < list.length || last.length > 0) {
    world.scope = scopes[commands.next]; // what comes last has none
    const command = commands.next < list.length ? list[commands.next++]! : last.shift()!;
    try {
      command();
    } catch (error) {
      errors.push(error);
    }
  }
  world.commands = new Commands();
  world.hasCommands = false;
  world.scope = scope;
  if (isDone && errors.length > 0) throw errors[0];
}

/**
 * Inside a visit a newborn gets its handle at once, and its row when the visit ends. Until then it is in limbo: a table of
 * the archetype of nothing that stands in no list, so that nobody meets it and it has nothing. @returns its index.
 */
export function addPending(world: World): number {
  const { entities, graph } = world;
  if (world.pendingTable === 0) {
    world.pendingTable = takeTableNumber(graph.tables, graph.root.number);
    graph.tables.first[world.pendingTable] = UNLISTED;
  }
  const index = takeIndex(entities);
  entities.table[index] = world.pendingTable;
  entities.row[index] = 0;
  renewOrder(entities, index);
  return index;
}

/** Is it the handle of an entity that waits for its row? */
export function isPending({ entities, pendingTable }: WorldState, index: number): boolean {
  return pendingTable !== 0 && entities.table[index] === pendingTable;
}

/** Ends a life that has hardly begun, unless it has got its row by now. */
export function freePending(world: World, index: number): void {
  if (!isPending(world, index)) return;
  giveIndex(world.entities, index);
  if (isTarget(world.graph.pairs, index)) freePairsOf(world.graph, index);
}
