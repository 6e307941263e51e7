import { describe, expect, it } from "vitest";
import { addSpots, type Bounds, countSpots, joined, less, shared } from "../../src/match/spots.ts";
import { createDice } from "../dice.ts";

const sets: [story: string, one: Bounds, other: Bounds, both: Bounds, any: Bounds, rest: Bounds][] = [
  ["nothing and nothing", [], [], [], [], []],
  ["nothing and something", [], [1, 3], [], [1, 3], []],
  ["something and nothing", [1, 3], [], [], [1, 3], [1, 3]],
  ["the same", [1, 3, 5, 6], [1, 3, 5, 6], [1, 3, 5, 6], [1, 3, 5, 6], []],
  ["one behind the other", [1, 3], [5, 8], [], [1, 3, 5, 8], [1, 3]],
  ["one that touches the other", [1, 3], [3, 8], [], [1, 8], [1, 3]],
  ["one that overlaps the other", [1, 5], [3, 8], [3, 5], [1, 8], [1, 3]],
  ["one inside the other", [1, 9], [3, 4, 6, 7], [3, 4, 6, 7], [1, 9], [1, 3, 4, 6, 7, 9]],
  ["one around several", [3, 4, 6, 7], [1, 9], [3, 4, 6, 7], [1, 9], []],
  ["the same end", [1, 9], [5, 9], [5, 9], [1, 9], [1, 5]],
  ["the same beginning", [1, 9], [1, 5], [1, 5], [1, 9], [5, 9]],
];

describe("sets of spots", () => {
  it.each(sets)("can be shared, joined and taken away: %s", (_, one, other, both, any, rest) => {
    expect([shared(one, other), joined(one, other), less(one, other)]).toEqual([both, any, rest]);
  });

  it.each([1, 2, 3])("are as sets of numbers are, seed %i", (seed) => {
    const dice = createDice(seed);
    const random = (): Set<number> => new Set(Array.from({ length: dice.below(20) }, () => dice.below(30)));
    const bounds = (spots: Iterable<number>): Bounds => {
      const found: Bounds = [];
      for (const spot of [...spots].toSorted((one, other) => one - other)) addSpots(found, spot, spot + 1);
      return found;
    };
    const wrong: string[] = [];

    for (let at = 0; at < 1000; at++) {
      const [one, other] = [random(), random()];
      const story = `${[...one]} and ${[...other]}`;
      const right = [
        [...one].filter((spot) => other.has(spot)),
        [...new Set([...one, ...other])],
        [...one].filter((spot) => !other.has(spot)),
      ].map(bounds);
      const found = [shared, joined, less].map((make) => make(bounds(one), bounds(other)));
      if (JSON.stringify(found) !== JSON.stringify(right)) wrong.push(story);
      if (countSpots(bounds(one)) !== one.size) wrong.push(`count of ${story}`);
    }

    expect(wrong).toEqual([]);
  });

  it("melt with those before them when they are added, also if some are there", () => {
    const bounds: Bounds = [];

    for (const [first, end] of [
      [1, 2],
      [2, 5],
      [3, 4],
      [7, 8],
      [7, 8],
    ] as const)
      addSpots(bounds, first, end);

    expect(bounds).toEqual([1, 5, 7, 8]);
  });
});
