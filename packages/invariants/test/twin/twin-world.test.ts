import { describe, expect, it } from "vitest";
import { createDice } from "../../src/base/dice.ts";
import { textOf } from "../../src/step/step.ts";
import { rules } from "../../src/step/vocabulary.ts";
import { destroy } from "../../src/twin/destroy.ts";
import type { NaiveTerm } from "../../src/twin/rules.ts";
import * as verbs from "../../src/twin/verbs.ts";
import * as world from "../../src/twin/world.ts";

function under(target: number): NaiveTerm {
  return { what: "ChildOf", target };
}

const naive = { ...verbs, ...world, destroy };

describe("the naive twin", () => {
  it("keeps siblings in the order of attaching, and roots in the order of spawning and unparenting", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1, 2], []);
    naive.spawn(world, [3, 4, 5], [under(1)]);

    naive.remove(world, 3, "ChildOf", "Any");
    naive.add(world, 4, [under(1)]);
    naive.add(world, 5, [under(2)]);
    naive.add(world, 5, [under(1)]);
    naive.add(world, 1, [under(3)]);

    expect(naive.childrenOf(world, undefined)).toEqual([2, 3]);
    expect(naive.childrenOf(world, 1)).toEqual([4, 5]);
    expect(naive.descendantsOf(world, 3)).toEqual([1, 4, 5]);
    expect(naive.ancestorsOf(world, 5)).toEqual([1, 3]);
  });

  it("refuses cycles, taken names and guarded destructions, and changes nothing", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], [{ what: "Name", value: "a" }]);
    naive.spawn(world, [2], [under(1), { what: "Name", value: "a" }]);
    naive.spawn(world, [3], [{ what: "Guards", target: 2 }]);
    const before = textOf([...world.living]);

    expect(naive.add(world, 1, [under(2)])).toBe("cycle");
    expect(naive.add(world, 1, [under(1)])).toBe("cycle");
    expect(naive.remove(world, 2, "ChildOf", "Any")).toBe("name-taken");
    expect(naive.add(world, 3, [{ what: "Lit" }, { what: "Name", value: "a" }])).toBe("name-taken");
    expect(naive.add(world, 3, [{ what: "Lit" }, under(9)])).toBe("dead-entity");
    expect(naive.destroy(world, 1)).toBe("refused");
    expect(naive.release(world, 2)).toBe("still-a-target");

    expect(textOf([...world.living])).toBe(before);
  });

  it("destroys the closure over deleting relations and removes pairs that point at destroyed entities", () => {
    const world = naive.createNaiveWorld(rules);
    naive.spawn(world, [1], []);
    naive.spawn(world, [2], [under(1)]);
    naive.spawn(world, [3], [{ what: "Owns", target: 2 }]);
    naive.add(world, 1, [{ what: "Owns", target: 3 }]);
    naive.spawn(world, [4], [{ what: "Damage", target: 3, value: { amount: 0.1 } }, { what: "Lit" }]);
    expect(naive.get(world, 4, "Damage", 3)).toEqual({
      amount: Math.fround(0.1),
      by: undefined,
      level: 0,
      note: null,
    });

    naive.destroy(world, 2);

    expect([...world.living.keys()]).toEqual([4]);
    expect(naive.has(world, 4, "Damage", "Any")).toBe(false);
    expect(naive.has(world, 4, "Lit")).toBe(true);
  });
});

describe("dice", () => {
  it("return the same sequence for the same seed", () => {
    const throws = (seed: number): number[] => {
      const dice = createDice(seed);
      return Array.from({ length: 50 }, () => dice.below(1_000));
    };

    expect(throws(7)).toEqual(throws(7));
    expect(throws(7)).not.toEqual(throws(8));
    expect(Math.max(...throws(7))).toBeLessThan(1_000);
  });
});
