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

  it.each([
    [66, "packing with a budget counted types of the future that was given up"],
    [83, "the same, between two changes of parents"],
    [96, "changes of disabled entities counted as read by queries made since"],
    [100, "the same, where the entity is enabled by losing its parent"],
    [
      70,
      "only one of the worlds was verified, so one read later what had moved, and listed it in another order",
    ],
  ])("in walk %i, where %s", (seed) => {
    expect(() => snapshotWalk({ seed, steps: [40, 30, 30], isRequiring: false })).not.toThrow();
  });
});
