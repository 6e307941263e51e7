import { bytesIn } from "../base/growing.ts";
import type { Definition } from "../id/definition.ts";
import type { KindName, Numbers } from "../id/field.ts";
import type { Block, Memory } from "./memory.ts";
import { copyTicks, type Ticks, type Track, trackWork } from "./tracks.ts";

/**
 * The columns of one shape: one buffer per element width, every field a lane of it, `stride` elements apart.
 *
 *   i32    [ entity indexes ... | field ... | field ... | array field, n lanes ... ]
 *            0                    stride      2 * stride   3 * stride
 *
 * A value lies at `lane * stride + row`, of an array field at `lane * stride + row * length`.
 */
export interface Lanes {
  readonly plan: LanePlan;
  readonly memory: Memory;
  /** Rows there is room for; a multiple of 16. */
  capacity: number;
  stride: number;
  /** The same four-byte buffer, seen three ways. */
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
  i16: Int16Array;
  u16: Uint16Array;
  i8: Int8Array;
  u8: Uint8Array;
  /** One list of JavaScript values per column without schema; unused rows hold undefined. */
  objects: unknown[][];
  /** By place in `WIDTHS`; `undefined` where there are no lanes, or no rows. */
  blocks: readonly (Block | undefined)[];
  /** When things happened to rows. `undefined` in worlds where nothing is tracked, so that one look tells. */
  tracks: readonly Track[] | undefined;
  /** Grows whenever the typed arrays are others. */
  version: number;
}

const NO_BLOCKS: readonly undefined[] = [];
/** A constructor of one kind of typed arrays. */
type Views<Numbers> = new (buffer?: ArrayBuffer, offset?: number, length?: number) => Numbers;

export function createLanes(plan: LanePlan, memory: Memory): Lanes {
  return {
    plan,
    memory,
    capacity: 0,
    stride: 0,
    i32: new Int32Array(),
    u32: new Uint32Array(),
    f32: new Float32Array(),
    f64: new Float64Array(),
    i16: new Int16Array(),
    u16: new Uint16Array(),
    i8: new Int8Array(),
    u8: new Uint8Array(),
    objects: Array.from({ length: plan.objects }, () => []),
    blocks: NO_BLOCKS,
    tracks: undefined,
    version: 0,
  };
}

/** Makes the typed arrays over the blocks as they are now. */
function lookAtBlocks(lanes: Lanes): void {
  const viewOf = <Numbers>(Kind: Views<Numbers>, width: number): Numbers => {
    const block = lanes.blocks[width];
    return new Kind(block?.buffer, block?.offset, block && lanes.plan.lanes[width]! * lanes.stride);
  };
  lanes.i32 = viewOf(Int32Array, 0);
  lanes.u32 = viewOf(Uint32Array, 0);
  lanes.f32 = viewOf(Float32Array, 0);
  lanes.f64 = viewOf(Float64Array, 1);
  lanes.i16 = viewOf(Int16Array, 2);
  lanes.u16 = viewOf(Uint16Array, 2);
  lanes.i8 = viewOf(Int8Array, 3);
  lanes.u8 = viewOf(Uint8Array, 3);
  lanes.version++;
}

/**
 * Gives lanes new buffers. What they held before is neither copied nor given back: the caller has it, or there was
 * nothing.
 */
export function openLanes(lanes: Lanes, capacity: number): void {
  const { plan, memory } = lanes;
  const moved = (): void => lookAtBlocks(lanes);
  const stride = memory.strideOf(capacity);
  const blocks: (Block | undefined)[] = [];
  let ticks: readonly Ticks[] | undefined;
  try {
    ticks = lanes.tracks?.map(() => trackWork.brought!.noTicks(capacity));
    for (const [place, width] of WIDTHS.entries()) {
      const count = plan.lanes[place]!;
      blocks.push(count === 0 ? undefined : memory.allocate(count * stride * width, moved));
    }
  } catch (error) {
    giveBack(memory, blocks);
    throw error;
  }
  lanes.blocks = blocks;
  lanes.objects = Array.from({ length: plan.objects }, () => new Array<unknown>(capacity).fill(undefined));
  lanes.capacity = capacity;
  lanes.stride = stride;
  lanes.tracks?.forEach((track, at) => {
    Object.assign(track, ticks![at]);
  });
  lookAtBlocks(lanes);
}

function giveBack(memory: Memory, blocks: Lanes["blocks"]): void {
  for (const block of blocks) if (block !== undefined) memory.free(block);
}

