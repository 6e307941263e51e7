import type { Numbers } from "../id/field.ts";
import type { Column } from "./lane-plan.ts";
import { columnOfField, type Lanes } from "./lanes.ts";
import type { Shape } from "./shape.ts";

/**
 * A column as users see it: one typed array per field, index = absolute row (times length); or the list of
 * JavaScript values. Made once per layout of the shape.
 */
export function viewColumn({ lanes }: Shape, column: Column): unknown {
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
