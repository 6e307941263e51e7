import { bitsOf, type Column, clearRow, copyNumbers, type LaneField, type Lanes } from "./lanes.ts";
import { trackWork } from "./tracks.ts";

/** Pieces of at least this many numbers are copied by the engine, shorter ones by a loop. */
const BULK = 32;

type Bits = Float64Array | Int16Array | Int8Array | Int32Array;

function copyPiece(read: Bits, from: number, write: Bits, to: number, length: number): void {
  if (length < BULK) {
    for (let number = 0; number < length; number++) write[to + number] = read[from + number]!;
  } else if (read === write) write.copyWithin(to, from, from + length);
  else write.set(read.subarray(from, from + length), to);
}

/**
 * Copies rows `from .. from + count` onto `to ..`, with their ticks, in the same lanes or between two layouts of one
 * shape. In the same lanes the pieces may overlap if `to` is below `from`.
 */
export function copyRows(source: Lanes, from: number, target: Lanes, to: number, count: number): void {
  const { plan } = source;
  copyFourBytes(source.i32, source.stride, target.i32, target.stride, plan.scalars4, from, to, count);
  if (source.tracks !== undefined)
    trackWork.brought!.copyTicksOfRows(source.tracks, from, target.tracks!, to, count);
  if (plan.plain) return;
  for (let lane = 0; lane < plan.scalars8; lane++) {
    copyPiece(source.f64, lane * source.stride + from, target.f64, lane * target.stride + to, count);
  }
  for (const { width, lane, length } of plan.others) {
    const readAt = lane * source.stride + from * length;
    const writeAt = lane * target.stride + to * length;
    copyPiece(bitsOf(source, width), readAt, bitsOf(target, width), writeAt, count * length);
  }
  for (let slot = 0; slot < source.objects.length; slot++) {
    const read = source.objects[slot]!;
    const write = target.objects[slot]!;
    for (let row = 0; row < count; row++) write[to + row] = read[from + row];
  }
}

/** The common case by itself, so that it sees one kind of array only. */
function copyFourBytes(
  read: Int32Array,
  readStride: number,
  write: Int32Array,
  writeStride: number,
  lanes: number,
  from: number,
  to: number,
  count: number,
): void {
  for (let lane = 0; lane < lanes; lane++) {
    const readAt = lane * readStride + from;
    const writeAt = lane * writeStride + to;
    if (count < BULK) {
      for (let row = 0; row < count; row++) write[writeAt + row] = read[readAt + row]!;
    } else if (read === write) write.copyWithin(writeAt, readAt, readAt + count);
    else write.set(read.subarray(readAt, readAt + count), writeAt);
  }
}

/** Writes the values of one row into those behind it, `count` rows in all; entity indexes stay. */
export function repeatRow(lanes: Lanes, row: number, count: number): void {
  const { plan, stride, i32 } = lanes;
  for (let lane = 1; lane < plan.scalars4; lane++) fillLane(i32, lane * stride + row, count);
  for (let lane = 0; lane < plan.scalars8; lane++) fillLane(lanes.f64, lane * stride + row, count);
  for (const { width, lane, length } of plan.others) {
    const bits = bitsOf(lanes, width);
    const from = lane * stride + row * length;
    for (let at = 1; at < count; at++) bits.copyWithin(from + at * length, from, from + length);
  }
  for (const values of lanes.objects) values.fill(values[row], row, row + count);
}

function fillLane(bits: Bits, at: number, count: number): void {
  const value = bits[at]!;
  if (count > BULK) bits.fill(value, at, at + count);
  else for (let place = at + 1; place < at + count; place++) bits[place] = value;
}

/** Lets go of the JavaScript values of rows `from .. end`, so that they can be collected. */
export function forgetRows(lanes: Lanes, from: number, end: number): void {
  for (const values of lanes.objects) {
    for (let row = from; row < end; row++) values[row] = undefined;
  }
}

/** Which lanes of a row go where when it moves to another shape. Columns of pairs with data are not in it. */
export interface MovePlan {
  /** One-number lanes of four bytes: [from, to, from, to, ...], the entity lane left out. */
  readonly four: Int32Array;
  /** All other fields. */
  readonly fields: readonly { readonly from: LaneField; readonly to: LaneField }[];
  /** Slots of JavaScript values: [from, to, ...]. */
  readonly objects: readonly number[];
  /** The destination has columns that the origin does not fill: they get their defaults first. */
  readonly clears: boolean;
  /** Nothing else is copied than `four`. */
  readonly isFour: boolean;
}

/** `pairs` of columns say what goes where; what of `to` is not named gets its default. */
export function planMove(pairs: readonly { from: Column; to: Column }[], all: number): MovePlan {
  const four: number[] = [];
  const fields: { from: LaneField; to: LaneField }[] = [];
  const objects: number[] = [];
  for (const { from, to } of pairs) {
    if (from.objectSlot >= 0) objects.push(from.objectSlot, to.objectSlot);
    for (let at = 0; at < from.fields.length; at++) {
      const source = from.fields[at]!;
      const target = to.fields[at]!;
      if (source.width === 4 && source.length === 1) four.push(source.lane, target.lane);
      else fields.push({ from: source, to: target });
    }
  }
  return {
    four: Int32Array.from(four),
    fields,
    objects,
    clears: pairs.length < all,
    isFour: fields.length + objects.length === 0,
  };
}

/** Copies one row between lanes of two plans, without the entity's index. */
export function copyAcross(plan: MovePlan, source: Lanes, from: number, target: Lanes, to: number): void {
  if (plan.clears) clearRow(target, to);
  const { four } = plan;
  const read = source.i32;
  const write = target.i32;
  const { length } = four;
  const readStride = source.stride;
  const writeStride = target.stride;
  for (let at = 0; at < length; at += 2) {
    write[four[at + 1]! * writeStride + to] = read[four[at]! * readStride + from]!;
  }
  if (plan.isFour) return;
  for (const field of plan.fields) copyNumbers(source, field.from, from, target, field.to, to);
  for (let at = 0; at < plan.objects.length; at += 2) {
    target.objects[plan.objects[at + 1]!]![to] = source.objects[plan.objects[at]!]![from];
  }
}
