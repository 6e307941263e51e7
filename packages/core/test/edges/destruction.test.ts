import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, entityOf, observe, spawn } from "../../src/index.ts";
import {
  Any,
  ChildOf,
  Frozen,
  Label,
  Likes,
  OrderedChildren,
  Owns,
  Parent,
  storages,
} from "../definitions.ts";
import { a, b, setTwo, world } from "../fixture.ts";
import { codeOf, get, has, isAlive, parentOf, targetOf, verify } from "../reading.ts";
import { destroy } from "../world/destroy.ts";

/** Cases that another library of this kind gets wrong or excludes, by its own documentation or by experiment. */

beforeEach(setTwo);

describe("destruction (section 6)", () => {
  it.each(storages)(
    "siblings are destroyed in order, each before its parent, whatever the tables: %s",
    (_, storage) => {
      const names = new Map<Entity, string>([[a, "r"]]);
      const plant = (name: string, parent: Entity, ...more: (typeof Frozen)[]): Entity => {
        const one = spawn(world, storage(parent), Label(name), ...more);
        names.set(one, name);
        return one;
      };
      const [c0, c1, c2] = [plant("c0", a), plant("c1", a, Frozen), plant("c2", a)];
      for (const [parent, name] of [
        [c2, "c2"],
        [c0, "c0"],
        [c1, "c1"],
      ] as const) {
        plant(`${name}0`, parent);
        plant(`${name}1`, parent, Frozen);
      }
      const calls: string[] = [];
      observe(world, { removed: Label }, ({ entity }) => {
        calls.push(names.get(entity)!);
        if (!isAlive(world, parentOf(world, entity)!)) calls.push("orphaned");
      });

      destroy(world, a);

      expect(calls).toEqual(["c00", "c01", "c0", "c10", "c11", "c1", "c20", "c21", "c2"]);
    },
  );

  it("a chain of 30,000 of a relation that deletes is destroyed as a whole", () => {
    let last = a;
    for (let at = 1; at < 30_000; at++) last = spawn(world, Owns(last));

    expect(destroy(world, a)).toBe(30_000);
  });

  it("builtins cannot be destroyed", () => {
    expect(
      [ChildOf, Parent, OrderedChildren].map((one) => codeOf(() => destroy(world, entityOf(world, one)))),
    ).toEqual(["refused", "refused", "refused"]);
  });

  it("destroying a relation removes all its pairs, also from what queries find about their targets", () => {
    const one = spawn(world, Likes(b));

    destroy(world, entityOf(world, Likes));

    expect([has(world, one, Likes(b)), has(world, one, Any(b)), targetOf(world, one, Likes)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  it("an observer that destroys an entity being destroyed, or its parent, changes nothing", () => {
    const child = spawn(world, Parent(a), Frozen);
    observe(world, { removed: Frozen }, ({ entity }) => {
      destroy(world, entity);
      destroy(world, a);
    });

    destroy(world, child);
    const parentLives = isAlive(world, a);

    expect([isAlive(world, child), parentLives, verify(world)]).toEqual([false, false, []]);
  });

  it.each(storages)("a child added to a parent being destroyed is destroyed with it: %s", (_, storage) => {
    const child = spawn(world, storage(a), Frozen);
    const stranger = spawn(world);
    let spawned: Entity | undefined;
    observe(world, { removed: Frozen }, () => {
      spawned = spawn(world, storage(a));
      add(world, stranger, storage(a));
    });

    destroy(world, a);

    expect([a, child, spawned!, stranger].map((one) => isAlive(world, one))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("a sibling being destroyed that an observer moves away is destroyed all the same", () => {
    const [first, second] = [spawn(world, ChildOf(a), Frozen), spawn(world, Parent(a))];
    observe(world, { removed: Frozen }, () => add(world, second, ChildOf(b)));

    destroy(world, a);

    expect([first, second].map((one) => isAlive(world, one))).toEqual([false, false]);
  });

  it("a component being destroyed cannot be added to an entity being destroyed: the command is dropped without an error", () => {
    const child = spawn(world, Parent(a), Frozen);
    observe(world, { removed: Frozen }, ({ entity }) => add(world, entity, Frozen));

    expect(codeOf(() => destroy(world, child))).toBeUndefined();

    expect(isAlive(world, child)).toBe(false);
  });

  it("a remaining entity keeps what an observer adds to it", () => {
    spawn(world, Parent(a), Frozen);
    observe(world, { removed: Frozen }, () => add(world, b, Label("kept")));

    destroy(world, a);

    expect(get(world, b, Label)).toBe("kept");
  });
});
