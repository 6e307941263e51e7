import { add, type Entity, remove, set, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { count, depthOf, destroy, eachRun, entities, first, isEmpty, query } from "../../src/index.ts";
import { SoldIn, Tag } from "../definitions.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { group, groupBy, groupsOf, orderBy, page, shard } from "../public/parts.ts";
import { cascade, up } from "../public/terms.ts";
import { Heavy, named, STORAGES, setUpNamedWorld, spawnWithIndexOf, Warm } from "./named-world.ts";

/** How similar engines order, group and cut matches, and where they leave that undefined. */

setUpNamedWorld();

/** Entities with these numbers, named after them, spread over tables and both storages. */
function plantNumbers(...numbers: number[]): Entity[] {
  const { spawnNamed, world } = named;
  const parent = spawnNamed("parent");
  return numbers.map((of, at) => {
    const entity = spawnNamed(`${of}`, Tag, ...[[], [ChildOf(parent)], [Parent(parent)]][at % 3]!);
    add(world, entity, Warm({ of }));
    return entity;
  });
}

describe("orderBy", () => {
  it("sorts all tables together, and equal ones by entity, upwards and downwards", () => {
    plantNumbers(3, 1, 2, 1, 3, 2, 1);
    const byField = query(named.world, Warm, orderBy(Warm, "of"));
    const downwards = query(named.world, Warm, orderBy(Warm, "of", { desc: true }));
    const ascending = (tested: typeof byField): boolean => {
      const met = entities(tested);
      return met.every(
        (one, at) => at === 0 || named.nameOf(one) !== named.nameOf(met[at - 1]) || one > met[at - 1]!,
      );
    };

    expect([named.inOrder(byField), ascending(byField)]).toEqual(["1 1 1 2 2 3 3", true]);
    expect([named.inOrder(downwards), ascending(downwards)]).toEqual(["3 3 2 2 1 1 1", true]);
  });

  it("with equal numbers everywhere keeps the order of entities, whatever moved in between", () => {
    const spawnNamed = plantNumbers(7, 7, 7, 7, 7);
    const tested = query(named.world, Warm, orderBy(Warm, "of"));
    entities(tested);

    for (const one of [spawnNamed[3]!, spawnNamed[0]!]) add(named.world, one, Heavy);
    remove(named.world, spawnNamed[3]!, Heavy);
    add(named.world, spawnNamed[1]!, Parent(spawnNamed[4]!));

    expect(entities(tested)).toEqual(spawnNamed);
  });

  it("follows values, spawns and destructions between iterations", () => {
    const [three] = plantNumbers(3, 1, 2);
    const tested = query(named.world, Warm, orderBy(Warm, "of"));
    expect(named.inOrder(tested)).toBe("1 2 3");

    set(named.world, three!, Warm, { of: 0 });
    expect(named.inOrder(tested)).toBe("3 1 2");
    add(named.world, named.spawnNamed("new"), Warm({ of: 1.5 }));
    expect(named.inOrder(tested)).toBe("3 1 new 2");
    destroy(named.world, three!);
    expect(named.inOrder(tested)).toBe("1 new 2");
  });

  it("comes after groups, and within them", () => {
    const numbers = plantNumbers(5, 4, 3, 2, 1);
    const [north, south] = [named.spawnNamed("north"), named.spawnNamed("south")];
    numbers.slice(0, 4).forEach((one, at) => {
      add(named.world, one, SoldIn(at % 2 === 0 ? south : north));
    });

    expect(named.inOrder(query(named.world, Warm, orderBy(Warm, "of"), groupBy(SoldIn)))).toBe("2 4 3 5 1");
  });
});

describe("groupBy", () => {
  it("of a single target is iterated at once, may be empty, and entities without target are a group too", () => {
    const [a, b] = [named.spawnNamed("a"), named.spawnNamed("b")];
    named.spawnNamed("x", Tag, SoldIn(a));
    named.spawnNamed("y", Tag);
    const tested = query(named.world, Tag, groupBy(SoldIn));

    expect([a, b, undefined].map((key) => named.inOrder(group(tested, key)))).toEqual(["x", "", "y"]);
    expect(groupsOf(tested)).toEqual([a, undefined]);
    expect(isEmpty(group(tested, b))).toBe(true);
  });

  it("follows entities that change group, and groups whose target is destroyed", () => {
    const [a, b] = [named.spawnNamed("a"), named.spawnNamed("b")];
    const x = named.spawnNamed("x", Tag, SoldIn(a));
    const tested = query(named.world, Tag, groupBy(SoldIn));
    const groups = (): string[] => [a, b, undefined].map((key) => named.inOrder(group(tested, key)));
    groups();

    add(named.world, x, SoldIn(b));
    expect(groups()).toEqual(["", "x", ""]);
    destroy(named.world, b);
    expect(groups()).toEqual(["", "", "x"]);
    const reused = spawnWithIndexOf(named.world, b);
    add(named.world, x, SoldIn(reused));
    expect([groups(), named.inOrder(group(tested, reused))]).toEqual([["", "", ""], "x"]);
  });

  it.each(STORAGES)("by parent covers both storages: %s", (_, one, other) => {
    const [a, b] = [named.spawnNamed("a"), named.spawnNamed("b")];
    for (const [name, storage, parent] of [
      ["3", one, b],
      ["1", other, a],
      ["2", one, a],
    ] as const)
      named.spawnNamed(name, Tag, storage(parent));
    named.spawnNamed("root", Tag);
    const tested = query(named.world, Tag, groupBy(ChildOf));

    expect(groupsOf(tested)).toEqual([a, b, undefined]);
    expect(
      [a, b, undefined].map((key) => named.inOrder(group(tested, key)).split(" ").toSorted().join(" ")),
    ).toEqual(["1 2", "3", "root"]);
  });

  it("by a function of the entity, such as its depth", () => {
    const a = named.spawnNamed("a", Tag);
    const b = named.spawnNamed("b", Tag, Parent(a));
    named.spawnNamed("c", Tag, ChildOf(b));
    named.spawnNamed("d", Tag, ChildOf(a));
    const tested = query(
      named.world,
      Tag,
      groupBy((one) => depthOf(named.world, one)),
    );

    expect([0, 1, 2, 3].map((depth) => count(group(tested, depth)))).toEqual([1, 2, 1, 0]);
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
  ])("of a query %s contain every entity once, in order", (_, terms) => {
    plantNumbers(4, 2, 3, 1, 5, 9, 7, 8, 6);
    const root = named.spawnNamed("root", Warm);
    for (const storage of [ChildOf, Parent])
      for (let at = 0; at < 5; at++) named.spawnNamed("c", Tag, storage(root));
    const given = terms(ChildOf).map((term) =>
      typeof term === "object" && "target" in term ? ChildOf(root) : term,
    );
    const tested = query(named.world, ...given);
    const whole = entities(tested);

    expect(whole.length).toBeGreaterThan(9);
    expect([0, 1, 2, 3].flatMap((at) => entities(shard(tested, at, 4)))).toEqual(whole);
    expect([0, 4, 8, 12, 16].flatMap((at) => entities(page(tested, at, 4)))).toEqual(whole);
    expect([first(page(tested, 3, 1)), count(page(tested, 3, 2))]).toEqual([whole[3], 2]);
    expect([count(page(tested, 1000, 4)), count(page(tested, 0, 0))]).toEqual([0, 0]);
  });

  it("of long runs are cut inside them", () => {
    spawnMany(named.world, 1000, Tag);
    const met: number[] = [];

    for (let at = 0; at < 3; at++) {
      let rows = 0;
      eachRun(shard(query(named.world, Tag), at, 3), ({ first: from, end }) => {
        rows += end - from;
      });
      met.push(rows);
    }

    expect(met).toEqual([333, 333, 334]);
  });
});