/**
 * Moves to buffers of another capacity. `fill` copies what is wanted from the old lanes to the new ones; the old
 * buffers are given back after it.
 */
export function replaceLanes(lanes: Lanes, capacity: number, fill: (from: Lanes) => void): void {
  const old = { ...lanes, tracks: lanes.tracks?.map((track) => ({ ...track })) };
  openLanes(lanes, capacity);
  fill(old);
  giveBack(old.memory, old.blocks);
}

/** Gives the buffers back; the lanes then hold no row. */
export function closeLanes(lanes: Lanes): void {
  const { plan, memory, blocks, tracks, version } = lanes;
  giveBack(memory, blocks);
  tracks?.forEach((track) => {
    Object.assign(track, trackWork.brought!.noTicks(0));
  });
  Object.assign(lanes, createLanes(plan, memory), { tracks, version: version + 1 });
}

/** Bytes of all buffers and ticks; JavaScript values count eight bytes a row. */
export function bytesOfLanes(lanes: Lanes): number {
  let bytes = 0;
  for (const block of lanes.blocks) bytes += block?.bytes ?? 0;
  for (const values of lanes.objects) bytes += values.length * 8;
  return bytes + bytesIn(...(lanes.tracks ?? []));
}

/** Copies one row of the same lanes onto another; the entity's index and the ticks go with it. */
export function copyRow(lanes: Lanes, from: number, to: number): void {
  const { i32, stride, plan } = lanes;
  const end = plan.scalars4 * stride;
  for (let at = 0; at < end; at += stride) i32[at + to] = i32[at + from]!;
  if (!plan.plain) copyRest(lanes, from, to);
  if (lanes.tracks !== undefined) copyTicks(lanes.tracks, from, to);
}

function copyRest(lanes: Lanes, from: number, to: number): void {
  const { f64, stride, plan } = lanes;
  for (let lane = 0; lane < plan.scalars8; lane++) f64[lane * stride + to] = f64[lane * stride + from]!;
  for (const field of plan.others) copyNumbers(lanes, field, from, lanes, field, to);
  for (const values of lanes.objects) values[to] = values[from];
}

/** The array whose elements are copied for a width: bits move unchanged. */
export function bitsOf(lanes: Lanes, width: number): Int32Array | Float64Array | Int16Array | Int8Array {
  return width === 4 ? lanes.i32 : width === 8 ? lanes.f64 : width === 2 ? lanes.i16 : lanes.i8;
}

/** Copies the numbers of one field of one row, from any lanes to any lanes. */
export function copyNumbers(
  source: Lanes,
  from: LaneField,
  fromRow: number,
  target: Lanes,
  to: LaneField,
  toRow: number,
): void {
  const read = bitsOf(source, from.width);
  const write = bitsOf(target, to.width);
  const { length } = from;
  const readAt = from.lane * source.stride + fromRow * length;
  const writeAt = to.lane * target.stride + toRow * length;
  for (let number = 0; number < length; number++) write[writeAt + number] = read[readAt + number]!;
}

/** Sets every value of a row to its default: zeros, `false`, no entity, `undefined`. The entity lane stays. */
export function clearRow(lanes: Lanes, row: number): void {
  const { i32, stride, plan } = lanes;
  const end = plan.scalars4 * stride;
  for (let at = stride; at < end; at += stride) i32[at + row] = 0;
  if (plan.plain) return;
  const { f64 } = lanes;
  for (let lane = 0; lane < plan.scalars8; lane++) f64[lane * stride + row] = 0;
  for (const field of plan.others) {
    const numbers = bitsOf(lanes, field.width);
    const from = field.lane * stride + row * field.length;
    // Few numbers mostly: a call of `fill` costs more.
    for (let at = from; at < from + field.length; at++) numbers[at] = 0;
  }
  for (const values of lanes.objects) values[row] = undefined;
}

/** The typed array through which values of a field are read and written: element `lane * stride + row * length`. */
export function numbersOf(lanes: Lanes, field: LaneField): Numbers {
  switch (field.kind) {
    case "f32":
      return lanes.f32;
    case "i32":
      return lanes.i32;
    case "u32":
      return lanes.u32;
    case "f64":
    case "entity":
      return lanes.f64;
    case "i16":
      return lanes.i16;
    case "u16":
      return lanes.u16;
    case "i8":
      return lanes.i8;
    case "u8":
    case "bool":
      return lanes.u8;
  }
}

