import { add, ChildOf, type Entity, Parent, remove, set, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  cascade,
  count,
  depthOf,
  destroy,
  eachRun,
  entities,
  first,
  group,
  groupBy,
  groupsOf,
  isEmpty,
  orderBy,
  page,
  query,
  shard,
  up,
} from "../../src/index.ts";
import { SoldIn, Tag } from "../definitions.ts";
import { bornWithIndexOf, cast, Heavy, STORAGES, setCast, Warm } from "./cast.ts";

/** What another engine of this kind does to order, group and cut answers, and where it leaves that to chance. */

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/** Entities with these numbers, named after them, spread over tables and both storages. */
function plantNumbers(...numbers: number[]): Entity[] {
  const { born, world } = cast;
  const parent = born("parent");
  return numbers.map((of, at) => {
    const entity = born(`${of}`, Tag, ...[[], [ChildOf(parent)], [Parent(parent)]][at % 3]!);
    add(world, entity, Warm({ of }));
    return entity;
  });
}

describe("orderBy", () => {
  it("goes through all tables together, and equal ones by entity, upwards and downwards", () => {
    plantNumbers(3, 1, 2, 1, 3, 2, 1);
    const byField = query(cast.world, Warm, orderBy(Warm, "of"));
    const downwards = query(cast.world, Warm, orderBy(Warm, "of", { desc: true }));
    const ascending = (asked: typeof byField): boolean => {
      const met = entities(asked);
      return met.every(
        (one, at) => at === 0 || cast.nameOf(one) !== cast.nameOf(met[at - 1]) || one > met[at - 1]!,
      );
    };

    expect([cast.inTurn(byField), ascending(byField)]).toEqual(["1 1 1 2 2 3 3", true]);
    expect([cast.inTurn(downwards), ascending(downwards)]).toEqual(["3 3 2 2 1 1 1", true]);
  });

  it("with equal numbers everywhere keeps the order of entities, whatever moved in between", () => {
    const born = plantNumbers(7, 7, 7, 7, 7);
    const asked = query(cast.world, Warm, orderBy(Warm, "of"));
    entities(asked);

    for (const one of [born[3]!, born[0]!]) add(cast.world, one, Heavy);
    remove(cast.world, born[3]!, Heavy);
    add(cast.world, born[1]!, Parent(born[4]!));

    expect(entities(asked)).toEqual(born);
  });

  it("follows values, births and deaths between visits", () => {
    const [three] = plantNumbers(3, 1, 2);
    const asked = query(cast.world, Warm, orderBy(Warm, "of"));
    expect(cast.inTurn(asked)).toBe("1 2 3");

    set(cast.world, three!, Warm, { of: 0 });
    expect(cast.inTurn(asked)).toBe("3 1 2");
    add(cast.world, cast.born("new"), Warm({ of: 1.5 }));
    expect(cast.inTurn(asked)).toBe("3 1 new 2");
    destroy(cast.world, three!);
    expect(cast.inTurn(asked)).toBe("1 new 2");
  });

  it("comes after groups, and within them", () => {
    const numbers = plantNumbers(5, 4, 3, 2, 1);
    const [north, south] = [cast.born("north"), cast.born("south")];
    numbers.slice(0, 4).forEach((one, at) => {
      add(cast.world, one, SoldIn(at % 2 === 0 ? south : north));
    });

    expect(cast.inTurn(query(cast.world, Warm, orderBy(Warm, "of"), groupBy(SoldIn)))).toBe("2 4 3 5 1");
  });
});

