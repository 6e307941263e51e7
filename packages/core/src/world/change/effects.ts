import { shapeWith, shapeWithout } from "../../graph/edges.ts";
import type { TableType } from "../../graph/reserve.ts";
import type { Definition } from "../../id/definition.ts";
import { findPair } from "../../id/pair-book.ts";
import { PAIR_EXCLUSIVE } from "../../id/pair-traits.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { loseOrder, rememberOrder } from "../state/adding-order.ts";
import type { World } from "../state/world.ts";
import { type ChangeEvents, listEvents } from "./events.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { ensurePair } from "./pair.ts";

/** An entity that follows a change: it loses pairs, or gets some. */
export interface Effect {
  readonly index: number;
  /** What it will be. */
  type: TableType;
  /** The pairs that it gets, in order. */
  readonly tied: PairNumber[];
}

/** An entity that a verb changes, before and after. */
export interface TypeChange {
  readonly index: number;
  readonly was: TableType;
  readonly is: TableType;
}

/** The type of a table. */
export function typeOfTable({ graph }: World, table: TableNumber): TableType {
  const { tables, records, shapes } = graph;
  const first = tables.nodes[table]!;
  const pairs = [...records.nodePair.subarray(first, first + tables.pairs[table]!)];
  return { shape: shapes[tables.shape[table]!]!, pairs };
}

/**
 * Lists what else a change moves: the other sides of symmetric pairs that come or go. Of an exclusive relation a new partner
 * loses its former one, which loses it in turn. Each entity is listed once, with what it will be in the end; commit goes through the
 * list and decides nothing.
 *
 * Pairs that do not exist yet are made; the caller closes those that stay idle.
 */
export function planEffects(world: World, changes: readonly TypeChange[]): Effect[] {
  const plan: Plan = { types: new Map(), effects: new Map() };
  for (const { index, is } of changes) plan.types.set(index, is);
  for (const { index, was, is } of changes) {
    const { target } = world.graph.pairs;
    for (const relation of symmetricOf(was)) {
      for (const pair of pairsOf(world, was, relation)) {
        if (!is.pairs.includes(pair)) untie(world, plan, relation, target[pair]!, index);
      }
    }
    for (const relation of symmetricOf(is)) {
      for (const pair of pairsOf(world, is, relation)) {
        if (!was.pairs.includes(pair)) tie(world, plan, relation, target[pair]!, index);
      }
    }
  }
  return [...plan.effects.values()];
}

interface Plan {
  /** By index: what those that change are by now. */
  readonly types: Map<number, TableType>;
  readonly effects: Map<number, Effect>;
}

function symmetricOf({ shape }: TableType): readonly Definition[] {
  return shape.isSymmetric ? shape.definitions.filter(({ symmetric }) => symmetric) : [];
}

function pairsOf({ graph }: World, { pairs }: TableType, relation: Definition): PairNumber[] {
  return pairs.filter((pair) => graph.pairs.relation[pair] === relation.id);
}

function typeNow(world: World, { types }: Plan, index: number): TableType {
  return types.get(index) ?? typeOfTable(world, world.entities.table[index]!);
}

function become({ types, effects }: Plan, index: number, type: TableType): Effect {
  types.set(index, type);
  let effect = effects.get(index);
  if (effect === undefined) effects.set(index, (effect = { index, type, tied: [] }));
  effect.type = type;
  return effect;
}

/** Takes (relation, target) off one side alone, if it is there. */
function untie(world: World, plan: Plan, relation: Definition, index: number, target: number): void {
  const { graph } = world;
  const lost = findPair(graph.pairs, relation.id, target);
  const type = typeNow(world, plan, index);
  if (lost === 0 || !type.pairs.includes(lost)) return;
  const isLast = pairsOf(world, type, relation).length === 1;
  const shape = isLast ? shapeWithout(graph, type.shape, relation) : type.shape;
  become(plan, index, { shape, pairs: type.pairs.filter((pair) => pair !== lost) });
}

/** Gives (relation, target) to one side alone; an exclusive one loses its pair with a third. */
function tie(world: World, plan: Plan, relation: Definition, index: number, target: number): void {
  const { graph } = world;
  if (index === target) return;
  const pair = ensurePair(world, relation, target);
  const type = typeNow(world, plan, index);
  if (type.pairs.includes(pair)) return;
  const [old] = relation.exclusive ? pairsOf(world, type, relation) : [];
  const pairs = [...type.pairs.filter((one) => one !== old), pair].sort((one, other) => one - other);
  become(plan, index, { shape: shapeWith(graph, type.shape, relation), pairs }).tied.push(pair);
  const third = old === undefined ? index : graph.pairs.target[old]!;
  if (third !== index) untie(world, plan, relation, third, index);
}

/** Lists what observers will be told of effects. @param tables parallel to the effects. */
export function listEffectEvents(
  world: World,
  events: ChangeEvents,
  effects: readonly Effect[],
  tables: readonly TableNumber[],
): void {
  effects.forEach(({ index }, at) => {
    const from = world.entities.table[index]!;
    const value = loosePairOf(world.graph.links, index);
    if (from !== world.limbo) listEvents(world, events, index, from, tables[at]!, value);
  });
}

/** Moves all that follow a change to the tables that were reserved for them. */
export function commitEffects(
  world: World,
  effects: readonly Effect[],
  tables: readonly TableNumber[],
): void {
  effects.forEach(({ index, type, tied }, at) => {
    const from = world.entities.table[index]!;
    if (tables[at] === from) return;
    const lost = typeOfTable(world, from).pairs.filter((pair) => !type.pairs.includes(pair));
    if (lost.length > 0) loseOrder(world, index, lost);
    moveEntity(world, index, tables[at]!);
    tidyLeft(world, from);
    const added = tied.filter(
      (pair) => type.pairs.includes(pair) && (world.graph.pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0,
    );
    if (added.length > 0) rememberOrder(world, index, added);
  });
}
