import type { Definition } from "../id/definition.ts";
import type { KindName } from "../id/field.ts";

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
