import { describe, expect, it } from "vitest";
import { growAll, grownInt32 } from "../../src/base/growing.ts";

function grownAlone(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array {
  const record = { array };
  growAll(record, length);
  return record.array;
}

describe.each([
  ["grownInt32", (length: number) => new Int32Array(length), grownInt32] as const,
  ["growAll", (length: number) => new Uint32Array(length), grownAlone] as const,
])("%s", (_, create, grown) => {
  const grow = grown as <Numbers extends Int32Array | Uint32Array>(array: Numbers, length: number) => Numbers;

  it("returns the array itself while it is long enough", () => {
    const array = create(8);

    expect(grow(array, 8)).toBe(array);
  });

  it("copies the old numbers into a longer array and fills the rest with 0", () => {
    const array = create(3);
    array.set([7, 8, 9]);

    const longer = grow(array, 4);

    expect(longer).not.toBe(array);
    expect(longer.constructor).toBe(array.constructor);
    expect([...longer.subarray(0, 6)]).toEqual([7, 8, 9, 0, 0, 0]);
  });

  it("has room for any number of items", () => {
    expect(grow(create(0), 1).length).toBeGreaterThanOrEqual(1);
    expect(grow(create(16), 5000).length).toBeGreaterThanOrEqual(5000);
  });

  it("copies rarely while it grows to many numbers", () => {
    let array: Int32Array | Uint32Array = create(0);
    let copies = 0;

    for (let length = 1; length <= 1_000_000; length++) {
      const next = grow(array, length);
      if (next !== array) copies++;
      array = next;
    }

    expect(copies).toBeLessThan(40);
    expect(array.length).toBeLessThanOrEqual(1_600_000);
  });
});
