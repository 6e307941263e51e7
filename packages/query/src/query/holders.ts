import type { Definition, World } from "@treeline/core";
import {
  CHILD_OF,
  eachLoose,
  findPair,
  grownInt32,
  hasDefinition,
  type PairNumber,
  type TableNumber,
} from "@treeline/core/internal";

/** Whose holders are looked for, and what is known of each shape. */
export interface Holding {
  readonly component: Definition;
  /** By shape number: 1 if it has the component, -1 if not, 0 while nobody asked. */
  byShape: Int8Array<ArrayBuffer>;
  /** Pair -> holder, for pairs that were passed on long ways up; good until something changes. */
  readonly far: Map<PairNumber, number>;
  /** By pair: the round in which `eachBelow` came past it. Not used in worlds without lists of children. */
  passed: Int32Array<ArrayBuffer>;
  round: number;
}

/** Ways up that are longer are noted, so that long chains without the component are walked once. */
const NEAR = 32;

export function createHolding(component: Definition): Holding {
  return { component, byShape: new Int8Array(16), far: new Map(), passed: new Int32Array(0), round: 0 };
}

/** Begins a round of `eachBelow`, in which nothing changes: where loose children may be, each is visited once. */
export function beginRound({ graph }: World, holding: Holding): void {
  holding.round++;
  if (graph.links.used) holding.passed = grownInt32(holding.passed, graph.records.firstNode.length);
}

/** To be called when holders may be others than those found so far. */
export function forgetHolders({ far }: Holding): void {
  if (far.size > 0) far.clear();
}

function hasComponent({ graph }: World, holding: Holding, shape: number): boolean {
  const known = holding.byShape[shape];
  if (known === 1) return true;
  if (known === -1) return false;
  const has = hasDefinition(graph.shapes[shape]!, holding.component);
  if (shape >= holding.byShape.length) {
    const longer = new Int8Array(shape * 2);
    longer.set(holding.byShape);
    holding.byShape = longer;
  }
  holding.byShape[shape] = has ? 1 : -1;
  return has;
}

/**
 * The nearest ancestor that has the component, or 0, of those who have a pair of ChildOf: its target, or somebody above.
 * Records of pairs hang below each other whichever way parents are stored. Cost: the steps up to it.
 */
export function holderOf(world: World, pair: PairNumber, holding: Holding): number {
  const { graph, entities } = world;
  const { tables, pairs, records } = graph;
  let at = pair;
  for (let steps = 0; steps < NEAR; steps++) {
    if (at === 0) return 0;
    const index = pairs.target[at]!;
    if (hasComponent(world, holding, tables.shape[entities.table[index]!]!)) return index;
    at = records.above[at]!;
  }
  return farHolderOf(world, at, holding);
}

/** The same from far below, with a note at each pair passed. */
function farHolderOf(world: World, pair: PairNumber, holding: Holding): number {
  const { graph, entities } = world;
  const { tables, pairs, records } = graph;
  const passed: PairNumber[] = [];
  let holder: number | undefined = 0;
  for (let at = pair; at !== 0; at = records.above[at]!) {
    holder = holding.far.get(at);
    if (holder !== undefined) break;
    holder = pairs.target[at]!;
    if (hasComponent(world, holding, tables.shape[entities.table[holder]!]!)) break;
    holder = 0;
    passed.push(at);
  }
  for (const one of passed) holding.far.set(one, holder);
  return holder;
}

/**
 * Calls the visitors with each table and each loose entity whose nearest holder may be another one, or lie elsewhere,
 * now that an entity moved: its children, and below children without the component theirs, and so on.
 */
export function eachBelow(
  world: World,
  index: number,
  holding: Holding,
  visitTable: (table: TableNumber) => void,
  visitLoose: (index: number) => void,
): void {
  const { graph, entities } = world;
  const { tables, pairs, records, shapes, links } = graph;
  const waiting = [index];
  const visitChild = (child: number): void => {
    visitLoose(child);
    if (!hasComponent(world, holding, tables.shape[entities.table[child]!]!)) waiting.push(child);
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const pair = findPair(pairs, CHILD_OF, at);
    if (pair === 0 || holding.passed[pair] === holding.round) continue;
    if (links.used) holding.passed[pair] = holding.round;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      visitTable(table);
      const count = tables.count[table]!;
      if (count === 0 || hasComponent(world, holding, tables.shape[table]!)) continue;
      const first = tables.first[table]!;
      const { i32 } = shapes[tables.shape[table]!]!.lanes;
      for (let row = first; row < first + count; row++) waiting.push(i32[row]!);
    }
    if (links.used) eachLoose(links, pair, visitChild);
  }
}
