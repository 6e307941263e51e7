import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, spawn, spawnMany } from "../../../src/index.ts";
import { requirePlace } from "../../../src/world/state/require.ts";
import { setParent } from "../../../src/world/verb/reparent.ts";
import { relation } from "../../defining.ts";
import { ChildOf, DockedTo, Follows, Likes, Parent } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { depthOf, indexOf } from "../../handles.ts";
import { codeOf, has, subjectsOf, targetOf, verify } from "../../reading.ts";

const Crown = relation("Crown", { exclusive: true, maxSubjects: 1 });

beforeEach(setWorld);

describe("another target", () => {
  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("puts a child of %s at the given place, or at the end", (_, storage) => {
    const ship = spawn(world);
    const others = spawnMany(world, 3, Parent(ship));
    const [one, two] = [spawn(world), spawn(world)];

    setParent(world, indexOf(one), indexOf(ship), storage === Parent, indexOf(others[1]!));
    setParent(world, indexOf(two), indexOf(ship), storage === Parent);

    expect([subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([
      [others[0], one, others[1], others[2], two],
      [],
    ]);
  });

  it("updates the depths below, of ChildOf and of other relations", () => {
    const [a, b, c] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, c, Follows(b), Parent(b));

    add(world, b, Follows(a));
    add(world, b, ChildOf(a));

    expect([depthOf(world, c, Follows), depthOf(world, c)]).toEqual([2, 2]);
  });

  it("does nothing where the target is there, in the same storage", () => {
    const ship = spawn(world);
    const one = spawn(world, Parent(ship), DockedTo(ship));
    const { table, row } = world.entities;
    const before = [table[indexOf(one)], row[indexOf(one)]];

    add(world, one, Parent(ship));
    add(world, one, DockedTo(ship));

    expect([table[indexOf(one)], row[indexOf(one)]]).toEqual(before);
    expect([has(world, one, Parent(ship)), targetOf(world, one, DockedTo)]).toEqual([true, ship]);
  });
});

describe("a place", () => {
  it("is refused by cycles, limits and builtins, each with its code", () => {
    const [ship, one] = [spawn(world), spawn(world)];
    add(world, one, ChildOf(ship), Crown(ship));

    expect([
      codeOf(() => requirePlace(world, indexOf(ship), Parent, indexOf(one))),
      codeOf(() => requirePlace(world, indexOf(ship), ChildOf, indexOf(one))),
      codeOf(() => requirePlace(world, indexOf(ship), Crown, indexOf(ship))),
      codeOf(() => requirePlace(world, indexOf(one), Crown, indexOf(ship))),
      codeOf(() => requirePlace(world, indexOf(ship), Likes, indexOf(one))),
    ]).toEqual(["cycle", "cycle", "full", undefined, undefined]);
  });
});
