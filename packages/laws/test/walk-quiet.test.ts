import { describe, expect, it, vi } from "vitest";
import type { Feature } from "../src/features.ts";
import { seedGroups } from "../src/seeds.ts";
import { walk } from "../src/walk.ts";

vi.mock("../src/features.ts", async () => {
  const { LOUD } = await import("../src/quiet.ts");
  return { isOn: (feature: Feature) => feature !== "parent storage" && !LOUD.has(feature) };
});

describe("random walks in quiet worlds of ChildOf, and on a naive twin", () => {
  it.each(seedGroups(80, "plain"))(
    "stay lawful from seed $from to $to",
    { timeout: 120_000 },
    ({ walks }) => {
      for (const options of walks) expect(walk(options)).toEqual({ lawful: true });
    },
  );
});
