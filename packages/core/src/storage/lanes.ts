// Which lane a field gets (`planLanes`); replaces all buffers at once (`replaceLanes`); makes and caches users' columns (`viewColumn`).
import { bytesIn } from "../base/growing.ts";
import type { Definition } from "../id/definition.ts";
import type { Field, Numbers } from "../id/field.ts";
import type { Block, Memory } from "./memory.ts";
import type { Tracks } from "./tracks.ts";

/** Where one field of a column is stored: `length` lanes of `width` bytes, from lane `lane` of that width's buffer. */
export interface LaneField extends Field {
  readonly name: string;
  /** Row r is at `lane * stride + r * length`; 0 for `value`. */
  readonly lane: number;
  /** For `value`: the place of its list in `Lanes.objects`; else -1. */
  readonly slot: number;
}

/** Values of one component, or of one pair with data, in one archetype. */
export interface Column {
  readonly definition: Definition;
  /** Which of the table's pairs of this relation: 0 for components and the first pair. */
  readonly occurrence: number;
  readonly fields: readonly LaneField[];
  /** For object components: the place of their list in `Lanes.objects`; else -1. */
  readonly objectSlot: number;
  /** What users get: typed arrays by field, or the list of values; valid while `lanes.version` equals `viewVersion`. */
  view: unknown;
  viewVersion: number;
}

/** Widths of the buffers in bytes, in the order of `LanePlan.lanes` and `Lanes.blocks`; 0 are lists of JavaScript values. */
const WIDTHS: readonly number[] = [4, 8, 2, 1, 0];

/** The layout of the buffers of an archetype; it does not depend on the number of rows. */
export interface LanePlan {
  readonly columns: readonly Column[];
  /** The number of one-number lanes of four bytes. They come first; lane 0 holds entity indexes. */
  readonly scalars4: number;
  /** The fields in all other lanes. */
  readonly others: readonly LaneField[];
  /** The number of lanes by place in `WIDTHS`; a field of n numbers counts n. */
  readonly lanes: readonly number[];
  /** The number of lists of JavaScript values. */
  readonly objects: number;
  /** The fields whose default is not zero or `undefined`. */
  readonly defaults: readonly LaneField[];
  /** The 8-byte lanes that hold handles. */
  readonly entities: readonly number[];
  /** There are only one-number lanes of four bytes: copying a row is one loop over one array. */
  readonly plain: boolean;
}

export function planLanes(sources: readonly Pick<Column, "definition" | "occurrence">[]): LanePlan {
  const all = sources.flatMap(({ definition }) => definition.fields);
  const scalars4 = 1 + all.filter(([, field]) => isScalar4(field)).length;
  const lanes = [scalars4, 0, 0, 0, 0, 1]; // the last is the next of the lanes that come first
  const others: LaneField[] = [];
  const entities: number[] = [];
  const defaults: LaneField[] = [];
  const columns = sources.map(({ definition, occurrence }): Column => {
    const fields = definition.fields.map(([name, field]): LaneField => {
      const place = isScalar4(field) ? 5 : WIDTHS.indexOf(field.width);
      const at = lanes[place]!;
      lanes[place] = at + field.length;
      const planned = { name, ...field, lane: place === 4 ? 0 : at, slot: place === 4 ? at : -1 };
      if (place < 4) others.push(planned);
      if (field.kind === "entity") entities.push(at);
      if (field.initial !== field.rule.zero) defaults.push(planned);
      return planned;
    });
    const objectSlot = definition.holds === "values" ? fields[0]!.slot : -1;
    return { definition, occurrence, fields, objectSlot, view: undefined, viewVersion: -1 };
  });
  const objects = lanes[4]!;
  const plain = others.length + objects === 0;
  return { columns, scalars4, others, lanes, objects, entities, defaults, plain };
}

/** A field of one four-byte number. These come first: most rows have no other fields. */
export function isScalar4({ width, length }: Field): boolean {
  return width === 4 && length === 1;
}

/**
 * The columns of one archetype: one buffer per element width, every field a lane of it, `stride` elements apart.
 *
 *   i32    [ entity indexes ... | field ... | field ... | array field, n lanes ... ]
 *            0                    stride      2 * stride   3 * stride
 *
 * A value is at `lane * stride + row`, in an array field at `lane * stride + row * length`.
 */
export class Lanes {
  readonly plan: LanePlan;
  readonly memory: Memory;
  /** The number of rows that fit; a multiple of 16. */
  capacity = 0;
  stride = 0;
  /** Three views of the same four-byte buffer. */
  i32: Int32Array = new Int32Array();
  u32: Uint32Array = new Uint32Array();
  f32: Float32Array = new Float32Array();
  f64: Float64Array = new Float64Array();
  i16: Int16Array = new Int16Array();
  u16: Uint16Array = new Uint16Array();
  i8: Int8Array = new Int8Array();
  u8: Uint8Array = new Uint8Array();
  /** One list of JavaScript values per object component and field of the kind `value`; unused rows hold undefined. */
  objects: unknown[][];
  /** By place in `WIDTHS`; `undefined` if there are no lanes, or no rows. */
  blocks: readonly (Block | undefined)[] = [];
  /** The ticks of changes of rows. `undefined` in worlds where nothing is tracked, so that one test is enough. */
  tracks: Tracks | undefined;
  /** Increases whenever the typed arrays are replaced. */
  version = 0;
  /** Where accessors of fields keep arrays over these columns; `undefined` until one does. */
  kept: KeptColumn[] | undefined;

