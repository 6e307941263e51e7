// Which other entities a change of symmetric pairs moves, and moves them (`planEffects`).
import { archetypeWith, archetypeWithout, type TableType } from "../../graph/graph.ts";
import { type Definition, PAIR_EXCLUSIVE, type PlainTerm } from "../../id/definition.ts";
import { findPair } from "../../id/pair-index.ts";
import type { Joins } from "../../records/families.ts";
import type { PairNumber } from "../../storage/table.ts";
import { whileDeferred } from "../state/lock.ts";
import type { Change, Effects, Goal, TypeChange } from "../state/plans.ts";
import { loseOrder, pairsOfTable, rememberOrder } from "../state/targets.ts";
import { archetypeAt, rowAt } from "../state/values.ts";
import type { SymmetricWork, World } from "../state/world.ts";
import { makeChange } from "./change-entity.ts";
import { insertGroups, withManyRows, withReserved } from "./insert.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { ensurePair } from "./pair.ts";

/** The functions for pairs of symmetric relations: installed by relations. */
export const symmetricWork: SymmetricWork = {
  insert: insertGroups,
  plan: planEffects,
  withRows: withManyRows,
  change: changeSymmetric,
};

/** Another entity that a change affects: it loses or gets pairs. */
interface Effect {
  readonly index: number;
  /** The type that it will have. */
  type: TableType;
  /** The pairs that it gets, in order. */
  readonly gained: PairNumber[];
}

function changeSymmetric(
  world: World,
  index: number,
  goal: Goal,
  terms: readonly PlainTerm[],
  calls: readonly Change[],
): boolean {
  const { graph } = world;
  const was = typeOf(world, index);
  const is = { archetype: goal.archetype, pairs: [...graph.wanted.subarray(0, goal.count)] };
  const effects = planEffects(world, [{ index, was, is }]);
  if (effects === undefined) {
    graph.wanted.set(is.pairs);
    return false;
  }
  const arrivals = [{ type: is, count: 1 }, ...effects.arrivals];
  const made = [...is.pairs, goal.parentPair, ...effects.made];
  const joins: Joins = new Map(
    goal.parentPair === world.entities.family[index] ? [] : [[goal.parentPair, 1]],
  );
  // Commands deferred by observers run after the reservation has ended: they may need memory of their own.
  whileDeferred(world, () =>
    withReserved(world, arrivals, made, joins, ([to, ...tables]) => {
      effects.tables = tables;
      makeChange(world, index, to!, goal, terms, calls, effects);
    }),
  );
  return true;
}

export function typeOf({ graph, entities }: World, index: number): TableType {
  const table = entities.table[index]!;
  return {
    archetype: graph.archetypes[graph.tables.archetype[table]!]!,
    pairs: [...pairsOfTable(graph, table)],
  };
}

/**
 * Lists the other entities that a change moves: the other sides of symmetric pairs that are added or removed. For an exclusive
 * relation, a new partner loses its former one, which loses it in turn. Each entity is listed once, with its final type; commit
 * processes the list and decides nothing.
 *
 * Pairs that do not exist yet are created; the caller closes those that stay unused.
 */
function planEffects(world: World, changes: readonly TypeChange[]): Effects | undefined {
  const plan: Plan = { types: new Map(changes.map(({ index, is }) => [index, is])), effects: new Map() };
  const { target } = world.graph.pairs; // of pairs that exist already: these stay, even if the arrays are replaced
  for (const { index, was, is } of changes) {
    for (const [relation, pair] of symmetricPairs(world, was)) {
      if (!is.pairs.includes(pair)) removeSide(world, plan, relation, target[pair]!, index);
    }
    for (const [relation, pair] of symmetricPairs(world, is)) {
      if (!was.pairs.includes(pair)) addSide(world, plan, relation, target[pair]!, index);
    }
  }
  const effects = [...plan.effects.values()];
  if (effects.length === 0) return undefined;
  return {
    arrivals: effects.map(({ type }) => ({ type, count: 1 })),
    made: effects.flatMap(({ gained }) => gained),
    tables: [],
    list(events) {
      for (const [at, { index, type, gained }] of effects.entries()) {
        const from = world.entities.table[index]!;
        const parent = world.entities.family[index]!;
        if (from !== world.pendingTable)
          world.slots.events?.list(world, events, index, from, this.tables[at]!, parent, {
            added: gained.filter((pair) => type.pairs.includes(pair)),
          });
      }
    },
    commit() {
      for (const [at, { index, type, gained }] of effects.entries()) {
        const from = world.entities.table[index]!;
        if (from === this.tables[at]) continue;
        const lost = typeOf(world, index).pairs.filter((pair) => !type.pairs.includes(pair));
        loseOrder(world, index, lost);
        moveEntity(world, index, this.tables[at]!);
        tidyLeft(world, from);
        const added = gained.filter(
          (pair) => type.pairs.includes(pair) && (world.graph.pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0,
        );
        if (added.length > 0) rememberOrder(world, index, added);
      }
      // What one of several spawned entities gave up to a later one it never had.
      for (const { index } of changes.slice(0, -1)) {
        archetypeAt(world, index).lanes.tracks?.markSpawned(rowAt(world, index));
      }
    },
  };
}

interface Plan {
  /** By index: the types of the changing entities so far. */
  readonly types: Map<number, TableType>;
  readonly effects: Map<number, Effect>;
}

function symmetricPairs(world: World, type: TableType): (readonly [Definition, PairNumber])[] {
  return type.archetype.definitions
    .filter(({ symmetric }) => symmetric)
    .flatMap((relation) => pairsOf(world, type, relation).map((pair) => [relation, pair] as const));
}

function pairsOf({ graph }: World, { pairs }: TableType, relation: Definition): PairNumber[] {
  return pairs.filter((pair) => graph.pairs.relation[pair] === relation.id);
}

function effectOn({ types, effects }: Plan, index: number, type: TableType): Effect {
  types.set(index, type);
  const effect = effects.get(index) ?? { index, type, gained: [] };
  effects.set(index, effect);
  effect.type = type;
  return effect;
}

/** Removes (relation, target) from one side only, if it is there. */
function removeSide(world: World, plan: Plan, relation: Definition, index: number, target: number): void {
  const { graph } = world;
  const lost = findPair(graph.pairs, relation.id, target);
  const type = plan.types.get(index) ?? typeOf(world, index);
  if (!type.pairs.includes(lost)) return;
  const isLast = pairsOf(world, type, relation).length === 1;
  const archetype = isLast ? archetypeWithout(graph, type.archetype, relation) : type.archetype;
  effectOn(plan, index, { archetype, pairs: type.pairs.filter((pair) => pair !== lost) });
}

/** Adds (relation, target) to one side only; an exclusive one loses its pair with a third entity. */
function addSide(world: World, plan: Plan, relation: Definition, index: number, target: number): void {
  const { graph } = world;
  const pair = ensurePair(world, relation, target);
  const type = plan.types.get(index) ?? typeOf(world, index);
  if (type.pairs.includes(pair)) return;
  const [old] = relation.exclusive ? pairsOf(world, type, relation) : [];
  const pairs = [...type.pairs.filter((one) => one !== old), pair].sort((one, other) => one - other);
  const archetype = archetypeWith(graph, type.archetype, relation);
  effectOn(plan, index, { archetype, pairs }).gained.push(pair);
  if (old !== undefined) removeSide(world, plan, relation, graph.pairs.target[old]!, index);
}
