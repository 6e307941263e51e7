import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, release, remove, spawn, spawnMany, type World } from "../../../src/index.ts";
import { isListed } from "../../../src/records/sibling-links.ts";
import { ensureListed } from "../../../src/world/change/pair.ts";
import { ChildOf, Likes, OrderedChildren, Parent } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { pairOf } from "../../handles.ts";
import { moveTo } from "../../internal.ts";
import { subjectsOf, verify } from "../../reading.ts";

function isInList(world: World, parent: Entity): boolean {
  return isListed(world.graph.links, pairOf(world, ChildOf, parent));
}

beforeEach(setWorld);

describe("a list of children", () => {
  it("is created only when it is needed, in the order of attaching", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const [a, b, c] = spawnMany(world, 3, ChildOf(ship)) as [Entity, Entity, Entity];
    add(world, a, ChildOf(dock));
    add(world, a, ChildOf(ship));

    expect(isInList(world, ship)).toBe(false);
    ensureListed(world, pairOf(world, ChildOf, ship));

    expect(isInList(world, ship)).toBe(true);
    expect(subjectsOf(world, ship, ChildOf)).toEqual([b, c, a]);
    expect(verify(world)).toEqual([]);
  });

  it("is created with the first child whose parent is stored by value", () => {
    const ship = spawn(world);
    const [a, b] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];

    const c = spawn(world, Parent(ship));
    const d = spawn(world, ChildOf(ship));

    expect(isInList(world, ship)).toBe(true);
    expect(subjectsOf(world, ship, ChildOf)).toEqual([a, b, c, d]);
    expect(subjectsOf(world, ship, Parent)).toEqual([c]);
  });

  it("is there from the first child on if the parent has OrderedChildren", () => {
    const ship = spawn(world, OrderedChildren);

    spawn(world, ChildOf(ship));

    expect(isInList(world, ship)).toBe(true);
  });

  it("is made of the existing children when OrderedChildren is added", () => {
    const ship = spawn(world);
    const crew = spawnMany(world, 3, ChildOf(ship));

    add(world, ship, OrderedChildren);

    expect(isInList(world, ship)).toBe(true);
    expect(subjectsOf(world, ship, ChildOf)).toEqual(crew);
    expect(verify(world)).toEqual([]);
  });

  it("ends with OrderedChildren if order numbers give the same order", () => {
    const ship = spawn(world, OrderedChildren);
    const crew = spawnMany(world, 3, ChildOf(ship));

    remove(world, ship, OrderedChildren);

    expect(isInList(world, ship)).toBe(false);
    expect(subjectsOf(world, ship, ChildOf)).toEqual(crew);
    expect(verify(world)).toEqual([]);
  });

  it("stays when OrderedChildren is removed if a child is stored by value, or if only the list has the order", () => {
    const [ship, dock] = [spawn(world, OrderedChildren), spawn(world, OrderedChildren)];
    spawn(world, Parent(ship));
    const [a, b] = spawnMany(world, 2, ChildOf(dock)) as [Entity, Entity];
    moveTo(world, a, dock, 1);

    for (const parent of [ship, dock]) remove(world, parent, OrderedChildren);

    expect([isInList(world, ship), isInList(world, dock)]).toEqual([true, true]);
    expect(subjectsOf(world, dock, ChildOf)).toEqual([b, a]);
    expect(verify(world)).toEqual([]);
  });

  it("leaves the order of sources of other relations alone", () => {
    const [ship, idol] = [spawn(world, OrderedChildren), spawn(world)];
    const [a, b] = spawnMany(world, 2, ChildOf(ship), Likes(idol)) as [Entity, Entity];
    moveTo(world, a, ship, 1);

    remove(world, ship, OrderedChildren);

    expect(subjectsOf(world, ship, ChildOf)).toEqual([b, a]);
    expect(subjectsOf(world, idol, Likes)).toEqual([a, b]);
  });

  it("is freed with the last child, and its number can serve another pair", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const child = spawn(world, Parent(ship));
    const pair = pairOf(world, ChildOf, ship);

    remove(world, child, ChildOf(ship));
    spawn(world, Likes(dock));

    expect(isListed(world.graph.links, pair)).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it.each([
    ["a child by ChildOf", ChildOf],
    ["a child by Parent", Parent],
  ])("loses %s that is destroyed, and keeps the others in order", (_, storage) => {
    const ship = spawn(world, OrderedChildren);
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
