import { add, type Entity, isAlive, observeChildren, spawn, targetOf } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { attachMany } from "../../src/hierarchy.ts";
import { children, insertAt, moveAfter, moveBefore, replaceChildren } from "../../src/index.ts";
import { plant } from "../drawn-tree.ts";
import { Parent } from "../public/builtins.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";

const TREE = "ship\n  cockpit\n  hold\ndock\n  crate";

beforeEach(setWorld);

const isByValue = (one: Entity): boolean => targetOf(world, one, Parent) !== undefined;

describe("a child whose parent is stored by value", () => {
  it.each<[string, (given: Record<"ship" | "dock" | "cockpit" | "hold" | "crate", Entity>) => void]>([
    ["insertAt among its siblings", ({ ship, hold }) => insertAt(world, ship, hold, 0)],
    ["insertAt below another parent", ({ dock, hold }) => insertAt(world, dock, hold, 0)],
    ["insertAt below a parent without children", ({ hold }) => insertAt(world, spawn(world), hold, 0)],
    ["moveBefore", ({ crate, hold }) => moveBefore(world, hold, crate)],
    ["moveAfter", ({ crate, hold }) => moveAfter(world, hold, crate)],
    ["replaceChildren", ({ dock, hold, crate }) => replaceChildren(world, dock, [hold, crate])],
  ])("keeps that storage: %s", (_, act) => {
    const planted = plant(world, TREE, Parent);

    act(planted);

    expect(isByValue(planted.hold)).toBe(true);
    verifyWorld();
  });

  it("keeps it below a parent whose other children have ChildOf", () => {
    const { hold } = plant(world, TREE, Parent);
    const { dock, crate } = plant(world, TREE);

    insertAt(world, dock, hold, 1);

    expect([children(world, dock), isByValue(hold), isByValue(crate)]).toEqual([[crate, hold], true, false]);
  });
});

describe("an observer of children", () => {
  it("is called once for each child that one verb moves", () => {
    const { ship, dock, cockpit, hold } = plant(world, TREE);
    const seen: string[] = [];
    observeChildren(world, dock, ({ kind }) => seen.push(kind));

    attachMany(world, [cockpit, hold], dock);
    expect(seen.splice(0)).toEqual(["added", "added"]);
    replaceChildren(world, dock, []);

    expect([seen, isAlive(world, ship)]).toEqual([["removed", "removed", "removed"], true]);
  });

  it("is called once for a verb that changes the order of several", () => {
    const { dock, crate } = plant(world, TREE);
    for (let at = 0; at < 3; at++) add(world, spawn(world), Parent(dock));
    const seen: string[] = [];
    observeChildren(world, dock, ({ kind }) => seen.push(kind));

    replaceChildren(world, dock, children(world, dock).reverse());

    expect([seen, children(world, dock).at(-1)]).toEqual([["reordered"], crate]);
  });
});
