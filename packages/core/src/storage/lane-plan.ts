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

/** What lies where in the buffers of a shape; independent of how many rows there are. */
export interface LanePlan {
  readonly columns: readonly Column[];
  /** One-number lanes of 4, 8, 2 and 1 bytes, from lane 0 on; lane 0 of the 4-byte buffer holds entity indexes. */
  readonly scalars4: number;
  readonly scalars8: number;
  readonly scalars2: number;
  readonly scalars1: number;
  /** Lanes in all of 4, 8, 2 and 1 bytes; an `array` field of n numbers counts n. */
  readonly lanes4: number;
  readonly lanes8: number;
  readonly lanes2: number;
  readonly lanes1: number;
  /** The `array` fields, which lie behind the one-number lanes of their width. */
  readonly arrays: readonly LaneField[];
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
  const scalars = new Map([
    [4, 1],
    [8, 0],
    [2, 0],
    [1, 0],
  ]);
  for (const { definition } of sources) {
    for (const [, field] of definition.fields) {
      if (field.length === 1) scalars.set(field.width, scalars.get(field.width)! + 1);
    }
  }
  const nextScalar = new Map([
    [4, 1],
    [8, 0],
    [2, 0],
    [1, 0],
  ]);
  const nextArray = new Map(scalars);
  const arrays: LaneField[] = [];
  const entities: number[] = [];
  let objects = 0;

  const columns = sources.map(({ definition, occurrence }): Column => {
    const fields = definition.fields.map(([name, { kind, width, length, isList }]): LaneField => {
      const next = length === 1 ? nextScalar : nextArray;
      const lane = next.get(width)!;
      next.set(width, lane + length);
      const field = { name, kind, width, length, isList, lane };
      if (length > 1) arrays.push(field);
      if (kind === "entity") entities.push(lane);
      return field;
    });
    const objectSlot = definition.holds === "values" ? objects++ : -1;
    return { definition, occurrence, fields, objectSlot, view: undefined, viewVersion: -1 };
  });

  const lanesOf = (width: number): number => nextArray.get(width)!;
  return {
    columns,
    scalars4: scalars.get(4)!,
    scalars8: scalars.get(8)!,
    scalars2: scalars.get(2)!,
    scalars1: scalars.get(1)!,
    lanes4: lanesOf(4),
    lanes8: lanesOf(8),
    lanes2: lanesOf(2),
    lanes1: lanesOf(1),
    arrays,
    objects,
    entities,
    plain: arrays.length === 0 && objects === 0 && lanesOf(8) + lanesOf(2) + lanesOf(1) === 0,
  };
}
