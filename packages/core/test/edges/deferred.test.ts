import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, defer, type Entity, observe, remove, spawn } from "../../src/index.ts";
import { component, withHooks } from "../defining.ts";
import { Any, ChildOf, Frozen, Label, Likes, Parent, storages } from "../definitions.ts";
import { a, b, setTwo, world } from "../fixture.ts";
import { has, isAlive, parentOf, subjectsOf, verify } from "../reading.ts";
import { destroy } from "../world/destroy.ts";

/** Cases that another library of this kind gets wrong or excludes, by its own documentation or by experiment. */

beforeEach(setTwo);

describe("deferred changes (section 13)", () => {
  it.each<[string, (parent: Entity) => Entity]>([
    [
      "a parent that is destroyed first",
      (parent) => {
        const child = spawn(world);
        destroy(world, parent);
        add(world, child, ChildOf(parent));
        return child;
      },
    ],
    [
      "a parent that is destroyed later",
      (parent) => {
        const child = spawn(world, ChildOf(parent));
        destroy(world, parent);
        return child;
      },
    ],
    [
      "a value parent that is destroyed first",
      (parent) => {
        const child = spawn(world);
        destroy(world, parent);
        add(world, child, Parent(parent), Frozen);
        return child;
      },
    ],
    [
      "a reparent from a living parent",
      (parent) => {
        const child = spawn(world, Parent(b));
        destroy(world, parent);
        add(world, child, Parent(parent));
        return child;
      },
    ],
  ])("a child is destroyed with %s", (_, act) => {
    const child = defer(world, () => act(a));

    expect([isAlive(world, child), isAlive(world, a), verify(world)]).toEqual([false, false, []]);
  });

  it("a reparent to a parent that is destroyed also destroys the child from elsewhere, with all below", () => {
    const child = spawn(world, Parent(b));
    const below = spawn(world, ChildOf(child));

    defer(world, () => {
      destroy(world, a);
      add(world, child, ChildOf(a));
    });

    expect([child, below, b].map((one) => isAlive(world, one))).toEqual([false, false, true]);
  });

  it("a pair of a relation that removes is skipped, and the entity stays alive", () => {
    const one = defer(world, () => {
      destroy(world, a);
      return spawn(world, Likes(a), Frozen);
    });

    expect([has(world, one, Likes(Any)), has(world, one, Frozen)]).toEqual([false, true]);
  });

  it("two reparents in one batch end with the last parent", () => {
    const child = spawn(world);

    defer(world, () => {
      add(world, child, Parent(a));
      add(world, child, ChildOf(b));
    });

    expect([parentOf(world, child), subjectsOf(world, a, ChildOf)]).toEqual([b, []]);
  });

  it("removing a parent and adding it again ends with that parent", () => {
    const child = spawn(world, Parent(a));

    defer(world, () => {
      remove(world, child, ChildOf(a));
      add(world, child, Parent(a));
    });

    expect([parentOf(world, child), verify(world)]).toEqual([a, []]);
  });

  it("observers see the order of issue: nothing is merged or reordered", () => {
    const calls: string[] = [];
    observe(world, { added: Any, removed: Any, set: Any }, ({ kind, definition }) =>
      calls.push(`${kind} ${definition.name}`),
    );

    defer(world, () => {
      add(world, a, Label("x"));
      remove(world, a, Label);
      add(world, a, Frozen);
      add(world, a, Label("y"));
    });

    expect(calls).toEqual([
      "added Label",
      "set Label",
      "removed Label",
      "added Frozen",
      "added Label",
      "set Label",
    ]);
  });

  it("no deferred command changes a destroyed entity, nor the entity that reuses its index", () => {
    const child = spawn(world, Parent(a));

    defer(world, () => {
      destroy(world, a);
      add(world, child, Frozen);
      remove(world, child, ChildOf(a));
      clear(world, a);
    });

    expect([isAlive(world, child), world.entities.alive, verify(world)]).toEqual([false, 1, []]);
  });
});

describe("observers and hooks (section 14)", () => {
  it("are called in the order of registration; hooks last on removal, first on addition", () => {
    const calls: string[] = [];
    const Hooked = withHooks(component<string>("Hooked"), {
      written: () => calls.push("written"),
      onRemove: () => calls.push("onRemove"),
    });
    observe(world, { added: Hooked, removed: Hooked }, ({ kind }) => calls.push(`first ${kind}`));
    observe(world, { added: Any, removed: Any }, ({ kind }) => calls.push(`second ${kind}`));

    add(world, a, Hooked("x"));
    remove(world, a, Hooked);

    expect(calls).toEqual([
      "written",
      "first added",
      "second added",
      "first removed",
      "second removed",
      "onRemove",
    ]);
  });

  it.each(storages)(
    "are notified of parents as ChildOf, by relation, by parent and by wildcard: %s",
    (_, storage) => {
      const calls: string[] = [];
      observe(world, { added: ChildOf }, () => calls.push("relation"));
      observe(world, { added: ChildOf(a) }, () => calls.push("parent"));
      observe(world, { added: ChildOf(b) }, () => calls.push("other parent"));
      observe(world, { added: Any(a) }, () => calls.push("target"));
      observe(world, { added: Any }, () => calls.push("everything"));

      spawn(world, storage(a));

      expect(calls).toEqual(["relation", "parent", "target", "everything"]);
    },
  );
});
