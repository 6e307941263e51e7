// What other packages see of archetypes: columns, runs, handles, sizes, entities by age (`entitiesIn`).
import { archetypesWith } from "../graph/graph.ts";
import { Life } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { Entity, EntityIndex } from "../id/entity.ts";
import { type Archetype, columnOf } from "../storage/archetype.ts";
import { allRowsOf, type Cut, NO_ROWS, type RowBits } from "../storage/bits.ts";
import { type Lanes, viewColumn } from "../storage/lanes.ts";
import type { SparseWork } from "../storage/sparse.ts";
import type { TableId } from "../storage/table.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import type { SparseCursor } from "./sparse.ts";

type Exposed =
  | "number"
  | "place"
  | "places"
  | "definitions"
  | "inherited"
  | "hasPairs"
  | "hasParent"
  | "hasValueParent"
  | "rows";

/**
 * A component set with the targets of its pairs erased, and the columns of all entities that have it. `lanes.i32` starts with the
 * entity indexes by absolute row; `lanes.version` increases whenever the arrays of columns are replaced.
 */
export interface ArchetypeView extends Readonly<Pick<Archetype, Exposed | "bits" | "whole">> {
  readonly lanes: Readonly<Pick<Lanes, "i32" | "tracks" | "version">>;
}

/** Runs of rows: [first, end, first, end, ...], absolute rows; only the first `length` numbers are valid. */
export type Runs = Readonly<Pick<RowBits, "bounds" | "length">>;

/** All archetypes by number, including those without rows. The list grows; archetypes are never removed. */
export function allArchetypes(world: World): readonly ArchetypeView[] {
  return world.graph.archetypes;
}

/**
 * The archetypes that have had a row and have a component, a tag, or a pair of a relation, in the order of `place`; for `Life`
 * all that have had a row. The list grows. Archetypes whose parents are stored as values are listed under `Parent`, not
 * `ChildOf`.
 */
export function archetypesOfDefinition(world: World, definition: Definition): readonly ArchetypeView[] {
  const { graph } = world;
  return definition === Life ? graph.founded : archetypesWith(graph, definition);
}

export const archetypeViewAt: (world: World, index: EntityIndex) => ArchetypeView = archetypeAt;

/**
 * `viewColumn` of a component or the first pair of a relation; `undefined` without values. The same until `version` increases.
 */
export function columnsOf(archetype: ArchetypeView, definition: Definition): unknown {
  const whole = archetype as Archetype;
  const column = columnOf(whole, definition);
  return column === undefined ? undefined : viewColumn(whole, column);
}

/** The values of a sparse definition; `undefined` for definitions with another storage. */
export function sparseCursorOf(world: World, definition: Definition): SparseCursor | undefined {
  const work = definition.store as SparseWork | undefined; // a call less than by `sparseWorkOf`
  return work?.cursor?.(world, definition) as SparseCursor | undefined;
}

/**
 * All rows, or, if the archetype has bits, those of them that a cut leaves. One record for each cut; valid, and free of cost, until
 * rows or bits change.
 */
export function runsOf(archetype: ArchetypeView, cut?: Cut): Runs {
  const { bits } = archetype as Archetype;
  if (cut !== undefined && bits !== undefined) return bits.rowsIn(cut);
  if (cut !== undefined && cut.required.length > 0) return NO_ROWS;
  return allRowsOf(archetype as Archetype);
}

export function handleOf(world: World, index: EntityIndex): Entity {
  return world.entities.handles[index] as Entity;
}

/** The handles of all living entities, by index; for loops over rows. The array is replaced when there are more entities. */
export function handlesOf(world: World): Float64Array {
  return world.entities.handles;
}

/** The table of the entity at an index; 0 while its spawn is pending, because it was spawned inside an iteration. */
export function tableAt(world: World, index: EntityIndex): TableId {
  const table = world.entities.table[index]!;
  return table === world.pendingTable ? 0 : table;
}

/** The absolute row of the entity at an index. */
export { rowAt } from "../world/state/values.ts";

/** The lengths of lists by number, 0 included, and the number of living entities. A new record. */
export function sizesOf(world: World): Record<"entities" | "alive" | "tables" | "pairs", number> {
  const { graph, entities } = world;
  const { length, alive } = entities;
  return { entities: length, alive, tables: graph.tables.length, pairs: graph.pairs.length };
}

/**
 * Entities of some archetypes, by the order of their spawn or last attach, in a new list.
 *
 * @cost all of them, and sorting.
 */
export function entitiesIn(
  world: World,
  isIncluded: (archetype: ArchetypeView) => boolean,
  isListed: (index: EntityIndex) => boolean = () => true,
): EntityIndex[] {
  const { order } = world.entities;
  const found: EntityIndex[] = [];
  for (const { lanes, rows } of world.graph.founded.filter(isIncluded)) {
    for (let row = 0; row < rows; row++) if (isListed(lanes.i32[row]!)) found.push(lanes.i32[row]!);
  }
  return found.sort((one, other) => order[one]! - order[other]!);
}
