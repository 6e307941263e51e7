import { describe, expect, it } from "vitest";
import { SourceArchetypes, withArchetype } from "../../../src/query/batches/chunks.ts";

function numberOf(lists: SourceArchetypes, ...archetypes: number[]): number {
  return archetypes.reduce((before, archetype) => withArchetype(lists, before, archetype), 0);
}

describe("a list of sources' archetypes", () => {
  it("has the same number as an equal one, and another than all others", () => {
    const lists = new SourceArchetypes();
    const all = [
      [1, 2, 3],
      [3, 2, 1],
      [1, 2, -1],
      [-1, 2, 3],
      [0, 0, 0],
      [-1, -1, -1],
      [2 ** 21, 0, 2 ** 21],
    ];

    const first = all.map((archetypes) => numberOf(lists, ...archetypes));

    expect(new Set(first).size).toBe(all.length);
    expect(all.map((archetypes) => numberOf(lists, ...archetypes))).toEqual(first);
  });

  it("is read by its number", () => {
    const lists = new SourceArchetypes();
    for (let archetype = 0; archetype < 100; archetype++) numberOf(lists, archetype, archetype + 1);

    const number = numberOf(lists, 40, -1, 7);

    expect(lists.lists[number]).toEqual([40, -1, 7]);
  });
});
