import type { Numbers } from "../id/field.ts";
import type { Column } from "./lane-plan.ts";
import { columnOfField } from "./lanes.ts";
import type { Shape } from "./shape.ts";

/**
 * A column as users see it: one typed array per field, index = absolute row (times length); or the list of
 * JavaScript values. Made once per layout of the shape.
 */
export function viewColumn(shape: Shape, column: Column): unknown {
  const { lanes, views } = shape;
  if (shape.viewsVersion !== lanes.version) {
    views.clear();
    shape.viewsVersion = lanes.version;
  }
  let view = views.get(column);
  if (view === undefined) {
    if (column.objectSlot >= 0) view = lanes.objects[column.objectSlot];
    else {
      const fields: { [name: string]: Numbers } = {};
      for (const field of column.fields) fields[field.name] = columnOfField(lanes, field);
      view = fields;
    }
    views.set(column, view);
  }
  return view;
}
