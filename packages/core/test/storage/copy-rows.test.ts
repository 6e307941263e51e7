import { describe, expect, it } from "vitest";
import { component, f32, type Memory } from "../../src/index.ts";
import { copyRows, forgetRows, repeatRow } from "../../src/storage/copy-rows.ts";
import { type LanePlan, Lanes, planLanes, replaceLanes } from "../../src/storage/lanes.ts";
import { Everything, readRow, rowText, Thing, writeRow } from "./everything.ts";
import { memories } from "./memory/memories.ts";

const everything: LanePlan = planLanes([
  { definition: Everything, occurrence: 0 },
  { definition: Thing, occurrence: 0 },
]);
const plain: LanePlan = planLanes([{ definition: component("Position", { x: f32, y: f32 }), occurrence: 0 }]);

/** Lanes whose rows hold what `writeRow` writes for row + 1. */
function filled(memory: Memory, plan: LanePlan, capacity: number): Lanes {
  const lanes = new Lanes(plan, memory);
  replaceLanes(lanes, capacity);
  for (let row = 0; row < capacity; row++) writeRow(lanes, row, row + 1);
  return lanes;
}

function textOfRows(lanes: Lanes): string[] {
  return Array.from({ length: lanes.capacity }, (_, row) => readRow(lanes, row));
}

/** What `textOfRows` gives if row r holds what row `origin(r)` of filled lanes held. */
function expectedRows(lanes: Lanes, origin: (row: number) => number): string[] {
  return Array.from({ length: lanes.capacity }, (_, row) => rowText(lanes, origin(row) + 1));
}

/** A text of `textOfRows` or `expectedRows` but for the entity lane. */
function withoutEntity(text: string): string {
  return text.slice(text.indexOf(","));
}

const plans = [
  ["every kind of column", everything],
  ["four-byte numbers only", plain],
] as const;

describe.each(memories)("copyRows on %s memory", (_, createMemory) => {
  describe.each(plans)("with %s", (__, plan) => {
    it.each([
      ["one row", 1],
      ["a few rows", 31],
      ["many rows", 100],
    ])("copies %s within the same lanes, and touches no other", (___, count) => {
      const lanes = filled(createMemory(), plan, 256);

      copyRows(lanes, 10, lanes, 130, count);

      const inside = (row: number): boolean => row >= 130 && row < 130 + count;
      expect(textOfRows(lanes)).toEqual(expectedRows(lanes, (row) => (inside(row) ? row - 120 : row)));
    });

    it.each([
      ["a few rows", 5],
      ["many rows", 100],
    ])("copies %s downward within the same lanes", (___, count) => {
      const lanes = filled(createMemory(), plan, 128);

      copyRows(lanes, 3, lanes, 0, count);

      expect(textOfRows(lanes)).toEqual(expectedRows(lanes, (row) => (row < count ? row + 3 : row)));
    });

    it.each([
      ["a few rows", 5],
      ["many rows", 100],
    ])("copies %s into other lanes of the plan, which may be longer", (___, count) => {
      const memory = createMemory();
      const source = filled(memory, plan, 128);
      const target = filled(memory, plan, 512);

      copyRows(source, 20, target, 400, count);

      const inside = (row: number): boolean => row >= 400 && row < 400 + count;
      expect(textOfRows(target)).toEqual(expectedRows(target, (row) => (inside(row) ? row - 380 : row)));
    });
  });
});

describe.each(memories)("repeatRow on %s memory", (_, createMemory) => {
  describe.each(plans)("with %s", (__, plan) => {
    it.each([
      ["one row", 1],
      ["a few rows", 5],
      ["many rows", 100],
    ])("writes the values of a row into %s, keeps the entity of each, and changes no other", (___, count) => {
      const lanes = filled(createMemory(), plan, 256);

      repeatRow(lanes, 40, count);

      const expected = expectedRows(lanes, (row) => (row >= 40 && row < 40 + count ? 40 : row));
      expect(textOfRows(lanes).map(withoutEntity)).toEqual(expected.map(withoutEntity));
      expect([...lanes.i32.subarray(0, 256)]).toEqual(Array.from({ length: 256 }, (____, row) => row + 1));
    });
  });
});

describe("forgetRows", () => {
  it("clears the JavaScript values of some rows and of no other", () => {
    const [, createMemory] = memories[0]!;
    const lanes = filled(createMemory(), everything, 16);

    forgetRows(lanes, 4, 7);

    const left = lanes.objects[0]!.flatMap((value, row) => (value === undefined ? [row] : []));
    expect(left).toEqual([4, 5, 6]);
  });
});
