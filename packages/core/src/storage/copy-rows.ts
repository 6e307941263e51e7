// Copies, clears, repeats and exchanges rows (`permuteRows`), also between archetypes (`planMove`); fewer than `BULK` numbers in a loop.
import { bitsOf, type Column, isScalar4, type LaneField, type Lanes, numbersOf } from "./lanes.ts";

/** At least this many numbers are copied by the engine, fewer by a loop. */
const BULK = 32;

type Numbers = ReturnType<typeof bitsOf>;

/** Copies one row onto another of the same lanes, with the entity's index and the ticks. */
export function copyRow(lanes: Lanes, from: number, to: number): void {
  const { i32, stride, plan, tracks } = lanes;
  tracks?.handed?.settleRows(from, from + 1);
  const end = plan.scalars4 * stride;
  for (let at = 0; at < end; at += stride) i32[at + to] = i32[at + from]!;
  if (!plan.plain) copyRest(lanes, from, lanes, to, 1);
  tracks?.copyRows(tracks, from, to, 1);
}

/**
 * Copies rows with their ticks, within the same lanes (if the ranges overlap, `to` must be below `from`) or to another layout of
 * the archetype.
 */
export function copyRows(source: Lanes, from: number, target: Lanes, to: number, count: number): void {
  source.tracks?.handed?.settleRows(from, from + count);
  copyValues(source, from, target, to, count);
  target.tracks?.copyRows(source.tracks!, from, to, count);
}

/** The same without ticks. */
export function copyValues(source: Lanes, from: number, target: Lanes, to: number, count: number): void {
  const { plan } = source;
  // Apart from `copyRest`, so that this loop is monomorphic.
  const { i32: read, stride } = source;
  const { i32: write } = target;
  for (let lane = 0; lane < plan.scalars4; lane++) {
    const readAt = lane * stride + from;
    const writeAt = lane * target.stride + to;
    if (count < BULK) {
      for (let row = 0; row < count; row++) write[writeAt + row] = read[readAt + row]!;
    } else if (read === write) write.copyWithin(writeAt, readAt, readAt + count);
    else write.set(read.subarray(readAt, readAt + count), writeAt);
  }
  if (!plan.plain) copyRest(source, from, target, to, count);
}

/** Copies rows with their ticks to other lanes of the same archetype, in another order. @param from new row -> former row. */
export function permuteRows(source: Lanes, from: Int32Array, target: Lanes): void {
  const { plan, i32, stride } = source;
  for (let lane = 0; lane < plan.scalars4; lane++)
    permuteLane(i32, lane * stride, from, target.i32, lane * target.stride);
  for (const { width, lane, length } of plan.others) {
    const write = bitsOf(target, width);
    permuteNumbers(bitsOf(source, width), lane * stride, from, write, lane * target.stride, length);
  }
  for (const [slot, values] of source.objects.entries()) {
    const write = target.objects[slot]!;
    for (let row = 0; row < from.length; row++) write[row] = values[from[row]!];
  }
  const { tracks } = target;
  for (let row = 0; tracks !== undefined && row < from.length; row++)
    tracks.copyRows(source.tracks!, from[row]!, row, 1);
}

/** Apart from `permuteNumbers`, so that it is monomorphic. */
function permuteLane(
  read: Int32Array,
  readAt: number,
  from: Int32Array,
  write: Int32Array,
  writeAt: number,
): void {
  for (let row = 0; row < from.length; row++) write[writeAt + row] = read[readAt + from[row]!]!;
}

function permuteNumbers(
  read: Numbers,
  readAt: number,
  from: Int32Array,
  write: Numbers,
  writeAt: number,
  length: number,
): void {
  let to = writeAt;
  for (let row = 0; row < from.length; row++) {
    const at = readAt + from[row]! * length;
    for (let number = 0; number < length; number++) write[to++] = read[at + number]!;
  }
}

