import { describe, expect, it } from "vitest";
import { seedGroups } from "../../src/walk/seeds.ts";
import { walk } from "../../src/walk/walk.ts";

/** The bundles have fewer invariants to verify, and the walks have already run on the sources. */
const SEEDS = (process.env.TREELINE_BUILD === "shipped" ? 10 : 40) * Number(process.env.TREELINE_WALKS ?? 1);

describe("random walks on plain memory and on a naive twin", () => {
  it.each(seedGroups(SEEDS, "plain"))("keep every invariant from seed $from to $to", ({ walks }) => {
    for (const options of walks) expect(walk(options)).toEqual({ holds: true });
  });
});
