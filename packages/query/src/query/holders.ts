import type { Definition, World } from "@treeline/core";
import { CHILD_OF, findPair, hasDefinition, type TableNumber } from "@treeline/core/internal";

/** Whose holders are looked for, and what is known of each shape. */
export interface Holding {
  readonly component: Definition;
  /** By shape number: 1 if it has the component, -1 if not, 0 while nobody asked. */
  byShape: Int8Array<ArrayBuffer>;
}

export function createHolding(component: Definition): Holding {
  return { component, byShape: new Int8Array(16) };
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
 * The nearest ancestor of a table's entities that has the component, or 0: all rows of a table have one parent.
 * Cost: the steps up to it.
 */
export function holderOf(world: World, table: TableNumber, holding: Holding): number {
  const { graph, entities } = world;
  const { tables, pairs } = graph;
  let pair = tables.parentPair[table]!;
  while (pair !== 0) {
    const index = pairs.target[pair]!;
    const own = entities.table[index]!;
    if (hasComponent(world, holding, tables.shape[own]!)) return index;
    pair = tables.parentPair[own]!;
  }
  return 0;
}

/**
 * Calls `visit` with each table whose nearest holder may be another one, or lie elsewhere, now that an entity moved:
 * those of its children, and below children without the component those of theirs, and so on.
 */
export function eachTableBelow(
  world: World,
  index: number,
  holding: Holding,
  visit: (table: TableNumber) => void,
): void {
  const { tables, pairs, records, shapes } = world.graph;
  let waiting: number[] | undefined;
  for (let at: number | undefined = index; at !== undefined; at = waiting?.pop()) {
    const pair = findPair(pairs, CHILD_OF, at);
    if (pair === 0) continue;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      visit(table);
      const count = tables.count[table]!;
      if (count === 0 || hasComponent(world, holding, tables.shape[table]!)) continue;
      waiting ??= [];
      const first = tables.first[table]!;
      const { i32 } = shapes[tables.shape[table]!]!.lanes;
      for (let row = first; row < first + count; row++) waiting.push(i32[row]!);
    }
  }
}
