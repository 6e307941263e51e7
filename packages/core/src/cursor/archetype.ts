import { archetypesWith } from "../graph/graph.ts";
import { Life } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { Entity, EntityIndex } from "../id/entity.ts";
import { type Archetype, columnOf } from "../storage/archetype.ts";
import { refreshRuns, type UsedBits } from "../storage/bits.ts";
import { type Lanes, viewColumn } from "../storage/lanes.ts";
import type { TableId } from "../storage/table.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

type Shown = "number" | "place" | "places" | "definitions" | "hasValueParent" | "rows" | "filled" | "end";

/**
 * A component set with the targets of its pairs erased, and the columns of all who have it. `lanes.i32` begins with the entity
 * indexes by absolute row; `lanes.version` grows whenever columns are other arrays.
 */
export interface ArchetypeView extends Readonly<Pick<Archetype, Shown | "bits" | "used">> {
  readonly lanes: Readonly<Pick<Lanes, "i32" | "tracks" | "version">>;
}

/** Runs of used rows: [first, end, first, end, ...], absolute rows; the first `length` numbers count. */
export type Runs = Readonly<Pick<UsedBits, "bounds" | "length">>;

/** All archetypes by number, those without a row included. The list grows; archetypes stay. */
export function allArchetypes(world: World): readonly ArchetypeView[] {
  return world.graph.archetypes;
}

/**
 * The archetypes that have had a row and have a component, a tag, or a pair of a relation, in the order of `place`; with `Life`
 * every one. The list grows. Of parents stored as values only `Parent` tells.
 */
export function archetypesOfDefinition(world: World, definition: Definition): readonly ArchetypeView[] {
  const { graph } = world;
  return definition === Life ? graph.founded : archetypesWith(graph, definition);
}

export const archetypeViewAt: (world: World, index: EntityIndex) => ArchetypeView = archetypeAt;

/** As `viewColumn`, of a component or the first pair of a relation; `undefined` without values. The same until `version` grows. */
export function columnsOf(archetype: ArchetypeView, definition: Definition): unknown {
  const whole = archetype as Archetype;
  const column = columnOf(whole, definition);
  return column === undefined ? undefined : viewColumn(whole, column);
}

/** Used rows, unless `withDisabled` without those that a bit disables: one record each, good and free until rows or bits change. */
export function runsOf(archetype: ArchetypeView, withDisabled: boolean): Runs {
  const { used, end, bits } = archetype as Archetype;
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
  return table === world.pendingTable ? 0 : table;
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
  isMeant: (archetype: ArchetypeView) => boolean,
  isListed: (index: EntityIndex) => boolean = () => true,
): EntityIndex[] {
  const { tables, founded } = world.graph;
  const { order } = world.entities;
  const found: EntityIndex[] = [];
  for (const archetype of founded.filter(isMeant)) {
    for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
      const first = tables.first[table]!;
      const end = first + tables.count[table]!;
      for (let row = first; row < end; row++) {
        const index = archetype.lanes.i32[row]!;
        if (isListed(index)) found.push(index);
      }
    }
  }
  return found.sort((one, other) => order[one]! - order[other]!);
}
