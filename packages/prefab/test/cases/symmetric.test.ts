import { add, ChildOf, type Entity, relation, remove, spawn, subjectsOf } from "@treeline/core";
import { Name } from "@treeline/names";
import { destroy } from "@treeline/query";
import { describe, expect, test } from "vitest";
import { instantiate, partOf, prefab, refreshInstances, revert } from "../../src/index.ts";
import { drawn, newWorld, world } from "./fixture.ts";

const Joined = relation("Joined", { symmetric: true });
const Coupled = relation("Coupled", { symmetric: true, exclusive: true });

describe.each([Joined, Coupled])("a symmetric pair", (Linked) => {
  /** A prefab of two parts, the second of them below the first, and an instance from before they were. */
  function trainWith(): { train: Entity; first: Entity; second: Entity; one: Entity } {
    newWorld();
    const train = prefab(world);
    const one = instantiate(world, train);
    const first = spawn(world, ChildOf(train), Name("First"));
    const second = spawn(world, ChildOf(first), Name("Second"));
    return { train, first, second, one };
  }

  function expectLinked(one: Entity, other: Entity): void {
    expect([subjectsOf(world, one, Linked), subjectsOf(world, other, Linked)]).toEqual([[other], [one]]);
  }

  test("between two parts is between those of an instance", () => {
    const { train, first, second } = trainWith();
    add(world, first, Linked(second));
    const [one, other] = instantiate(world, train, { count: 2 }) as [Entity, Entity];
    for (const instance of [one, other])
      expectLinked(partOf(world, instance, first)!, partOf(world, instance, second)!);
    expectLinked(first, second);
  });

  test("between two new parts comes with them", () => {
    const { train, first, second, one } = trainWith();
    add(world, first, Linked(second));
    refreshInstances(world, train);
    expect(drawn(one)).toBe("First\n  Second");
    expectLinked(partOf(world, one, first)!, partOf(world, one, second)!);
    expectLinked(first, second);
  });

  test("with the prefab itself comes with a new part", () => {
    const { train, first, one } = trainWith();
    add(world, first, Linked(train));
    refreshInstances(world, train);
    expectLinked(partOf(world, one, first)!, one);
    expectLinked(first, train);
  });

  test("between two parts that an instance has removed comes back with them", () => {
    const { train, first, second, one } = trainWith();
    add(world, first, Linked(second));
    refreshInstances(world, train);
    destroy(world, partOf(world, one, first)!);
    revert(world, one);
    expectLinked(partOf(world, one, first)!, partOf(world, one, second)!);
    expectLinked(first, second);
  });

  test("with a part that an instance has removed is left out there, and the prefab stays as it is", () => {
    const { train, first, second, one } = trainWith();
    refreshInstances(world, train);
    destroy(world, partOf(world, one, second)!);
    add(world, first, Linked(second));
    refreshInstances(world, train);
    expect(subjectsOf(world, partOf(world, one, first)!, Linked)).toEqual([]);
    expectLinked(first, second);
    remove(world, first, Linked(second));
    refreshInstances(world, train);
    expect(drawn(one)).toBe("First");
  });
});

test("an exclusive symmetric pair with another entity stays with the prefab, and is no change of instances", () => {
  newWorld();
  const train = prefab(world);
  const part = spawn(world, ChildOf(train), Name("Part"));
  const one = instantiate(world, train);
  const engine = spawn(world);
  add(world, part, Coupled(engine));
  refreshInstances(world, train);
  expect(subjectsOf(world, engine, Coupled)).toEqual([part]);
  destroy(world, part);
  refreshInstances(world, train);
  expect(drawn(one)).toBe("");
});
