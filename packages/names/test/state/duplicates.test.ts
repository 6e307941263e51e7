import { describe, expect, it } from "vitest";
import {
  addDuplicate,
  createNameIndex,
  type Duplicates,
  nextDuplicate,
  removeDuplicate,
} from "../../src/state/name-index.ts";
import { createDice } from "../dice.ts";

/** All entities in the ring of an entity, from that one on. */
function ring(duplicates: Duplicates, first: number): number[] {
  const found = [first];
  for (
    let at = nextDuplicate(duplicates, first);
    at !== 0 && at !== first;
    at = nextDuplicate(duplicates, at)
  )
    found.push(at);
  return found;
}

describe("duplicates", () => {
  it("are none for an entity without duplicates, or whose index is beyond all", () => {
    const duplicates = createNameIndex().duplicates;

    expect([nextDuplicate(duplicates, 1), nextDuplicate(duplicates, 1_000_000), duplicates.count]).toEqual([
      0, 0, 0,
    ]);
  });

  it("are in the order in which they were added, and the first is behind the last", () => {
    const duplicates = createNameIndex().duplicates;

    for (const index of [9, 2, 5]) addDuplicate(duplicates, 7, index);

    expect([ring(duplicates, 7), nextDuplicate(duplicates, 5), duplicates.count]).toEqual([
      [7, 9, 2, 5],
      7,
      3,
    ]);
  });

  it("stay closed when one is removed, whichever it is", () => {
    for (const [leaver, first, left] of [
      [7, 9, [9, 2, 5]],
      [9, 7, [7, 2, 5]],
      [5, 7, [7, 9, 2]],
    ] as const) {
      const duplicates = createNameIndex().duplicates;
      for (const index of [9, 2, 5]) addDuplicate(duplicates, 7, index);

      removeDuplicate(duplicates, leaver);

      expect([ring(duplicates, first), nextDuplicate(duplicates, leaver), duplicates.count]).toEqual([
        left,
        0,
        2,
      ]);
    }
  });

  it("end when one of two is removed", () => {
    const duplicates = createNameIndex().duplicates;
    addDuplicate(duplicates, 3, 4);

    removeDuplicate(duplicates, 3);

    expect([nextDuplicate(duplicates, 3), nextDuplicate(duplicates, 4), duplicates.count]).toEqual([0, 0, 0]);
    addDuplicate(duplicates, 4, 3);
    expect(ring(duplicates, 4)).toEqual([4, 3]);
  });

  it("of many names do not mix, through thousands of changes", () => {
    const dice = createDice(91);
    const duplicates = createNameIndex().duplicates;
    const groups: number[][] = [[], [], []];
    for (let round = 0; round < 1_000; round++) {
      const group = dice.pick(groups);
      const index = 1 + dice.below(40);
      const of = groups.find((members) => members.includes(index));
      if (of === undefined) {
        if (group.length > 0) addDuplicate(duplicates, group[0]!, index);
        group.push(index);
      } else {
        if (of.length > 1) removeDuplicate(duplicates, index);
        of.splice(of.indexOf(index), 1);
      }
      for (const members of groups)
        if (members.length > 0) expect(ring(duplicates, members[0]!)).toEqual(members);
      expect(duplicates.count).toBe(groups.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0));
    }
  });
});
