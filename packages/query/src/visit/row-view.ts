import type { Definition, Entity, Numbers, World } from "@treeline/core";
import { type Column, isLiving, nextNumber, type Shape, stateOf, viewColumn } from "@treeline/core/internal";

/**
 * One row of a component as an object: its fields read and write the columns. A visit turns one view from row to
 * row, so nothing is made per row; keep values, not the view.
 */
export class RowView {
  /** Absolute row. */
  row = 0;
  /** Columns of the first fields; further ones are in `more`. */
  c0: Numbers = NO_NUMBERS;
  c1: Numbers = NO_NUMBERS;
  c2: Numbers = NO_NUMBERS;
  c3: Numbers = NO_NUMBERS;
  c4: Numbers = NO_NUMBERS;
  c5: Numbers = NO_NUMBERS;
  more: Numbers[] = [];
}

const NO_NUMBERS: Numbers = new Float32Array(0);
const PLACES = 6;

/** One pair of functions per place, each its own function text, so that each sees the columns of its place only. */
const PLAIN: readonly PropertyDescriptor[] = [
  accessor(
    (view) => view.c0[view.row],
    (view, value) => {
      view.c0[view.row] = value;
    },
  ),
  accessor(
    (view) => view.c1[view.row],
    (view, value) => {
      view.c1[view.row] = value;
    },
  ),
  accessor(
    (view) => view.c2[view.row],
    (view, value) => {
      view.c2[view.row] = value;
    },
  ),
  accessor(
    (view) => view.c3[view.row],
    (view, value) => {
      view.c3[view.row] = value;
    },
  ),
  accessor(
    (view) => view.c4[view.row],
    (view, value) => {
      view.c4[view.row] = value;
    },
  ),
  accessor(
    (view) => view.c5[view.row],
    (view, value) => {
      view.c5[view.row] = value;
    },
  ),
];

function accessor<Value>(
  read: (view: RowView) => Value,
  write: (view: RowView, value: never) => void,
): PropertyDescriptor {
  return {
    get(this: RowView): Value {
      return read(this);
    },
    set(this: RowView, value: unknown): void {
      write(this, value as never);
    },
    enumerable: true,
  };
}

function columnAt(view: RowView, place: number): Numbers {
  if (place >= PLACES) return view.more[place - PLACES]!;
  return [view.c0, view.c1, view.c2, view.c3, view.c4, view.c5][place]!;
}

/** How one field of a view is read and written. */
function describeField(world: World, definition: Definition, place: number): PropertyDescriptor {
  const [, { kind, length }] = definition.fields[place]!;
  if (length > 1) {
    return accessor(
      (view) => columnAt(view, place).subarray(view.row * length, (view.row + 1) * length),
      (view, value: ArrayLike<number>) => columnAt(view, place).set(value, view.row * length),
    );
  }
  if (kind === "bool") {
    return accessor(
      (view) => columnAt(view, place)[view.row] !== 0,
      (view, value: boolean) => {
        columnAt(view, place)[view.row] = value ? 1 : 0;
      },
    );
  }
  if (kind === "entity") {
    return accessor(
      (view): Entity | undefined => {
        const handle = columnAt(view, place)[view.row]!;
        return isLiving(world.entities, handle) ? (handle as Entity) : undefined;
      },
      (view, value: Entity | undefined) => {
        columnAt(view, place)[view.row] = value ?? 0;
      },
    );
  }
  if (place < PLACES) return PLAIN[place]!;
  return accessor(
    (view) => columnAt(view, place)[view.row],
    (view, value: number) => {
      columnAt(view, place)[view.row] = value;
    },
  );
}

const VIEWS: number = nextNumber();

/** A view of a component's rows; all views of one component in a world share their functions. */
export function createRowView(world: World, definition: Definition): RowView {
  const kinds = stateOf(world, VIEWS, () => new Map<number, new () => RowView>());
  let Kind = kinds.get(definition.id);
  if (Kind === undefined) {
    Kind = class extends RowView {};
    definition.fields.forEach(([name], place) => {
      Object.defineProperty(Kind!.prototype, name, describeField(world, definition, place));
    });
    kinds.set(definition.id, Kind);
  }
  return new Kind();
}

/** Turns a view to a column of a shape. */
export function turnView(view: RowView, shape: Shape, column: Column): void {
  const columns = viewColumn(shape, column) as { readonly [name: string]: Numbers };
  const { fields } = column;
  const at = (place: number): Numbers => (place < fields.length ? columns[fields[place]!.name]! : NO_NUMBERS);
  view.c0 = at(0);
  view.c1 = at(1);
  view.c2 = at(2);
  view.c3 = at(3);
  view.c4 = at(4);
  view.c5 = at(5);
  if (fields.length > PLACES) view.more = fields.slice(PLACES).map(({ name }) => columns[name]!);
}
