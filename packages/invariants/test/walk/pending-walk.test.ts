import { expect, it } from "vitest";
import { pendingWalk } from "../../src/pending/walk.ts";

const SEEDS = 40 * Number(process.env.TREELINE_WALKS ?? 1);

it("what pending entities were given is read inside the iteration as after it, in random walks", () => {
  for (let seed = 1; seed <= SEEDS; seed++) expect(() => pendingWalk(seed, 6)).not.toThrow();
});
