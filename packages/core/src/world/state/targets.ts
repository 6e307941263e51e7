// Pairs, parent, depth and subjects of an entity; the order of subjects (`subjectHandles`) and of added pairs (`rememberOrder`).
import { type Graph, pairOfRelation, valuePairOf } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, PARENT, Parent } from "../../id/builtins.ts";
import { type Definition, PAIR_EXCLUSIVE, type Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-index.ts";
import { handleAt, sortByOrder } from "../../records/entity-index.ts";
import { countIn, endOf, membersOf, ROOTS, startOf, valueCountOf } from "../../records/families.ts";
import { forgetPairs, keepOrder, type PairRecords, refreshDepths } from "../../records/pair-records.ts";
import { DEPTH_CHANGED, note } from "../../storage/journal.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { targetOfTerm } from "./terms.ts";
import type { World, WorldState } from "./world.ts";

/** The pair (ChildOf, parent) of the entity at an index, in either storage of parents; 0 for roots. */
export function parentPairAt({ entities }: WorldState, index: number): PairNumber {
  return entities.family[index]!;
}

export function parentAt(world: World, index: number): Entity | undefined {
  const parent = parentIndexAt(world, index);
  return parent === 0 ? undefined : handleAt(world.entities, parent);
}

/** The index of the parent; 0 for roots. */
export function parentIndexAt(world: World, index: number): number {
  return targetIndexAt(world, index, ChildOf);
}

/** The index of the first target of a relation that an entity has, or will have when its spawn is not pending any more; or 0. */
export function targetIndexAt(world: World, index: number, relation: Definition): number {
  const pair = pairAt(world, index, relation);
  if (pair !== 0) return world.graph.pairs.target[pair]!;
  const terms = world.slots.pending?.termsOf(world, index, relation);
  return terms === undefined ? 0 : indexOf(targetOfTerm(terms[0]!) as Entity);
}

/**
 * The first pair of a relation that the entity at an index has, or 0. For ChildOf, either storage of parents counts; for Parent,
 * only a parent stored by value.
 */
export function pairAt(world: World, index: number, relation: Definition): PairNumber {
  if (relation === ChildOf) return parentPairAt(world, index);
  const { graph, entities, slots } = world;
  if (relation.id === PARENT) return valuePairOf(world.graph, index);
  const pair = pairOfRelation(graph, entities.table[index]!, relation.id);
  return pair || (slots.sparsePairs?.first(graph, relation.id, index) ?? 0);
}

/**
 * All pairs of a relation that the entity at an index has, in the order of its table. Returns a new list.
 * @param target a handle, for which those of a sparse relation are only the one with this target.
 */
export function pairsAt(world: World, index: number, relation: Definition, target?: number): PairNumber[] {
  if (relation === ChildOf || relation.id === PARENT) {
    const pair = pairAt(world, index, relation);
    return pair === 0 ? [] : [pair];
  }
  const { graph, entities, slots } = world;
  const found: PairNumber[] = [];
  for (const pair of pairsOfTable(graph, entities.table[index]!))
    if (graph.pairs.relation[pair] === relation.id) found.push(pair);
  return slots.sparsePairs?.pairsAt(graph, index, relation.id, found, target) ?? found;
}

/** All pairs of a table, ascending: a view that is valid until a table is added or dropped. */
export function pairsOfTable({ tables, records }: Graph, table: TableNumber): Int32Array {
  const first = tables.nodes[table]!;
  return records.nodePair.subarray(first, first + tables.pairs[table]!);
}

export function tableHasPair(world: World, table: TableNumber, pair: PairNumber): boolean {
  const { tables, records } = world.graph;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) if (records.nodePair[node] === pair) return true;
  return false;
}

/** Does the entity at an index have this pair, in its type, by value, or in a sparse store? */
export function hasPairAt(world: World, index: number, pair: PairNumber): boolean {
  const { graph, entities, slots } = world;
  return (
    entities.family[index] === pair ||
    tableHasPair(world, entities.table[index]!, pair) ||
    slots.sparsePairs?.has(graph, index, pair) === true
  );
}

/** Calls `call` with every table of a pair; `call` may drop that table, but no other one. */
export function eachTableOf(
  records: PairRecords,
  pair: PairNumber,
  call: (table: TableNumber) => void,
): void {
  for (let node = records.firstNode[pair]!, next = 0; node !== 0; node = next) {
    next = records.nodeNext[node]!;
    call(records.nodeTable[node]!);
  }
}

/**
 * The indexes of all entities that have a pair: children in sibling order, else those in its tables, or in the store of a sparse
 * relation. Returns a new list.
 */
export function subjectIndexes({ graph, slots }: WorldState, pair: PairNumber): number[] {
  const { tables, records } = graph;
  if (graph.pairs.relation[pair] === CHILD_OF) return membersOf(graph.families, pair);
  const found: number[] = [];
  const { pool } = tables.lists;
  for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let at = first; at < end; at++) found.push(pool[at]!);
  }
  return slots.sparsePairs?.subjects(graph, pair, found) ?? found;
}

/**
 * How many entities have a pair.
 *
 * @cost proportional to the pair's tables.
 */
export function countSubjects({ graph }: WorldState, pair: PairNumber): number {
  const { tables, records, pairs } = graph;
  if (pairs.relation[pair] === CHILD_OF) return countIn(graph.families, pair);
  if (records.firstNode[pair] === 0) return records.tables[pair]!;
  let count = 0;
  eachTableOf(records, pair, (table) => {
    count += tables.count[table]!;
  });
  return count;
}

