import { describe, expect, it } from "vitest";
import { component, f32, type KindName, type Memory, type Numbers } from "../../src/index.ts";
import { clearRow, copyNumbers, copyRow } from "../../src/storage/copy-rows.ts";
import {
  bytesOfLanes,
  columnOfField,
  type LanePlan,
  Lanes,
  numbersOf,
  planLanes,
  replaceLanes,
} from "../../src/storage/lanes.ts";
import { Everything, readRow, rowText, Thing, writeRow } from "./everything.ts";
import { counting, memories } from "./memory/memories.ts";

const Position = component("Position", { x: f32, y: f32 });

const everything: LanePlan = planLanes([
  { definition: Everything, occurrence: 0 },
  { definition: Thing, occurrence: 0 },
]);

function opened(memory: Memory, capacity: number, plan: LanePlan = everything): Lanes {
  const lanes = new Lanes(plan, memory);
  replaceLanes(lanes, capacity);
  return lanes;
}

function fieldOf(lanes: Lanes, kind: KindName) {
  return lanes.plan.columns[0]!.fields.find((field) => field.kind === kind && field.length === 1)!;
}

describe.each(memories)("lanes on %s memory", (_, createMemory) => {
  it("hold every value of every kind in every row, apart from all others", () => {
    const lanes = opened(createMemory(), 48);

    for (let row = 0; row < 48; row++) writeRow(lanes, row, row + 1);

    const rows = Array.from({ length: 48 }, (__, row) => readRow(lanes, row));
    expect(rows).toEqual(rows.map((___, row) => rowText(lanes, row + 1)));
  });

  it.each([
    ["f32", Float32Array],
    ["f64", Float64Array],
    ["i8", Int8Array],
    ["u8", Uint8Array],
    ["i16", Int16Array],
    ["u16", Uint16Array],
    ["i32", Int32Array],
    ["u32", Uint32Array],
    ["bool", Uint8Array],
    ["entity", Float64Array],
  ] as const)("show a field of kind %s as a %o", (kind, Kind) => {
    const lanes = opened(createMemory(), 16);

    expect(numbersOf(lanes, fieldOf(lanes, kind))).toBeInstanceOf(Kind);
    expect(columnOfField(lanes, fieldOf(lanes, kind))).toBeInstanceOf(Kind);
  });

  it.each([16, 32, 48, 112, 240, 1008, 1024, 4080])(
    "start each lane on a 16-byte border, with %i rows",
    (capacity) => {
      const lanes = opened(createMemory(), capacity);

      const offsets = everything.columns[0]!.fields.filter(({ slot }) => slot < 0).map(
        (field) => (columnOfField(lanes, field) as Numbers).byteOffset % 16,
      );

      expect(offsets.filter((offset) => offset !== 0)).toEqual([]);
      expect([lanes.i32, lanes.f64, lanes.i16, lanes.i8].map(({ byteOffset }) => byteOffset % 16)).toEqual([
        0, 0, 0, 0,
      ]);
    },
  );

  it("give a column of one number a row, and of a list as many as it has", () => {
    const lanes = opened(createMemory(), 32);
    const lengths = Object.fromEntries(
      everything.columns[0]!.fields.map((field) => [field.name, columnOfField(lanes, field).length]),
    );

    expect(lengths).toMatchObject({
      f32: 32,
      bool: 32,
      entity: 32,
      threeF32: 96,
      fiveU8: 160,
      sixteenF32: 512,
    });
  });

  it("copy a row with its entity and touch no other", () => {
    const lanes = opened(createMemory(), 64);
    for (let row = 0; row < 64; row++) writeRow(lanes, row, row + 1);

    copyRow(lanes, 57, 41);

    const rows = Array.from({ length: 64 }, (__, row) => readRow(lanes, row));
    expect(rows).toEqual(rows.map((___, row) => rowText(lanes, row === 41 ? 58 : row + 1)));
  });

  it("copy a row that has four-byte numbers only", () => {
    const lanes = opened(createMemory(), 16, planLanes([{ definition: Position, occurrence: 0 }]));
    for (let row = 0; row < 16; row++) writeRow(lanes, row, row + 1);

    copyRow(lanes, 15, 0);

    expect([readRow(lanes, 0), readRow(lanes, 1)]).toEqual([rowText(lanes, 16), rowText(lanes, 2)]);
  });

  it("clear a row to its defaults, but for its entity, and touch no other", () => {
    const lanes = opened(createMemory(), 64);
    for (let row = 0; row < 64; row++) writeRow(lanes, row, row + 1);

    clearRow(lanes, 41);

    const fields = everything.columns[0]!.fields.map(({ name, length, slot }) =>
      slot < 0 ? `${name}: ${Array(length).fill(0).join(" ")}` : "",
    );
    const others = Array.from({ length: 64 }, (__, row) => row).filter((row) => row !== 41);
    expect(readRow(lanes, 41)).toBe([42, ...fields, ""].join(", "));
    expect(lanes.objects[0]![41]).toBeUndefined();
    expect(others.map((row) => readRow(lanes, row))).toEqual(others.map((row) => rowText(lanes, row + 1)));
  });

  it("copy one field from row to row, also of other lanes", () => {
    const memory = createMemory();
    const source = opened(memory, 16);
    const target = opened(memory, 64);
    const list = everything.others.find(({ name }) => name === "threeF32")!;
    for (let row = 0; row < 16; row++) writeRow(source, row, row + 1);
    clearRow(target, 40);

    copyNumbers(source, list, 3, target, list, 40);

    const from = (columnOfField(source, list) as Numbers).subarray(9, 12);
    expect([...(columnOfField(target, list) as Numbers).subarray(120, 123)]).toEqual([...from]);
  });

  it("pass the old rows when they move to other buffers, and free the old ones after it", () => {
    const memory = counting(createMemory());
    const lanes = opened(memory, 16);
    for (let row = 0; row < 16; row++) writeRow(lanes, row, row + 1);
    const { allocations, bytes } = memory;
    const texts: string[] = [];
    let freesBefore = -1;

    replaceLanes(lanes, 64, (old) => {
      for (let row = 0; row < 16; row++) texts.push(readRow(old, row));
      freesBefore = memory.frees;
    });

    expect(texts).toEqual(texts.map((__, row) => rowText(lanes, row + 1)));
    expect([freesBefore, memory.frees, memory.allocations]).toEqual([0, allocations, allocations * 2]);
    expect([lanes.capacity, memory.bytes > bytes]).toEqual([64, true]);
  });

  it("hold nothing once they are closed, and have freed all buffers", () => {
    const memory = counting(createMemory());
    const lanes = opened(memory, 16);

    replaceLanes(lanes, 0);

    expect([lanes.capacity, memory.bytes, memory.frees]).toEqual([0, 0, memory.allocations]);
    expect([lanes.i32.length, lanes.f64.length, lanes.objects[0]!.length]).toEqual([0, 0, 0]);
  });

  it("take one buffer for each width, however many fields there are", () => {
    const memory = counting(createMemory());

    opened(memory, 16);

    expect(memory.allocations).toBe(4);
  });

  it("take no buffer for a width that no field has", () => {
    const memory = counting(createMemory());

    opened(memory, 16, planLanes([{ definition: Position, occurrence: 0 }]));

    expect(memory.allocations).toBe(1);
  });

  it("count their bytes, eight for a JavaScript value", () => {
    const memory = counting(createMemory());

    const lanes = opened(memory, 16);

    expect(bytesOfLanes(lanes)).toBe(memory.bytes + 2 * 16 * 8);
  });

  it("have another version whenever their typed arrays are others", () => {
    const lanes = new Lanes(everything, createMemory());
    const versions = [lanes.version];

    replaceLanes(lanes, 16);
    versions.push(lanes.version);
    replaceLanes(lanes, 32, () => {});
    versions.push(lanes.version);
    replaceLanes(lanes, 0);
    versions.push(lanes.version);

    expect(new Set(versions).size).toBe(4);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
  });
});

