import { TreelineError } from "../base/error.ts";
import { buryTable } from "../graph/free-table.ts";
import { dropTable } from "../graph/table-graph.ts";
import { CHILD_OF, ChildOf, Life, Stands } from "../id/builtins.ts";
import { ANY, type Definition } from "../id/definition.ts";
import { findPair, firstPairOf, isTarget } from "../id/pair-book.ts";
import { PAIR_REFUSES } from "../id/pair-traits.ts";
import { type EntityIndex, giveIndex, handleAt } from "../records/entity-index.ts";
import { endList, isListed } from "../records/sibling-links.ts";
import { LOOSE_MOVED, note } from "../storage/journal.ts";
import { takeAllRows } from "../storage/rows.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import { type PairNumber, type TableNumber, UNLISTED } from "../storage/table.ts";
import { isHeard } from "../world/event-list.ts";
import { hasListeners } from "../world/facts.ts";
import { leaveFamily } from "../world/family.ts";
import { keptChanges, tellRemoved } from "../world/hook-calls.ts";
import { hooksOf } from "../world/hooks.ts";
import { insideVisit, whileChanging } from "../world/lock.ts";
import {
  buryEntity,
  buryRow,
  buryTold,
  dropPairsOf,
  forgetEntity,
  requireMortal,
  tellDeath,
} from "../world/release.ts";
import { removeAsked, removePairs } from "../world/remove.ts";
import { textOf } from "../world/require.ts";
import { loosenBond } from "../world/symmetric.ts";
import { sourceIndexes } from "../world/targets.ts";
import { shapeAt } from "../world/values.ts";
import type { World } from "../world/world.ts";
import { buryWithLeaves } from "./bury-with-leaves.ts";
import { deathRoots } from "./death-roots.ts";
import { AT_ONCE, isReached, type Reach, reachFrom, survivorsOf, takeWholeTables } from "./deletion-set.ts";
import { inDyingOrder } from "./destroy-order.ts";
import { usersOf } from "./users.ts";

/**
 * The death of entities and of all that dies with them, as one: what is refused is refused before anything has changed.
 *
 * @param indexes of living entities, each once.
 * @returns how many died.
 * @throws TreelineError `refused` if a survivor holds one of the dying by a relation that refuses, or has a definition
 *   that does, or if a builtin would die.
 */
export function destroyAll(world: World, indexes: readonly number[]): number {
  if (indexes.length === 0) return 0;
  if (indexes.length === 1 && diesAlone(world, indexes[0]!)) {
    if (shapeAt(world, indexes[0]!).hooked.length === 0) buryEntity(world, indexes[0]!);
    else buryTold(world, indexes[0]!);
    return 1;
  }
  const few = indexes.length === 1 ? buryWithLeaves(world, indexes[0]!) : 0;
  if (few > 0) return few;
  const reach = reachFrom(world, indexes);
  const isPlain = reach.foreign.length === 0 && reach.definitions.length === 0;
  if (!isPlain) requireNoRefusal(world, reach);
  if (isPlain && !reach.isHooked && !hasListeners(world)) return buryInBulk(world, reach);
  return buryLoudly(world, reach, indexes, isPlain);
}

/** Somebody is told, or somebody who lives on loses something. */
function buryLoudly(world: World, reach: Reach, indexes: readonly number[], isPlain: boolean): number {
  return insideVisit(world, () =>
    whileChanging(world, () => {
      if (!isPlain) loosenSurvivors(world, reach);
      if (needsOrder(world, reach)) return buryInOrder(world, deathRoots(world, indexes));
      if (reach.isHooked) tellAllHooks(world, reach);
      return buryInBulk(world, reach);
    }),
  );
}

/** Nothing points at it and no listener hears of it. */
function diesAlone(world: World, index: number): boolean {
  return !isTarget(world.graph.pairs, index) && !hasListeners(world) && !world.standsFor.has(index);
}

