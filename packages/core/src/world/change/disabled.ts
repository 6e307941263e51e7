import { CHILD_OF, Disabled, DisabledTree, Hidden } from "../../id/builtins.ts";
import { PAIR_DISABLES } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-book.ts";
import { firstInList, KIN, looseCountOf, NEXT, PAIR } from "../../records/sibling-links.ts";
import { setBits } from "../../storage/bits.ts";
import { hasDefinition, NEEDS_BUILTIN, type Shape } from "../../storage/shape.ts";
import type { PairNumber } from "../../storage/table.ts";
import { hasBitAt } from "../state/bit-tags.ts";
import { OBSERVES_ADDED, OBSERVES_REMOVED, observedOf } from "../state/event-list.ts";
import { requireAlive } from "../state/require.ts";
import { tellFact } from "../state/tell.ts";
import { rowAt, shapeAt } from "../state/values.ts";
import type { World, WorldState } from "../state/world.ts";

/**
 * Is the entity hidden from queries: by itself, or by something above it?
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function isDisabled(world: World, entity: Entity): boolean {
  requireAlive(world, entity);
  const index = indexOf(entity);
  return disablesBelow(world, index) || hasBitAt(world, index, Disabled);
}

/** Is everybody below the entity at an index disabled by it, or by something above it? */
export function disablesBelow(world: World, index: number): boolean {
  const shape = shapeAt(world, index);
  if ((shape.fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(shape, DisabledTree)) return true;
  return shape.bits?.has(Hidden, rowAt(world, index)) ?? false;
}

/** Are the sources of a pair disabled from above? 0 stands for that of roots. */
export function isDisabling({ graph }: WorldState, pair: PairNumber): boolean {
  return (graph.pairs.traits[pair]! & PAIR_DISABLES) !== 0;
}

/**
 * An entity got another parent, or its row: it is disabled from above as its place says, and what is below it too. No row
 * moves. Cost: a few reads; the rows below, if they change.
 *
 * @param pair of its parent; 0 for none.
 */
export function settleDisabled(world: World, index: number, pair: PairNumber): void {
  const on = isDisabling(world, pair);
  if (hasBitAt(world, index, Hidden) === on) return;
  const row = rowAt(world, index);
  setBits(shapeAt(world, index), Hidden, row, row + 1, on);
  tellFact(world, on ? "added" : "removed", index, Hidden);
  disableBelow(world, index);
}

/**
 * An entity became one that disables what is below it, or ceased to be one: everybody below follows, table by table and along
 * lists, down to those whose children are disabled as well without it. Parents come before their children.
 *
 * Cost: about 3 ns a row that changes; where somebody hears of each, an event for each.
 */
export function disableBelow(world: World, index: number): void {
  const { pairs } = world.graph;
  const top = findPair(pairs, CHILD_OF, index);
  if (top === 0) return;
  const on = disablesBelow(world, index);
  if (isDisabling(world, top) === on) return;
  const isTold = (observedOf(world.events, Hidden) & (on ? OBSERVES_ADDED : OBSERVES_REMOVED)) !== 0;
  const waiting = [top];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    pairs.traits[pair]! ^= PAIR_DISABLES;
    disableTables(world, pair, on, isTold, waiting);
    if (looseCountOf(world.graph.links, pair) > 0) disableList(world, pair, on, isTold, waiting);
  }
}

function disableTables(
  world: World,
  pair: PairNumber,
  on: boolean,
  isTold: boolean,
  waiting: number[],
): void {
  const { tables, shapes, records } = world.graph;
  for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const count = tables.count[table]!;
    if (count === 0) continue;
    const first = tables.first[table]!;
    disableRows(world, shapes[tables.shape[table]!]!, first, count, on, isTold, waiting);
  }
}

/** The same of children who store their parent as a value: rows that lie side by side as the siblings do at once. */
function disableList(world: World, pair: PairNumber, on: boolean, isTold: boolean, waiting: number[]): void {
  const { graph, entities } = world;
  const { tables, shapes, links } = graph;
  const { kin } = links; // nothing moves meanwhile
  const { table: tableOf, row: rowOf } = entities;
  let last = 0;
  let shape = graph.root;
  let first = 0;
  let end = 0;
  for (let index = firstInList(links, pair); index !== 0; index = kin[index * KIN + NEXT]!) {
    if (kin[index * KIN + PAIR] !== pair) continue;
    const table = tableOf[index]!;
    const row = rowOf[index]!;
    if (table === last && row === end) end++;
    else {
      if (last !== 0)
        disableRows(world, shape, tables.first[last]! + first, end - first, on, isTold, waiting);
      if (table !== last) shape = shapes[tables.shape[table]!]!;
      last = table;
      first = row;
      end = row + 1;
    }
  }
  disableRows(world, shape, tables.first[last]! + first, end - first, on, isTold, waiting);
}

/** Adjacent rows of one table: their children follow as well, unless they disable them by themselves, and go on to do so. */
function disableRows(
  world: World,
  shape: Shape,
  first: number,
  count: number,
  on: boolean,
  isTold: boolean,
  waiting: number[],
): void {
  setBits(shape, Hidden, first, first + count, on);
  const { i32 } = shape.lanes;
  const { pairs } = world.graph;
  const { firstOfTarget } = pairs;
  const { length } = firstOfTarget;
  const goesOn = !hasDefinition(shape, DisabledTree);
  for (let row = first; row < first + count; row++) {
    const index = i32[row]!;
    if (isTold) tellFact(world, on ? "added" : "removed", index, Hidden);
    if (index >= length || firstOfTarget[index] === 0 || !goesOn) continue;
    const pair = findPair(pairs, CHILD_OF, index);
    if (pair !== 0) waiting.push(pair);
  }
}
