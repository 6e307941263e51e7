import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clone,
  defer,
  type Entity,
  type ObserveOptions,
  observeChildren,
  observeRoots,
  remove,
  spawn,
  spawnMany,
} from "../../../../src/index.ts";
import { Any, ChildOf, Frozen, OrderedChildren, Parent } from "../../../definitions.ts";
import { codeOf, isAlive, parentOf, subjectsOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { calls, dock, nameIn, names, setFixture, ship, textOf, world } from "./recorded-events.ts";

beforeEach(setFixture);

function named(name: string, one: Entity): Entity {
  names.set(one, name);
  return one;
}

function recordChildren(parent: Entity, options?: ObserveOptions): () => void {
  return observeChildren(world, parent, (event) => calls.push(textOf(event)), options);
}

function recordRoots(options?: ObserveOptions): () => void {
  return observeRoots(world, ({ kind, entity }) => calls.push(`${kind} ${nameIn(names, entity)}`), options);
}

describe("an observer of children", () => {
  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("is notified of children that come and go by %s, and of no others", (_, Storage) => {
    recordChildren(ship);

    const deck = named("deck", spawn(world, Storage(ship)));
    spawn(world, Storage(dock));
    spawn(world, Storage(deck));
    add(world, deck, Storage(dock));
    add(world, deck, Storage(ship));
    remove(world, deck, ChildOf(Any));
    add(world, deck, Storage(ship));
    destroy(world, deck);

    expect(calls).toEqual([
      "+ChildOf(ship) of new ->ship",
      "-ChildOf(ship) of deck ship>dock",
      "+ChildOf(ship) of deck dock>ship",
      "-ChildOf(ship) of deck ship>-",
      "+ChildOf(ship) of deck ->ship",
      "-ChildOf(ship) of deck ship>-",
    ]);
  });

  it("is not notified of a change of storage: the list stays as it is", () => {
    const deck = spawn(world, ChildOf(ship));
    recordChildren(ship);

    add(world, deck, Parent(ship));

    expect(calls).toEqual([]);
  });

  it("ends with the parent, once all children have been removed", () => {
    named("deck", spawn(world, ChildOf(ship)));
    named("mast", spawn(world, Parent(ship)));
    recordChildren(ship);

    destroy(world, ship);

    expect(calls).toEqual(["-ChildOf(ship) of deck ship>-", "-ChildOf(ship) of mast ship>-"]);
    expect(verify(world)).toEqual([]);
  });

  it("is notified of existing children in order, and when it is stopped", () => {
    add(world, ship, OrderedChildren);
    for (const name of ["a", "b", "c"]) named(name, spawn(world, ChildOf(ship)));
    const stop = recordChildren(ship, { yieldExisting: true });
    stop();

    expect(calls).toEqual([
      "+ChildOf(ship) of a ->ship",
      "+ChildOf(ship) of b ->ship",
      "+ChildOf(ship) of c ->ship",
      "-ChildOf(ship) of a ship>-",
      "-ChildOf(ship) of b ship>-",
      "-ChildOf(ship) of c ship>-",
    ]);
    expect(world.events.observers).toEqual([]);
  });

  it("with `after` finds the list as it is after each outermost verb", () => {
    const lists: Entity[][] = [];
    observeChildren(world, ship, () => lists.push(subjectsOf(world, ship, ChildOf)), { after: true });

    const [one, other] = spawnMany(world, 2, ChildOf(ship));
    defer(world, () => {
      destroy(world, one!);
      add(world, other!, ChildOf(dock));
    });

    expect(lists).toEqual([[one, other], [one, other], [], []]);
  });

  it("is one of the world, however many parents are observed", () => {
    const parents = spawnMany(world, 1_000);
    let count = 0;
    for (const parent of parents) observeChildren(world, parent, () => count++);

    for (const parent of parents) spawn(world, ChildOf(parent));

    expect([count, world.events.observers.length]).toEqual([1_000, 3]);
  });

  it("is refused for a parent that is not alive: dead-entity", () => {
    destroy(world, ship);

    expect(codeOf(() => observeChildren(world, ship, () => undefined))).toBe("dead-entity");
    expect(codeOf(() => observeChildren(world, undefined as never, () => undefined))).toBe("dead-entity");
    expect(codeOf(() => observeChildren(world, dock, undefined as never))).toBe("bad-term");
    expect(world.events.observers).toEqual([]);
  });
});

describe("an observer of the roots", () => {
  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("is notified of entities that become roots or cease to be ones by %s", (_, Storage) => {
    recordRoots();

    const one = named("one", spawn(world, Frozen));
    const child = named("child", spawn(world, Storage(ship)));
    add(world, one, Storage(ship));
    add(world, one, Storage(dock));
    remove(world, one, ChildOf(Any));
    remove(world, child, ChildOf(ship));
    destroy(world, one);

    expect(calls).toEqual(["added new", "removed one", "added one", "added child", "removed one"]);
    expect(verify(world)).toEqual([]);
  });

  it("is notified of a subtree by its root alone", () => {
    spawn(world, ChildOf(spawn(world, Parent(ship))));
    recordRoots();

    named("copy", clone(world, ship, { deep: true }));
    destroy(world, ship);

    expect(calls).toEqual(["added new", "removed ship"]);
  });

  it("is not notified of changes of something else, nor of a change of storage", () => {
    const deck = spawn(world, ChildOf(ship));
    recordRoots();

    add(world, ship, Frozen, OrderedChildren);
    add(world, deck, Parent(ship));
    add(world, deck, ChildOf(ship));
    remove(world, ship, Frozen);

    expect(calls).toEqual([]);
  });

  it("is notified of spawns before anything has been observed, in a world without pairs", () => {
    recordRoots();

    spawnMany(world, 2);
    defer(world, () => spawn(world, Frozen));

    expect(calls).toEqual(["added new", "added new", "added new"]);
  });

  it("finds the state before a removal, and after an addition", () => {
    const deck = spawn(world, ChildOf(dock));
    observeRoots(world, ({ kind, entity }) => calls.push(`${kind} ${parentOf(world, entity) === undefined}`));

    add(world, ship, ChildOf(dock));
    remove(world, deck, ChildOf(dock));

    expect(calls).toEqual(["removed true", "added true"]);
  });

  it("with `after` finds the state after all changes", () => {
    observeRoots(
      world,
      ({ kind, entity }) => calls.push(`${kind} ${isAlive(world, entity)} ${isAlive(world, dock)}`),
      { after: true },
    );

    defer(world, () => {
      destroy(world, ship);
      spawn(world);
      destroy(world, dock);
    });

    expect(calls).toEqual(["removed false false", "added true false", "removed false false"]);
  });

  it("is notified of existing roots in order, and when it is stopped", () => {
    const deck = named("deck", spawn(world, ChildOf(ship)));
    spawn(world, Frozen, ChildOf(ship));
    names.set(spawn(world, Frozen), "last");
    remove(world, deck, ChildOf(Any));
    const stop = recordRoots({ yieldExisting: true });
    stop();

    const roots = ["ship", "dock", "last", "deck"];
    expect(calls).toEqual([
      ...roots.map((name) => `added ${name}`),
      ...roots.map((name) => `removed ${name}`),
    ]);
    expect(world.events.observers).toEqual([]);
  });

  it("leaves no observer behind if it is refused: bad-term", () => {
    expect(codeOf(() => observeRoots(world, undefined as never))).toBe("bad-term");
    expect(world.events.observers).toEqual([]);
  });
});