describe("lanes on a WebAssembly memory that moves", () => {
  const [, createMemory] = memories[1]!;

  it("stay right, and are other typed arrays", () => {
    const memory = createMemory();
    const lanes = opened(memory, 16);
    for (let row = 0; row < 16; row++) writeRow(lanes, row, row + 1);
    const { version, i32 } = lanes;

    memory.allocate(1_000_000, () => {});

    const rows = Array.from({ length: 16 }, (__, row) => readRow(lanes, row));
    expect(rows).toEqual(rows.map((___, row) => rowText(lanes, row + 1)));
    expect([lanes.version > version, lanes.i32 !== i32]).toEqual([true, true]);
  });

  it("stay right when their own growth is what moves it", () => {
    const lanes = opened(createMemory(), 16);
    for (let row = 0; row < 16; row++) writeRow(lanes, row, row + 1);

    replaceLanes(lanes, 4096, (old) => {
      for (let row = 0; row < 16; row++) {
        expect(readRow(old, row)).toBe(rowText(lanes, row + 1));
        writeRow(lanes, row + 4000, row + 1);
      }
    });

    const rows = Array.from({ length: 16 }, (__, row) => readRow(lanes, row + 4000));
    expect(rows).toEqual(rows.map((___, row) => rowText(lanes, row + 1)));
  });
});
