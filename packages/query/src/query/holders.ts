import type { World } from "@treeline/core";
import { eachLoose, findPair, type PairNumber, type TableNumber } from "@treeline/core/internal";
import { owns, shapeOwns } from "./owners.ts";
import type { Way } from "./way.ts";

/** Ways up that are longer are noted, so that long chains without an owner are walked once. */
const NEAR = 32;

/**
 * The nearest ancestor that has what is looked for, or 0, of those who have a pair of a relation that keeps depths: its
 * target, or somebody above. Records of pairs hang below each other, those of ChildOf whichever way parents are stored.
 * Cost: the steps up to it.
 */
export function holderOf(world: World, pair: PairNumber, way: Way): number {
  const { graph, entities } = world;
  const { tables, pairs, records } = graph;
  const { owners } = way;
  const { isOfRows, byShape } = owners;
  let at = pair;
  for (let steps = 0; steps < NEAR; steps++) {
    if (at === 0) return 0;
    const index = pairs.target[at]!;
    // Most ask for a component that the shape is known to have, or not to have.
    const known = isOfRows ? 0 : byShape[tables.shape[entities.table[index]!]!];
    if (known === 1 || (known !== -1 && owns(world, owners, index))) return index;
    at = records.above[at]!;
  }
  return farHolderOf(world, at, way);
}

/** The same from far below, with a note at each pair passed. */
function farHolderOf(world: World, pair: PairNumber, way: Way): number {
  const { pairs, records } = world.graph;
  const passed: PairNumber[] = [];
  let holder: number | undefined = 0;
  for (let at = pair; at !== 0; at = records.above[at]!) {
    holder = way.far.get(at);
    if (holder !== undefined) break;
    holder = pairs.target[at]!;
    if (owns(world, way.owners, holder)) break;
    holder = 0;
    passed.push(at);
  }
  for (const one of passed) way.far.set(one, holder);
  return holder;
}

/**
 * Calls the visitors with each table and each loose entity whose nearest holder along a relation that keeps depths may be
 * another one, or lie elsewhere, now that an entity moved: its sources, and below sources who do not have what is
 * looked for theirs, and so on. Within a round everybody is met once.
 */
export function eachBelow(
  world: World,
  index: number,
  way: Way,
  visitTable: (table: TableNumber) => void,
  visitLoose: (index: number) => void,
): void {
  const { graph } = world;
  const { pairs, records, links } = graph;
  const { id } = way.relation;
  const waiting = [index];
  const visitChild = (child: number): void => {
    visitLoose(child);
    if (!owns(world, way.owners, child)) waiting.push(child);
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const pair = findPair(pairs, id, at);
    if (pair === 0 || way.passed[pair] === way.round) continue;
    way.passed[pair] = way.round;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      visitTable(table);
      waitBelow(world, way, table, waiting);
    }
    if (way.isParental && links.used) eachLoose(links, pair, visitChild);
  }
}

/** Those of a table who do not have what is looked for: what lies below them has to be met as well. */
function waitBelow(world: World, way: Way, table: TableNumber, waiting: number[]): void {
  const { tables, shapes } = world.graph;
  const count = tables.count[table]!;
  const { owners } = way;
  if (count === 0 || (!owners.isOfRows && shapeOwns(world, owners, tables.shape[table]!))) return;
  const first = tables.first[table]!;
  const { i32 } = shapes[tables.shape[table]!]!.lanes;
  for (let row = first; row < first + count; row++) {
    const index = i32[row]!;
    if (!owners.isOfRows || !owns(world, owners, index)) waiting.push(index);
  }
}
