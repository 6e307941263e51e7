import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, type Entity, release, remove, spawn, spawnMany } from "../../src/index.ts";
import { ChildOf, Frozen, Label, OrderedChildren, Parent, storages } from "../definitions.ts";
import { a, b, setTwo, world } from "../fixture.ts";
import { parseTerm, removeFromAll } from "../internal.ts";
import { codeOf, isAlive, parentOf, subjectsOf, verify } from "../reading.ts";
import { recordParentEvents } from "./parent-events.ts";

/** Cases that another library of this kind gets wrong or excludes, by its own documentation or by experiment. */

beforeEach(setTwo);

describe("the storage of parents as values (section 7)", () => {
  it("removing all children of a parent makes them roots and destroys none", () => {
    const children = [spawn(world, ChildOf(a)), spawn(world, Parent(a))];

    removeFromAll(world, parseTerm(world, ChildOf(a)));

    expect(children.map((one) => [isAlive(world, one), parentOf(world, one)])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("a move from Parent to Parent is reported as removed of the old and added of the new parent", () => {
    const child = spawn(world, Parent(a));
    const calls = recordParentEvents();

    add(world, child, Parent(b));

    expect(calls).toEqual(["-a", "+b"]);
  });

  it("adding the same parent again is not reported, in whatever storage", () => {
    const child = spawn(world, Parent(a));
    const calls = recordParentEvents();

    add(world, child, Parent(a));
    add(world, child, ChildOf(a));
    add(world, child, ChildOf(a));
    add(world, child, Parent(a));

    expect(calls).toEqual([]);
  });

  it("a move between storages keeps the place among siblings", () => {
    const children = spawnMany(world, 4, Parent(a));

    add(world, children[1]!, ChildOf(a));
    add(world, children[1]!, Parent(a));
    add(world, children[2]!, ChildOf(a));

    expect(subjectsOf(world, a, ChildOf)).toEqual(children);
  });

  it("removing OrderedChildren from a parent with children by value is not an error", () => {
    add(world, a, OrderedChildren);
    const children = [spawn(world, Parent(a)), spawn(world, ChildOf(a))];

    expect(codeOf(() => remove(world, a, OrderedChildren))).toBeUndefined();

    expect(subjectsOf(world, a, ChildOf)).toEqual(children);
  });

  it("children are destroyed last to first, and the remaining ones keep their order", () => {
    const children = spawnMany(world, 20_000, Parent(a));

    for (let at = children.length - 1; at >= 10; at--) release(world, children[at]!);

    expect([subjectsOf(world, a, ChildOf), verify(world)]).toEqual([children.slice(0, 10), []]);
  });

  it("the lists of children follow every change: other components, moves, clear, destruction", () => {
    const [one, two, three, four] = spawnMany(world, 4, Parent(a), Label("x")) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ];

    add(world, one, Frozen);
    clear(world, two);
    release(world, three);
    add(world, four, ChildOf(a));
    remove(world, four, Label);

    expect([subjectsOf(world, a, ChildOf), subjectsOf(world, a, Parent), verify(world)]).toEqual([
      [one, four],
      [one],
      [],
    ]);
  });
});

describe("the order of children (section 8)", () => {
  it("is that of creation also for a list that is made late, whatever the tables", () => {
    const children = [spawn(world, ChildOf(a)), spawn(world, ChildOf(a), Frozen), spawn(world, ChildOf(a))];

    add(world, a, OrderedChildren);
    children.push(spawn(world, ChildOf(a), Frozen));

    expect(subjectsOf(world, a, ChildOf)).toEqual(children);
  });

  it("stays when the list ends", () => {
    add(world, a, OrderedChildren);
    const children = [spawn(world, ChildOf(a)), spawn(world, ChildOf(a), Frozen), spawn(world, ChildOf(a))];

    remove(world, a, OrderedChildren);
    children.push(spawn(world, ChildOf(a), Frozen));

    expect(subjectsOf(world, a, ChildOf)).toEqual(children);
  });

  it.each(storages)("is not changed by the same parent again, nor by other components: %s", (_, storage) => {
    const children = spawnMany(world, 3, storage(a));

    add(world, children[0]!, storage(a));
    add(world, children[0]!, storage(a), Frozen);
    add(world, children[1]!, Label("x"));

    expect(subjectsOf(world, a, ChildOf)).toEqual(children);
  });

  it.each(storages)("puts a child that returns at the end: %s", (_, storage) => {
    const [one, two, three] = spawnMany(world, 3, storage(a)) as [Entity, Entity, Entity];

    remove(world, one, ChildOf(a));
    add(world, one, storage(a));

    expect(subjectsOf(world, a, ChildOf)).toEqual([two, three, one]);
  });
});
