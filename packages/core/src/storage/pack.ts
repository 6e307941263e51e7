import { ROW_ALIGNMENT } from "../base/limits.ts";
import { bitsOf, closeLanes, type Lanes, replaceLanes } from "./lanes.ts";
import { NO_HOLE, type Shape } from "./shape.ts";
import type { Tables } from "./table.ts";
import { trackWork } from "./tracks.ts";
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
  if (layout.rows > 0) replaceLanes(lanes, capacity, (old) => gatherRows(old, lanes, layout));
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
    for (let row = 0; row < layout.rows; row++) bits.lay(former, layout.from[row]!, row, 1);
  }
  markRange(used, 0, layout.rows, true);
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    tables.capacity[table] = tables.count[table]!;
  }
}

type Bits = Int32Array | Float64Array | Int16Array | Int8Array;

function gatherRows(source: Lanes, target: Lanes, { from, rows }: Layout): void {
  const { plan } = source;
  const gather = (read: Bits, write: Bits, lane: number, length: number): void => {
    const readAt = lane * source.stride;
    const writeAt = lane * target.stride;
    for (let row = 0; row < rows; row++) {
      const old = readAt + from[row]! * length;
      const now = writeAt + row * length;
      for (let number = 0; number < length; number++) write[now + number] = read[old + number]!;
    }
  };
  for (let lane = 0; lane < plan.scalars4; lane++) gather(source.i32, target.i32, lane, 1);
  for (let lane = 0; lane < plan.scalars8; lane++) gather(source.f64, target.f64, lane, 1);
  for (let lane = 0; lane < plan.scalars2; lane++) gather(source.i16, target.i16, lane, 1);
  for (let lane = 0; lane < plan.scalars1; lane++) gather(source.i8, target.i8, lane, 1);
  for (const { width, lane, length } of plan.arrays) {
    gather(bitsOf(source, width), bitsOf(target, width), lane, length);
  }
  source.objects.forEach((values, slot) => {
    const write = target.objects[slot]!;
    for (let row = 0; row < rows; row++) write[row] = values[from[row]!];
  });
  if (source.tracks !== undefined) trackWork.brought!.gatherTicks(source.tracks, target.tracks!, from, rows);
}
