import type { Definition, World } from "@treeline/core";
import {
  CHILD_OF,
  eachTableOf,
  firstPairOf,
  parentIndexAt,
  shapeAt,
  type TableNumber,
} from "@treeline/core/internal";

/** Does the entity at an index have the component? */
export function isHolder(world: World, index: number, component: Definition): boolean {
  return shapeAt(world, index).columnById.has(component.id);
}

/**
 * The nearest ancestor of a table's entities that has the component, or 0: all rows of a table have one parent.
 * Cost: the steps up to it.
 */
export function holderOf(world: World, table: TableNumber, component: Definition): number {
  const { tables, pairs } = world.graph;
  const pair = tables.parentPair[table]!;
  let at = pair === 0 ? 0 : pairs.target[pair]!;
  while (at !== 0 && !isHolder(world, at, component)) at = parentIndexAt(world, at);
  return at;
}

/**
 * Calls `visit` with each table whose nearest holder may be another one, or lie elsewhere, now that an entity moved:
 * those of its children, and below children without the component those of theirs, and so on.
 */
export function eachTableBelow(
  world: World,
  index: number,
  component: Definition,
  visit: (table: TableNumber) => void,
): void {
  const { tables, pairs, records, shapes } = world.graph;
  const waiting = [index];
  const enter = (table: TableNumber): void => {
    visit(table);
    const count = tables.count[table]!;
    if (count === 0) return;
    const shape = shapes[tables.shape[table]!]!;
    if (shape.columnById.has(component.id)) return;
    const first = tables.first[table]!;
    for (let row = first; row < first + count; row++) waiting.push(shape.lanes.i32[row]!);
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (let pair = firstPairOf(pairs, at); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if (pairs.relation[pair] === CHILD_OF) eachTableOf(records, pair, enter);
    }
  }
}
