import { add, type Entity, observe, parentOf, release, set, spawn, targetOf } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { attachMany } from "../../src/hierarchy.ts";
import { children, destroy, each, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Frozen } from "../definitions.ts";
import { drawing, plant } from "../drawn-tree.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, createWorld, relation, withHooks } from "../public/define.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";

const Likes = relation("Likes");

const TREE = "ship\n  cockpit\n    seat\n  hold\n  bay\ndock\n  crate\n    lid\n  crane";

const storages = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const;

beforeEach(setWorld);

function storedByValue(list: readonly Entity[]): boolean[] {
  return list.map((one) => targetOf(world, one, Parent) !== undefined);
}

describe.each(storages)("many entities attached in a tree stored by %s", (_, storage) => {
  it("become the last children, in the order of the list, with everything below them", () => {
    const planted = plant(world, TREE, storage);
    const { ship, crane, crate, seat } = planted;

    attachMany(world, [crane, seat, crate], ship);

    expect(drawing(world, planted)).toBe(
      "ship\n  cockpit\n  hold\n  bay\n  crane\n  seat\n  crate\n    lid\ndock",
    );
    verifyWorld();
  });

  it("move behind the other children if they were children already", () => {
    const planted = plant(world, TREE, storage);
    const { ship, crane, cockpit, bay } = planted;

    attachMany(world, [bay, crane, cockpit], ship);

    expect(drawing(world, planted)).toBe(
      "ship\n  hold\n  bay\n  crane\n  cockpit\n    seat\ndock\n  crate\n    lid",
    );
    verifyWorld();
  });

  it("keep their storage", () => {
    const { ship, crane, bay } = plant(world, TREE, storage);
    const root = spawn(world);

    attachMany(world, [crane, root, bay], ship);

    expect(storedByValue([crane, root, bay])).toEqual([storage === Parent, false, storage === Parent]);
  });

  it.each(storages)(
    "get the storage %s that is named, also those that were children already",
    (_name, wanted) => {
      const { ship, crane, bay } = plant(world, TREE, storage);
      const root = spawn(world);

      attachMany(world, [crane, root, bay], ship, wanted);

      expect(storedByValue([crane, root, bay])).toEqual(Array(3).fill(wanted === Parent));
      expect(children(world, ship).slice(-3)).toEqual([crane, root, bay]);
      verifyWorld();
    },
  );
});

it("an entity that is listed twice counts at its first place", () => {
  const { ship, crane, crate } = plant(world, TREE);

  attachMany(world, [crane, crate, crane], ship);

  expect(children(world, ship).slice(-2)).toEqual([crane, crate]);
});

it("an empty list changes nothing", () => {
  const planted = plant(world, TREE);

  attachMany(world, [], planted.ship);

  expect(drawing(world, planted)).toBe(TREE);
});

it("observers hear of each new parent, and once of a new order of those that were children", () => {
  const { ship, crane, cockpit, dock } = plant(world, TREE);
  const seen: unknown[] = [];
  observe(world, { added: ChildOf }, ({ entity, oldTarget, newTarget }) => {
    seen.push([entity, oldTarget, newTarget]);
  });
  observe(world, { reordered: ChildOf }, ({ entity }) => seen.push(entity));

  attachMany(world, [crane, cockpit], ship);

  expect(seen).toEqual([[crane, dock, ship], ship]);
});

it("inside an iteration they are attached at the end, without those destroyed by then", () => {
  const { ship, crane, crate } = plant(world, TREE);
  const during: number[] = [];
  add(world, ship, Frozen);

  each(query(world, Frozen), () => {
    attachMany(world, [crane, crate], ship);
    destroy(world, crane);
    during.push(children(world, ship).length);
  });

  expect([during, children(world, ship).length, parentOf(world, crate)]).toEqual([[3], 4, ship]);
});

describe("nothing changes", () => {
  it.each([
    [
      "the parent is below one of them",
      "cycle",
      (t: Planted) => attachMany(world, [t.crane, t.ship], t.seat),
    ],
    ["the parent is one of them", "cycle", (t: Planted) => attachMany(world, [t.crane, t.ship], t.ship)],
    ["one is not alive", "dead-entity", (t: Planted) => attachMany(world, [t.crane, gone()], t.ship)],
    ["the parent is not alive", "dead-entity", (t: Planted) => attachMany(world, [t.crane], gone())],
    [
      "the storage is another relation",
      "bad-term",
      (t: Planted) => attachMany(world, [t.crane], t.ship, Likes),
    ],
    ["they are no list", "bad-order", (t: Planted) => attachMany(world, t.crane as never, t.ship)],
  ] as [string, string, (planted: Planted) => void][])("if %s", (_, code, call) => {
    const planted = plant(world, TREE);

    expect([codeOf(() => call(planted)), drawing(world, planted)]).toEqual([code, TREE]);
    expect(verify(world)).toEqual([]);
  });

  it("if a hook refuses one of them", () => {
    const planted = plant(world, TREE);
    let isRefusing = false;
    const Sealed = withHooks(component<string>("Sealed"), {
      check: () => {
        if (isRefusing) throw new Error("sealed");
      },
    });
    set(world, planted.crate, Sealed, "yes");
    isRefusing = true;

    expect(() => attachMany(world, [planted.crane, planted.crate], planted.ship)).toThrow("sealed");
    expect(drawing(world, planted)).toBe(TREE);
  });

  it("inside an iteration of a strict world", () => {
    const strict = createWorld({ strict: true });
    const planted = plant(strict, TREE);
    add(strict, planted.ship, Frozen);

    const code = codeOf(() =>
      each(query(strict, Frozen), () => attachMany(strict, [planted.crane], planted.ship)),
    );

    expect([code, drawing(strict, planted)]).toEqual(["iterating", TREE]);
  });
});

type Planted = Readonly<Record<"ship" | "crane" | "seat" | "crate", Entity>>;

function gone(): Entity {
  const one = spawn(world);
  release(world, one);
  return one;
}
