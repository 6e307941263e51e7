import { TreelineError } from "../../base/error.ts";
import { freePairsOf } from "../../graph/graph.ts";
import type { Definition } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-book.ts";
import { giveIndex, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { takeTableNumber, UNLISTED } from "../../storage/table.ts";
import { Queue, type World, type WorldState } from "./world.ts";

/** Begins a visit: structural changes wait until the outermost one ends. */
export function enterVisit(world: World): void {
  world.visits++;
}

/**
 * Ends a visit. With the outermost one the waiting changes are made, in order of issue.
 * @param isDone false if the visit is left by an error, which then is the one that users see.
 * @throws what the first refused change or listener threw.
 */
export function leaveVisit(world: World, isDone: boolean): void {
  world.visits--;
  if (world.hasQueued && world.visits === 0 && !world.queue.isFlushing) settle(world, isDone);
}

/** A visit around a change that hooks or listeners are told of. */
export function insideVisit<Result>(world: World, change: () => Result): Result {
  enterVisit(world);
  let isDone = false;
  try {
    const result = change();
    isDone = true;
    return result;
  } finally {
    leaveVisit(world, isDone);
  }
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
  return insideVisit(world, run);
}

/**
 * Must the caller queue its change? @throws TreelineError `iterating` in a strict world inside a visit, and inside `check` hooks.
 */
export function mustQueue(world: World): boolean {
  if (world.visits === 0) return false;
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
export function enqueue(world: World, touched: number, command: () => void): void {
  const { queue } = world;
  if (touched === 0) queue.isWide = true;
  else queue.touched.add(touched);
  queue.commands.push(command);
  queue.scopes.push(world.scope);
  world.hasQueued = true;
}

/** Puts a look at the world, which changes nobody, behind all that waits by then. @returns false outside of visits: nobody looks. */
export function enqueueLast(world: World, look: () => void): boolean {
  if (world.visits === 0) return false;
  world.queue.last.push(look);
  world.hasQueued = true;
  return true;
}

/**
 * Must a write to an entity wait, since something that waits comes before it? Whatever waits may matter to hooks, which
 * look at others too; and so does a change that they have let through and that is still being made.
 */
export function waitsFor(world: World, index: number, { hooks }: Definition): boolean {
  const { queue, visits } = world;
  if (visits === 0) return false;
  if (hooks !== undefined && world.changes > 0) return true;
  if (!world.hasQueued || queue.next === queue.commands.length) return false;
  return queue.isWide || hooks !== undefined || queue.touched.has(index);
}

/** Keeps the error of a listener for the end of the outermost visit. */
export function keepError(world: World, error: unknown): void {
  world.queue.errors.push(error);
  world.hasQueued = true;
}

function settle(world: World, isDone: boolean): void {
  const { queue, scope } = world;
  const { commands, scopes, last, errors } = queue;
  queue.isFlushing = true;
  while (queue.next < commands.length || last.length > 0) {
    world.scope = scopes[queue.next]; // what comes last has none
    const command = queue.next < commands.length ? commands[queue.next++]! : last.shift()!;
    try {
      command();
    } catch (error) {
      errors.push(error);
    }
  }
  world.queue = new Queue();
  world.hasQueued = false;
  world.scope = scope;
  if (isDone && errors.length > 0) throw errors[0];
}

/**
 * Inside a visit a newborn gets its handle at once, and its row when the visit ends. Until then it is in limbo: a table of
 * the archetype of nothing that stands in no list, so that nobody meets it and it has nothing. @returns its index.
 */
export function enterLimbo(world: World): number {
  const { entities, graph } = world;
  if (world.limbo === 0) {
    world.limbo = takeTableNumber(graph.tables, graph.root.number);
    graph.tables.first[world.limbo] = UNLISTED;
  }
  const index = takeIndex(entities);
  entities.table[index] = world.limbo;
  entities.row[index] = 0;
  renewOrder(entities, index);
  return index;
}

/** Is it the handle of an entity that waits for its row? */
export function isInLimbo({ entities, limbo }: WorldState, index: number): boolean {
  return limbo !== 0 && entities.table[index] === limbo;
}

/** Ends a life that has hardly begun, unless it has got its row by now. */
export function leaveLimbo(world: World, index: number): void {
  if (!isInLimbo(world, index)) return;
  giveIndex(world.entities, index);
  if (isTarget(world.graph.pairs, index)) freePairsOf(world.graph, index);
}
