// How a row view reads and writes fields (`createRowView`), and by which texts (`textOfKind`).
import { type Definition, type Entity, isAlive, type World } from "@treeline/core";
import { ACCESSORS, type Accessor, type NumberAccessorOf } from "./accessor-texts.ts";
import { Marks, type RowPointer } from "./marks.ts";
import { makeGuardable } from "./row-guard.ts";

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
/** A field of JavaScript values, or an `array` field: core has the cells of these. */
class List {
  data: unknown = [];
}
type Cell = F32 | F64 | I8 | U8 | I16 | U16 | I32 | U32 | List;

/*
 * Functions close over what they read and do not use `this`: engines collect what they know about a function by its source text,
 * so a text that is used with the views of many components is slow for all of them, while cell and pointer have one class each.
 * For the same reason fields of numbers have their own source texts, and other kinds of fields one each.
 */
function boolOf(cell: U8, at: RowPointer, marks: Marks): Accessor {
  return {
    read: () => cell.data[at.row] !== 0,
    write: (value: boolean) => {
      cell.data[at.row] = value ? 1 : 0;
      if (marks.track !== undefined) marks.mark();
    },
  };
}
function entityOf(cell: F64, at: RowPointer, marks: Marks, world: World): Accessor {
  return {
    read: (): Entity | undefined => {
      const handle = cell.data[at.row]! as Entity;
      return isAlive(world, handle) ? handle : undefined;
    },
    write: (value: Entity | undefined) => {
      cell.data[at.row] = value ?? 0;
      if (marks.track !== undefined) marks.mark();
    },
  };
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
  const marks = new Marks(definition, rows);
  const cells = definition.fields.map(([name, field], place) => {
    const { rule } = field as { readonly rule?: { readonly access?: AccessOf } };
    const { cell, read, write } = (rule!.access ?? createAccess)(world, field, place, pointer, marks);
    const shown: PropertyDescriptor = { get: read, enumerable: true };
    if (rows !== undefined) shown.set = write;
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

type AccessorOf = (cell: never, at: RowPointer, marks: Marks, world: World) => Accessor;

/** By kind of field; those of numbers have texts. */
const KINDS: { readonly [kind: string]: readonly [new () => Cell, AccessorOf?] } = {
  f32: [F32],
  f64: [F64],
  i8: [I8],
  u8: [U8],
  i16: [I16],
  u16: [U16],
  i32: [I32],
  u32: [U32],
  bool: [U8, boolOf],
  entity: [F64, entityOf],
  value: [List],
};

/** What reads and writes a field, and its cell; those of `array` fields come from core, with their rule. */
type AccessOf = (
  world: World,
  field: Field,
  place: number,
  pointer: RowPointer,
  marks: Marks,
) => Accessor & { readonly cell: Cell };

const createAccess: AccessOf = (world, { kind }, _place, pointer, marks) => {
  const [Cell, accessorOf] = KINDS[kind]!;
  const cell = new Cell();
  const of = accessorOf ?? textOfKind(kind);
  return { cell, ...of(cell as never, pointer, marks, world) };
};

type Field = Definition["fields"][number][1];

/** By kind: the text of its first field, which those that come when all texts are taken share. */
const textsOfKinds = /* @__PURE__ */ new Map<string, NumberAccessorOf>();

function textOfKind(kind: string): NumberAccessorOf {
  let text = textsOfKinds.get(kind);
  if (text === undefined || ACCESSORS.hasUnused) text = ACCESSORS.take();
  if (!textsOfKinds.has(kind)) textsOfKinds.set(kind, text);
  return text;
}

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