/** Exchanges two rows of the same lanes, with the indexes of their entities and their ticks. */
export function swapRows(lanes: Lanes, one: number, other: number): void {
  const { i32, stride, plan, tracks } = lanes;
  tracks?.handed?.settleRows(one, one + 1);
  tracks?.handed?.settleRows(other, other + 1);
  const end = plan.scalars4 * stride;
  for (let at = 0; at < end; at += stride) {
    const value = i32[at + one]!;
    i32[at + one] = i32[at + other]!;
    i32[at + other] = value;
  }
  for (const { width, lane, length } of plan.others) {
    const numbers = bitsOf(lanes, width);
    const at = lane * stride;
    for (let number = 0; number < length; number++)
      swap(numbers, at + one * length + number, at + other * length + number);
  }
  for (const values of lanes.objects) swap(values, one, other);
  tracks?.swapRows(one, other);
}

function swap<Value>(list: { [at: number]: Value }, one: number, other: number): void {
  const value = list[one]!;
  list[one] = list[other]!;
  list[other] = value;
}

function copyRest(source: Lanes, from: number, target: Lanes, to: number, count: number): void {
  for (const field of source.plan.others) copyNumbers(source, field, from, target, field, to, count);
  for (let slot = 0; slot < source.objects.length; slot++) {
    const read = source.objects[slot]!;
    const write = target.objects[slot]!;
    for (let row = 0; row < count; row++) write[to + row] = read[from + row];
  }
}

/** Copies one field of `count` rows, between any two lanes; of a field of the kind `value` one row. */
export function copyNumbers(
  source: Lanes,
  { width, length, lane, slot }: LaneField,
  fromRow: number,
  target: Lanes,
  to: LaneField,
  toRow: number,
  count = 1,
): void {
  if (slot >= 0) {
    target.objects[to.slot]![toRow] = source.objects[slot]![fromRow];
    return;
  }
  const read = bitsOf(source, width);
  const write = bitsOf(target, width);
  const readAt = lane * source.stride + fromRow * length;
  const writeAt = to.lane * target.stride + toRow * length;
  const numbers = length * count;
  if (numbers < BULK) {
    for (let number = 0; number < numbers; number++) write[writeAt + number] = read[readAt + number]!;
  } else if (read === write) write.copyWithin(writeAt, readAt, readAt + numbers);
  else write.set(read.subarray(readAt, readAt + numbers), writeAt);
}

/** Sets every value of a row to its default: most are zeros or `undefined`. The entity lane keeps its number. */
export function clearRow(lanes: Lanes, row: number): void {
  const { i32, stride, plan } = lanes;
  const end = plan.scalars4 * stride;
  for (let at = stride; at < end; at += stride) i32[at + row] = 0;
  if (!plan.plain) {
    for (const { width, lane, length } of plan.others) {
      const numbers = bitsOf(lanes, width);
      const from = lane * stride + row * length;
      // Usually few numbers: a call of `fill` costs more.
      for (let at = from; at < from + length; at++) numbers[at] = 0;
    }
    for (const values of lanes.objects) values[row] = undefined;
  }
  const { defaults } = plan;
  for (let at = 0; at < defaults.length; at++) clearField(lanes, defaults[at]!, row);
}

/** Sets one field of a row to its default. */
export function clearField(lanes: Lanes, field: LaneField, row: number): void {
  const { lane, length, isList, initial } = field;
  const cells = numbersOf(lanes, field);
  const from = lane * lanes.stride + row * length;
  for (let place = 0; place < length; place++)
    cells[from + place] = (isList ? (initial as Float64Array)[place] : initial) as number;
}

/** Copies the values of one row to the rows after it, `count` rows in all; entity indexes do not change. */
export function repeatRow(lanes: Lanes, row: number, count: number): void {
  const { plan, stride, i32 } = lanes;
  for (let lane = 1; lane < plan.scalars4; lane++) fillLane(i32, lane * stride + row, count);
  for (const { width, lane, length } of plan.others) {
    const bits = bitsOf(lanes, width);
    const from = lane * stride + row * length;
    if (length === 1) fillLane(bits, from, count);
    else for (let at = 1; at < count; at++) bits.copyWithin(from + at * length, from, from + length);
  }
  for (const values of lanes.objects) values.fill(values[row], row, row + count);
}

