import { INDEX_SPAN } from "../base/limits.ts";
import { shapeWith, shapeWithout } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import type { Definition } from "../id/definition.ts";
import { findPair } from "../id/pair-book.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { loseOrder, rememberOrder } from "./adding-order.ts";
import { unwantPair, wantPair, wantPairsOf } from "./destination.ts";
import { foresee, tellAll } from "./facts.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { ensurePair } from "./pair.ts";
import { pairAt, pairsAt, tableHasPair } from "./targets.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/** A pair of a symmetric relation that an entity has. */
interface Bond {
  readonly relation: Definition;
  /** The index of the target. */
  readonly other: number;
}

/** The bonds of an entity, before a change. */
export function bondsAt(world: World, index: number, shape: Shape): Bond[] {
  const bonds: Bond[] = [];
  for (const relation of shape.definitions) {
    if (!relation.symmetric) continue;
    for (const pair of pairsAt(world, index, relation)) {
      bonds.push({ relation, other: world.graph.pairs.target[pair]! });
    }
  }
  return bonds;
}

function keyOf({ relation, other }: Bond): number {
  return relation.id * INDEX_SPAN + other;
}

/** After a change of one side: the other sides of bonds that came or went follow. */
export function mirrorBonds(world: World, index: number, before: readonly Bond[]): void {
  const after = bondsAt(world, index, shapeAt(world, index));
  const had = new Set(before.map(keyOf));
  const has = new Set(after.map(keyOf));
  for (const bond of before) if (!has.has(keyOf(bond))) loosenBond(world, bond.relation, bond.other, index);
  for (const bond of after) if (!had.has(keyOf(bond))) tieBond(world, bond.relation, bond.other, index);
}

/** Takes (relation, target) off one side alone, if it is there. */
export function loosenBond(world: World, relation: Definition, index: number, target: number): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const pair = findPair(graph.pairs, relation.id, target);
  if (pair === 0 || from === 0 || !tableHasPair(world, from, pair)) return;
  const count = unwantPair(world, pair, wantPairsOf(world, from));
  const isLast = pairsAt(world, index, relation).length === 1;
  const shape = shapeAt(world, index);
  const to = roomyTableFor(graph, isLast ? shapeWithout(graph, shape, relation) : shape, count, 1, from);
  loseOrder(world, index, [pair]);
  moveOneSide(world, index, to);
}

/** Gives (relation, target) to one side alone; an exclusive one loses its bond with a third. */
function tieBond(world: World, relation: Definition, index: number, target: number): void {
  const { graph, entities } = world;
  if (index === target) return;
  const pair = ensurePair(world, relation, target);
  const from = entities.table[index]!;
  if (tableHasPair(world, from, pair)) return;
  const old: PairNumber = relation.exclusive ? pairAt(world, index, relation) : 0;
  const third = old === 0 ? 0 : graph.pairs.target[old]!;
  let count = wantPairsOf(world, from);
  if (old !== 0) count = unwantPair(world, old, count);
  count = wantPair(world, pair, count);
  const shape = shapeWith(graph, shapeAt(world, index), relation);
  moveOneSide(world, index, roomyTableFor(graph, shape, count, 1, from));
  if (!relation.exclusive) rememberOrder(world, index, [pair]);
  if (third !== 0 && third !== index) loosenBond(world, relation, third, index);
}

function moveOneSide(world: World, index: number, to: TableNumber): void {
  const from = world.entities.table[index]!;
  const facts = foresee(world, index, from, to, loosePairOf(world.graph.links, index));
  tellAll(world, facts.removed);
  moveEntity(world, index, to);
  tidyLeft(world, from);
  tellAll(world, facts.added);
}
