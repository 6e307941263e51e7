import {
  add,
  defer,
  type Entity,
  isAlive,
  observeChildren,
  observeRoots,
  spawn,
  type World,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { children, destroy, roots } from "../../src/index.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { insertAt, moveBefore } from "../public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../public/siblings.ts";

/** What React's useSyncExternalStore takes. */
interface Store {
  readonly subscribe: (changed: () => void) => () => void;
  readonly getSnapshot: () => readonly Entity[];
}

/** All that `useChildren(parent)` needs. */
function childrenStore(world: World, parent: Entity): Store {
  const read = (): readonly Entity[] => (isAlive(world, parent) ? children(world, parent) : []);
  let list = read();
  return {
    subscribe: (changed) => {
      const update = (): void => {
        list = read();
        changed();
      };
      return observeChildren(world, parent, update, { after: true });
    },
    getSnapshot: () => list,
  };
}

function rootsStore(world: World): Store {
  let list = roots(world);
  return {
    subscribe: (changed) => {
      const update = (): void => {
        list = roots(world);
        changed();
      };
      return observeRoots(world, update, { after: true });
    },
    getSnapshot: () => list,
  };
}

let world: World;
let ship: Entity;
let dock: Entity;
let crew: Entity[];

beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world), spawn(world)];
  crew = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship)), spawn(world, ChildOf(ship))];
});

describe("a store of the children of a parent", () => {
  it.each<[string, () => unknown]>([
    ["a spawn", () => spawn(world, ChildOf(ship))],
    ["a child that arrives", () => add(world, spawn(world), Parent(ship))],
    ["a child that leaves", () => add(world, crew[1]!, ChildOf(dock))],
    ["a child that is destroyed", () => destroy(world, crew[0]!)],
    ["the destruction of the parent", () => destroy(world, ship)],
    ["insertAt", () => insertAt(world, ship, spawn(world), 1)],
    ["moveBefore", () => moveBefore(world, crew[2]!, crew[0]!)],
    ["setChildOrder", () => setChildOrder(world, ship, crew.toReversed())],
    ["sortChildren", () => sortChildren(world, ship, (one, other) => other - one)],
    ["replaceChildren", () => replaceChildren(world, ship, [crew[2]!, dock, crew[0]!])],
    ["detachChildren", () => detachChildren(world, ship)],
    [
      "several changes at once",
      () =>
        defer(world, () => {
          destroy(world, crew[0]!);
          add(world, dock, ChildOf(ship));
          moveBefore(world, crew[2]!, crew[1]!);
        }),
    ],
  ])("has a new list after %s, and it is the one to read", (_, act) => {
    const store = childrenStore(world, ship);
    const before = store.getSnapshot();
    let renders = 0;
    store.subscribe(() => renders++);

    act();

    expect(renders).toBeGreaterThan(0);
    expect(store.getSnapshot()).not.toBe(before);
    expect(store.getSnapshot()).toEqual(isAlive(world, ship) ? children(world, ship) : []);
  });

  it("keeps its list while nothing in it changes, and once it has no subscribers", () => {
    const store = childrenStore(world, ship);
    const before = store.getSnapshot();
    let renders = 0;
    const stop = store.subscribe(() => renders++);

    spawn(world, ChildOf(dock));
    spawn(world, ChildOf(crew[0]!));
    setChildOrder(world, ship, crew);
    stop();
    spawn(world, ChildOf(ship));

    expect([renders, store.getSnapshot() === before]).toEqual([0, true]);
  });
});

describe("a store of the roots", () => {
  it.each<[string, () => unknown]>([
    ["a spawn", () => spawn(world)],
    ["a root that gets a parent", () => add(world, dock, ChildOf(ship))],
    ["a child that becomes a root", () => detachChildren(world, ship)],
    ["the destruction of a root", () => destroy(world, ship)],
    ["children that take the place of others", () => replaceChildren(world, ship, [dock])],
  ])("has a new list after %s, and it is the one to read", (_, act) => {
    const store = rootsStore(world);
    const before = store.getSnapshot();
    store.subscribe(() => undefined);

    act();

    expect(store.getSnapshot()).not.toBe(before);
    expect(store.getSnapshot()).toEqual(roots(world));
  });

  it("keeps its list while other entities change", () => {
    const store = rootsStore(world);
    const before = store.getSnapshot();
    store.subscribe(() => undefined);

    spawn(world, ChildOf(dock));
    add(world, crew[0]!, ChildOf(dock));
    destroy(world, crew[1]!);
    setChildOrder(world, ship, [crew[2]!]);

    expect(store.getSnapshot()).toBe(before);
  });
});
