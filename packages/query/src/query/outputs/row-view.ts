import { type Definition, type Entity, isAlive, type Numbers, type World } from "@treeline/core";
import { type ArchetypeView, markRow, type Track, trackOf } from "@treeline/core/internal";
import { makeGuardable } from "./row-guard.ts";

/** The absolute row of the views that share it. */
export class RowPointer {
  row = 0;
}

/**
 * Where a view's field reads and writes. One class for each kind of array: the JIT compiler then knows the array's kind from
 * the class alone, whatever other components have been iterated in the process.
 */
class F32 {
  data: Float32Array = new Float32Array(0);
}
class F64 {
  data: Float64Array = new Float64Array(0);
}
class I8 {
  data: Int8Array = new Int8Array(0);
}
class U8 {
  data: Uint8Array = new Uint8Array(0);
}
class I16 {
  data: Int16Array = new Int16Array(0);
}
class U16 {
  data: Uint16Array = new Uint16Array(0);
}
class I32 {
  data: Int32Array = new Int32Array(0);
}
class U32 {
  data: Uint32Array = new Uint32Array(0);
}
/** An `array` field of any kind. */
class List {
  data: Numbers = new Float32Array(0);
}
type Cell = F32 | F64 | I8 | U8 | I16 | U16 | I32 | U32 | List;

interface Accessor {
  readonly read: () => unknown;
  readonly write: (value: never) => void;
}

/*
 * Functions close over what they read and do not use `this`: engines collect what they know about a function by its source text,
 * so a text that is used with the views of many components is slow for all of them, while cell and pointer have one class each.
 * For the same reason each kind has its own source text.
 */
function f32Of(cell: F32, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function f64Of(cell: F64, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function i8Of(cell: I8, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function u8Of(cell: U8, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function i16Of(cell: I16, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function u16Of(cell: U16, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function i32Of(cell: I32, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function u32Of(cell: U32, at: RowPointer): Accessor {
  return { read: () => cell.data[at.row], write: (value: number) => (cell.data[at.row] = value) };
}
function boolOf(cell: U8, at: RowPointer): Accessor {
  const write = (value: boolean): number => (cell.data[at.row] = value ? 1 : 0);
  return { read: () => cell.data[at.row] !== 0, write };
}
function entityOf(cell: F64, at: RowPointer, world: World): Accessor {
  return {
    read: (): Entity | undefined => {
      const handle = cell.data[at.row]! as Entity;
      return isAlive(world, handle) ? handle : undefined;
    },
    write: (value: Entity | undefined) => (cell.data[at.row] = value ?? 0),
  };
}
function listOf(cell: List, at: RowPointer, _world: World, length: number): Accessor {
  return {
    read: () => cell.data.subarray(at.row * length, (at.row + 1) * length),
    write: (value: ArrayLike<number>) => cell.data.set(value, at.row * length),
  };
}

/** Where a view's setters mark what they change. */
export class Marks {
  /** In the current archetype; `undefined` if no query needs changes. */
  track: Track | undefined = undefined;
  /** The tick of what the iteration writes itself; 0 for the clock's. */
  tick = 0;
  /** The archetype and the definition whose rows are written. */
  archetype: ArchetypeView | undefined = undefined;
  readonly definition: Definition;

  constructor(definition: Definition) {
    this.definition = definition;
  }

  /** Reads again whether a query needs changes. */
  turn(): void {
    const track = this.archetype && trackOf(this.archetype, this.definition, "changed");
    // Writing an equal value has a cost: engines treat a field that never changes as a constant.
    if (this.track !== track) this.track = track;
  }
}

/** One row of a component as an object, and what moves it to other rows. */
export interface RowView {
  readonly pointer: RowPointer;
  /** In the order of its fields. */
  readonly cells: readonly Cell[];
  readonly marks: Marks;
  /** What callbacks get: its fields read and write the columns. Keep values, not this. */
  readonly object: object;
}

/**
 * @param pointer where the fields are: a row of columns, or a place in a sparse store.
 * @param rows the absolute row that writing marks; without it, writing a field is a TypeError, as for every property that only
 *   has a getter, unless there is `writeOther`.
 * @param writeOther writes a field elsewhere.
 */
export function createRowView(
  world: World,
  definition: Definition,
  pointer: RowPointer,
  rows: RowPointer | undefined,
  writeOther?: (name: string, value: unknown) => void,
): RowView {
  const Kind = class {};
  const marks = new Marks(definition);
  const cells = definition.fields.map(([name, { kind, length, isList }]) => {
    const [Cell, accessorOf] = KINDS[isList ? "list" : kind]!;
    const cell = new Cell();
    const { read, write } = accessorOf(cell as never, pointer, world, length);
    const shown: PropertyDescriptor = { get: read, enumerable: true };
    if (rows !== undefined) shown.set = withTick(write, marks, rows);
    else if (writeOther !== undefined) shown.set = (value) => writeOther(name, value);
    Object.defineProperty(Kind.prototype, name, shown);
    return cell;
  });
  const view: RowView = { pointer, cells, marks, object: new Kind() };
  for (const name of ["toJSON", Symbol.for("nodejs.util.inspect.custom")]) {
    if (name in Kind.prototype) continue; // a field of that name
    Object.defineProperty(Kind.prototype, name, { value: () => copyRow(view) });
  }
  CHECK: makeGuardable(world, view.object, definition);
  return view;
}

/** The JIT compiler knows `write` as a closed-over constant, and inlines it: no call is left. */
function withTick(write: (value: never) => void, marks: Marks, at: RowPointer): (value: never) => void {
  return (value) => {
    write(value);
    const { track } = marks;
    if (track !== undefined) markRow(track, at.row, ownTick(track.clock.now, marks.tick));
  };
}

type Access = readonly [
  new () => Cell,
  (cell: never, at: RowPointer, world: World, length: number) => Accessor,
];
/** By kind of field. */
const KINDS: { readonly [kind: string]: Access } = {
  f32: [F32, f32Of],
  f64: [F64, f64Of],
  i8: [I8, i8Of],
  u8: [U8, u8Of],
  i16: [I16, i16Of],
  u16: [U16, u16Of],
  i32: [I32, i32Of],
  u32: [U32, u32Of],
  bool: [U8, boolOf],
  entity: [F64, entityOf],
  value: [List, i16Of], // shares a source text with a rare kind
  list: [List, listOf],
};

/** Turns a view to the columns of an archetype. */
export function turnView({ cells, marks }: RowView, columns: unknown): void {
  const { fields } = marks.definition;
  for (let place = 0; place < cells.length; place++)
    cells[place]!.data = (columns as { readonly [name: string]: never })[fields[place]![0]]!;
}

/** The row of a view, as a new plain object. */
export function copyRow({ object }: RowView): object {
  const copy: { [name: string]: unknown } = {};
  // The fields belong to the prototype.
  for (const name in object) {
    const value = (object as { readonly [name: string]: unknown })[name];
    copy[name] = ArrayBuffer.isView(value) ? (value as unknown as Float32Array).slice() : value;
  }
  return copy;
}

/**
 * What an iteration writes itself is not unread for its query: it gets the tick up to which that has read changes. If another
 * query has read changes meanwhile, it would miss the write: then the write gets the current tick.
 */
export function ownTick(now: number, tick: number): number {
  return tick > 0 && now === tick + 1 ? tick : now;
}
