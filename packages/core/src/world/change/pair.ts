import type { Graph } from "../../graph/graph.ts";
import { openPair, spareTableBelow } from "../../graph/table-graph.ts";
import { CHILD_OF, ChildOf, OrderedChildren, Parent } from "../../id/builtins.ts";
import { type Definition, PAIR_DISABLES } from "../../id/definition.ts";
import { findPair } from "../../id/pair-book.ts";
import { hangBelow, unhang } from "../../records/pair-records.ts";
import { closeList, isListed, openList } from "../../records/sibling-links.ts";
import { hasDefinition, NEEDS_BUILTIN, type Shape } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { pairAt, parentPairAt } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { Slots, World } from "../state/world.ts";
import { disablesBelow } from "./disabled.ts";

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

  relation.brings?.(world.slots);
  const pair = openPair(graph, stored, target);
  if (stored.keepsDepth) world.slots.hangPair!(world, stored, pair, target);
  return pair;
}

/** The same of ChildOf, for verbs that are given nothing but entities. */
export function ensureParentPair(world: World, target: number): PairNumber {
  bringTree(world.slots);
  return ensurePair(world, ChildOf, target);
}

/** Pairs of relations that keep depths are used from now on. */
export function bringTree(slots: object): void {
  const filled = slots as Slots;
  filled.hangPair ??= hangPair;
  filled.leaveTree ??= leaveTree;
  filled.followTargets ??= followTargets;
}

/** Gives the record of a new pair its place in the tree; of a parent it notes what holds for children. */
function hangPair(world: World, relation: Definition, pair: PairNumber, target: number): void {
  const { graph } = world;
  if (relation.id !== CHILD_OF) {
    const above = pairAt(world, target, relation);
    if (above !== 0) hangBelow(graph.records, pair, above);
    return;
  }
  const parent = shapeAt(world, target);
  hangParent(world, pair, target, parent);
  if ((parent.fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(parent, OrderedChildren))
    openList(graph.links, pair);
}

/** The record of a new pair of a parent goes below that of the parent's own; the pair notes whether its sources are disabled. */
function hangParent(world: World, pair: PairNumber, parent: number, { fixedNeeds, bits }: Shape): void {
  const { pairs, records } = world.graph;
  const above = parentPairAt(world, parent);
  if (above !== 0) hangBelow(records, pair, above);
  if (((fixedNeeds & NEEDS_BUILTIN) !== 0 || bits !== undefined) && disablesBelow(world, parent))
    pairs.traits[pair]! |= PAIR_DISABLES;
}

/** Nobody has a pair any more: its list ends, and its record leaves the tree. */
export function leaveTree({ links, records }: Graph, pair: PairNumber): void {
  if (isListed(links, pair)) closeList(links, pair);
  unhang(records, pair);
  records.isStale[pair] = 0;
}

/** A spare table for the first child of an entity, with room for it; 0 if there is none. */
export function spareTableFor(world: World, shape: Shape, target: number): TableNumber {
  const { graph } = world;
  const parent = shapeAt(world, target);
  if ((parent.fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(parent, OrderedChildren)) return 0;
  const table = spareTableBelow(graph, shape, target);
  if (table === 0) return 0;
  hangParent(world, graph.tables.parentPair[table]!, target, parent);
  return table;
}

/** After an entity got another target of a relation that keeps depths (0: none), its own record follows. */
export function followTarget(world: World, relation: Definition, source: number, pair: PairNumber): void {
  const { pairs, records } = world.graph;
  const own = findPair(pairs, relation.id, source);
  if (own !== 0) hangBelow(records, own, pair);
}

/** An entity was a target before it got its row: the records of pairs follow now. */
function followTargets(world: World, shape: Shape, index: number): void {
  for (const relation of new Set(shape.definitions)) {
    if (!relation.keepsDepth) continue;
    const stored = relation === Parent ? ChildOf : relation;
    followTarget(world, stored, index, pairAt(world, index, stored));
  }
}