function requireNoRefusal(world: World, reach: Reach): void {
  const { pairs } = world.graph;
  for (const pair of reach.foreign) {
    if ((pairs.traits[pair]! & PAIR_REFUSES) === 0) continue;
    const [source] = survivorsOf(world, reach, sourceIndexes(world, pair));
    if (source === undefined) continue;
    const target = textOf(world, handleAt(world.entities, pairs.target[pair]!));
    const holder = textOf(world, handleAt(world.entities, source));
    throw new TreelineError(
      "refused",
      `${holder} holds ${target} by ${relationOf(world, source, pair).name}, which refuses its death; ` +
        "remove that pair first",
    );
  }
  for (const definition of reach.definitions) {
    requireMortal(definition);
    if (definition.onDeath !== "refuse") continue;
    const [user] = survivorsOf(world, reach, usersOf(world, definition));
    if (user === undefined) continue;
    throw new TreelineError(
      "refused",
      `${textOf(world, handleAt(world.entities, user))} has ${definition.name}, whose policy refuses the death of the ` +
        "entity that stands for it; remove it first",
    );
  }
}

function relationOf(world: World, source: number, pair: PairNumber): Definition {
  const id = world.graph.pairs.relation[pair]!;
  return shapeAt(world, source).definitions.find((definition) => definition.id === id) ?? ChildOf;
}

/** Takes what points at the dying, and the definitions that die, off everybody who lives on. */
function loosenSurvivors(world: World, reach: Reach): void {
  const { pairs } = world.graph;
  for (const pair of [...reach.foreign]) {
    const target = pairs.target[pair]!;
    for (const source of survivorsOf(world, reach, sourceIndexes(world, pair))) {
      losePair(world, source, pair, target);
    }
  }
  for (const definition of reach.definitions) {
    for (const user of survivorsOf(world, reach, usersOf(world, definition))) {
      if (!definition.symmetric) removeAsked(world, user, { definition, target: ANY });
      else
        for (const pair of symmetricPairsAt(world, user, definition))
          losePair(world, user, pair, pairs.target[pair]!);
    }
  }
}

function symmetricPairsAt(world: World, index: number, relation: Definition): PairNumber[] {
  const { tables, records, pairs } = world.graph;
  const table = world.entities.table[index]!;
  const first = tables.nodes[table]!;
  const own = [...records.nodePair.subarray(first, first + tables.pairs[table]!)];
  return own.filter((pair) => pairs.relation[pair] === relation.id);
}

/** One side of a pair alone: the other one dies, or has its own turn. No hook is asked whether it may. */
function losePair(world: World, source: number, pair: PairNumber, target: number): void {
  const relation = relationOf(world, source, pair);
  if (relation.symmetric) loosenBond(world, relation, source, target);
  else removePairs(world, source, [pair], keptChanges(world, shapeAt(world, source), source));
}

/** Is it true of the shape of a table that is reached, or of an entity that dies by itself? */
function someShape(world: World, reach: Reach, test: (shape: Shape) => boolean): boolean {
  const { tables, shapes } = world.graph;
  for (let at = 0; at < reach.length; at++) {
    if (test(shapes[tables.shape[reach.tables[at]!]!]!)) return true;
  }
  for (let at = 0; at < reach.singleCount; at++) if (test(shapeAt(world, reach.singles[at]!))) return true;
  return false;
}

/** Somebody who cares for order listens to a death among those reached. */
function needsOrder(world: World, reach: Reach): boolean {
  const hears = hasListeners(world);
  if (hears && isHeard(world.events, "removed", Life)) return true;
  return someShape(world, reach, (shape) => {
    if (hears && shape.definitions.some((one) => isHeard(world.events, "removed", one))) return true;
    if (hears && shape.isLoose && isHeard(world.events, "removed", ChildOf)) return true;
    return shape.hooked.some((definition) => {
      const { onRemove, anyOrder = false } = hooksOf(definition);
      return onRemove !== undefined && !anyOrder;
    });
  });
}

/** Table by table, then those who die by themselves; in the end the pairs of dead targets. @returns how many died. */
function buryInBulk(world: World, reach: Reach): number {
  const { graph, entities } = world;
  const before = entities.alive;
  takeWholeTables(world, reach);
  if (graph.links.used) endFamilies(world, reach);
  for (let at = reach.length - 1; at >= 0; at--) buryWhole(world, reach.tables[at]!);
  for (let at = 0; at < reach.singleCount; at += AT_ONCE)
    burySingles(world, reach, at, Math.min(at + AT_ONCE, reach.singleCount));
  for (let at = reach.targetCount - 1; at >= 0; at--) {
    if (isTarget(graph.pairs, reach.targets[at]!)) dropPairsOf(world, reach.targets[at]!);
  }
  for (let at = reach.length - 1; at >= 0; at--) dropIfLeft(world, reach.tables[at]!);
  return before - entities.alive;
}

