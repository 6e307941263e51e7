import { TreelineError } from "../base/error.ts";
import { closeIfIdle, dropTablesOf } from "../graph/table-graph.ts";
import { isBuiltin, Stands } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { indexOf } from "../id/entity.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { giveIndex, handleAt, isLiving } from "../records/entity-index.ts";
import { looseCountOf } from "../records/sibling-links.ts";
import { LOOSE_MOVED, note } from "../storage/journal.ts";
import { NOBODY, takeRow } from "../storage/rows.ts";
import { hasDefinition } from "../storage/shape.ts";
import { type ChangeEvents, hasListeners, listEvents, tellAll } from "./events.ts";
import { leaveFamily } from "./family.ts";
import { tellRemoved } from "./hook-calls.ts";
import { enqueue, enterVisit, leaveVisit, mustQueue } from "./lock.ts";
import { noteMove, tidyLeft } from "./move-entity.ts";
import { requireHandle, textOf } from "./require.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * The death of one entity that nothing points at. A dead entity is left alone. To destroy an entity with everything
 * below it, use `destroy` of the query package.
 *
 * @throws TreelineError `dead-entity` for what can be no handle; `still-a-target` if an entity has a pair with it as
 *   target, or has the definition it stands for; `refused` if it stands for a builtin; `visiting` in a strict world inside
 *   a visit, else it waits for the end of that.
 */
export function release(world: World, entity: Entity): void {
  requireHandle(world, entity);
  if (world.visits !== 0 && mustQueue(world)) {
    enqueue(world, indexOf(entity), () => releaseNow(world, entity));
  } else releaseNow(world, entity);
}

function releaseNow(world: World, entity: Entity): void {
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  requireNoSources(world, index);
  requireNoUsers(world, index);
  if (shapeAt(world, index).hooked.length === 0 && !hasListeners(world)) buryEntity(world, index);
  else buryTold(world, index);
}

/** Tells of the death of an entity that nothing points at, and takes it out of its table. */
export function buryTold(world: World, index: number): void {
  enterVisit(world);
  world.changes++; // who has been told that a value goes must not get it again
  let isDone = false;
  try {
    tellDeath(world, index);
    buryEntity(world, index);
    isDone = true;
  } finally {
    world.changes--;
    leaveVisit(world, isDone);
  }
}

function requireNoSources(world: World, index: number): void {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    let others = looseCountOf(graph.links, pair);
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      others += tables.count[table]! - (entities.table[index] === table ? 1 : 0);
    }
    if (others === 0) continue;
    throw new TreelineError(
      "still-a-target",
      `${textOf(world, handleAt(entities, index))} is the target of other entities; remove those pairs first, ` +
        "or use destroy",
    );
  }
}

/** An entity that stands for a definition is pointed at by all that have the definition. */
function requireNoUsers(world: World, index: number): void {
  const definition = world.standsFor.get(index);
  if (definition === undefined) return;
  requireMortal(definition);
  const shapes = world.graph.shapesWith.get(definition.id) ?? [];
  const users = shapes.reduce((sum, { rows }) => sum + rows, 0);
  if (users - (hasDefinition(shapeAt(world, index), definition) ? 1 : 0) === 0) return;
  throw new TreelineError(
    "still-a-target",
    `entities have ${definition.name}, for which this one stands; remove it from them first, or use destroy`,
  );
}

/** @throws TreelineError `refused` for a builtin. */
export function requireMortal(definition: Definition): void {
  if (!isBuiltin(definition)) return;
  throw new TreelineError("refused", `${definition.name} is a builtin; the entity that stands for it stays`);
}

/** Tells listeners, then hooks, all that an entity has and is about to lose with its life. Inside a visit. */
export function tellDeath(world: World, index: number): void {
  if (hasListeners(world)) {
    const events: ChangeEvents = { removed: [], added: [] };
    listEvents(world, events, index, world.entities.table[index]!, 0, 0);
    tellAll(world, events.removed);
  }
  const { hooked } = shapeAt(world, index);
  if (hooked.length > 0) tellRemoved(world, index, hooked);
}

/** Takes an entity that nothing points at out of its table and ends its life; who cares has been told. */
export function buryEntity(world: World, index: number): void {
  buryRow(world, index);
  if (isTarget(world.graph.pairs, index)) dropPairsOf(world, index);
}

/** The same for one of many: the pairs that point at it go later. */
export function buryRow(world: World, index: number): void {
  const { graph, entities } = world;
  const { tables, shapes, journal, links } = graph;
  const table = entities.table[index]!;
  const row = entities.row[index]!;
  const shape = shapes[tables.shape[table]!]!;
  if (links.used) leaveFamily(world, index);
  const moved = takeRow(world.rows, shape, table, row);
  if (moved !== NOBODY) {
    entities.row[moved] = row;
    if (journal.reading) noteMove(world, moved, shape.isLoose);
  }
  if (shape.isLoose) note(journal, LOOSE_MOVED, index);
  forgetEntity(world, index, shape.isSpecial && hasDefinition(shape, Stands));
  tidyLeft(world, table);
}

/** Ends a life: its row is gone, or goes with its table. */
export function forgetEntity(world: World, index: number, stands: boolean): void {
  if (stands) {
    const definition = world.standsFor.get(index);
    world.standsFor.delete(index);
    if (definition !== undefined) world.standing.delete(definition.id);
  }
  if (world.orders.size > 0) world.orders.delete(index);
  giveIndex(world.entities, index);
}

/** A target dies: the tables of its pairs are empty and go, and the pairs with them. */
export function dropPairsOf(world: World, index: number): void {
  const { graph } = world;
  for (let pair = firstPairOf(graph.pairs, index); pair !== 0; pair = firstPairOf(graph.pairs, index)) {
    dropTablesOf(graph, pair);
    if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
  }
}
