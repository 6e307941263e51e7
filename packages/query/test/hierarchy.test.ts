import type { Entity, Relation, World } from "@treeline/core";
import { defer, get, has, isAlive, spawn, targetOf } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import * as entryPoint from "../src/hierarchy.ts";
import {
  ancestors,
  attach,
  attachNew,
  children,
  descendants,
  detach,
  remove,
  removeAll,
  sort,
} from "../src/hierarchy.ts";
import { destroy, roots } from "../src/index.ts";
import { codeOf } from "./code-of.ts";
import { Likes } from "./definitions.ts";
import { drawing, plant } from "./drawn-tree.ts";
import { Any, ChildOf, Parent } from "./public/builtins.ts";
import { component, createWorld } from "./public/define.ts";
import { f64 } from "./public/fields.ts";
import { setWorld, world } from "./test-world.ts";

const Order = component("Order", { at: f64 });

beforeEach(setWorld);

describe("the hierarchy entry point", () => {
  it("exports these values and no others", () => {
    expect(Object.keys(entryPoint).toSorted()).toEqual([
      "ancestors",
      "attach",
      "attachMany",
      "attachNew",
      "children",
      "descendants",
      "detach",
      "remove",
      "removeAll",
      "sort",
    ]);
  });
});

/** Children in turn by each of the storages given. */
function grower(storages: readonly Relation[]): (world: World, parent: Entity) => Entity {
  let turn = 0;
  return (world, parent) => {
    const storage = storages[turn++ % storages.length]!;
    if (storage === ChildOf) return attachNew(world, parent);
    const child = spawn(world);
    attach(world, child, parent, storage);
    return child;
  };
}

