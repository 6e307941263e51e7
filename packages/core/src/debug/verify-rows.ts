import { isUsed } from "../storage/bits.ts";
import { NO_HOLE, type Shape } from "../storage/shape.ts";
import type { Tables } from "../storage/table.ts";
import type { World } from "../world/state/world.ts";
import type { Say } from "./say.ts";

/** L2, L13 and the part of L14 about slices, for every shape. */
export function verifyRows({ graph }: World, say: Say): void {
  for (const shape of graph.shapes) {
    if (isUntouched(shape)) continue;
    verifySlices(shape, graph.tables, say);
    verifyHoles(shape, graph.tables, say);
    verifyBits(shape, say);
    verifyLanes(shape, say);
  }
}

/** L13: only used rows have tags in bits, which are counted, and the enabled rows are those that none cuts out. */
function verifyBits(shape: Shape, say: Say): void {
  const { bits, used, number } = shape;
  if (bits === undefined) return;
  const enabled = bits.enabled();
  for (const { definition, words, count } of bits.columns) {
    if (words.length !== used.words.length)
      say(`L13: the bits of ${definition.name} in shape ${number} are not as long as the used ones`);
    const own = bits.rowsWith(definition);
    if (own.length !== count)
      say(`L13: shape ${number} counts ${count} rows with ${definition.name}; there are ${own.length}`);
    for (const row of own) {
      if (!isUsed(used, row)) say(`L13: row ${row} of shape ${number} is free and has ${definition.name}`);
    }
  }
  for (let row = 0; row < shape.lanes.capacity; row++) {
    const isOff = bits.columns.some(({ definition, cuts }) => cuts && bits.has(definition, row));
    if (isUsed(enabled, row) !== (isUsed(used, row) && !isOff))
      say(`L13: shape ${number} is wrong about whether row ${row} is enabled`);
  }
}

/** No table with rows, and nothing that says otherwise: as most shapes of a world are at most times. */
function isUntouched({ firstTable, rows, end, holeClasses, used, bits }: Shape): boolean {
  return (
    firstTable === 0 &&
    rows === 0 &&
    end === 0 &&
    holeClasses === 0 &&
    bits === undefined &&
    used.words.every((word) => word === 0)
  );
}

function tablesOf(shape: Shape, tables: Tables): number[] {
  const found: number[] = [];
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) found.push(table);
  return found;
}

/** L2: slices of one shape never overlap, and lie within the columns. L13: a bit is set exactly for used rows. */
function verifySlices(shape: Shape, tables: Tables, say: Say): void {
  const filled = tablesOf(shape, tables).sort((one, other) => tables.first[one]! - tables.first[other]!);
  let end = 0;
  let rows = 0;
  const used = new Uint8Array(shape.lanes.capacity);
  for (const table of filled) {
    const first = tables.first[table]!;
    const count = tables.count[table]!;
    if (first < end) say(`L2: the slice of t${table} begins at ${first}, inside another that ends at ${end}`);
    if (count > tables.capacity[table]!) say(`L2: t${table} has more rows than its slice`);
    if (count === 0) say(`L14: t${table} is listed with rows and has none`);
    end = first + tables.capacity[table]!;
    rows += count;
    used.fill(1, first, first + count);
  }
  if (end > shape.end) say(`L2: slices of shape ${shape.number} end at ${end}, behind ${shape.end}`);
  if (shape.end > shape.lanes.capacity) say(`L2: shape ${shape.number} ends behind its columns`);
  if (rows !== shape.rows) say(`L13: shape ${shape.number} counts ${shape.rows} rows, its tables ${rows}`);
  for (let row = 0; row < shape.lanes.capacity; row++) {
    if (isUsed(shape.used, row) !== (used[row] === 1))
      say(`L13: the bit of row ${row} of shape ${shape.number}`);
  }
}

/** L2: holes lie in no slice, and before the end. */
function verifyHoles(shape: Shape, tables: Tables, say: Say): void {
  const owner = new Int32Array(shape.lanes.capacity);
  for (const table of tablesOf(shape, tables)) {
    owner.fill(table, tables.first[table]!, tables.first[table]! + tables.capacity[table]!);
  }
  shape.holes.forEach((head, size) => {
    if ((head !== NO_HOLE) !== ((shape.holeClasses & (1 << size)) !== 0)) {
      say(`L2: shape ${shape.number} is wrong about its holes of ${2 ** size} rows`);
    }
    for (let row = head; row !== NO_HOLE; row = shape.lanes.i32[row]!) {
      if (row + 2 ** size > shape.lanes.capacity) {
        say(`L2: a hole at ${row} of shape ${shape.number} lies behind the columns`);
        return;
      }
      if (owner[row] === -1) {
        say(`L2: row ${row} of shape ${shape.number} is in two holes`);
        return;
      }
      for (let at = row; at < row + 2 ** size; at++) {
        if (owner[at] !== 0) say(`L2: row ${at} of shape ${shape.number} is in a hole and in t${owner[at]}`);
        owner[at] = -1;
      }
    }
  });
}

/** L2: every lane is as long as the columns, and begins on a 16-byte border. */
function verifyLanes({ number, lanes }: Shape, say: Say): void {
  if (lanes.capacity === 0) return;
  if (lanes.stride < lanes.capacity || lanes.stride % 16 !== 0)
    say(`L2: stride ${lanes.stride} of shape ${number}`);
  for (const view of [lanes.i32, lanes.f64, lanes.i16, lanes.i8]) {
    if (view.byteOffset % 16 !== 0) say(`L2: a buffer of shape ${number} begins off a 16-byte border`);
  }
  if (lanes.i32.length !== lanes.plan.lanes[0]! * lanes.stride)
    say(`L2: lanes of shape ${number} are cut short`);
}
