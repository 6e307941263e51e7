import { Any, ChildOf, Parent, type World } from "@treeline/core";
import {
  countInList,
  eachLoose,
  eachTableOf,
  findPair,
  firstPairOf,
  indexOf,
  isLiving,
  looseCountOf,
  loosePairOf,
  PAIR_HIDDEN,
  type PairNumber,
  type Shape,
  type TableNumber,
  tableHasPair,
} from "@treeline/core/internal";
import type { Clause } from "../term/plan.ts";
import { addSpots, type Bounds, joined, shapeOfSpot, spotOf } from "./spots.ts";

/** Who has what a clause with a target asks for: up to three kinds of sources. */
export interface Sources {
  /** All rows of the tables of these pairs. */
  readonly pairs: readonly PairNumber[];
  /** The loose sources of this pair; 0 if there are none. */
  readonly loose: PairNumber;
  /** The index of the target, which a reflexive relation counts in; else 0. */
  readonly self: number;
  /** Steps it takes to go through them; 0 if there is nobody. */
  readonly cost: number;
}

const NOBODY: Sources = { pairs: [], loose: 0, self: 0, cost: 0 };

/** The sources of a clause that names a target. Nobody has a pair with the dead. */
export function sourcesOf(
  { graph, entities }: World,
  { definition, target }: Pick<Clause, "definition" | "target">,
): Sources {
  if (!isLiving(entities, target)) return NOBODY;
  const { pairs, records, links } = graph;
  const index = indexOf(target);
  let own: PairNumber[];
  let parental: PairNumber = 0;
  if (definition === Any) {
    own = [];
    for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if ((pairs.traits[pair]! & PAIR_HIDDEN) === 0) own.push(pair);
    }
    parental = findPair(pairs, ChildOf.id, index);
  } else if (definition === Parent) {
    own = [];
    parental = findPair(pairs, ChildOf.id, index);
  } else {
    const pair = findPair(pairs, definition.id, index);
    own = pair === 0 ? [] : [pair];
    if (definition === ChildOf) parental = pair;
  }
  const loose = looseCountOf(links, parental) === 0 ? 0 : parental;
  const self = definition.reflexive ? index : 0;
  let cost = (loose === 0 ? 0 : countInList(links, loose)) + (self === 0 ? 0 : 1);
  for (const pair of own) cost += records.tables[pair]!;
  return { pairs: own, loose, self, cost };
}

/** The rows of all sources whose shapes answer. Cost: `sources.cost`, and sorting unless they lie in order. */
export function spotsOfSources(world: World, sources: Sources, answers: (shape: Shape) => boolean): Bounds {
  const { graph, entities } = world;
  const { tables, shapes, records, links } = graph;
  const firsts: number[] = [];
  const singles: number[] = [];
  let known: Shape | undefined;
  let isAnswer = false;

  function spotIn(table: TableNumber, row: number): number {
    if (tables.count[table] === 0) return -1;
    const shape = shapes[tables.shape[table]!]!;
    if (shape !== known) {
      known = shape;
      isAnswer = answers(shape);
    }
    return isAnswer ? spotOf(shape, tables.first[table]! + row) : -1;
  }
  function addSingle(index: number): void {
    const spot = spotIn(entities.table[index]!, entities.row[index]!);
    if (spot >= 0) singles.push(spot);
  }

  for (const pair of sources.pairs) {
    eachTableOf(records, pair, (table) => {
      const spot = spotIn(table, 0);
      if (spot >= 0) firsts.push(spot);
    });
  }
  eachLoose(links, sources.loose, addSingle);
  if (sources.self !== 0) addSingle(sources.self);

  const whole = melted(firsts, (first) => rowsOfTableAt(world, first));
  return joined(
    whole,
    melted(singles, () => 1),
  );
}

function rowsOfTableAt(world: World, spot: number): number {
  const shape = shapeOfSpot(world, spot);
  const index = shape.lanes.i32[spot - spotOf(shape, 0)]!;
  return world.graph.tables.count[world.entities.table[index]!]!;
}

function melted(spots: readonly number[], rowsAt: (spot: number) => number): Bounds {
  const order = isAscending(spots) ? spots : new Float64Array(spots).sort();
  const found: Bounds = [];
  for (let at = 0; at < order.length; at++) addSpots(found, order[at]!, order[at]! + rowsAt(order[at]!));
  return found;
}

function isAscending(spots: readonly number[]): boolean {
  for (let at = 1; at < spots.length; at++) if (spots[at]! < spots[at - 1]!) return false;
  return true;
}

/** How many rows must be looked at one by one to tell which of a set are sources: tables do not tell it. */
export function countUnsure(world: World, bounds: Bounds, { loose, self }: Sources): number {
  if (loose === 0 && self === 0) return 0;
  let count = 0;
  for (let at = 0; at < bounds.length; at += 2) {
    if (self !== 0 || shapeOfSpot(world, bounds[at]!).isLoose) count += bounds[at + 1]! - bounds[at]!;
  }
  return count;
}

/** Those rows of a set that are sources, or those that are not, found table by table. */
export function sifted(world: World, bounds: Bounds, sources: Sources, keep: boolean): Bounds {
  const { graph, entities } = world;
  const { tables, links } = graph;
  const { pairs, loose, self } = sources;
  const found: Bounds = [];
  for (let at = 0; at < bounds.length; at += 2) {
    const shape = shapeOfSpot(world, bounds[at]!);
    const { i32 } = shape.lanes;
    const base = spotOf(shape, 0);
    const end = bounds[at + 1]! - base;
    for (let row = bounds[at]! - base; row < end; ) {
      const table = entities.table[i32[row]!]!;
      const next = Math.min(end, tables.first[table]! + tables.count[table]!);
      const haveAll = pairs.some((pair) => tableHasPair(world, table, pair));
      if (!haveAll && ((loose !== 0 && shape.isLoose) || (self !== 0 && entities.table[self] === table))) {
        for (; row < next; row++) {
          const index = i32[row]!;
          const is = index === self || (loose !== 0 && loosePairOf(links, index) === loose);
          if (is === keep) addSpots(found, base + row, base + row + 1);
        }
      } else if (haveAll === keep) addSpots(found, base + row, base + next);
      row = next;
    }
  }
  return found;
}
