import type { World } from "@treeline/core";
import {
  eachTableOf,
  firstPairOf,
  grownInt32,
  isTarget,
  nextNumber,
  PAIR_DELETES,
  PAIR_REFUSES,
  type PairNumber,
  shapeAt,
  stateOf,
  type TableNumber,
} from "@treeline/core/internal";

/** Everything that dies with one entity. One record per world, used again for the next death. */
export interface Reach {
  /** The entity it began with. */
  root: number;
  /** Tables all rows of which die, level by level; the first `length` count. */
  tables: Int32Array<ArrayBuffer>;
  length: number;
  /** Those of the dying that are targets, in the order in which they were reached, the root first if it is one. */
  targets: Int32Array<ArrayBuffer>;
  targetCount: number;
  /** By table: the round in which it was reached last. */
  round: Int32Array<ArrayBuffer>;
  rounds: number;
  /** Some of the dying have components with hooks. */
  isHeard: boolean;
  /** Pairs of the dying whose relation does not delete: their sources may live on. */
  foreign: PairNumber[];
}

const REACH: number = nextNumber();

/**
 * Finds everything that dies with the entity at an index: level by level, the tables under (R, e) for each relation R
 * that deletes and each e found. All rows of such a table die together. Each table is reached once, also in cycles.
 * Nothing is changed. The answer is good until the next death.
 */
export function reachFrom(world: World, root: number): Reach {
  const reach = stateOf(world, REACH, createReach);
  const { tables, shapes, pairs } = world.graph;
  reach.root = root;
  reach.length = 0;
  reach.targetCount = 0;
  if (reach.foreign.length > 0) reach.foreign = [];
  reach.rounds++;
  reach.isHeard = shapeAt(world, root).hooked.length > 0;
  reach.round = grownInt32(reach.round, tables.length);

  if (isTarget(pairs, root)) reachSources(world, reach, root);
  for (let at = 0; at < reach.length; at++) {
    const table = reach.tables[at]!;
    const shape = shapes[tables.shape[table]!]!;
    if (shape.hooked.length > 0) reach.isHeard = true;
    const { i32 } = shape.lanes;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) {
      const index = i32[row]!;
      if (isTarget(pairs, index)) reachSources(world, reach, index);
    }
  }
  return reach;
}

function createReach(): Reach {
  const none = new Int32Array(0);
  return {
    root: 0,
    tables: none,
    length: 0,
    targets: none,
    targetCount: 0,
    round: none,
    rounds: 0,
    isHeard: false,
    foreign: [],
  };
}

export function isReached(reach: Reach, table: TableNumber): boolean {
  return reach.round[table] === reach.rounds;
}

function reachSources(world: World, reach: Reach, index: number): void {
  const { pairs, records, tables } = world.graph;
  reach.targets = grownInt32(reach.targets, reach.targetCount + 1);
  reach.targets[reach.targetCount++] = index;
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if ((pairs.traits[pair]! & PAIR_DELETES) === 0) {
      reach.foreign.push(pair);
      continue;
    }
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      if (reach.round[table] === reach.rounds || tables.count[table] === 0) continue;
      reach.round[table] = reach.rounds;
      reach.tables = grownInt32(reach.tables, reach.length + 1);
      reach.tables[reach.length++] = table;
    }
  }
}

/** Calls `visit` with each entity that lives on and has a pair whose target dies. */
export function eachSurvivor(
  world: World,
  reach: Reach,
  pair: PairNumber,
  visit: (index: number) => void,
): void {
  const { tables, shapes, records } = world.graph;
  eachTableOf(records, pair, (table) => {
    if (isReached(reach, table) || tables.count[table] === 0) return;
    const first = tables.first[table]!;
    const indexes = shapes[tables.shape[table]!]!.lanes.i32.slice(first, first + tables.count[table]!);
    for (const index of indexes) if (index !== reach.root) visit(index);
  });
}

/** An entity that lives on and whose relation refuses the death of its target; 0 if there is none. */
export function refusingSource(world: World, reach: Reach): { source: number; pair: PairNumber } | undefined {
  let found: { source: number; pair: PairNumber } | undefined;
  for (const pair of reach.foreign) {
    if ((world.graph.pairs.traits[pair]! & PAIR_REFUSES) === 0) continue;
    eachSurvivor(world, reach, pair, (source) => {
      found ??= { source, pair };
    });
  }
  return found;
}
