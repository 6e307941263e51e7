import { shapesWith } from "../graph/graph.ts";
import { Life } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { Entity, EntityIndex } from "../id/entity.ts";
import { refreshRuns, type UsedBits } from "../storage/bits.ts";
import { type Lanes, viewColumn } from "../storage/lanes.ts";
import { columnOf, type Shape } from "../storage/shape.ts";
import type { TableId } from "../storage/table.ts";
import { shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

type Shown = "number" | "place" | "places" | "definitions" | "isLoose" | "rows" | "filled" | "end";

/**
 * A component set with the targets of its pairs erased, and the columns of all who have it. `lanes.i32` begins with the entity
 * indexes by absolute row; `lanes.version` grows whenever columns are other arrays.
 */
export interface Archetype extends Readonly<Pick<Shape, Shown | "bits" | "used">> {
  readonly lanes: Readonly<Pick<Lanes, "i32" | "tracks" | "version">>;
}

/** Runs of used rows: [first, end, first, end, ...], absolute rows; the first `length` numbers count. */
export type Runs = Readonly<Pick<UsedBits, "bounds" | "length">>;

/** All archetypes by number, those without a row included. The list grows; archetypes stay. */
export function archetypesOf(world: World): readonly Archetype[] {
  return world.graph.shapes;
}

/**
 * The archetypes that have had a row and have a component, a tag, or a pair of a relation, in the order of `place`; with `Life`
 * every one. The list grows. Of parents stored as values only `Parent` tells.
 */
export function archetypesWith(world: World, definition: Definition): readonly Archetype[] {
  const { graph } = world;
  return definition === Life ? graph.founded : shapesWith(graph, definition);
}

export const archetypeAt: (world: World, index: EntityIndex) => Archetype = shapeAt;

/** As `viewColumn`, of a component or the first pair of a relation; `undefined` without values. The same until `version` grows. */
export function columnsOf(archetype: Archetype, definition: Definition): unknown {
  const shape = archetype as Shape;
  const column = columnOf(shape, definition);
  return column === undefined ? undefined : viewColumn(shape, column);
}

/** Used rows, unless `withDisabled` without those that a bit disables: one record each, good and free until rows or bits change. */
export function runsOf(archetype: Archetype, withDisabled: boolean): Runs {
  const { used, end, bits } = archetype as Shape;
  if (bits !== undefined && !withDisabled) return bits.enabled();
  refreshRuns(used, end);
  return used;
}

export function handleOf(world: World, index: EntityIndex): Entity {
  return world.entities.handles[index] as Entity;
}

/** The handles of all who live, by index; for loops over rows. Another array once there are more entities than before. */
export function handlesOf(world: World): Float64Array {
  return world.entities.handles;
}

/** The table of the entity that lives at an index; 0 while it waits for its row, since it was spawned inside a visit. */
export function tableAt(world: World, index: EntityIndex): TableId {
  const table = world.entities.table[index]!;
  return table === world.limbo ? 0 : table;
}

/** The absolute row of the entity at an index. */
export { rowAt } from "../world/state/values.ts";

/** How much there is room for in lists by number, 0 included, and how many entities are alive. A fresh record. */
export function sizesOf(world: World): Record<"entities" | "alive" | "tables" | "pairs", number> {
  const { graph, entities } = world;
  const { length, alive } = entities;
  return { entities: length, alive, tables: graph.tables.length, pairs: graph.pairs.length };
}

/** Entities of some archetypes in the order of births or present parents, in a fresh list. Cost: all of them, and sorting. */
export function entitiesIn(
  world: World,
  isMeant: (archetype: Archetype) => boolean,
  isAsked: (index: EntityIndex) => boolean = () => true,
): EntityIndex[] {
  const { tables, founded } = world.graph;
  const { order } = world.entities;
  const found: EntityIndex[] = [];
  for (const shape of founded.filter(isMeant)) {
    for (let table = shape.filled.first; table !== 0; table = tables.next[table]!) {
      const first = tables.first[table]!;
      const end = first + tables.count[table]!;
      for (let row = first; row < end; row++) {
        const index = shape.lanes.i32[row]!;
        if (isAsked(index)) found.push(index);
      }
    }
  }
  return found.sort((one, other) => order[one]! - order[other]!);
}
