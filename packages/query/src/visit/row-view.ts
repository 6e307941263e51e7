import type { Definition, Entity, Numbers, World } from "@treeline/core";
import { type Column, isLiving, nextNumber, type Shape, stateOf, viewColumn } from "@treeline/core/internal";

/** The view's own state hides behind symbols, so that fields may have any names. */
export const ROW: unique symbol = Symbol("row");
const C0: unique symbol = Symbol("c0");
const C1: unique symbol = Symbol("c1");
const C2: unique symbol = Symbol("c2");
const C3: unique symbol = Symbol("c3");
const C4: unique symbol = Symbol("c4");
const C5: unique symbol = Symbol("c5");
const MORE: unique symbol = Symbol("more");

const NO_NUMBERS: Numbers = new Float32Array(0);
const PLACES = 6;

/**
 * One row of a component as an object: its fields read and write the columns. A visit turns one view from row to
 * row, so nothing is made per row; keep values, not the view.
 */
export interface RowView {
  /** Absolute row. */
  [ROW]: number;
  /** Columns of the first fields; further ones are in `MORE`. */
  [C0]: Numbers;
  [C1]: Numbers;
  [C2]: Numbers;
  [C3]: Numbers;
  [C4]: Numbers;
  [C5]: Numbers;
  [MORE]: Numbers[];
}

class View implements RowView {
  [ROW] = 0;
  [C0]: Numbers = NO_NUMBERS;
  [C1]: Numbers = NO_NUMBERS;
  [C2]: Numbers = NO_NUMBERS;
  [C3]: Numbers = NO_NUMBERS;
  [C4]: Numbers = NO_NUMBERS;
  [C5]: Numbers = NO_NUMBERS;
  [MORE]: Numbers[] = [];
}

/** One pair of functions per place, each its own function text, so that each sees the columns of its place only. */
const PLAIN: readonly PropertyDescriptor[] = [
  accessor(
    (view) => view[C0][view[ROW]],
    (view, value) => {
      view[C0][view[ROW]] = value;
    },
  ),
  accessor(
    (view) => view[C1][view[ROW]],
    (view, value) => {
      view[C1][view[ROW]] = value;
    },
  ),
  accessor(
    (view) => view[C2][view[ROW]],
    (view, value) => {
      view[C2][view[ROW]] = value;
    },
  ),
  accessor(
    (view) => view[C3][view[ROW]],
    (view, value) => {
      view[C3][view[ROW]] = value;
    },
  ),
  accessor(
    (view) => view[C4][view[ROW]],
    (view, value) => {
      view[C4][view[ROW]] = value;
    },
  ),
  accessor(
    (view) => view[C5][view[ROW]],
    (view, value) => {
      view[C5][view[ROW]] = value;
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
  if (place >= PLACES) return view[MORE][place - PLACES]!;
  return [view[C0], view[C1], view[C2], view[C3], view[C4], view[C5]][place]!;
}

/** How one field of a view is read and written. */
function describeField(world: World, definition: Definition, place: number): PropertyDescriptor {
  const [, { kind, length, isList }] = definition.fields[place]!;
  if (isList) {
    return accessor(
      (view) => columnAt(view, place).subarray(view[ROW] * length, (view[ROW] + 1) * length),
      (view, value: ArrayLike<number>) => columnAt(view, place).set(value, view[ROW] * length),
    );
  }
  if (kind === "bool") {
    return accessor(
      (view) => columnAt(view, place)[view[ROW]] !== 0,
      (view, value: boolean) => {
        columnAt(view, place)[view[ROW]] = value ? 1 : 0;
      },
    );
  }
  if (kind === "entity") {
    return accessor(
      (view): Entity | undefined => {
        const handle = columnAt(view, place)[view[ROW]]!;
        return isLiving(world.entities, handle) ? (handle as Entity) : undefined;
      },
      (view, value: Entity | undefined) => {
        columnAt(view, place)[view[ROW]] = value ?? 0;
      },
    );
  }
  if (place < PLACES) return PLAIN[place]!;
  return accessor(
    (view) => columnAt(view, place)[view[ROW]],
    (view, value: number) => {
      columnAt(view, place)[view[ROW]] = value;
    },
  );
}

const VIEWS: number = nextNumber();

/** A view of a component's rows; all views of one component in a world share their functions. */
export function createRowView(world: World, definition: Definition): RowView {
  const kinds = stateOf(world, VIEWS, () => new Map<number, new () => RowView>());
  let Kind = kinds.get(definition.id);
  if (Kind === undefined) {
    Kind = class extends View {};
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
  view[C0] = at(0);
  view[C1] = at(1);
  view[C2] = at(2);
  view[C3] = at(3);
  view[C4] = at(4);
  view[C5] = at(5);
  if (fields.length > PLACES) view[MORE] = fields.slice(PLACES).map(({ name }) => columns[name]!);
}
