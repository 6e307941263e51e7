// Adds and removes pairs of sparse relations (`pairStoreWork`), and what reads them and lists their events (`sparsePairWork`).
import { TreelineError } from "../../base/error.ts";
import { closeIfIdle, type Graph, valuePairOf } from "../../graph/graph.ts";
import { ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import { ANY, Any, type Definition, type PlainTerm, type Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair, firstPairOf } from "../../id/pair-index.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { NEEDS_BUILTIN } from "../../storage/archetype.ts";
import { copyRow } from "../../storage/copy-rows.ts";
import { BIT_TURNED, note } from "../../storage/journal.ts";
import type { ValuePlace } from "../../storage/lanes.ts";
import {
  dropPairAt,
  eachPlaceOf,
  eachPlaceWith,
  insertPair,
  PairStore,
  pairAtPlace,
  placeOfPair,
  retarget,
  targetsIn,
} from "../../storage/pair-store.ts";
import { placeIn, reservePlaces, type SparseWork, type Stores } from "../../storage/sparse.ts";
import type { PairNumber } from "../../storage/table.ts";
import { RETARGETED } from "../../storage/tracks.ts";
import { type EventKind, OBSERVES, observedOf, type WorldEvent } from "../state/event-list.ts";
import { requireOneOfEachName } from "../state/one-definition.ts";
import type { Turn } from "../state/plans.ts";
import { definitionOfTerm, targetOfTerm } from "../state/terms.ts";
import { archetypeAt, rowAt } from "../state/values.ts";
import type { ObservedPart, SparsePairWork, World } from "../state/world.ts";
import { NEEDS_BITS, NEEDS_MORE, NEEDS_PAIRS, needsFor } from "./goal.ts";
import { ensurePair } from "./pair.ts";

/** What a sparse relation does in a world: the bit of a row says whether the entity has any pair of it. */
export const pairStoreWork: SparseWork = {
  turnOne: () => false,
  reserve: (stores, definition, count) => reservePlaces(pairStoreFor(stores, definition), count),
  turn: turnAll,
  repeat,
  valueAt,
  turnPair,
  give,
  requireDifferent,
};

/** The pairs of all sparse relations of a world: what is in the slot `sparsePairs`. */
export const sparsePairWork: SparsePairWork = {
  first: (graph, relation, index) => {
    const store = storeAt(graph, relation);
    const place = store === undefined ? -1 : placeIn(store, index);
    return place < 0 ? 0 : pairAtPlace(store!, place);
  },
  pairsAt,
  has: (graph, index, pair) => {
    const store = storeAt(graph, graph.pairs.relation[pair]!);
    return store !== undefined && placeOfPair(store, index, pair) >= 0;
  },
  targetsAt: ({ graph }, index, { id }) =>
    pairsAt(graph, index, id, []).map((pair) => graph.pairs.target[pair]!),
  handlesAt: ({ graph, entities }, index, { id }) => {
    const store = storeAt(graph, id);
    return store === undefined
      ? []
      : (targetsIn(store, index, graph.pairs.target, entities.handles) as Entity[]);
  },
  hasWith: ({ graph, entities }, index, { id }, target) =>
    pairsAt(graph, index, id === Any.id ? 0 : id, [], handleAt(entities, target)).length > 0,
  subjects: (graph, pair, found, isAny) => {
    const store = storeAt(graph, graph.pairs.relation[pair]!);
    if (store === undefined) return found;
    eachPlaceWith(store, graph.records, pair, (place) => {
      const index = store.lanes.i32[place]!;
      if (isAny !== true || isFirst(graph, index, pair)) found.push(index);
    });
    return found;
  },
  list: listPairEvents,
  removeAlone,
  addParts: (graph, index, parts) => {
    for (const pair of pairsAt(graph, index, 0, []))
      parts.push({ definition: graph.sparse[graph.pairs.relation[pair]!]!.definition, pair });
    const orderOf = ({ definition: { kind, id } }: ObservedPart): number => (kind === "relation" ? id : 0);
    return parts.sort((one, other) => orderOf(one) - orderOf(other));
  },
};

/** The store of a relation, by its number; `undefined` if it is not sparse, or no entity has had it. */
function storeAt({ sparse }: Pick<Stores, "sparse">, relation: number): PairStore | undefined {
  const store = sparse[relation];
  return store instanceof PairStore ? store : undefined;
}

export function pairStoreFor({ sparse, memory }: Stores, definition: Definition): PairStore {
  const { id } = definition;
  while (sparse.length <= id) sparse.push(undefined);
  return (sparse[id] ??= new PairStore(definition, memory)) as PairStore;
}

// ---- reading ---------------------------------------------------------------------------------------------------------

function pairsAt(
  graph: Graph,
  index: number,
  relation: number,
  found: PairNumber[],
  target: number = ANY,
): PairNumber[] {
  if (relation === 0) {
    for (const store of graph.sparse)
      if (store instanceof PairStore) pairsAt(graph, index, store.definition.id, found, target);
    return found;
  }
  const store = storeAt(graph, relation);
  if (store === undefined) return found;
  if (target === ANY) eachPlaceOf(store, index, (place) => found.push(pairAtPlace(store, place)));
  else {
    const pair = findPair(graph.pairs, relation, indexOf(target));
    if (pair !== 0 && placeOfPair(store, index, pair) >= 0) found.push(pair);
  }
  return found;
}

/** Is it the first pair of an entity with its target that is not in the type of its table? */
function isFirst(graph: Graph, index: number, pair: PairNumber): boolean {
  const { pairs, sparse } = graph;
  const target = pairs.target[pair]!;
  const parent = valuePairOf(graph, index);
  if (parent !== 0 && pairs.target[parent] === target) return false;
  for (let other = firstPairOf(pairs, target); other !== pair; other = pairs.nextOfTarget[other]!) {
    const store = storeAt({ sparse }, pairs.relation[other]!);
    if (store !== undefined && placeOfPair(store, index, other) >= 0) return false;
  }
  return true;
}

function valueAt(world: object, { id }: Definition, index: number, target: number): ValuePlace | undefined {
  const { graph, entities } = world as World;
  const store = storeAt(graph, id);
  const column = store?.column;
  if (column === undefined || !isLiving(entities, target)) return undefined;
  const pair = findPair(graph.pairs, id, indexOf(target));
  const row = pair === 0 ? -1 : placeOfPair(store!, index, pair);
  return row < 0 ? undefined : { lanes: store!.lanes, column, row };
}

// ---- changing --------------------------------------------------------------------------------------------------------

/** The entity at an index gets a pair, or loses it; there is room. A new target of an exclusive relation takes the place of the old one. */
function turnPair(given: object, index: number, definition: Definition, target: number, on: boolean): void {
  const world = given as World;
  const { graph } = world;
  const { records } = graph;
  const store = pairStoreFor(graph, definition);
  const pair = on ? ensurePair(world, definition, target) : findPair(graph.pairs, definition.id, target);
  const place = pair === 0 ? -1 : placeOfPair(store, index, pair);
  if (place >= 0 === on) return;
  const first = placeIn(store, index);
  if (on) {
    if (first < 0) turnOwnBit(world, index, definition, true);
    if (first < 0 || !definition.exclusive) insertPair(store, records, index, pair);
    else {
      const old = pairAtPlace(store, first);
      retarget(store, records, first, pair);
      closeIfIdle(graph, old);
      const row = rowAt(world, index);
      archetypeAt(world, index).lanes.tracks?.mark(definition, RETARGETED, row, row + 1);
    }
  } else {
    dropPairAt(store, records, place);
    closeIfIdle(graph, pair);
    if (placeIn(store, index) < 0) turnOwnBit(world, index, definition, false);
  }
  noteChanged(graph, index);
}

/**
 * The whole of `add` for one pair of a relation without values, where nothing has hooks, observers, limits or an iteration.
 *
 * @returns false, with nothing changed, if more is needed, or something is wrong.
 */
export function addAlone(world: World, entity: number, definition: Definition, target: number): boolean {
  const { entities } = world;
  if (definition.holds !== "nothing" || !isLiving(entities, entity) || !isLiving(entities, target))
    return false;
  if (!isAlone(world, indexOf(entity), definition)) return false;
  CHECK: requireOneOfEachName(world, [definition]);
  reservePlaces(pairStoreFor(world.graph, definition), 1);
  turnPair(world, indexOf(entity), definition, indexOf(target), true);
  return true;
}

/** The same for `remove`, of one pair or of all with any target, from one entity or several: from all of them, or from none. */
function removeAlone(world: World, indexes: readonly number[], what: unknown): boolean {
  if (typeof what !== "object" || what === null) return false;
  const { definition, target } = what as Partial<Term>;
  if (definition?.storage !== "sparse" || definition.kind !== "relation" || target === undefined)
    return false;
  if (target !== ANY && !isLiving(world.entities, target)) return false;
  for (let at = 0; at < indexes.length; at++) if (!isAlone(world, indexes[at]!, definition)) return false;
  for (let at = 0; at < indexes.length; at++) {
    if (target === ANY) turnOwnBit(world, indexes[at]!, definition, false);
    else turnPair(world, indexes[at]!, definition, indexOf(target), false);
  }
  return true;
}

/** Does the entity at an index only get or lose a pair, with neither hooks, observers nor limits? */
function isAlone(world: World, index: number, definition: Definition): boolean {
  if (world.deferDepth !== 0) return false;
  const { hooked, fixedNeeds } = archetypeAt(world, index);
  if (hooked.length > 0 || (fixedNeeds & NEEDS_BUILTIN) !== 0) return false;
  const { epoch } = world.events;
  const store = pairStoreFor(world.graph, definition);
  if (store.plainEpoch === epoch) return true;
  const needs = needsFor(world, definition) & ~(NEEDS_PAIRS | NEEDS_MORE | NEEDS_BITS);
  if (needs !== 0 || definition.maxSubjects > 0 || isInternal(definition)) return false;
  store.plainEpoch = epoch;
  return true;
}

/** The bit that says whether the entity at an index has any pair. */
function turnOwnBit(world: World, index: number, definition: Definition, on: boolean): void {
  world.slots.bits!.turn(world, index, [{ definition, on }]);
}

/** Entities that are given by index lose all pairs of a relation. A bit that is set brings none. */
function turnAll(
  stores: Stores,
  definition: Definition,
  list: Int32Array,
  first: number,
  end: number,
  on: boolean,
): void {
  if (on) return;
  const graph = stores as Graph;
  const store = pairStoreFor(graph, definition);
  for (let at = first; at < end; at++) {
    for (let place = placeIn(store, list[at]!); place >= 0; place = placeIn(store, list[at]!)) {
      const pair = pairAtPlace(store, place);
      dropPairAt(store, graph.records, place);
      closeIfIdle(graph, pair);
    }
    noteChanged(graph, list[at]!);
  }
}

/** For readers of the journal: orders and groups depend on targets, and sources on pairs. */
function noteChanged({ journal }: Graph, index: number): void {
  if (journal.reading) note(journal, BIT_TURNED, index);
}

/** A new entity, which has the bit, gets its pairs of a relation. */
function give(world: object, index: number, definition: Definition, terms: readonly unknown[]): void {
  for (const term of terms as readonly PlainTerm[])
    if (definitionOfTerm(term) === definition)
      turnPair(world, index, definition, indexOf(targetOfTerm(term)), true);
}

/** Entities of a list get the pairs of the first one, with their values. */
function repeat(stores: Stores, definition: Definition, list: Int32Array, first: number, end: number): void {
  const { records } = stores as Graph;
  const store = pairStoreFor(stores, definition);
  const places: number[] = [];
  eachPlaceOf(store, list[first]!, (place) => places.push(place));
  for (let at = first + 1; at < end; at++) {
    for (const from of places) {
      const place = insertPair(store, records, list[at]!, pairAtPlace(store, from));
      copyRow(store.lanes, from, place);
      store.lanes.i32[place] = list[at]!;
    }
  }
}

/** As `requireDifferent` in `terms.ts`, for lists of any length. */
function requireDifferent(terms: readonly unknown[]): true {
  const known = new Set<number | string>();
  for (const term of terms as readonly PlainTerm[]) {
    const definition = definitionOfTerm(term);
    const { id, kind, exclusive, name } = definition;
    const key = kind === "relation" && !exclusive ? `${id} ${targetOfTerm(term)}` : id;
    if (known.has(key)) throw new TreelineError("bad-term", `${name} appears twice; pass it once`);
    known.add(key);
  }
  if (known.has(ChildOf.id) && known.has(Parent.id))
    throw new TreelineError("bad-term", "an entity has one parent, by ChildOf or Parent");
  return true;
}

// ---- events ----------------------------------------------------------------------------------------------------------

/** Lists the events of pairs that an entity gets or loses, among those of its pairs in tables. */
function listPairEvents(
  world: World,
  events: Record<"added" | "removed", WorldEvent[]>,
  index: number,
  isSpawned: boolean,
  isDestroyed: boolean,
  turned: readonly Turn[],
): void {
  const { graph, entities } = world;
  const { pairs } = graph;
  const entity = handleAt(entities, index);
  const own = { added: new Map<Definition, WorldEvent[]>(), removed: new Map<Definition, WorldEvent[]>() };
  const list = (
    kind: "added" | "removed",
    definition: Definition,
    pair: number,
    old = 0,
    after = 0,
  ): void => {
    if ((observedOf(world.events, definition) & OBSERVES[kind]) === 0) return;
    const handle = (target: number) => (target === 0 ? undefined : handleAt(entities, target));
    const isExclusive = definition.exclusive;
    const event: WorldEvent = {
      kind: kind as EventKind,
      entity,
      definition,
      target: handle(pair),
      oldTarget: isExclusive ? handle(old) : undefined,
      newTarget: isExclusive ? handle(after) : undefined,
    };
    const known = own[kind].get(definition);
    if (known === undefined) own[kind].set(definition, [event]);
    else known.push(event);
  };
  const listAll = (kind: "added" | "removed", { definition }: PairStore): void => {
    for (const pair of pairsAt(graph, index, definition.id, [])) {
      const target = pairs.target[pair]!;
      list(kind, definition, target, kind === "removed" ? target : 0, kind === "added" ? target : 0);
    }
  };
  if (isSpawned || isDestroyed) {
    for (const store of graph.sparse)
      if (store instanceof PairStore) listAll(isSpawned ? "added" : "removed", store);
  }
  for (const { definition, target, on } of turned) {
    const store = storeAt(graph, definition.id);
    if (definition.kind !== "relation") continue;
    if (target === undefined) {
      if (store !== undefined) listAll("removed", store);
      continue;
    }
    const pair = findPair(pairs, definition.id, target);
    const has = store !== undefined && pair !== 0 && placeOfPair(store, index, pair) >= 0;
    if (has === on) continue;
    if (!on) {
      list("removed", definition, target, target);
      continue;
    }
    const first = store === undefined || !definition.exclusive ? -1 : placeIn(store, index);
    const old = first < 0 ? 0 : pairs.target[pairAtPlace(store!, first)]!;
    if (old !== 0) list("removed", definition, old, old, target);
    list("added", definition, target, old, target);
  }
  for (const kind of ["added", "removed"] as const)
    for (const [definition, found] of own[kind]) insertEvents(events[kind], definition, found);
}

/** Inserts the events of a relation where they belong: relations are in the order of definition, and destruction comes last. */
function insertEvents(events: WorldEvent[], { id }: Definition, own: readonly WorldEvent[]): void {
  const at = events.findIndex(
    ({ kind, definition }) =>
      (definition.kind === "relation" && definition.id > id) || (kind === "removed" && definition === Life),
  );
  const after = at < 0 ? [] : events.splice(at);
  for (const event of own) events.push(event);
  for (const event of after) events.push(event);
}
