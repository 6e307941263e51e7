import { describe, expect, it } from "vitest";
import { array, bool, component, f32, f64, i16, tag, u8 } from "../../src/index.ts";
import { type Column, planLanes } from "../../src/storage/lanes.ts";
import { Damage } from "../definitions.ts";
import { Everything, Thing } from "./everything.ts";

const Position = component("Position", { x: f32, y: f32 });
const Matrix = component("Matrix", { cells: array(f32, 16), scale: f32 });
const Small = component("Small", { count: u8, on: bool, short: i16, long: f64 });

function subjectsOf(...definitions: Column["definition"][]): Pick<Column, "definition" | "occurrence">[] {
  return definitions.map((definition) => ({ definition, occurrence: 0 }));
}

describe("planLanes", () => {
  it("keeps one lane of four bytes for entity indexes when there is nothing else", () => {
    const plan = planLanes([]);

    expect(plan).toMatchObject({
      columns: [],
      lanes: [1, 0, 0, 0, 0, 1],
      objects: 0,
      plain: true,
    });
  });

  it("gives each field a lane behind the entity indexes", () => {
    const { columns } = planLanes(subjectsOf(Position));

    expect(columns[0]!.fields.map(({ name, lane }) => [name, lane])).toEqual([
      ["x", 1],
      ["y", 2],
    ]);
  });

  it("counts lanes for each width separately", () => {
    const plan = planLanes(subjectsOf(Small, Position));

    expect(plan.lanes).toEqual([3, 1, 1, 2, 0, 3]);
    expect(plan.plain).toBe(false);
  });

  it("puts lists behind all single numbers, as many lanes as they have numbers", () => {
    const plan = planLanes(subjectsOf(Matrix, Position));

    expect(plan.scalars4).toBe(4);
    expect(plan.lanes[0]).toBe(20);
    expect(plan.others.map(({ name, lane, length }) => [name, lane, length])).toEqual([["cells", 4, 16]]);
  });

  it("gives no two fields the same lane", () => {
    const { columns } = planLanes(subjectsOf(Everything, Position, Matrix, Small));
    const taken = columns.flatMap(({ fields }) =>
      fields.flatMap(({ width, lane, length }) =>
        Array.from({ length }, (_, place) => `${width} bytes, lane ${lane + place}`),
      ),
    );

    expect(new Set([...taken, "4 bytes, lane 0"]).size).toBe(taken.length + 1);
  });

  it("numbers the lists of JavaScript values", () => {
    const Other = component<object>("Other");

    const { columns, objects, plain } = planLanes(subjectsOf(Thing, Position, Other));

    expect(columns.map(({ objectSlot }) => objectSlot)).toEqual([0, -1, 1]);
    expect([objects, plain]).toEqual([2, false]);
  });

  it("gives each pair with data of one relation a column of its own", () => {
    const { columns } = planLanes([
      { definition: Damage, occurrence: 0 },
      { definition: Damage, occurrence: 1 },
    ]);

    expect(columns.map(({ occurrence, fields }) => [occurrence, fields[0]!.lane])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("needs no lane for a definition without fields", () => {
    expect(planLanes(subjectsOf(tag("Frozen"))).lanes[0]).toBe(1);
  });
});
