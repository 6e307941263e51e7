import { bytesIn } from "../base/growing.ts";
import { refreshRuns } from "../storage/bits.ts";
import { bytesOfLanes } from "../storage/lanes.ts";
import type { World } from "../world/state/world.ts";

/** What a world holds, in numbers. */
export interface Stats {
  /** Living entities. */
  readonly entities: number;
  /** Tables with and without rows. */
  readonly tables: number;
  readonly emptyTables: number;
  /** Shapes that have had a row. */
  readonly shapes: number;
  /** Stretches of adjacent used rows, over all shapes. */
  readonly runs: number;
  /** Rows in use, which is one per entity. */
  readonly rows: number;
  /** Rows there is memory for. */
  readonly reservedRows: number;
  /** Pairs that some type has. */
  readonly pairs: number;
  /** Bytes of columns, and of the ticks of what is tracked. */
  readonly columnBytes: number;
  /** Bytes of columns, tables, pairs, lists of children and the entity index together. JavaScript values count eight bytes. */
  readonly bytes: number;
}

/** Cost: the shapes, and their runs if rows have changed. */
export function stats(world: World): Stats {
  const { graph, entities } = world;
  let runs = 0;
  let rows = 0;
  let reservedRows = 0;
  let emptyTables = 0;
  let columnBytes = 0;
  let bitBytes = 0;
  for (const shape of graph.shapes) {
    refreshRuns(shape.used, shape.end);
    runs += shape.used.length / 2;
    rows += shape.rows;
    reservedRows += shape.lanes.capacity;
    emptyTables += shape.empty.length;
    columnBytes += bytesOfLanes(shape.lanes);
    bitBytes += bytesIn(shape.used) + (shape.bits?.bytes ?? 0);
  }
  const { tables, pairs, records, links, buckets } = graph;
  const books = bytesIn(tables, pairs, records, links, entities) + buckets.byteLength;
  return {
    entities: entities.alive,
    tables: graph.tables.alive,
    emptyTables,
    shapes: graph.shapes.filter(({ founded }) => founded).length,
    runs,
    rows,
    reservedRows,
    pairs: graph.pairs.alive,
    columnBytes,
    bytes: columnBytes + bitBytes + books,
  };
}
