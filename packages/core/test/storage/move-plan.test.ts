import { describe, expect, it } from "vitest";
import { component, type Definition, f32, f64, i32 } from "../../src/index.ts";
import { copyAcross, type MovePlan, planMove } from "../../src/storage/copy-rows.ts";
import { type Column, Lanes, numbersOf, planLanes, replaceLanes } from "../../src/storage/lanes.ts";
import { Label } from "../definitions.ts";
import { Everything, readRow, rowText, Thing, writeRow } from "./everything.ts";
import { memories } from "./memory/memories.ts";

const Position = component("Position", { x: f32, y: f32 });
const Clock = component("Clock", { at: f64, ticks: i32 });

function lanesOf(create: (typeof memories)[number][1], ...definitions: Definition[]): Lanes {
  const plan = planLanes(definitions.map((definition) => ({ definition, occurrence: 0 })));
  const lanes = new Lanes(plan, create());
  replaceLanes(lanes, 32);
  for (let row = 0; row < 32; row++) writeRow(lanes, row, row + 1);
  return lanes;
}

function columnOf(lanes: Lanes, definition: Definition): Column | undefined {
  return lanes.plan.columns.find((column) => column.definition === definition);
}

/** The plan for all columns that both have. */
function planBetween(from: Lanes, to: Lanes): MovePlan {
  return planMove(from.plan.columns, to.plan.columns);
}

/** The values of one component in one row. */
function valuesOf(lanes: Lanes, definition: Definition, row: number): unknown[] {
  const { fields, objectSlot } = columnOf(lanes, definition)!;
  if (objectSlot >= 0) return [lanes.objects[objectSlot]![row]];
  return fields.map((field) => numbersOf(lanes, field)[field.lane * lanes.stride + row * field.length]);
}

describe.each(memories)("a move between archetypes on %s memory", (_, create) => {
  it("copies every kind of column, wherever it is on the other side", () => {
    const from = lanesOf(create, Everything, Thing);
    const to = lanesOf(create, Position, Label, Thing, Clock, Everything);

    copyAcross(planBetween(from, to), from, 7, to, 21);

    const back = lanesOf(create, Everything, Thing);
    copyAcross(planBetween(to, back), to, 21, back, 0);
    back.i32[0] = 8;
    expect(readRow(back, 0)).toBe(rowText(back, 8));
  });

  it("sets columns that the row did not have to their defaults", () => {
    const from = lanesOf(create, Position);
    const to = lanesOf(create, Position, Clock, Label);

    copyAcross(planBetween(from, to), from, 7, to, 21);

    expect(valuesOf(to, Position, 21)).toEqual(valuesOf(from, Position, 7));
    expect([valuesOf(to, Clock, 21), valuesOf(to, Label, 21)]).toEqual([[0, 0], [undefined]]);
  });

  it("drops values for which the other side has no column", () => {
    const from = lanesOf(create, Clock, Position, Label);
    const to = lanesOf(create, Position);

    copyAcross(planBetween(from, to), from, 7, to, 21);

    expect(valuesOf(to, Position, 21)).toEqual(valuesOf(from, Position, 7));
  });

  it("does not copy the entity's index, and changes no other row", () => {
    const from = lanesOf(create, Everything, Thing);
    const to = lanesOf(create, Clock, Everything);

    copyAcross(planBetween(from, to), from, 7, to, 21);

    expect(to.i32[21]).toBe(22);
    const others = Array.from({ length: 32 }, (__, row) => row).filter((row) => row !== 21);
    expect(others.map((row) => readRow(to, row))).toEqual(others.map((row) => rowText(to, row + 1)));
  });
});

describe("planMove", () => {
  const [, create] = memories[0]!;

  it("clears first only where something is not filled", () => {
    const small = lanesOf(create, Position);
    const large = lanesOf(create, Position, Clock);

    expect([planBetween(small, large).clears, planBetween(large, small).clears]).toEqual([true, false]);
  });
});
