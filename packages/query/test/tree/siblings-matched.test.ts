import { type Entity, get, type Move, observe, parentOf, set, spawn, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { detach, remove, removeAll } from "../../src/hierarchy.ts";
import { children } from "../../src/index.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, withHooks } from "../public/define.ts";
import { detachChildren, replaceChildren } from "../public/siblings.ts";
import { plantSiblings } from "./planted-siblings.ts";

let calls: unknown[] = [];

/** Entities that change together get their places in the result, all but the first. */
const Rank = withHooks(component<string>("Rank"), {
  checkMoves: (_, moves: readonly Move<string>[]) => {
    calls.push(moves.map(({ entity, parent }) => [entity, parent]));
    return moves.map(({ value }, at) => (at === 0 ? undefined : `${value}${at}`));
  },
  written: (_, entity, value, parent) => calls.push([entity, value, parent]),
});

beforeEach(() => {
  calls = [];
});

function ranksOf(world: World, entities: readonly Entity[]): (string | undefined)[] {
  return entities.map((one) => get(world, one, Rank));
}

describe("matched hooks of many entities at once", () => {
  it("are called for leavers and newcomers when children are replaced", () => {
    const { world, ship, dock } = plantSiblings();
    const [left, stays] = [spawn(world, Rank("a"), ChildOf(dock)), spawn(world, Rank("b"), ChildOf(dock))];
    const [root, other] = [spawn(world, Rank("c")), spawn(world, Rank("d"), Parent(ship))];
    calls = [];

    replaceChildren(world, dock, [root, stays, other]);

    expect(calls).toEqual([
      [
        [left, undefined],
        [root, dock],
        [other, dock],
      ],
      [left, "a", undefined],
      [root, "c1", dock],
      [other, "d2", dock],
    ]);
    expect(ranksOf(world, children(world, dock))).toEqual(["c1", "b", "d2"]);
  });

  it.each<[string, (world: World, dock: Entity) => void]>([
    ["detachChildren", detachChildren],
    ["remove", remove],
    ["removeAll", removeAll],
  ])("are called for children that become roots: %s", (_, act) => {
    const { world, dock } = plantSiblings();
    const crew = [Parent, ChildOf].map((storage) => spawn(world, Rank("a"), storage(dock)));
    calls = [];

    act(world, dock);

    expect(ranksOf(world, crew)).toEqual(["a", "a1"]);
    expect(calls).toHaveLength(3);
  });

  it("count as a write, and what observers write is deferred after the last of them", () => {
    const { world, dock } = plantSiblings();
    const crew = [1, 2, 3].map(() => spawn(world, Rank("a"), ChildOf(dock)));
    const outsider = spawn(world, Rank("old"));
    const observed: unknown[] = [];
    observe(world, { removed: ChildOf(dock), set: Rank }, ({ kind, entity }) => {
      observed.push([kind, crew.indexOf(entity), parentOf(world, entity), get(world, outsider, Rank)]);
      if (kind === "removed") set(world, outsider, Rank, "new");
    });

    replaceChildren(world, dock, [spawn(world)]);

    expect(observed).toEqual([
      ["removed", 0, dock, "old"],
      ["removed", 1, dock, "old"],
      ["set", 1, undefined, "old"],
      ["removed", 2, dock, "old"],
      ["set", 2, undefined, "old"],
      ["set", -1, undefined, "new"],
      ["set", -1, undefined, "new"],
      ["set", -1, undefined, "new"],
    ]);
  });

  it("are not called for a single entity that is detached: check is", () => {
    const { world, dock } = plantSiblings();
    const one = spawn(world, Rank("a"), ChildOf(dock));
    calls = [];

    detach(world, one);

    expect(calls).toEqual([[one, "a", undefined]]);
  });
});