/** Recomputes all stale depths; must be called before any depth is read. */
export function settleDepths(world: World): void {
  const { graph } = world;
  if (graph.records.staleList.length === 0) return;
  refreshDepths(graph.records, (pair) => note(graph.journal, DEPTH_CHANGED, pair));
}

/** Depth of the entity at an index along a relation that records depths; 0 for a root. */
export function depthAt(world: World, index: number, relation: Definition = ChildOf): number {
  settleDepths(world);
  const pair = pairAt(world, index, relation);
  return pair === 0 ? 0 : world.graph.records.depth[pair]!;
}

/** The pairs of a relation that an entity has, in the order in which they were added. Returns a new list. */
export function orderedPairsAt(world: World, index: number, relation: Definition): PairNumber[] {
  const order = relation.exclusive || relation.store !== undefined ? undefined : world.orders.get(index);
  return (
    order?.filter((pair) => world.graph.pairs.relation[pair] === relation.id) ??
    pairsAt(world, index, relation)
  );
}

/** The targets of a relation that an entity has, or was given, in the order in which they were added. Returns a new list. */
export function orderedTargetsAt(world: World, index: number, relation: Definition): Entity[] {
  const { graph, entities, slots } = world;
  const terms = slots.pending?.termsOf(world, index, relation) as readonly Term[] | undefined;
  if (terms !== undefined) return [...new Set(terms.map(({ target }) => target as Entity))];
  if (relation.store !== undefined) return slots.sparsePairs?.handlesAt(world, index, relation) ?? [];
  return orderedPairsAt(world, index, relation).map((pair) => handleAt(entities, graph.pairs.target[pair]!));
}

/**
 * All pairs of a table: relations in the order of definition, and targets of one relation in the order of adding. Returns a new
 * list.
 * @param order the order of those of its pairs whose numbers do not determine it; they come before the others of their relation.
 */
export function sortedPairs(
  { graph }: WorldState,
  table: TableNumber,
  order: readonly PairNumber[] = [],
): PairNumber[] {
  const { relation } = graph.pairs;
  const found = new Set([...order, ...pairsOfTable(graph, table)]);
  return [...found].sort((one, other) => relation[one]! - relation[other]!);
}

/** Called after an entity got pairs of relations that allow many targets, in the order of `added`. */
export function rememberOrder(world: World, index: number, added: readonly PairNumber[]): void {
  const { graph, orders, entities } = world;
  const { pairs } = graph;
  const present = pairsOfTable(graph, entities.table[index]!);
  const known = orders.get(index);
  if (known === undefined && added.length === 1 && present.at(-1) === added[0]) return;
  const earlier = known ?? [...present].filter((pair) => (pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0);
  keepOrder(orders, pairs.relation, index, [...earlier.filter((pair) => !added.includes(pair)), ...added]);
}

/** Called before an entity loses pairs. */
export function loseOrder(world: World, index: number, lost: readonly PairNumber[]): void {
  if (world.orders.size > 0) forgetPairs(world.orders, world.graph.pairs.relation, index, lost);
}

/** Entity indexes of the subjects of a target; for ChildOf and Parent in sibling order. Returns a new list. */
export function orderedSubjects(world: World, target: number, relation: Definition): number[] {
  const found: number[] = subjectHandles(world, target, relation)!;
  for (let at = 0; at < found.length; at++) found[at] = indexOf(found[at]!);
  return found;
}

/**
 * Their handles, in the same order, as a new list.
 *
 * @cost the subjects; of relations other than ChildOf also sorting them.
 */
export function subjectHandles(world: World, target: number, relation: Definition): Entity[] {
  const { graph, entities } = world;
  const { handles, order } = entities;
  const isByValue = relation === Parent;
  const pair = findPair(graph.pairs, isByValue ? CHILD_OF : relation.id, target);
  if (pair === 0) return [];
  let place = 0;
  if (relation === ChildOf || isByValue) {
    const { families } = graph;
    const { pool } = families;
    const end = endOf(families, pair);
    const found = new Array<Entity>((isByValue ? valueCountOf : countIn)(families, pair));
    for (let at = startOf(families, pair); at < end; at++) {
      const index = pool[at]!;
      if (index !== 0 && (!isByValue || valuePairOf(world.graph, index) !== 0))
        found[place++] = handles[index] as Entity;
    }
    return found;
  }
  const found = sortByOrder(subjectIndexes(world, pair), order) as number[];
  for (; place < found.length; place++) found[place] = handles[found[place]!]!;
  return found as Entity[];
}

/** The handles of all roots, in the order in which they were spawned or lost their parents, as a new list. @cost all of them. */
export function rootHandles(world: World): Entity[] {
  const { graph, entities } = world;
  return membersOf(graph.families, ROOTS).map((index) => handleAt(entities, index));
}

/**
 * Calls `call` with every child of an entity, in order. The caller must defer changes meanwhile. As short as can be, so that
 * compilers put it into its callers.
 *
 * @param relation ChildOf; or Parent, for those that store their parent by value.
 */
export function eachChild(
  world: World,
  target: number,
  relation: Definition,
  call: (entity: Entity) => void,
): void {
  const { handles } = world.entities;
  const { pairs, families } = world.graph;
  const pair = findPair(pairs, CHILD_OF, target);
  if (pair === 0) return;
  const end = endOf(families, pair);
  for (let at = startOf(families, pair); at < end; at++) {
    const index = families.pool[at]!;
    if (index !== 0 && (relation !== Parent || valuePairOf(world.graph, index) !== 0))
      call(handles[index] as Entity);
  }
}
