import { freePairsOf } from "../../graph/graph.ts";
import { isTarget } from "../../id/pair-book.ts";
import { giveIndex, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { takeTableNumber, UNLISTED } from "../../storage/table.ts";
import type { World, WorldState } from "./world.ts";

/**
 * Inside a visit a newborn gets its handle at once, and its row when the visit ends. Until then it is in limbo: a table of
 * the shape of nothing that stands in no list, so that nobody meets it and it has nothing.
 *
 * @returns the index of the newborn.
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
