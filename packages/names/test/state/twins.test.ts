import { describe, expect, it } from "vitest";
import { createNameIndex, joinTwins, leaveTwins, nextTwin, type Twins } from "../../src/state/name-index.ts";
import { createDice } from "../dice.ts";

/** Everybody in the ring of an entity, from that one on. */
function ring(twins: Twins, first: number): number[] {
  const found = [first];
  for (let at = nextTwin(twins, first); at !== 0 && at !== first; at = nextTwin(twins, at)) found.push(at);
  return found;
}

describe("twins", () => {
  it("are none for those who are alone, or whose index is beyond all", () => {
    const twins = createNameIndex().twins;

    expect([nextTwin(twins, 1), nextTwin(twins, 1_000_000), twins.count]).toEqual([0, 0, 0]);
  });

  it("stand in the order in which they came, and the first behind the last", () => {
    const twins = createNameIndex().twins;

    for (const index of [9, 2, 5]) joinTwins(twins, 7, index);

    expect([ring(twins, 7), nextTwin(twins, 5), twins.count]).toEqual([[7, 9, 2, 5], 7, 3]);
  });

  it("close up when one leaves, whichever it is", () => {
    for (const [leaver, first, left] of [
      [7, 9, [9, 2, 5]],
      [9, 7, [7, 2, 5]],
      [5, 7, [7, 9, 2]],
    ] as const) {
      const twins = createNameIndex().twins;
      for (const index of [9, 2, 5]) joinTwins(twins, 7, index);

      leaveTwins(twins, leaver);

      expect([ring(twins, first), nextTwin(twins, leaver), twins.count]).toEqual([left, 0, 2]);
    }
  });

  it("are alone again when the other one of two leaves", () => {
    const twins = createNameIndex().twins;
    joinTwins(twins, 3, 4);

    leaveTwins(twins, 3);

    expect([nextTwin(twins, 3), nextTwin(twins, 4), twins.count]).toEqual([0, 0, 0]);
    joinTwins(twins, 4, 3);
    expect(ring(twins, 4)).toEqual([4, 3]);
  });

  it("of many names do not mix, through thousands of comings and goings", () => {
    const dice = createDice(91);
    const twins = createNameIndex().twins;
    const groups: number[][] = [[], [], []];
    for (let round = 0; round < 1_000; round++) {
      const group = dice.pick(groups);
      const index = 1 + dice.below(40);
      const of = groups.find((members) => members.includes(index));
      if (of === undefined) {
        if (group.length > 0) joinTwins(twins, group[0]!, index);
        group.push(index);
      } else {
        if (of.length > 1) leaveTwins(twins, index);
        of.splice(of.indexOf(index), 1);
      }
      for (const members of groups) if (members.length > 0) expect(ring(twins, members[0]!)).toEqual(members);
      expect(twins.count).toBe(groups.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0));
    }
  });
});
