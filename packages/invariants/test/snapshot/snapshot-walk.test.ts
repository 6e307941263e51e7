import { describe, expect, it } from "vitest";
import { snapshotWalk } from "../../src/snapshot/walk.ts";

const SEEDS = Array.from(
  { length: (process.env.TREELINE_BUILD === "shipped" ? 2 : 4) * Number(process.env.TREELINE_WALKS ?? 1) },
  (_, at) => at + 1,
);

describe("a world that went on after a snapshot and was restored is as one that never went on", () => {
  it.each(SEEDS)("in walk %i", (seed) => {
    const memory = seed % 4 === 3 ? "wasm" : "plain";

    expect(() => snapshotWalk({ seed, steps: [40, 30, 30], memory })).not.toThrow();
  });
});
