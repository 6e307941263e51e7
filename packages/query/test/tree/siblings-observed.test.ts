import { add, observe, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { children, roots } from "../../src/index.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, withHooks } from "../public/define.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../public/siblings.ts";
import { plantSiblings, type Siblings } from "./planted-siblings.ts";

describe("observers of siblings", () => {
  it("get one reordered for a move under the same parent, and none for a move that changes nothing", () => {
    const { world, ship, crew, observed } = plantSiblings();
    const [a, b, , d] = crew;
    const calls = [
      () => insertAt(world, ship, b, 1),
      () => moveBefore(world, a, b),
      () => moveAfter(world, b, a),
      () => setChildOrder(world, ship, crew),
      () => sortChildren(world, ship, () => 0),
      () => replaceChildren(world, ship, crew),
    ];

    for (const act of calls) act();
    expect(observed).toEqual([]);
    moveBefore(world, d, a);
    setChildOrder(world, ship, crew);
    sortChildren(world, ship, (one, other) => other - one);
    replaceChildren(world, ship, crew);

    expect(observed).toEqual(Array(4).fill(`reordered ${ship} ${ship}`));
  });

  it("get a reparent for a child that comes to a place, and find it there", () => {
    const { world, ship, crew, dock } = plantSiblings();
    const [a, b, c, d] = crew;
    const cargo = spawn(world, ChildOf(dock));
    const observed: unknown[] = [];
    observe(
      world,
      { added: ChildOf, removed: ChildOf, reordered: ChildOf },
      ({ kind, oldTarget, newTarget }) => {
        observed.push([kind, oldTarget, newTarget, children(world, ship)]);
      },
    );

    moveAfter(world, cargo, a);

    expect(observed).toEqual([
      ["removed", dock, ship, [a, b, c, d]],
      ["added", dock, ship, [a, cargo, b, c, d]],
    ]);
  });

  it("get, for replaced children, those that leave, those that come, and last that the others are reordered", () => {
    const { world, ship, crew, dock, observed } = plantSiblings();
    const [a, b, c, d] = crew;

    replaceChildren(world, ship, [c, dock, b]);
    const reordered = observed.splice(0);
    replaceChildren(world, ship, [a, c, b, d]);

    expect(reordered).toEqual([
      `removed ${a} ${ship}`,
      `removed ${d} ${ship}`,
      `added ${dock} ${ship}`,
      `reordered ${ship} ${ship}`,
    ]);
    expect(observed).toEqual([`removed ${dock} ${ship}`, `added ${a} ${ship}`, `added ${d} ${ship}`]);
  });
});

describe("hooks", () => {
  const checked: string[] = [];
  /** Some want a parent, some want none. */
  const Wish = withHooks(component<string>("Wish"), {
    check: (_world, entity, wish, parent) => {
      checked.push(`check ${entity} ${parent}`);
      if (wish === "root" && parent !== undefined) throw new Error("wants no parent");
      if (wish === "child" && parent === undefined) throw new Error("wants a parent");
    },
    written: (_world, entity, _wish, parent) => checked.push(`written ${entity} ${parent}`),
  });

  it.each([
    ["a newcomer", "root", (siblings: Siblings) => siblings.dock],
    ["an entity that would leave", "child", (siblings: Siblings) => siblings.crew[0]],
  ] as const)("refuse a whole replacement for %s", (_, wish, entityOf) => {
    const siblings = plantSiblings(ChildOf, Parent);
    const { world, ship, crew, dock, observed } = siblings;
    add(world, entityOf(siblings), Wish(wish));

    expect(() => replaceChildren(world, ship, [crew[3], dock, crew[1]])).toThrow("wants");
    expect(children(world, ship)).toEqual(crew);
    expect(roots(world)).toEqual([ship, dock]);
    expect(observed).toEqual([]);
  });

  it("refuse that all children become roots", () => {
    const { world, ship, crew } = plantSiblings(ChildOf, Parent);
    add(world, crew[2], Wish("child"));

    expect(() => detachChildren(world, ship)).toThrow("wants a parent");
    expect(children(world, ship)).toEqual(crew);
  });

  it("are called before anything changes, once for each child that leaves or comes, and effects after", () => {
    const { world, ship, crew, dock } = plantSiblings(ChildOf, Parent);
    const [a, b, c, d] = crew;
    for (const one of [...crew, dock]) add(world, one, Wish("any"));
    checked.length = 0;

    replaceChildren(world, ship, [b, dock, d]);

    const none = undefined;
    expect(checked).toEqual([
      `check ${a} ${none}`,
      `check ${c} ${none}`,
      `check ${dock} ${ship}`,
      `written ${a} ${none}`,
      `written ${c} ${none}`,
      `written ${dock} ${ship}`,
    ]);
  });

  it("are not called when a child moves under the same parent", () => {
    const { world, crew } = plantSiblings();
    add(world, crew[0], Wish("any"));
    checked.length = 0;

    moveAfter(world, crew[0], crew[2]);

    expect(checked).toEqual([]);
  });
});
