import { spareTableBelow } from "../../graph/free-table.ts";
import { pairFor } from "../../graph/table-graph.ts";
import { CHILD_OF, ChildOf, OrderedChildren, Parent } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { findPair } from "../../id/pair-book.ts";
import { hangBelow } from "../../records/pair-tree.ts";
import { openList } from "../../records/sibling-links.ts";
import { hasDefinition, type Shape } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { pairAt, parentPairAt } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { noteDisabling } from "./disabled.ts";

/**
 * The number of a pair, interned if it is new; for Parent that of (ChildOf, target). The record of a new pair of a
 * relation that keeps depths hangs below the record of its target's own pair. The caller gives it to an entity, or
 * calls `closeIfIdle`.
 */
export function ensurePair(world: World, relation: Definition, target: number): PairNumber {
  const { graph } = world;
  const stored = relation === Parent ? ChildOf : relation;
  const known = findPair(graph.pairs, stored.id, target);
  if (known !== 0) return known;

  const pair = pairFor(graph, stored, target);
  if (stored.id === CHILD_OF) noteDisabling(world, pair, target);
  if (stored.keepsDepth) {
    const above = pairAt(world, target, stored);
    if (above !== 0) hangBelow(graph.records, pair, above);
    const shape = shapeAt(world, target);
    if (stored.id === CHILD_OF && shape.isSpecial && hasDefinition(shape, OrderedChildren))
      openList(graph.links, pair);
  }
  return pair;
}

/** A spare table for the first child of an entity, with room for it; 0 if there is none. */
export function spareTableFor(world: World, shape: Shape, target: number): TableNumber {
  const { graph } = world;
  if (shape.spare === 0 || hasDefinition(shapeAt(world, target), OrderedChildren)) return 0;
  const table = spareTableBelow(graph, shape, target);
  if (table === 0) return 0;
  noteDisabling(world, graph.tables.parentPair[table]!, target);
  const above = parentPairAt(world, target);
  if (above !== 0) hangBelow(graph.records, graph.tables.parentPair[table]!, above);
  return table;
}

/** After an entity got another target of a relation that keeps depths (0: none), its own record follows. */
export function followTarget(world: World, relation: Definition, source: number, pair: PairNumber): void {
  const { pairs, records } = world.graph;
  const own = findPair(pairs, relation.id, source);
  if (own !== 0) hangBelow(records, own, pair);
}
