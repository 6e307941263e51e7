import type { Archetype } from "./archetype.ts";
import { markRange, resizeBits } from "./bits.ts";
import { copyRows, forgetRows } from "./copy-rows.ts";
import { type Journal, note, SLICE_MOVED } from "./journal.ts";
import { bitsOf, replaceLanes } from "./lanes.ts";
import type { TableNumber, Tables } from "./table.ts";
import { markRow } from "./tracks.ts";

/** Moves all rows of a table to free rows, in their order; below the present ones these may overlap them. */
export function moveSlice(
  archetype: Archetype,
  tables: Tables,
  journal: Journal,
  table: TableNumber,
  to: number,
): void {
  const { lanes, used, bits } = archetype;
  const from = tables.first[table]!;
  const count = tables.count[table]!;
  copyRows(lanes, from, lanes, to, count);
  const isOverlapping = to < from && to + count > from;
  forgetRows(lanes, isOverlapping ? to + count : from, from + count);
  markRange(used, from, from + count, false);
  markRange(used, to, to + count, true);
  const most = isOverlapping ? from - to : count;
  for (let row = 0; bits !== undefined && row < count; row += most) {
    const rows = Math.min(most, count - row);
    bits.copy(from + row, to + row, rows);
    bits.clear(from + row, from + row + rows);
  }
  tables.first[table] = to;
  tables.capacity[table] = count;
  note(journal, SLICE_MOVED, table);
}

/** Makes the columns another length, at least `end`; rows stay where they are. */
export function resizeColumns(archetype: Archetype, capacity: number): void {
  const { lanes, end } = archetype;
  replaceLanes(lanes, capacity, (old) => copyRows(old, 0, lanes, 0, end));
  resizeBits(archetype.used, capacity);
  archetype.bits?.relocate((copy) => copy(0, 0, end));
}

/** Exchanges two used rows, with the indexes of their entities, their ticks and their tags. */
export function swapRows({ lanes, bits }: Archetype, one: number, other: number): void {
  const { plan, stride, i32 } = lanes;
  const both = [one, other];
  for (const row of both) lanes.tracks?.handed?.settleRows(row, row + 1);
  for (let lane = 0; lane < plan.scalars4; lane++) swap(i32, lane * stride + one, lane * stride + other);
  for (const { width, length, lane } of plan.others) {
    const numbers = bitsOf(lanes, width);
    const at = lane * stride;
    for (let number = 0; number < length; number++)
      swap(numbers, at + one * length + number, at + other * length + number);
  }
  for (const values of lanes.objects) swap(values, one, other);
  for (const track of lanes.tracks?.list ?? []) {
    const tick = track.rows[one]!;
    markRow(track, one, track.rows[other]!);
    markRow(track, other, tick);
  }
  for (const row of both) lanes.tracks?.handed?.copyRows(row, row + 1);
  for (const { definition } of bits?.columns ?? []) {
    const has = bits!.has(definition, one);
    const hasOther = bits!.has(definition, other);
    if (has === hasOther) continue;
    bits!.set(definition, one, one + 1, hasOther);
    bits!.set(definition, other, other + 1, has);
  }
}

function swap<Value>(list: { [at: number]: Value }, one: number, other: number): void {
  const value = list[one]!;
  list[one] = list[other]!;
  list[other] = value;
}
