import { TreelineError } from "../base/error.ts";
import { shapeWithout } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import {
  Any,
  type AnyPair,
  type Component,
  type Definition,
  type Pair,
  type Tag,
  type Term,
} from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import { handleAt, isLiving, renewOrder } from "../records/entity-index.ts";
import { hasDefinition } from "../storage/shape.ts";
import { unwantPair, wantPairsOf } from "./destination.ts";
import { askHooks, keptChanges, tellRemoved, tellWritten } from "./hooks.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { followTarget } from "./pair.ts";
import { requireAlive, requireNoVisit } from "./require.ts";
import { tableHasPair } from "./targets.ts";
import { definitionOf, shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Takes a component, tag or pair off an entity; with `ChildOf(Any)` all pairs of the relation, which makes a root of
 * a child. What is not there is no error.
 *
 * @throws TreelineError `visiting` inside a visit; `dead-entity` if the entity is not alive; and what a `check` hook
 *   throws when the parent changes. Nothing has changed then.
 */
export function remove(
  world: World,
  entity: Entity,
  what: Component | Tag | Pair<unknown, unknown, unknown> | AnyPair,
): void {
  requireNoVisit(world);
  requireAlive(world, entity);
  const definition = definitionOf(what);
  const index = indexOf(entity);
  if (definition.kind !== "relation") removeComponent(world, index, definition);
  else if (typeof what === "function") {
    throw new TreelineError(
      "bad-term",
      `${definition.name} needs a target: ${definition.name}(entity) or (Any)`,
    );
  } else removePairs(world, index, definition, (what as Term).target);
}

function removeComponent(world: World, index: number, definition: Definition): void {
  const { graph, entities } = world;
  const shape = shapeAt(world, index);
  if (!hasDefinition(shape, definition)) return;
  const from = entities.table[index]!;
  const to = roomyTableFor(graph, shapeWithout(graph, shape, definition), wantPairsOf(world, from), 1, from);
  if (definition.hooks !== undefined) tellRemoved(world, index, [definition]);
  moveEntity(world, index, to);
  tidyLeft(world, from);
}

/**
 * Takes one pair off, or all pairs of the relation.
 *
 * @param isDying of an entity that is about to die: no hook is asked or told.
 */
export function removePairs(
  world: World,
  index: number,
  definition: Definition,
  target: number,
  isDying = false,
): void {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  const from = entities.table[index]!;
  if (target !== Any && !isLiving(entities, target)) return;
  const only = target === Any ? 0 : findPair(pairs, definition.id, indexOf(target));
  if (target !== Any && (only === 0 || !tableHasPair(world, from, only))) return;
  let shape = shapeAt(world, index);
  if (!hasDefinition(shape, definition)) return;
  const isReparent = definition.id === CHILD_OF;
  const changes = isReparent && shape.hooked.length > 0 && !isDying ? keptChanges(world, shape, index) : [];
  if (changes.length > 0) askHooks(world, handleAt(entities, index), changes, undefined);

  let count = wantPairsOf(world, from);
  let left = 0;
  const first = tables.nodes[from]!;
  const end = first + tables.pairs[from]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] !== definition.id) continue;
    if (only !== 0 && pair !== only) {
      left++;
      continue;
    }
    count = unwantPair(world, pair, count);
    if (definition.holds !== "nothing") shape = shapeWithout(graph, shape, definition);
  }
  if (definition.holds === "nothing" && left === 0) shape = shapeWithout(graph, shape, definition);

  moveEntity(world, index, roomyTableFor(graph, shape, count, 1, from));
  if (isReparent) renewOrder(entities, index);
  if (definition.acyclic) followTarget(world, definition, index, 0);
  tidyLeft(world, from);
  if (changes.length > 0) tellWritten(world, index, changes);
}
