import { ROW_ALIGNMENT } from "../base/limits.ts";
import { copyRows } from "./copy-rows.ts";
import { closeLanes, replaceLanes } from "./lanes.ts";
import { NO_HOLE, type Shape } from "./shape.ts";
import type { Tables } from "./table.ts";
import { markRange, resizeBits } from "./used-bits.ts";

/** The new order of a shape's rows, filled table by table. */
export interface Layout {
  /** New absolute row -> old absolute row. */
  readonly from: Int32Array;
  /** Rows filled so far. */
  rows: number;
}

export function createLayout(shape: Shape): Layout {
  return { from: new Int32Array(shape.rows), rows: 0 };
}

/**
 * Moves the rows of a shape to where the layout has them; slices get exactly the room of their rows, and it is the caller's to say
 * where they begin.
 *
 * @throws what the memory throws; nothing has changed then.
 */
export function layRows(shape: Shape, tables: Tables, layout: Layout): void {
  const { lanes, used } = shape;
  /** An eighth more, so that the next spawn need not move everything. */
  const room = layout.rows + (layout.rows >> 3);
  const capacity = Math.ceil(room / ROW_ALIGNMENT) * ROW_ALIGNMENT;
  if (layout.rows > 0)
    replaceLanes(lanes, capacity, (old) => {
      eachRun(layout, (from, to, count) => copyRows(old, from, lanes, to, count));
    });
  else if (lanes.capacity > 0) closeLanes(lanes);

  shape.holes.fill(NO_HOLE);
  shape.holeClasses = 0;
  shape.end = layout.rows;
  resizeBits(used, 0);
  resizeBits(used, capacity);
  if (layout.rows === 0) shape.bits = undefined;
  const { bits } = shape;
  if (bits !== undefined) {
    const former = bits.renew();
    eachRun(layout, (from, to, count) => bits.lay(former, from, to, count));
  }
  markRange(used, 0, layout.rows, true);
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    tables.capacity[table] = tables.count[table]!;
  }
}

/** Rows that lie side by side before and after are copied at once. */
function eachRun({ from, rows }: Layout, copy: (from: number, to: number, count: number) => void): void {
  for (let first = 0, end = 1; first < rows; first = end++) {
    while (end < rows && from[end] === from[end - 1]! + 1) end++;
    copy(from[first]!, first, end - first);
  }
}
