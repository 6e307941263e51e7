import { bytesIn } from "../base/growing.ts";
import type { Archetype } from "../storage/archetype.ts";
import { refreshRuns } from "../storage/bits.ts";
import { bytesOfLanes } from "../storage/lanes.ts";
import type { World } from "../world/state/world.ts";

/** Counts and sizes of a world. */
export interface Stats {
  /** Living entities. */
  readonly entities: number;
  /** Tables with and without rows. */
  readonly tables: number;
  readonly emptyTables: number;
  /** Archetypes that have had a row. */
  readonly archetypes: number;
  /** Runs of adjacent used rows, over all archetypes. */
  readonly runs: number;
  /** Rows in use, which is one per entity. */
  readonly rows: number;
  /** Rows that fit in the allocated memory. */
  readonly reservedRows: number;
  /** Pairs in use. */
  readonly pairs: number;
  /** Bytes of columns, and of the ticks of tracked changes. */
  readonly columnBytes: number;
  /** Bytes of columns, tables, pairs, lists of children and the entity index. Each JavaScript value counts as eight bytes. */
  readonly bytes: number;
}

/** Counts and measures what a world contains. Cost: the archetypes, and their runs if rows have changed. */
export function stats(world: World): Stats {
  const { entities } = world;
  const { archetypes, tables, pairs, records, links, buckets } = world.graph;
  const sum = (numberOf: (archetype: Archetype) => number): number =>
    archetypes.reduce((all, archetype) => all + numberOf(archetype), 0);
  for (const { used, end } of archetypes) refreshRuns(used, end);
  const columnBytes = sum(({ lanes }) => bytesOfLanes(lanes));
  const bitBytes = sum(({ used, bits }) => bytesIn(used) + (bits?.bytes ?? 0));
  return {
    entities: entities.alive,
    tables: tables.alive,
    emptyTables: sum(({ empty }) => empty.length),
    archetypes: world.graph.founded.length,
    runs: sum(({ used }) => used.length / 2),
    rows: sum(({ rows }) => rows),
    reservedRows: sum(({ lanes }) => lanes.capacity),
    pairs: pairs.alive,
    columnBytes,
    bytes: columnBytes + bitBytes + bytesIn(tables, pairs, records, links, entities) + buckets.byteLength,
  };
}
