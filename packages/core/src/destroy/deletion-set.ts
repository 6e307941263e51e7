import { grownInt32 } from "../base/growing.ts";
import { Stands } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { PAIR_DELETES } from "../id/pair-traits.ts";
import { firstInList, looseCountOf, loosePairOf, nextInList } from "../records/sibling-links.ts";
import { hasDefinition } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { nextStateNumber, stateOf, type World } from "../world/world.ts";

/** Everything that dies at once. One record per world, used again for the next death. */
export interface Reach {
  rounds: number;
  /** Tables all rows of which die, as they were reached; the first `length` count. */
  tables: Int32Array<ArrayBuffer>;
  length: number;
  /** By table: the round in which it was reached last. */
  tableRound: Int32Array<ArrayBuffer>;
  /**
   * Entities that die by themselves: those it began with, and children whose parents are stored as values. Some of them
   * may be in reached tables as well.
   */
  singles: Int32Array<ArrayBuffer>;
  singleCount: number;
  /** By entity index: the round in which it was reached as a single. */
  singleRound: Int32Array<ArrayBuffer>;
  /** By table: how many singles it holds, negative once these are all its rows; and the round for which that holds. */
  singlesIn: Int32Array<ArrayBuffer>;
  singlesRound: Int32Array<ArrayBuffer>;
  /** Those of the dying that are targets, each once. */
  targets: Int32Array<ArrayBuffer>;
  targetCount: number;
  targetRound: Int32Array<ArrayBuffer>;
  /** Some of the dying have components with hooks. */
  isHooked: boolean;
  /** Pairs of the dying whose relation does not delete: their sources may live on. */
  foreign: PairNumber[];
  /** Definitions for which some of the dying stand. */
  definitions: Definition[];
}

const REACH: number = nextStateNumber();

function createReach(): Reach {
  const none = new Int32Array(0);
  return {
    rounds: 0,
    tables: none,
    length: 0,
    tableRound: none,
    singles: none,
    singleCount: 0,
    singleRound: none,
    singlesIn: none,
    singlesRound: none,
    targets: none,
    targetCount: 0,
    targetRound: none,
    isHooked: false,
    foreign: [],
    definitions: [],
  };
}

/**
 * Rows and entities that one call goes through: a tree dies in few calls, and V8 compiles functions that are called often
 * sooner, and better, than those that run long.
 */
export const AT_ONCE = 1024;

/**
 * Finds everything that dies with the entities at some indexes: for each relation R that deletes and each e found, the
 * tables under (R, e) and the children that store e as a value; and all who have a definition that deletes with its
 * entity. Each once, also in cycles. Nothing is changed. The answer is good until the next death.
 */
export function reachFrom(world: World, roots: readonly number[]): Reach {
  const reach = stateOf(world, REACH, createReach);
  const { tables } = world.graph;
  const { length } = world.entities;
  reach.length = 0;
  reach.singleCount = 0;
  reach.targetCount = 0;
  reach.isHooked = false;
  if (reach.foreign.length > 0) reach.foreign = [];
  if (reach.definitions.length > 0) reach.definitions = [];
  reach.rounds++;
  reach.tableRound = grownInt32(reach.tableRound, tables.length);
  reach.singleRound = grownInt32(reach.singleRound, length);
  reach.targetRound = grownInt32(reach.targetRound, length);

  for (const root of roots) addSingle(world, reach, root);
  let tableAt = 0;
  let singleAt = 0;
  while (tableAt < reach.length || singleAt < reach.singleCount) {
    while (singleAt < reach.singleCount) {
      const end = Math.min(singleAt + AT_ONCE, reach.singleCount);
      reachBelow(world, reach, reach.singles, singleAt, end, world.standsFor.size > 0);
      singleAt = end;
    }
    for (; tableAt < reach.length; tableAt++) reachTable(world, reach, reach.tables[tableAt]!);
  }
  return reach;
}

function reachTable(world: World, reach: Reach, table: TableNumber): void {
  const { tables, shapes } = world.graph;
  const shape = shapes[tables.shape[table]!]!;
  if (shape.hooked.length > 0) reach.isHooked = true;
  const { i32 } = shape.lanes;
  const first = tables.first[table]!;
  const end = first + tables.count[table]!;
  const stands = shape.isSpecial && hasDefinition(shape, Stands);
  for (let row = first; row < end; row += AT_ONCE)
    reachBelow(world, reach, i32, row, Math.min(row + AT_ONCE, end), stands);
}

