import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, observe, release, remove, type SpawnTerm } from "../../../src/index.ts";
import { component, withHooks } from "../../defining.ts";
import { Any, ChildOf, Frozen, Knows, MarriedTo, Parent } from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { a, b, c, d, type Entity, setFour, spawn, spawnMany, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { has, isAlive, subjectsOf, targetOf, targetsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";
import { livingTables } from "../snapshot.ts";
import { symmetricPairs } from "./symmetric-pairs.ts";

beforeEach(setFour);

describe("an exclusive symmetric relation", () => {
  it.each<[string, () => unknown, string]>([
    ["takes a partner from a third entity, which has none then", () => add(world, a, MarriedTo(c)), "ac ca"],
    ["the same from the other side", () => add(world, c, MarriedTo(a)), "ac ca"],
    [
      "replaces both partners of two entities that change",
      () => {
        add(world, c, MarriedTo(d));
        add(world, a, MarriedTo(c));
      },
      "ac ca",
    ],
    [
      "swaps partners among four",
      () => {
        add(world, c, MarriedTo(d));
        add(world, a, MarriedTo(d));
        add(world, b, MarriedTo(c));
      },
      "ad bc cb da",
    ],
    ["goes to itself, and leaves its partner alone", () => add(world, a, MarriedTo(a)), "aa"],
    [
      "comes back from itself",
      () => {
        add(world, a, MarriedTo(a));
        add(world, b, MarriedTo(a));
      },
      "ab ba",
    ],
    ["stays when it is added again", () => add(world, b, MarriedTo(a)), "ab ba"],
    [
      "comes back after it was taken off",
      () => {
        remove(world, a, MarriedTo(Any));
        add(world, b, MarriedTo(a));
      },
      "ab ba",
    ],
  ])("%s", (_, act, expected) => {
    add(world, a, MarriedTo(b));

    act();

    expect([symmetricPairs(MarriedTo), verify(world)]).toEqual([expected, []]);
  });

  it("gets a partner at spawn", () => {
    add(world, a, MarriedTo(b));

    const one = spawn(world, MarriedTo(a));

    expect([
      targetOf(world, a, MarriedTo),
      targetOf(world, one, MarriedTo),
      symmetricPairs(MarriedTo),
    ]).toEqual([one, a, ""]);
  });

  it("reports for two new partners at once the removals first, then the additions", () => {
    add(world, a, MarriedTo(b));
    add(world, c, MarriedTo(d));
    const calls: string[] = [];
    const nameOf = (one: Entity | undefined): string => "-abcd"[indexOf(one ?? 0)]!;
    observe(world, { added: MarriedTo, removed: MarriedTo }, ({ kind, entity, target }) =>
      calls.push(`${kind === "added" ? "+" : "-"}${nameOf(entity)}${nameOf(target)}`),
    );

    add(world, a, MarriedTo(c));

    expect(calls.toSorted()).toEqual(["+ac", "+ca", "-ab", "-ba", "-cd", "-dc"]);
    expect(calls.indexOf("-ab")).toBeLessThan(calls.indexOf("+ac"));
    expect(calls.indexOf("-cd")).toBeLessThan(calls.indexOf("+ca"));
  });

  it.each<[string, (bad: SpawnTerm) => unknown]>([
    ["spawn", (bad) => spawn(world, MarriedTo(a), Knows(a), bad)],
    ["spawnMany", (bad) => spawnMany(world, 3, MarriedTo(a), Knows(a), bad)],
    ["add", (bad) => add(world, c, MarriedTo(a), Knows(a), bad)],
    ["clone", (bad) => clone(world, d, { with: [MarriedTo(a), bad] })],
    ["a deep clone", (bad) => clone(world, d, { deep: true, with: [MarriedTo(a), bad] })],
  ])("is not lost when another change is refused: %s, and no observer is notified", (_, act) => {
    const Refuser = withHooks(component<string>("Refuser"), {
      check: () => {
        throw new Error("refused");
      },
    });
    add(world, a, MarriedTo(b));
    spawn(world, ChildOf(d), Knows(a));
    const calls: string[] = [];
    observe(world, { added: Any, removed: Any }, ({ kind }) => calls.push(kind));
    const before = livingTables(world);

    expect(() => act(Refuser("x"))).toThrow("refused");

    expect([livingTables(world), calls, symmetricPairs(MarriedTo)]).toEqual([before, [], "ab ba"]);
    expect(verify(world)).toEqual([]);
  });

  it("is not copied by a clone: it would be taken from the original", () => {
    add(world, a, MarriedTo(b));

    const copy = clone(world, a);

    expect([symmetricPairs(MarriedTo), has(world, copy, MarriedTo(Any))]).toEqual(["ab ba", false]);
  });

  it("between two entities below a clone connects their copies", () => {
    const [one, other] = [spawn(world, ChildOf(c)), spawn(world, Parent(c))];
    add(world, one, MarriedTo(other));
    add(world, c, Knows(one));

    const copy = clone(world, c, { deep: true });

    const [first, second] = subjectsOf(world, copy, ChildOf) as [Entity, Entity];
    expect([targetOf(world, first, MarriedTo), targetOf(world, second, MarriedTo)]).toEqual([second, first]);
    expect([targetOf(world, one, MarriedTo), targetsOf(world, copy, Knows)]).toEqual([other, [first]]);
    expect(targetsOf(world, one, Knows)).toEqual([c]);
    expect(verify(world)).toEqual([]);
  });

  it("is removed from the other side when a partner is destroyed", () => {
    add(world, a, MarriedTo(b));

    destroy(world, a);

    expect([has(world, b, MarriedTo(Any)), isAlive(world, b)]).toEqual([false, true]);
    release(world, b);
    expect(world.graph.pairs.alive).toBe(0);
  });
});

describe("symmetric relations under random changes", () => {
  it.each(seeds(1, 3))("are on both sides at every moment, seed %i", (seed) => {
    const dice = createDice(seed);
    const all = [a, b, c, d, ...spawnMany(world, 4)];
    const wrong: string[] = [];

    for (let step = 0; step < 600; step++) {
      const [one, other] = [dice.pick(all), dice.pick(all)];
      const Tie = dice.pick([Knows, MarriedTo]);
      const act = dice.below(6);
      if (act < 3) add(world, one, Tie(other));
      else if (act === 3) remove(world, one, Tie(other));
      else if (act === 4) remove(world, one, Tie(Any));
      else if (dice.chance(0.2)) {
        destroy(world, one);
        all[all.indexOf(one)] = spawn(world);
      } else add(world, one, dice.chance(0.5) ? ChildOf(spawn(world)) : Frozen);
      for (const each of all) {
        for (const Side of [Knows, MarriedTo]) {
          for (const target of targetsOf(world, each, Side)) {
            if (!has(world, target, Side(each))) wrong.push(`step ${step}`);
          }
          if (Side.exclusive && targetsOf(world, each, Side).length > 1) wrong.push(`two in step ${step}`);
        }
      }
    }

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("leave all entities where they were once all are removed", () => {
    const { table } = world.entities;
    const before = [a, b, c].map((one) => table[indexOf(one)]);

    add(world, a, Knows(b), MarriedTo(c));
    remove(world, a, Any(Any));

    expect([a, b, c].map((one) => table[indexOf(one)])).toEqual(before);
  });
});