/** A table, with all who are in it. */
function buryWhole(world: World, table: TableNumber): void {
  const { graph, entities } = world;
  const { tables, shapes, links } = graph;
  const shape = shapes[tables.shape[table]!]!;
  const { i32 } = shape.lanes;
  const first = tables.first[table]!;
  const end = first + tables.count[table]!;
  const stands = shape.isSpecial && hasDefinition(shape, Stands);
  if (!links.used && !stands && world.orders.size === 0) {
    for (let row = first; row < end; row += AT_ONCE)
      giveIndexes(entities, i32, row, Math.min(row + AT_ONCE, end));
    if (tables.pairs[table] === 1) {
      buryTable(graph, shape, table);
      return;
    }
  } else {
    for (let row = first; row < end; row++) {
      const index = i32[row]!;
      if (links.used) leaveFamily(world, index);
      if (shape.isLoose) note(graph.journal, LOOSE_MOVED, index);
      forgetEntity(world, index, stands);
    }
  }
  takeAllRows(world.rows, shape, table);
  if (!links.used) dropTable(graph, shape, table);
}

function giveIndexes(entities: EntityIndex, list: Int32Array, from: number, end: number): void {
  for (let at = from; at < end; at++) giveIndex(entities, list[at]!);
}

function burySingles(world: World, reach: Reach, from: number, end: number): void {
  const { table } = world.entities;
  for (let at = from; at < end; at++) {
    const index = reach.singles[at]!;
    if (table[index] !== 0) buryRow(world, index);
  }
}

/** Whole families die with their parents. */
function endFamilies({ graph }: World, reach: Reach): void {
  const { pairs, links } = graph;
  for (let at = 0; at < reach.targetCount; at++) {
    const pair = findPair(pairs, CHILD_OF, reach.targets[at]!);
    if (pair !== 0 && isListed(links, pair)) endList(links, pair);
  }
}

/** Some tables are not under a pair that went: all who had a definition, or whose parents were values. */
function dropIfLeft({ graph }: World, table: number): void {
  const { tables, shapes } = graph;
  if (tables.shape[table]! < 0 || tables.first[table] !== UNLISTED) return;
  dropTable(graph, shapes[tables.shape[table]!]!, table);
}

/** Tells the hooks that do not care for order, while everything is still there. */
function tellAllHooks(world: World, reach: Reach): void {
  const { tables, shapes } = world.graph;
  for (let at = reach.length - 1; at >= 0; at--) {
    const table = reach.tables[at]!;
    const shape = shapes[tables.shape[table]!]!;
    if (shape.hooked.length === 0) continue;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) tellRemoved(world, shape.lanes.i32[row]!, shape.hooked);
  }
  for (let at = reach.singleCount - 1; at >= 0; at--) {
    const index = reach.singles[at]!;
    if (isReached(reach, world.entities.table[index]!)) continue;
    const { hooked } = shapeAt(world, index);
    if (hooked.length > 0) tellRemoved(world, index, hooked);
  }
}

/**
 * Entity by entity: children before parents, siblings in order; each finds its ancestors alive.
 *
 * @returns how many died; who is born meanwhile does not count.
 */
function buryInOrder(world: World, roots: readonly number[]): number {
  const dying = inDyingOrder(world, roots);
  for (const index of dying) {
    tellDeath(world, index);
    if (isTarget(world.graph.pairs, index)) loosenSources(world, index);
    buryEntity(world, index);
  }
  return dying.length;
}

/** Somebody who dies later still points here, as in a cycle of relations that delete: that pair goes first. */
function loosenSources(world: World, index: number): void {
  const { pairs } = world.graph;
  const own: PairNumber[] = [];
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) own.push(pair);
  for (const pair of own) {
    for (const source of sourceIndexes(world, pair)) {
      if (source !== index) losePair(world, source, pair, index);
    }
  }
}
