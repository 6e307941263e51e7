// Where accessors of a field find its columns, by number of an archetype (`keepColumn`), and whether writes are plain.
import type { Definition } from "../id/definition.ts";
import type { Numbers } from "../id/field.ts";
import { columnOfField, type LaneField, type Lanes } from "./lanes.ts";

/** The column of a field: index = row in the lanes (times length); a list of a field of the kind `value`. */
export type FieldColumn = Numbers | unknown[];

/**
 * Where accessors of one field of a component find it in one world. Columns are kept when an accessor first asks for them, and forgotten
 * when the lanes get other typed arrays: so a column that is here is the present one.
 */
export class FieldColumns {
  readonly definition: Definition;
  /** By number of an archetype; absent where the archetype lacks the component. Of a sparse component: at 0, that of its store. */
  readonly byArchetype: (FieldColumn | undefined)[] = [];
  /**
   * While this is the `epoch` of the world's events, the component has no hooks, and no observer of `set` may match it: a write needs
   * no more than the column, unless a command is deferred.
   */
  plainEpoch = -1;
  /** At that epoch: ticks of writes are kept. */
  isTracked = false;

  constructor(definition: Definition) {
    this.definition = definition;
  }
}

/**
 * Keeps a column until the lanes get other typed arrays. @returns it.
 *
 * @param archetype the number of the one whose lanes they are; 0 for those of a sparse store.
 */
export function keepColumn(
  { byArchetype }: FieldColumns,
  archetype: number,
  lanes: Lanes,
  field: LaneField,
): FieldColumn {
  const column = columnOfField(lanes, field);
  while (byArchetype.length <= archetype) byArchetype.push(undefined);
  byArchetype[archetype] = column;
  lanes.kept ??= [];
  lanes.kept.push({ list: byArchetype, place: archetype });
  return column;
}
