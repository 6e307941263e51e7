import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { ChildOf, Likes, OrderedChildren, Parent } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { pairOf } from "../../handles.ts";
import { moveTo } from "../../internal.ts";
import { subjectsOf, verify } from "../../reading.ts";

beforeEach(setWorld);

describe("a list of children", () => {
  it("has the order of attaching", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const [a, b, c] = spawnMany(world, 3, ChildOf(ship)) as [Entity, Entity, Entity];

    add(world, a, ChildOf(dock));
    add(world, a, ChildOf(ship));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([b, c, a]);
    expect(verify(world)).toEqual([]);
  });

  it("has the children of both storages, in one order", () => {
    const ship = spawn(world);
    const [a, b] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];

    const c = spawn(world, Parent(ship));
    const d = spawn(world, ChildOf(ship));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([a, b, c, d]);
    expect(subjectsOf(world, ship, Parent)).toEqual([c]);
  });

  it("does not change with OrderedChildren, whether the tag is added or removed", () => {
    const [ship, dock] = [spawn(world), spawn(world, OrderedChildren)];
    const crew = [ship, dock].map((parent) => {
      const [a, b] = spawnMany(world, 2, ChildOf(parent)) as [Entity, Entity];
      const c = spawn(world, Parent(parent));
      moveTo(world, c, parent, 0);
      return [c, a, b];
    });

    add(world, ship, OrderedChildren);
    remove(world, dock, OrderedChildren);

    expect([ship, dock].map((parent) => subjectsOf(world, parent, ChildOf))).toEqual(crew);
    expect(verify(world)).toEqual([]);
  });

  it("leaves the order of sources of other relations alone", () => {
    const [ship, idol] = spawnMany(world, 2) as [Entity, Entity];
    const [a, b] = spawnMany(world, 2, ChildOf(ship), Likes(idol)) as [Entity, Entity];

    moveTo(world, a, ship, 1);

    expect(subjectsOf(world, ship, ChildOf)).toEqual([b, a]);
    expect(subjectsOf(world, idol, Likes)).toEqual([a, b]);
  });

  it("is freed with the last child, and its number can serve another pair", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const child = spawn(world, Parent(ship));
    const pair = pairOf(world, ChildOf, ship);

    remove(world, child, ChildOf(ship));
    spawn(world, Likes(dock));

    expect(world.graph.pairs.relation[pair]).toBe(Likes.id);
    expect(verify(world)).toEqual([]);
  });

  it.each([
    ["a child by ChildOf", ChildOf],
    ["a child by Parent", Parent],
  ])("loses %s that is destroyed, and keeps the others in order", (_, storage) => {
    const ship = spawn(world);
    const [a, b, c] = [ChildOf, storage, Parent].map((one) => spawn(world, one(ship))) as [
      Entity,
      Entity,
      Entity,
    ];

    release(world, b);

    expect(subjectsOf(world, ship, ChildOf)).toEqual([a, c]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps the place of a child that changes its storage", () => {
    const ship = spawn(world);
    const [a, b, c] = spawnMany(world, 3, ChildOf(ship)) as [Entity, Entity, Entity];

    add(world, b, Parent(ship));
    add(world, a, Parent(ship));
    add(world, b, ChildOf(ship));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([a, b, c]);
    expect(verify(world)).toEqual([]);
  });
});
