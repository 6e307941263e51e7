import { describe, expect, it } from "vitest";
import { mergeWalk } from "../../src/prefab/merge-walk.ts";
import { prefabWalk } from "../../src/prefab/walk.ts";

const WALKS = 8 * Number(process.env.TREELINE_WALKS ?? 1);
const GROUP = 4;
const GROUPS = Array.from({ length: Math.ceil(WALKS / GROUP) }, (_, at) => ({
  from: at * GROUP + 1,
  to: (at + 1) * GROUP,
}));

describe("prefabs and instances, edited at random, read as the twin", () => {
  it.each(GROUPS)("from seed $from to $to", ({ from, to }) => {
    for (let seed = from; seed <= to; seed++) expect(() => prefabWalk({ seed, steps: 45 })).not.toThrow();
  });
});

describe("merges of prefabs, edited at random, make instances as new ones are, in a world and by files", () => {
  const seeds = Array.from({ length: WALKS / 2 }, (_, at) => at + 1);

  it.each(seeds)("with seed %i", (seed) => {
    expect(() => mergeWalk({ seed, steps: 12 })).not.toThrow();
  });
});