describe.each([
  ["ChildOf", [ChildOf]],
  ["Parent", [Parent]],
  ["both storages, one by one", [ChildOf, Parent]],
  ["both storages, reversed", [Parent, ChildOf, ChildOf]],
] as const)("the tests of the Shipyard article by %s", (_, storages) => {
  it("test_hierarchy", () => {
    const grow = grower(storages);
    const root1 = spawn(world);
    const root2 = spawn(world);
    const e1 = grow(world, root1);
    const e2 = grow(world, e1);
    const e3 = grow(world, e1);
    const e4 = grow(world, e3);

    attach(world, e3, root2);
    const e5 = grow(world, e3);

    expect(children(world, e3)).toEqual([e4, e5]);
    expect(ancestors(world, e4)).toEqual([e3, root2]);
    expect(descendants(world, root1)).toEqual([e1, e2]);
    expect(descendants(world, root2)).toEqual([e3, e4, e5]);

    detach(world, e1);

    expect(descendants(world, root1)).toEqual([]);
    expect(ancestors(world, e1)).toEqual([]);
    expect(children(world, e1)).toEqual([e2]);

    remove(world, e1);

    expect(children(world, e1)).toEqual([]);

    removeAll(world, root2);

    expect(descendants(world, root2)).toEqual([]);
    expect(descendants(world, e3)).toEqual([]);
    expect(ancestors(world, e5)).toEqual([]);
    expect([root1, root2, e1, e2, e3, e4, e5].every((entity) => isAlive(world, entity))).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it("test_sorting", () => {
    const grow = grower(storages);
    const root = spawn(world);
    const [e0, e1, e2, e3, e4] = [0, 1, 2, 3, 4].map(() => grow(world, root)) as [
      Entity,
      Entity,
      Entity,
      Entity,
      Entity,
    ];
    const numbers = new Map([e0, e1, e2, e3, e4].map((entity, at) => [entity, [7, 5, 6, 1, 3][at]!]));

    expect(children(world, root)).toEqual([e0, e1, e2, e3, e4]);
    sort(world, root, (one, other) => numbers.get(one)! - numbers.get(other)!);

    expect(children(world, root)).toEqual([e3, e4, e1, e2, e0]);
    expect(verify(world)).toEqual([]);
  });
});

describe("attach", () => {
  it("keeps the storage, ChildOf for roots, or uses the one it is given", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const byValue = spawn(world, Parent(dock));
    const bound = spawn(world, ChildOf(dock));
    const root = spawn(world);
    const given = spawn(world, ChildOf(dock));

    for (const entity of [byValue, bound, root]) attach(world, entity, ship);
    attach(world, given, ship, Parent);

    expect([byValue, bound, root, given].map((entity) => has(world, entity, Parent(ship)))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(children(world, ship)).toEqual([byValue, bound, root, given]);
  });

  it("moves everything below along", () => {
    const planted = plant(world, "ship\n  pod\n    seat\ndock");

    attach(world, planted.pod, planted.dock);

    expect(drawing(world, planted)).toBe("ship\ndock\n  pod\n    seat");
  });

  it("leaves a child of that parent in its place", () => {
    const planted = plant(world, "ship\n  pod\n  seat");

    attach(world, planted.pod, planted.ship);

    expect(drawing(world, planted)).toBe("ship\n  pod\n  seat");
  });

  it("refuses cycles, destroyed entities, and what is not a storage", () => {
    const ship = spawn(world);
    const pod = attachNew(world, ship);
    const dead = spawn(world);
    destroy(world, dead);

    const codes = [
      codeOf(() => attach(world, ship, pod)),
      codeOf(() => attach(world, ship, pod, Parent)),
      codeOf(() => attach(world, dead, ship)),
      codeOf(() => attach(world, pod, dead)),
      codeOf(() => attach(world, pod, ship, Likes)),
      codeOf(() => detach(world, dead)),
      codeOf(() => remove(world, dead)),
      codeOf(() => removeAll(world, dead)),
      codeOf(() => attachNew(world, dead)),
    ];

    const code = "dead-entity";
    expect(codes).toEqual(["cycle", "cycle", code, code, "bad-term", code, code, code, code]);
    expect(children(world, ship)).toEqual([pod]);
  });

  it("is deferred inside an iteration; then a destroyed parent destroys the entity, an earlier destroyed one is ignored", () => {
    const [ship, dock, one, other, third] = [0, 1, 2, 3, 4].map(() => spawn(world)) as [
      Entity,
      Entity,
      Entity,
      Entity,
      Entity,
    ];

    defer(world, () => {
      attach(world, one, dock);
      destroy(world, third);
      attach(world, third, dock);
      remove(world, third);
      removeAll(world, third);
      destroy(world, ship);
      attach(world, other, ship);
      expect(children(world, dock)).toEqual([]);
    });

    expect(children(world, dock)).toEqual([one]);
    expect([other, third].map((entity) => isAlive(world, entity))).toEqual([false, false]);
  });

  it("leaves the entity as it is if its parent is destroyed in a world that drops such commands", () => {
    const world = createWorld({ ifParentDestroyed: "drop" });
    const [ship, one] = [spawn(world), spawn(world)];

    defer(world, () => {
      destroy(world, ship);
      attach(world, one, ship);
    });

    expect(roots(world)).toEqual([one]);
  });
});

describe("attachNew", () => {
  it("spawns below a parent, with all that it is given", () => {
    const ship = spawn(world);

    const child = attachNew(world, ship, Order({ at: 3 }), Likes(ship));

    expect(children(world, ship)).toEqual([child]);
    expect(get(world, child, Order)).toEqual({ at: 3 });
    expect(targetOf(world, child, Likes)).toBe(ship);
    expect(codeOf(() => attachNew(world, ship, Parent(ship)))).toBe("bad-term");
  });
});

describe("remove and removeAll", () => {
  it("leave roots in the order of the tree, and other relations as they are", () => {
    const ship = spawn(world);
    const pod = attachNew(world, ship, Likes(ship));
    const seat = attachNew(world, pod);
    const bolt = attachNew(world, seat);

    remove(world, pod);
    expect(roots(world)).toEqual([ship, pod, seat]);
    expect(children(world, seat)).toEqual([bolt]);
    attach(world, pod, ship);
    attach(world, seat, pod);
    removeAll(world, ship);

    expect(roots(world)).toEqual([ship, pod, seat, bolt]);
    expect(has(world, pod, Likes(Any))).toBe(true);
  });
});

describe("sort", () => {
  it("accepts a component and a comparison of its values, too", () => {
    const ship = spawn(world);
    const [one, other] = [attachNew(world, ship, Order({ at: 2 })), attachNew(world, ship, Order({ at: 1 }))];

    sort(world, ship, Order, (first, second) => first.at - second.at);

    expect(children(world, ship)).toEqual([other, one]);
  });
});