/** The column of one field alone: index = absolute row (times length). Valid until `lanes.version` grows. */
export function columnOfField(lanes: Lanes, field: LaneField): Numbers {
  const from = field.lane * lanes.stride;
  return numbersOf(lanes, field).subarray(from, from + lanes.capacity * field.length);
}

/** Where one field of a column lies: `length` lanes of `width` bytes, from lane `lane` of that width's buffer. */
export interface LaneField {
  readonly name: string;
  readonly kind: KindName;
  readonly width: number;
  /** Numbers a row: row r is at `lane * stride + r * length`. */
  readonly length: number;
  /** Read and written as a list. */
  readonly isList: boolean;
  readonly lane: number;
}

/** Values of one id in one shape. */
export interface Column {
  readonly definition: Definition;
  /** Which of the table's pairs of this relation: 0 for components and the first pair. */
  readonly occurrence: number;
  readonly fields: readonly LaneField[];
  /** Index of the list of JavaScript values, or -1. */
  readonly objectSlot: number;
  /** As users see it: typed arrays by field, or the list of values; good while `lanes.version` is this. */
  view: unknown;
  viewVersion: number;
}

/** Widths of the buffers in bytes, in the order in which lanes are counted and blocks are kept. */
export const WIDTHS: readonly number[] = [4, 8, 2, 1];

/** What lies where in the buffers of a shape; independent of how many rows there are. */
export interface LanePlan {
  readonly columns: readonly Column[];
  /** One-number lanes of four bytes, from lane 0 on, which holds entity indexes. */
  readonly scalars4: number;
  /** One-number lanes of eight bytes, from lane 0 on. */
  readonly scalars8: number;
  /** All other fields. */
  readonly others: readonly LaneField[];
  /** Lanes in all, by place in `WIDTHS`; a field of n numbers counts n. */
  readonly lanes: readonly number[];
  readonly objects: number;
  /** Those of the 8-byte lanes that hold handles. */
  readonly entities: readonly number[];
  /** True if all there is are one-number lanes of four bytes: a row is one loop over one array. */
  readonly plain: boolean;
}

/** What gives a shape a column: a component, or one pair with data. */
export interface ColumnSource {
  readonly definition: Definition;
  readonly occurrence: number;
}

export function planLanes(sources: readonly ColumnSource[]): LanePlan {
  /** Of those that stand for a number each: they come first. */
  const scalars = [1, 0];
  for (const { definition } of sources) {
    for (const [, { width, length }] of definition.fields) {
      const place = WIDTHS.indexOf(width);
      if (length === 1 && place < 2) scalars[place]!++;
    }
  }
  const nextScalar = [1, 0];
  const lanes = [...scalars, 0, 0];
  const others: LaneField[] = [];
  const entities: number[] = [];
  let objects = 0;

  const columns = sources.map(({ definition, occurrence }): Column => {
    const fields = definition.fields.map(([name, { kind, width, length, isList }]): LaneField => {
      const place = WIDTHS.indexOf(width);
      const isScalar = length === 1 && place < 2;
      const next = isScalar ? nextScalar : lanes;
      const field = { name, kind, width, length, isList, lane: next[place]! };
      next[place]! += length;
      if (!isScalar) others.push(field);
      if (kind === "entity") entities.push(field.lane);
      return field;
    });
    const objectSlot = definition.holds === "values" ? objects++ : -1;
    return { definition, occurrence, fields, objectSlot, view: undefined, viewVersion: -1 };
  });

  const [scalars4, scalars8] = scalars as [number, number];
  const plain = others.length + objects + scalars8 === 0;
  return { columns, scalars4, scalars8, others, lanes, objects, entities, plain };
}

/**
 * A column as users see it: one typed array per field, index = absolute row (times length); or the list of
 * JavaScript values. Made once per layout of the shape.
 */
export function viewColumn({ lanes }: { readonly lanes: Lanes }, column: Column): unknown {
  return column.viewVersion === lanes.version ? column.view : makeView(lanes, column);
}

function makeView(lanes: Lanes, column: Column): unknown {
  column.viewVersion = lanes.version;
  if (column.objectSlot >= 0) column.view = lanes.objects[column.objectSlot];
  else {
    const fields: { [name: string]: Numbers } = {};
    for (const field of column.fields) fields[field.name] = columnOfField(lanes, field);
    column.view = fields;
  }
  return column.view;
}
