import { component, createWorld, get, has, set, spawn } from "@treeline/core";
import { indexOf, trackOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { dispose, entities, orderBy, query } from "../../../src/index.ts";
import { failing } from "../../failing.ts";
import { listsChanges } from "../../world-state.ts";
import { Score, spawnWith } from "../order/scores.ts";

const Label = component<string>("Label");

describe("what an ordered query caches", () => {
  it("is dropped when it is disposed", () => {
    const world = createWorld();
    const [one] = spawnWith(world, 1);
    const tested = query(world, Score, orderBy(Score, "points"));
    entities(tested);
    const archetype =
      world.graph.archetypes[world.graph.tables.archetype[world.entities.table[indexOf(one!)]!]!]!;
    expect(trackOf(archetype, Score, "changed")).toBeDefined();
    expect(listsChanges(world)).toBe(true);

    dispose(tested);

    expect(trackOf(archetype, Score, "changed")).toBeUndefined();
    expect(listsChanges(world)).toBe(false);
    expect(entities(query(world, Score, orderBy(Score, "points")))).toEqual([one]);
  });

  it("is not touched by iterations while nothing changed", () => {
    const world = createWorld();
    spawnWith(world, 3, 1, 2);
    const tested = query(world, Score, orderBy(Score, "points"));
    entities(tested);
    const { current, numbers: groups, starts } = tested.ordering!;
    entities(tested);

    expect(tested.ordering!.current).toBe(current);
    expect(tested.ordering!.numbers).toBe(groups);
    expect(tested.ordering!.starts).toBe(starts);
  });

  it("holds no values of users", () => {
    const world = createWorld();
    for (const text of ["b", "a"]) spawn(world, Label(text));
    const tested = query(
      world,
      Label,
      orderBy(Label, (one, other) => (one < other ? -1 : 1)),
    );
    entities(tested);

    expect(tested.ordering!.current.keys[0]!.values).toEqual([]);
    expect(entities(tested).map((one) => has(world, one, Label) && get(world, one, Label))).toEqual([
      "a",
      "b",
    ]);
  });

  it("keeps its sorted rows when the comparison throws", () => {
    const world = createWorld();
    const compare = failing(
      (one: { points: number }, other: { points: number }) => one.points - other.points,
    );
    const tested = query(world, Score, orderBy(Score, compare));
    const [highest] = spawnWith(world, 3, 2, 1);
    entities(tested);
    const { sorted } = tested.ordering!;
    const before = [...sorted.numbers.subarray(0, sorted.length)];

    compare.fails = true;
    set(world, highest!, Score, { points: 0 });

    expect(() => entities(tested)).toThrow(RangeError);
    expect([...sorted.numbers.subarray(0, sorted.length)]).toEqual(before);
  });
});
