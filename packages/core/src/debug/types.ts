/** Which entities are of exactly one type: those of a table that, if `ChildOf` is in their type, also have the same parent. */
import { ChildOf } from "../id/builtins.ts";
import { type Archetype, hasDefinition } from "../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import type { World } from "../world/state/world.ts";

/** All entities of one type; none, if it is that of a table which is kept empty. */
export interface EntitiesOfType {
  readonly table: TableNumber;
  /** (ChildOf, parent); 0 if the type has no parent. */
  readonly parent: PairNumber;
  /** Children in sibling order, others in the order of their rows. */
  readonly indexes: number[];
}

/** The pair of the parent in the type of the entity at an index; 0 for roots, and if the parent is stored by value. */
export function parentInType({ graph, entities }: World, index: number): PairNumber {
  const archetype = graph.archetypes[graph.tables.archetype[entities.table[index]!]!]!;
  return hasDefinition(archetype, ChildOf) ? entities.family[index]! : 0;
}

/** The types of an archetype, by the number of their table, then by the index of their parent. Tables that are kept empty are among them. */
export function typesOf({ graph, entities }: World, archetype: Archetype): EntitiesOfType[] {
  const { tables, pairs } = graph;
  const { lanes, rows, empty, plainTable } = archetype;
  const { table: tableOf, family, place } = entities;
  const hasParent = hasDefinition(archetype, ChildOf);
  const types = new Map<number, EntitiesOfType>();
  for (let row = 0; row < rows; row++) {
    const index = lanes.i32[row]!;
    const table = tableOf[index]!;
    const parent = hasParent ? family[index]! : 0;
    const key = table * pairs.length + parent;
    const type = types.get(key);
    if (type === undefined) types.set(key, { table, parent, indexes: [index] });
    else type.indexes.push(index);
  }
  const found = [...types.values()];
  if (hasParent) for (const { indexes } of found) indexes.sort((one, other) => place[one]! - place[other]!);
  if (rows === 0 && plainTable !== 0) found.push({ table: plainTable, parent: 0, indexes: [] });
  for (let table = empty.first; table !== 0; table = tables.next[table]!)
    found.push({ table, parent: 0, indexes: [] });
  const { target } = pairs;
  return found.sort((one, other) => one.table - other.table || target[one.parent]! - target[other.parent]!);
}

/** Table with entities -> how many types they have. Cost: without parents the tables of the archetype, else its rows. */
export function countTypes({ graph, entities }: World, archetype: Archetype): Map<TableNumber, number> {
  const { tables, pairs } = graph;
  const { lanes, rows, filled, plainTable } = archetype;
  const counts = new Map<TableNumber, number>();
  if (!hasDefinition(archetype, ChildOf)) {
    if (rows > 0 && plainTable !== 0) counts.set(plainTable, 1);
    for (let table = filled.first; table !== 0; table = tables.next[table]!) counts.set(table, 1);
    return counts;
  }
  const seen = new Set<number>();
  for (let row = 0; row < rows; row++) {
    const index = lanes.i32[row]!;
    const table = entities.table[index]!;
    const key = table * pairs.length + entities.family[index]!;
    if (seen.has(key)) continue;
    seen.add(key);
    counts.set(table, (counts.get(table) ?? 0) + 1);
  }
  return counts;
}
