import { describe, expect, it } from "vitest";
import { namesWalk } from "../../src/walk/names-walk.ts";
import { walk } from "../../src/walk/walk.ts";

const isShipped = process.env.TREELINE_BUILD === "shipped";
const SEEDS = Math.ceil((isShipped ? 2 : 5) * Number(process.env.TREELINE_WALKS ?? 1));
const GROUP = 3;
const STEPS = 90;

/** Walks about everything, which also encounter the other policies for names. */
const OTHER_SEEDS = 2 * Number(process.env.TREELINE_WALKS ?? 1);
const OTHER_STEPS = 110;

function groupsOf(seeds: number, length: number): { readonly from: number; readonly to: number }[] {
  return Array.from({ length: Math.ceil(seeds / length) }, (_, at) => ({
    from: at * length + 1,
    to: Math.min(seeds, (at + 1) * length),
  }));
}

describe("random walks about names and paths, under each policy", () => {
  it.each(groupsOf(SEEDS, GROUP))(
    "find the entities that the twin finds, from seed $from to $to",
    ({ from, to }) => {
      for (let seed = from; seed <= to; seed++) {
        expect(namesWalk({ seed, steps: STEPS })).toEqual({ holds: true });
      }
    },
  );
});

describe("random walks where names may be taken", () => {
  it.each(["suffix", "allow"] as const)("keep every invariant under the policy %s", (collisions) => {
    for (let seed = 1; seed <= OTHER_SEEDS; seed++) {
      const memory = seed % 4 === 3 ? "wasm" : "plain";
      expect(walk({ seed, steps: OTHER_STEPS, memory, cap: 16, collisions })).toEqual({ holds: true });
    }
  });
});