  constructor(plan: LanePlan, memory: Memory) {
    this.plan = plan;
    this.memory = memory;
    this.objects = Array.from({ length: plan.objects }, () => []);
  }
}

/** A list, outside of the lanes, in which a column of them is kept. */
interface KeptColumn {
  readonly list: (Numbers | unknown[] | undefined)[];
  readonly place: number;
}

/** Where one value is. */
export interface ValuePlace {
  readonly lanes: Lanes;
  readonly column: Column;
  /** In the lanes: the absolute row of the entity, or its place in a sparse store. */
  readonly row: number;
}

type Maker<Numbers> = new (buffer?: ArrayBuffer | number, offset?: number, length?: number) => Numbers;

/** Creates the typed arrays over the current blocks. */
function renewViews(lanes: Lanes): void {
  const viewOf = <Numbers>(Kind: Maker<Numbers>, place: number): Numbers => {
    const block = lanes.blocks[place];
    return new Kind(block?.buffer, block?.offset, block && lanes.plan.lanes[place]! * lanes.stride);
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
  if (lanes.kept === undefined) return;
  for (const { list, place } of lanes.kept) list[place] = undefined;
  lanes.kept = undefined;
}

/** Moves to buffers of another capacity, none for 0; `fill` copies from the old ones. If allocation fails, nothing changes. */
export function replaceLanes(lanes: Lanes, capacity: number, fill?: (from: Lanes) => void): void {
  const { plan, memory } = lanes;
  const moved = (): void => renewViews(lanes);
  const stride = capacity === 0 ? 0 : memory.strideOf(capacity);
  const blocks: (Block | undefined)[] = [];
  let tracks: Tracks | undefined;
  try {
    for (const [place, width] of WIDTHS.entries()) {
      const bytes = plan.lanes[place]! * stride * width;
      blocks.push(bytes === 0 ? undefined : memory.allocate(bytes, moved));
    }
    tracks = lanes.tracks?.renew(capacity);
  } catch (error) {
    freeBlocks(memory, blocks);
    throw error;
  }
  const old = { ...lanes, tracks };
  lanes.blocks = blocks;
  lanes.objects = old.objects.map(() => new Array<unknown>(capacity).fill(undefined));
  lanes.capacity = capacity;
  lanes.stride = stride;
  renewViews(lanes);
  // Cached views would keep the former memory.
  for (const column of plan.columns) {
    column.view = undefined;
    column.viewVersion = -1;
  }
  fill?.(old);
  freeBlocks(memory, old.blocks);
}

/** Whether at least a quarter as many rows are in use, over all archetypes, as some lanes hold. */
export function mayRetain(
  { founded }: { readonly founded: readonly { readonly rows: number }[] },
  { capacity }: Lanes,
): boolean {
  const enough = capacity >> 2;
  let inUse = 0;
  for (let place = 0; place < founded.length && inUse < enough; place++) inUse += founded[place]!.rows;
  return inUse >= enough;
}

function freeBlocks(memory: Memory, blocks: Lanes["blocks"]): void {
  for (const block of blocks) if (block !== undefined) memory.free(block);
}

/** Bytes of all buffers and ticks; each JavaScript value counts as eight bytes. */
export function bytesOfLanes(lanes: Lanes): number {
  let bytes = 0;
  for (const block of lanes.blocks) bytes += block?.bytes ?? 0;
  for (const values of lanes.objects) bytes += values.length * 8;
  return bytes + bytesIn(...(lanes.tracks?.list ?? []));
}

/** The array through which values of a width are copied bit by bit. */
export function bitsOf(lanes: Lanes, width: number): Int32Array | Float64Array | Int16Array | Int8Array {
  return width === 4 ? lanes.i32 : width === 8 ? lanes.f64 : width === 2 ? lanes.i16 : lanes.i8;
}

/** The array through which values of a field are read and written: element `lane * stride + row * length`. */
export function numbersOf(lanes: Lanes, { kind, slot }: LaneField): Numbers | unknown[] {
  if (kind === "bool") return lanes.u8;
  if (kind === "value") return lanes.objects[slot]!;
  return kind === "entity" ? lanes.f64 : lanes[kind];
}

/** The column of one field: index = absolute row (times length). Valid until `lanes.version` increases. */
export function columnOfField(lanes: Lanes, field: LaneField): Numbers | unknown[] {
  const cells = numbersOf(lanes, field);
  const from = field.lane * lanes.stride;
  return Array.isArray(cells) ? cells : cells.subarray(from, from + lanes.capacity * field.length);
}

/** What users get: arrays by field, index = absolute row (times length), or the list of values. Created once per layout. */
export function viewColumn({ lanes }: { readonly lanes: Lanes }, column: Column): unknown {
  if (column.viewVersion === lanes.version) return column.view;
  column.viewVersion = lanes.version;
  if (column.objectSlot >= 0) column.view = lanes.objects[column.objectSlot];
  else {
    const fields: { [name: string]: Numbers | unknown[] } = {};
    for (const field of column.fields) fields[field.name] = columnOfField(lanes, field);
    column.view = fields;
  }
  return column.view;
}