/** Who dies with the entities in places `from .. end` of a list. */
function reachBelow(
  world: World,
  reach: Reach,
  list: Int32Array,
  from: number,
  end: number,
  stands: boolean,
): void {
  const { pairs } = world.graph;
  for (let at = from; at < end; at++) {
    const index = list[at]!;
    if (isTarget(pairs, index)) reachSources(world, reach, index);
    if (stands) reachUsers(world, reach, index);
  }
}

export function isReached(reach: Reach, table: TableNumber): boolean {
  return reach.tableRound[table] === reach.rounds;
}

/** Does the entity at an index die? */
export function isDying({ entities }: World, reach: Reach, index: number): boolean {
  return reach.singleRound[index] === reach.rounds || isReached(reach, entities.table[index]!);
}

function addTable(reach: Reach, table: TableNumber): void {
  reach.tableRound[table] = reach.rounds;
  if (reach.length === reach.tables.length) reach.tables = grownInt32(reach.tables, reach.length + 1);
  reach.tables[reach.length++] = table;
}

function addSingle(world: World, reach: Reach, index: number): void {
  const table = world.entities.table[index]!;
  if (reach.singleRound[index] === reach.rounds || isReached(reach, table)) return;
  reach.singleRound[index] = reach.rounds;
  if (reach.singleCount === reach.singles.length) {
    reach.singles = grownInt32(reach.singles, reach.singleCount + 1);
  }
  reach.singles[reach.singleCount++] = index;
  const { tables, shapes } = world.graph;
  const shape = shapes[tables.shape[table]!]!;
  if (shape.hooked.length > 0) reach.isHooked = true;
  if (!shape.isLoose) return;
  if (table >= reach.singlesIn.length) {
    reach.singlesIn = grownInt32(reach.singlesIn, tables.length);
    reach.singlesRound = grownInt32(reach.singlesRound, tables.length);
  }
  if (reach.singlesRound[table] !== reach.rounds) {
    reach.singlesRound[table] = reach.rounds;
    reach.singlesIn[table] = 0;
  }
  reach.singlesIn[table]!++;
}

/** Tables with fewer rows are left by one row after the other: the next child finds its table there still. */
const MANY_ROWS = 8;

/**
 * Tables with children whose parents are values, all of whom die, are taken as a whole, which is quicker if they have many
 * rows. To be asked when survivors have been loosened, since that may move some of them into such a table.
 */
export function takeWholeTables({ graph, entities }: World, reach: Reach): void {
  const { tables, shapes } = graph;
  for (let at = 0; at < reach.singleCount; at++) {
    const table = entities.table[reach.singles[at]!]!;
    if (tables.count[table]! < MANY_ROWS || isReached(reach, table)) continue;
    if (!shapes[tables.shape[table]!]!.isLoose) continue;
    if (reach.singlesIn[table] === tables.count[table]) addTable(reach, table);
  }
}

function reachSources(world: World, reach: Reach, index: number): void {
  if (reach.targetRound[index] === reach.rounds) return;
  reach.targetRound[index] = reach.rounds;
  const { pairs, records, tables, links } = world.graph;
  if (reach.targetCount === reach.targets.length) {
    reach.targets = grownInt32(reach.targets, reach.targetCount + 1);
  }
  reach.targets[reach.targetCount++] = index;
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if ((pairs.traits[pair]! & PAIR_DELETES) === 0) {
      reach.foreign.push(pair);
      continue;
    }
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      if (!isReached(reach, table) && tables.count[table] !== 0) addTable(reach, table);
    }
    if (looseCountOf(links, pair) === 0) continue;
    for (let child = firstInList(links, pair); child !== 0; child = nextInList(links, child)) {
      if (loosePairOf(links, child) === pair) addSingle(world, reach, child);
    }
  }
}

/** An entity stands for a definition: those who have it may have to die with it. */
function reachUsers(world: World, reach: Reach, index: number): void {
  const definition = world.standsFor.get(index);
  if (definition === undefined || reach.definitions.includes(definition)) return;
  reach.definitions.push(definition);
  if (definition.onDeath !== "delete") return;
  const { graph } = world;
  for (const shape of graph.shapesWith.get(definition.id) ?? []) {
    for (let table = shape.firstTable; table !== 0; table = graph.tables.next[table]!) {
      if (!isReached(reach, table)) addTable(reach, table);
    }
  }
}

/** Who of a pair lives on. A fresh list. */
export function survivorsOf(world: World, reach: Reach, sources: readonly number[]): number[] {
  return sources.filter((index) => !isDying(world, reach, index));
}
