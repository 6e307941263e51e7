// How row views read and write `array` fields (`listAccess`), and watch the arrays that they pass.
import type { Definition } from "../id/definition.ts";
import type { Field, Numbers } from "../id/field.ts";
import type { Archetype } from "../storage/archetype.ts";
import { HandedArrays } from "../storage/handed.ts";
import { BLOCK_BITS, type Track, type Tracks } from "../storage/tracks.ts";
import { refuseField } from "../world/state/collected-values.ts";
import type { World } from "../world/state/world.ts";

/** What the setters of a row view mark. */
interface Marks {
  readonly track: Track | undefined;
  readonly tick: number;
  readonly archetype: { readonly lanes: { readonly tracks: Tracks | undefined } } | undefined;
  readonly definition: Definition;
  /** Of inherited values: what is passed in place of an array. */
  readonly lend?: (place: number, list: Numbers) => Numbers;
  mark(): void;
}

/** Where a row view is. */
interface Pointer {
  readonly row: number;
}

interface Maker {
  new (buffer: ArrayBufferLike, start: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

const NOTHING: Numbers = /* @__PURE__ */ new Float64Array(0);

/** Where the `array` field of a row view reads and writes. */
export class ListCell {
  /** Of the column, in memory. */
  buffer: ArrayBufferLike = NOTHING.buffer;
  start = 0;
  /** By block of rows: equal to the tick of the iteration, if that was handed an array of it; only while changes are tracked. */
  handed: Numbers = NOTHING;
  /** Arrays were handed out, of whatever archetype. */
  isKnown = false;
  private column: Numbers = NOTHING;
  /** An array of a row, or place, is handed out. */
  readonly watch: (row: number) => void;

  constructor(watch: (row: number) => void) {
    this.watch = watch;
  }

  get data(): Numbers {
    return this.column;
  }

  set data(column: Numbers) {
    this.column = column;
    this.buffer = column.buffer;
    this.start = column.byteOffset;
    this.handed = NOTHING;
  }
}

interface Accessed {
  readonly cell: ListCell;
  readonly read: () => Numbers;
  readonly write: (value: ArrayLike<number>) => void;
}

/**
 * How a row view reads and writes an `array` field, which copies any list of its length and throws `bad-value` for another; brought by `array`.
 *
 * @param place of the field in the schema.
 */
export function listAccess(
  world: World,
  { length, initial }: Field,
  place: number,
  at: Pointer,
  marks: Marks,
): Accessed {
  const Kind = (initial as Numbers).constructor as unknown as Maker;
  const bytes = length * Kind.BYTES_PER_ELEMENT;
  const isNew = (row: number): boolean =>
    marks.track === undefined ? !cell.isKnown : cell.handed[row >> BLOCK_BITS] !== marks.tick;
  const watch = (row: number): void => {
    if (isNew(row)) handOut(world, marks, cell, place, row);
  };
  const cell = new ListCell(watch);
  return {
    cell,
    // The constructor takes half as long as `subarray`.
    read: () => {
      const { row } = at;
      if (isNew(row)) watch(row);
      const list = new Kind(cell.buffer, cell.start + row * bytes, length);
      return marks.lend === undefined ? list : marks.lend(place, list);
    },
    write: (value) => {
      if (value?.length !== length) refuseField(marks.definition, place, value);
      cell.data.set(value, at.row * length);
      if (marks.track !== undefined) marks.mark();
    },
  };
}

/** An array of a row is handed out: what is written to it will be found. */
function handOut(world: World, marks: Marks, cell: ListCell, place: number, row: number): void {
  const { definition, archetype, track, tick } = marks;
  const handed = (world.graph.tracking.handed ??= new HandedArrays(world)) as HandedArrays;
  if (!cell.isKnown) handed.note(definition, place);
  cell.isKnown = true;
  if (track === undefined) return;
  const field = handed.fieldOf(archetype as Archetype, definition, place);
  if (field === undefined) return;
  field.handOut(row >> BLOCK_BITS, tick);
  cell.handed = field.state;
}