describe("groupBy", () => {
  it("of a target alone is visited at once, one without members is empty, and who has no target is a group too", () => {
    const [a, b] = [cast.born("a"), cast.born("b")];
    cast.born("x", Tag, SoldIn(a));
    cast.born("y", Tag);
    const asked = query(cast.world, Tag, groupBy(SoldIn));

    expect([a, b, undefined].map((key) => cast.inTurn(group(asked, key)))).toEqual(["x", "", "y"]);
    expect(groupsOf(asked)).toEqual([a, undefined]);
    expect(isEmpty(group(asked, b))).toBe(true);
  });

  it("follows who changes group, and groups that die", () => {
    const [a, b] = [cast.born("a"), cast.born("b")];
    const x = cast.born("x", Tag, SoldIn(a));
    const asked = query(cast.world, Tag, groupBy(SoldIn));
    const groups = (): string[] => [a, b, undefined].map((key) => cast.inTurn(group(asked, key)));
    groups();

    add(cast.world, x, SoldIn(b));
    expect(groups()).toEqual(["", "x", ""]);
    destroy(cast.world, b);
    expect(groups()).toEqual(["", "", "x"]);
    const heir = bornWithIndexOf(cast.world, b);
    add(cast.world, x, SoldIn(heir));
    expect([groups(), cast.inTurn(group(asked, heir))]).toEqual([["", "", ""], "x"]);
  });

  it.each(STORAGES)("by parent covers both storages: %s", (_, one, other) => {
    const [a, b] = [cast.born("a"), cast.born("b")];
    for (const [name, storage, parent] of [
      ["3", one, b],
      ["1", other, a],
      ["2", one, a],
    ] as const)
      cast.born(name, Tag, storage(parent));
    cast.born("root", Tag);
    const asked = query(cast.world, Tag, groupBy(ChildOf));

    expect(groupsOf(asked)).toEqual([a, b, undefined]);
    expect(
      [a, b, undefined].map((key) => cast.inTurn(group(asked, key)).split(" ").toSorted().join(" ")),
    ).toEqual(["1 2", "3", "root"]);
  });

  it("by a function of the entity, such as its depth", () => {
    const a = cast.born("a", Tag);
    const b = cast.born("b", Tag, Parent(a));
    cast.born("c", Tag, ChildOf(b));
    cast.born("d", Tag, ChildOf(a));
    const asked = query(
      cast.world,
      Tag,
      groupBy((one) => depthOf(cast.world, one)),
    );

    expect([0, 1, 2, 3].map((depth) => count(group(asked, depth)))).toEqual([1, 2, 1, 0]);
  });
});

describe("parts", () => {
  it.each<[string, (one: typeof ChildOf) => Parameters<typeof query>[1][]]>([
    ["plain", () => [Tag]],
    ["with a target", () => [Tag, ChildOf(1 as Entity)]],
    ["ordered", () => [Tag, orderBy(Warm, "of")]],
    ["grouped", () => [Tag, groupBy(ChildOf)]],
    ["parents first", () => [Tag, cascade(Warm)]],
    ["with ancestors", () => [Tag, up(Warm)]],
  ])("of a query %s hold everybody once, in order", (_, terms) => {
    plantNumbers(4, 2, 3, 1, 5, 9, 7, 8, 6);
    const root = cast.born("root", Warm);
    for (const storage of [ChildOf, Parent])
      for (let at = 0; at < 5; at++) cast.born("c", Tag, storage(root));
    const given = terms(ChildOf).map((term) =>
      typeof term === "object" && "target" in term ? ChildOf(root) : term,
    );
    const asked = query(cast.world, ...given);
    const whole = entities(asked);

    expect(whole.length).toBeGreaterThan(9);
    expect([0, 1, 2, 3].flatMap((at) => entities(shard(asked, at, 4)))).toEqual(whole);
    expect([0, 4, 8, 12, 16].flatMap((at) => entities(page(asked, at, 4)))).toEqual(whole);
    expect([first(page(asked, 3, 1)), count(page(asked, 3, 2))]).toEqual([whole[3], 2]);
    expect([count(page(asked, 1000, 4)), count(page(asked, 0, 0))]).toEqual([0, 0]);
  });

  it("of long runs are cut inside them", () => {
    spawnMany(cast.world, 1000, Tag);
    const met: number[] = [];

    for (let at = 0; at < 3; at++) {
      let rows = 0;
      eachRun(shard(query(cast.world, Tag), at, 3), ({ first: from, end }) => {
        rows += end - from;
      });
      met.push(rows);
    }

    expect(met).toEqual([333, 333, 334]);
  });
});
