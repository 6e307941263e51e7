import { describe, expect, it, vi } from "vitest";
import type { Feature } from "../../src/base/features.ts";
import { seedGroups } from "../../src/walk/seeds.ts";
import { walk } from "../../src/walk/walk.ts";

vi.mock("../../src/base/features.ts", async () => {
  const { OBSERVING_FEATURES } = await import("../../src/base/unobserved.ts");
  return { isOn: (feature: Feature) => feature !== "parent storage" && !OBSERVING_FEATURES.has(feature) };
});

describe("random walks in unobserved worlds of ChildOf, and on a naive twin", () => {
  it.each(seedGroups(10 * Number(process.env.TREELINE_WALKS ?? 1), "plain"))(
    "keep every invariant from seed $from to $to",
    ({ walks }) => {
      for (const options of walks) expect(walk(options)).toEqual({ holds: true });
    },
  );
});
