import { describe, expect, it } from "vitest";
import { numbersOf, replaceLanes, viewColumn } from "../../src/storage/lanes.ts";
import { columnOf, erasedIdOf, Shape } from "../../src/storage/shape.ts";
import { Everything, Thing } from "./everything.ts";
import { memories } from "./memory/memories.ts";

function openShape(create: (typeof memories)[number][1]): Shape {
  const definitions = [Everything, Thing].toSorted((one, other) => erasedIdOf(one) - erasedIdOf(other));
  const shape = new Shape(0, definitions, create());
  replaceLanes(shape.lanes, 32);
  return shape;
}

describe.each(memories)("a view of a column on %s memory", (_, create) => {
  it("has a typed array for each field, one row after the other", () => {
    const shape = openShape(create);
    const column = columnOf(shape, Everything)!;
    const list = column.fields.find(({ name }) => name === "threeF32")!;
    numbersOf(shape.lanes, list)[list.lane * shape.lanes.stride + 5 * 3 + 1] = 7;

    const view = viewColumn(shape, column) as { readonly [field: string]: Float32Array };

    expect(Object.keys(view)).toEqual(Everything.fields.map(([name]) => name));
    expect([view.f32!.length, view.threeF32![5 * 3 + 1]]).toEqual([32, 7]);
  });

  it("is the list itself for a component without schema", () => {
    const shape = openShape(create);

    expect(viewColumn(shape, columnOf(shape, Thing)!)).toBe(shape.lanes.objects[0]);
  });

  it("is made once for each layout", () => {
    const shape = openShape(create);
    const column = columnOf(shape, Everything)!;
    const view = viewColumn(shape, column);

    expect(viewColumn(shape, column)).toBe(view);
    replaceLanes(shape.lanes, 64, () => {});

    const next = viewColumn(shape, column) as { readonly f32: Float32Array };
    expect(next === view).toBe(false);
    expect(next.f32.length).toBe(64);
  });
});
