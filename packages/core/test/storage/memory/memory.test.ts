import { afterEach, describe, expect, it, vi } from "vitest";
import { type Block, plainMemory, webAssemblyMemory } from "../../../src/index.ts";
import { createDice } from "../../dice.ts";
import { memories } from "./memories.ts";

const PAGE = 65_536;

function ignore(): void {}

function fill(block: Block, value: number): void {
  new Uint8Array(block.buffer, block.offset, block.bytes).fill(value);
}

function holdsOnly(block: Block, value: number): boolean {
  return new Uint8Array(block.buffer, block.offset, block.bytes).every((byte) => byte === value);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(memories)("%s memory", (_, createMemory) => {
  it("returns blocks of at least the requested bytes, on a 16-byte border", () => {
    const memory = createMemory();

    const blocks = [1, 15, 16, 17, 1000, 70_000].map((bytes) => memory.allocate(bytes, ignore));

    expect(blocks.map(({ offset }) => offset % 16)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(blocks.every(({ bytes }, at) => bytes >= [1, 15, 16, 17, 1000, 70_000][at]!)).toBe(true);
  });

  it("keeps blocks apart from one another, whatever is freed between (I2)", () => {
    const memory = createMemory();
    const dice = createDice(7);
    const blocks: { block: Block; value: number }[] = [];

    for (let step = 0; step < 2000; step++) {
      if (blocks.length > 40 || (blocks.length > 0 && dice.chance(0.4))) {
        const [{ block }] = blocks.splice(dice.below(blocks.length), 1) as [{ block: Block; value: number }];
        memory.free(block);
      } else {
        const block = memory.allocate(1 + dice.below(5000), ignore);
        blocks.push({ block, value: step % 256 });
        fill(block, step % 256);
      }
    }

    expect(blocks.filter(({ block, value }) => !holdsOnly(block, value))).toEqual([]);
  });

  describe("the stride of its lanes", () => {
    const capacities = Array.from({ length: 8192 }, (__, at) => (at + 1) * 16);
    const large = [2 ** 20, 2 ** 20 - 16, 2 ** 24 - 16, 2 ** 24, 3 * 2 ** 22];
    const strides = [...capacities, ...large].map((capacity) => {
      return { capacity, stride: createMemory().strideOf(capacity) };
    });

    it("has room for all rows, and not for many more", () => {
      const wrong = strides.filter(({ capacity, stride }) => stride < capacity || stride > capacity + 512);

      expect(wrong.slice(0, 3)).toEqual([]);
    });

    it("is a multiple of 16, so that each lane of each width starts on a 16-byte border", () => {
      expect(strides.filter(({ stride }) => stride % 16 !== 0).slice(0, 3)).toEqual([]);
    });

    it("is never a power of two", () => {
      expect(strides.filter(({ stride }) => Number.isInteger(Math.log2(stride))).slice(0, 3)).toEqual([]);
    });

    it("is never a multiple of 1,024", () => {
      expect(strides.filter(({ stride }) => stride % 1024 === 0).slice(0, 3)).toEqual([]);
    });
  });
});

describe("plain memory", () => {
  it("gives each block a buffer of its own", () => {
    const memory = plainMemory();

    const one = memory.allocate(64, ignore);
    const other = memory.allocate(64, ignore);

    expect(one.buffer).not.toBe(other.buffer);
  });

  it("detaches a freed buffer in checked builds, so that stale views read nothing", () => {
    const memory = plainMemory();
    const block = memory.allocate(64, ignore);
    const view = new Float32Array(block.buffer);

    memory.free(block);

    expect([view.length, block.buffer.byteLength]).toEqual([0, 0]);
  });

  it("never moves a block", () => {
    const memory = plainMemory();
    const moved = vi.fn();
    memory.allocate(64, moved);

    for (let count = 0; count < 100; count++) memory.allocate(PAGE, ignore);

    expect(moved).not.toHaveBeenCalled();
  });
});

describe("WebAssembly memory", () => {
  it("is one memory object that can be passed to kernels", () => {
    const memory = webAssemblyMemory();

    const blocks = [memory.allocate(64, ignore), memory.allocate(4096, ignore)];

    const { buffer } = memory.memory as { readonly buffer: ArrayBuffer };
    expect(blocks.map((block) => block.buffer === buffer)).toEqual([true, true]);
    expect(Object.prototype.toString.call(memory.memory)).toBe("[object WebAssembly.Memory]");
  });

  it("reserves the given size, and does not move while that is enough", () => {
    const memory = webAssemblyMemory({ bytes: 4 * PAGE });
    const before = memory.memory;

    for (let count = 0; count < 4; count++) memory.allocate(PAGE, ignore);

    expect((before as { readonly buffer: ArrayBuffer }).buffer.byteLength).toBe(4 * PAGE);
    expect(memory.memory).toBe(before);
  });

  it("moves everything to a larger memory when it is full, and notifies each block in use once", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const calls: string[] = [];
    const freed = memory.allocate(1024, () => calls.push("freed"));
    const one = memory.allocate(1024, () => calls.push("one"));
    const other = memory.allocate(2048, () => calls.push("other"));
    fill(one, 11);
    fill(other, 22);
    memory.free(freed);
    const offsets = [one.offset, other.offset];
    const before = memory.memory;

    const large = memory.allocate(PAGE, () => calls.push("large"));

    expect(memory.memory).not.toBe(before);
    expect(calls).toEqual(["one", "other"]);
    expect([one.offset, other.offset]).toEqual(offsets);
    expect([one.buffer === large.buffer, holdsOnly(one, 11), holdsOnly(other, 22)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("has moved the buffer before it notifies the block", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    let seen: ArrayBuffer | undefined;
    const block: Block = memory.allocate(64, () => {
      seen = block.buffer;
    });

    memory.allocate(PAGE, ignore);

    expect(seen).toBe((memory.memory as { readonly buffer: ArrayBuffer }).buffer);
  });

  it("never grows in place nor detaches the old memory", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const block = memory.allocate(64, ignore);
    const { buffer } = block;

    memory.allocate(PAGE, ignore);

    expect(buffer.byteLength).toBe(PAGE);
  });

  it("at least doubles, so that moving is rare", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const seen = new Set([memory.memory]);

    for (let count = 0; count < 1024; count++) {
      memory.allocate(PAGE / 4, ignore);
      seen.add(memory.memory);
    }

    expect(seen.size).toBeLessThanOrEqual(10);
  });

  it.each([
    ["in order", [0, 1, 2, 3]],
    ["backwards", [3, 2, 1, 0]],
    ["the middle last", [0, 3, 1, 2]],
    ["the ends last", [1, 2, 0, 3]],
    ["every other", [1, 3, 0, 2]],
  ])("joins adjacent gaps, freed %s, and can allocate the whole again", (_, order) => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const blocks = [1, 2, 3, 4].map(() => memory.allocate(PAGE / 4, ignore));
    const before = memory.memory;

    for (const at of order) memory.free(blocks[at]!);
    const whole = memory.allocate(PAGE, ignore);

    expect(memory.memory).toBe(before);
    expect(whole.offset).toBe(0);
  });

  it("joins the additional bytes of a larger memory to the gap at the end of the smaller one", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    memory.allocate(16, ignore);
    memory.allocate(PAGE + 8192, ignore);
    const before = memory.memory;

    memory.allocate(PAGE + PAGE / 2, ignore);

    expect(memory.memory).toBe(before);
  });

  it("reuses freed blocks, so that allocation and freeing take no more memory", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const before = memory.memory;
    const dice = createDice(19);
    const blocks: Block[] = [];

    for (let step = 0; step < 20_000; step++) {
      if (blocks.length === 8) memory.free(blocks.splice(dice.below(8), 1)[0]!);
      else blocks.push(memory.allocate(16 + dice.below(2000), ignore));
    }

    expect(memory.memory).toBe(before);
  });

  it("refuses what the engine cannot allocate as capacity, and continues as before", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const block = memory.allocate(1024, ignore);
    fill(block, 5);

    expect(() => memory.allocate(2 ** 34, ignore)).toThrow(expect.objectContaining({ code: "capacity" }));

    const next = memory.allocate(1024, ignore);
    expect([next.buffer === block.buffer, next.offset, holdsOnly(block, 5)]).toEqual([true, 1024, true]);
  });

  it("can still grow after it has refused what the engine cannot allocate", () => {
    const memory = webAssemblyMemory({ bytes: PAGE });
    const block = memory.allocate(1024, ignore);
    fill(block, 5);
    expect(() => memory.allocate(2 ** 34, ignore)).toThrow(expect.objectContaining({ code: "capacity" }));

    const larger = memory.allocate(2 * PAGE, ignore);
    fill(larger, 6);

    expect([larger.offset, holdsOnly(block, 5), holdsOnly(larger, 6)]).toEqual([1024, true, true]);
    expect(larger.buffer.byteLength).toBeLessThanOrEqual(4 * PAGE);
  });

  it("is refused as capacity by an engine without WebAssembly", () => {
    vi.stubGlobal("WebAssembly", undefined);

    expect(() => webAssemblyMemory()).toThrow(expect.objectContaining({ code: "capacity" }));
  });

  it("grows by less than double where that is all that is available", () => {
    const requests: number[] = [];
    vi.stubGlobal("WebAssembly", {
      Memory: class {
        readonly buffer = new ArrayBuffer(PAGE);
        constructor({ initial }: { initial: number }) {
          requests.push(initial);
          if (initial > 65_536) throw new RangeError("too much");
        }
      },
    });
    const memory = webAssemblyMemory({ bytes: 40_000 * PAGE });
    memory.allocate(40_000 * PAGE, ignore);
    memory.allocate(PAGE, ignore);

    expect(requests.at(-1)).toBe(65_536);
  });
});
