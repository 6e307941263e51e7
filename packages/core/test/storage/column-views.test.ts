import { describe, expect, it } from "vitest";
import { Archetype, columnOf, erasedIdOf } from "../../src/storage/archetype.ts";
import { numbersOf, replaceLanes, viewColumn } from "../../src/storage/lanes.ts";
import { Everything, Thing } from "./everything.ts";
import { memories } from "./memory/memories.ts";

function openArchetype(create: (typeof memories)[number][1]): Archetype {
  const definitions = [Everything, Thing].toSorted((one, other) => erasedIdOf(one) - erasedIdOf(other));
  const archetype = new Archetype(0, definitions, create());
  replaceLanes(archetype.lanes, 32);
  return archetype;
}

describe.each(memories)("a view of a column on %s memory", (_, create) => {
  it("has a typed array for each field, one row after the other", () => {
    const archetype = openArchetype(create);
    const column = columnOf(archetype, Everything)!;
    const list = column.fields.find(({ name }) => name === "threeF32")!;
    numbersOf(archetype.lanes, list)[list.lane * archetype.lanes.stride + 5 * 3 + 1] = 7;

    const view = viewColumn(archetype, column) as { readonly [field: string]: Float32Array };

    expect(Object.keys(view)).toEqual(Everything.fields.map(([name]) => name));
    expect([view.f32!.length, view.threeF32![5 * 3 + 1]]).toEqual([32, 7]);
  });

  it("is the list itself for a component without schema", () => {
    const archetype = openArchetype(create);

    expect(viewColumn(archetype, columnOf(archetype, Thing)!)).toBe(archetype.lanes.objects.at(-1));
  });

  it("is made once for each layout", () => {
    const archetype = openArchetype(create);
    const column = columnOf(archetype, Everything)!;
    const view = viewColumn(archetype, column);

    expect(viewColumn(archetype, column)).toBe(view);
    replaceLanes(archetype.lanes, 64, () => {});

    const next = viewColumn(archetype, column) as { readonly f32: Float32Array };
    expect(next === view).toBe(false);
    expect(next.f32.length).toBe(64);
  });
});
