import { shapeWith, shapeWithout } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { CHILD_OF, Disabled, DisabledTree, Hidden } from "../id/builtins.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import { wantPairsOf } from "./destination.ts";
import { tellHidden } from "./events.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { requireAlive } from "./require.ts";
import { parentIndexAt, sourceIndexes } from "./targets.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Is the entity hidden from queries: by itself, or by something above it?
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function isDisabled(world: World, entity: Entity): boolean {
  requireAlive(world, entity);
  const { definitions } = shapeAt(world, indexOf(entity));
  return definitions.includes(Disabled) || definitions.includes(DisabledTree) || definitions.includes(Hidden);
}

/** An entity got or lost DisabledTree: everything below it follows. Cost: the rows below. */
export function hideBelow(world: World, index: number): void {
  world.hiding = true;
  const waiting = childrenOf(world, index);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (setHidden(world, at)) for (const child of childrenOf(world, at)) waiting.push(child);
  }
}

/** An entity got another parent: it is hidden as its place says, and what is below it too. */
export function settleHidden(world: World, index: number): void {
  if (setHidden(world, index)) hideBelow(world, index);
}

/** The children of an entity, in both storages. */
export function childrenOf(world: World, index: number): number[] {
  const { pairs } = world.graph;
  if (!isTarget(pairs, index)) return [];
  const pair = findPair(pairs, CHILD_OF, index);
  return pair === 0 ? [] : sourceIndexes(world, pair);
}

/** L17: somebody is `Hidden` exactly below a DisabledTree. @returns whether that was not so. */
function setHidden(world: World, index: number): boolean {
  const { graph, entities } = world;
  const shape = shapeAt(world, index);
  const is = hasDefinition(shape, Hidden);
  if (is === isBelowDisabled(world, index)) return false;
  const from = entities.table[index]!;
  const other = is ? shapeWithout(graph, shape, Hidden) : shapeWith(graph, shape, Hidden);
  moveEntity(world, index, roomyTableFor(graph, other, wantPairsOf(world, from), 1, from));
  tidyLeft(world, from);
  tellHidden(world, index, is ? "removed" : "added");
  return true;
}

function isBelowDisabled(world: World, index: number): boolean {
  const parent = parentIndexAt(world, index);
  if (parent === 0) return false;
  return hidesBelow(shapeAt(world, parent));
}

/** Is everybody below those of this shape hidden? */
export function hidesBelow(shape: Shape): boolean {
  return hasDefinition(shape, DisabledTree) || hasDefinition(shape, Hidden);
}
