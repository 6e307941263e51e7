import { describe, expect, it } from "vitest";
import { queryWalk } from "../../src/query/walk.ts";

const SEEDS = (process.env.TREELINE_BUILD === "shipped" ? 3 : 6) * Number(process.env.TREELINE_WALKS ?? 1);
const GROUP = 3;
const STEPS = 60;

const groups = Array.from({ length: Math.ceil(SEEDS / GROUP) }, (_, at) => ({
  from: at * GROUP + 1,
  to: (at + 1) * GROUP,
}));

describe("random queries of a world and of its naive twin", () => {
  it.each(groups)("have the same matches from seed $from to $to", ({ from, to }) => {
    for (let seed = from; seed <= to; seed++) {
      expect(queryWalk({ seed, steps: STEPS, memory: seed % 2 === 0 ? "plain" : "wasm" })).toEqual({
        holds: true,
      });
    }
  });
});