function fillLane(bits: Numbers, at: number, count: number): void {
  const value = bits[at]!;
  if (count > BULK) bits.fill(value, at, at + count);
  else for (let place = at + 1; place < at + count; place++) bits[place] = value;
}

/** Drops the JavaScript values of rows `from .. end`, so that they can be garbage-collected. */
export function forgetRows(lanes: Lanes, from: number, end: number): void {
  for (const values of lanes.objects) {
    for (let row = from; row < end; row++) values[row] = undefined;
  }
}

/** Which lanes of a row are copied where when the row moves to another archetype. Columns of pairs with data are not included. */
export interface MovePlan {
  /** One-number lanes of four bytes: [from, to, from, to, ...], the entity lane left out. */
  readonly four: Int32Array;
  /** All other fields. */
  readonly fields: readonly { readonly from: LaneField; readonly to: LaneField }[];
  /** The destination has columns that the origin lacks: the row is first set to its defaults. */
  readonly clears: boolean;
  /** Only `four` is copied. */
  readonly isFour: boolean;
  /** How many single rows it has moved; in development builds only, for `advise`. */
  moves?: number;
}

/** Columns of `to` that are not in `from` get their defaults. */
export function planMove(from: readonly Column[], to: readonly Column[]): MovePlan {
  const every: { from: LaneField; to: LaneField }[] = [];
  let shared = 0;
  for (const { definition, fields } of from) {
    const other = to.find((column) => column.definition === definition);
    if (other === undefined || definition.kind === "relation") continue;
    shared++;
    for (const [at, field] of fields.entries()) every.push({ from: field, to: other.fields[at]! });
  }
  const four = every.filter(({ from }) => isScalar4(from));
  const fields = every.filter(({ from }) => !isScalar4(from));
  return {
    four: Int32Array.from(four.flatMap(({ from, to }) => [from.lane, to.lane])),
    fields,
    clears: shared < to.length,
    isFour: fields.length === 0,
  };
}

/** Copies one row between lanes of two archetypes, without the entity's index. */
export function copyAcross(plan: MovePlan, source: Lanes, from: number, target: Lanes, to: number): void {
  if (plan.clears) clearRow(target, to);
  const { four } = plan;
  const { i32: read, stride: readStride } = source;
  const { i32: write, stride: writeStride } = target;
  for (let at = 0; at < four.length; at += 2) {
    write[four[at + 1]! * writeStride + to] = read[four[at]! * readStride + from]!;
  }
  if (plan.isFour) return;
  for (const field of plan.fields) copyNumbers(source, field.from, from, target, field.to, to);
}

/**
 * Copies adjacent rows between lanes of two archetypes, without entity indexes and ticks. Columns that only the destination has are left as they are.
 */
export function copyRowsAcross(
  plan: MovePlan,
  source: Lanes,
  from: number,
  target: Lanes,
  to: number,
  count: number,
): void {
  const { four } = plan;
  const { i32: read, stride: readStride } = source;
  const { i32: write, stride: writeStride } = target;
  for (let at = 0; at < four.length; at += 2) {
    const readAt = four[at]! * readStride + from;
    const writeAt = four[at + 1]! * writeStride + to;
    for (let row = 0; row < count; row++) write[writeAt + row] = read[readAt + row]!;
  }
  if (plan.isFour) return;
  for (const field of plan.fields) {
    if (field.from.slot < 0) copyNumbers(source, field.from, from, target, field.to, to, count);
    else
      for (let row = 0; row < count; row++)
        copyNumbers(source, field.from, from + row, target, field.to, to + row);
  }
}
