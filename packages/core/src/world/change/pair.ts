// Interns pairs and puts them in the tree (`ensurePair`); moves entities between families (`rejoin`).
import { closeIfIdle, type Graph, openPair } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, Parent, Prefab } from "../../id/builtins.ts";
import { type Definition, PAIR_DISABLES, PAIR_IN_PREFAB } from "../../id/definition.ts";
import { findPair } from "../../id/pair-index.ts";
import { changeStorage, joinBefore, leaveFamily } from "../../records/families.ts";
import { linkBelow, unlinkRecord } from "../../records/pair-records.ts";
import { type Archetype, hasDefinition, NEEDS_BUILTIN } from "../../storage/archetype.ts";
import type { PairNumber } from "../../storage/table.ts";
import { pairAt, parentPairAt } from "../state/targets.ts";
import { archetypeAt } from "../state/values.ts";
import type { Slots, World } from "../state/world.ts";
import { disablesBelow } from "./disabled.ts";

/**
 * The number of a pair, interned if it is new; for Parent that of (ChildOf, target). For a relation that records depths, the
 * record of a new pair hangs below the record of its target's own pair. The caller adds the pair to an entity, or calls
 * `closeIfIdle`.
 */
export function ensurePair(world: World, relation: Definition, target: number): PairNumber {
  const { graph } = world;
  const stored = relation === Parent ? ChildOf : relation;
  const known = findPair(graph.pairs, stored.id, target);
  if (known !== 0) return known;

  relation.installs?.(world.slots);
  const pair = openPair(graph, stored, target);
  if (stored.keepsDepth) world.slots.hangPair!(world, stored, pair, target);
  return pair;
}

/** Installs the slots for pairs of relations that record depths. */
export function installTree(slots: object): void {
  const filled = slots as Slots;
  filled.hangPair ??= hangPair;
  filled.leaveTree ??= leaveTree;
  filled.followTargets ??= followTargets;
}

/** Gives the record of a new pair its place in the tree; for a parent, also sets the traits that apply to its children. */
function hangPair(world: World, relation: Definition, pair: PairNumber, target: number): void {
  const { graph } = world;
  if (relation.id !== CHILD_OF) {
    const above = pairAt(world, target, relation);
    if (above !== 0) linkBelow(graph.records, pair, above);
    return;
  }
  hangParent(world, pair, target, archetypeAt(world, target));
}

/**
 * Hangs the record of a new parent pair below that of the parent's own; the pair's traits record whether its subjects are
 * disabled, or parts of a prefab.
 */
function hangParent(world: World, pair: PairNumber, parent: number, archetype: Archetype): void {
  const { fixedNeeds, bits } = archetype;
  const { pairs, records } = world.graph;
  const above = parentPairAt(world, parent);
  if (above !== 0) linkBelow(records, pair, above);
  if (((fixedNeeds & NEEDS_BUILTIN) !== 0 || bits !== undefined) && disablesBelow(world, parent))
    pairs.traits[pair]! |= PAIR_DISABLES;
  if ((fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(archetype, Prefab))
    pairs.traits[pair]! |= PAIR_IN_PREFAB;
}

/** No entity has a pair any more: removes its record from the tree. */
export function leaveTree({ records }: Graph, pair: PairNumber): void {
  unlinkRecord(records, pair);
  records.isStale[pair] = 0;
}

/** After an entity got another target of a relation that records depths (0: none): moves its own record below that target's. */
export function followTarget(world: World, relation: Definition, source: number, pair: PairNumber): void {
  const { pairs, records } = world.graph;
  const own = findPair(pairs, relation.id, source);
  if (own !== 0) linkBelow(records, own, pair);
}

/** For an entity that was a target before it got its row: moves the records of its pairs to their places. */
function followTargets(world: World, archetype: Archetype, index: number): void {
  for (const relation of new Set(archetype.definitions)) {
    if (!relation.keepsDepth) continue;
    const stored = relation === Parent ? ChildOf : relation;
    followTarget(world, stored, index, pairAt(world, index, stored));
  }
}

/**
 * Moves an entity to another family, or within its own to the other storage.
 *
 * @param move the pairs of the parents before and after, 0 for none; and the index of the child before which it is inserted, 0
 *   for the end.
 * @param had whether its parent was stored by value. @param has whether it is now.
 */
export function rejoin(
  world: World,
  index: number,
  { before, after, place }: { before: PairNumber; after: PairNumber; place: number },
  had: boolean,
  has: boolean,
): void {
  const { entities, graph } = world;
  const { families } = graph;
  if (before === after) {
    if (had !== has) changeStorage(families, after, has);
    return;
  }
  leaveFamily(families, entities, index, had);
  joinBefore(families, entities, after, index, place, has);
  if (before !== 0) closeIfIdle(graph, before);
}
