import { add, ChildOf, component, observe, Parent, spawn, withHooks } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  children,
  detachChildren,
  insertAt,
  moveAfter,
  moveBefore,
  replaceChildren,
  setChildOrder,
  sortChildren,
} from "../../src/index.ts";
import { type Family, plantFamily } from "./family.ts";

describe("what is told", () => {
  it("is one reordered for a move within the family, and none for a move that changes nothing", () => {
    const { world, ship, crew, heard } = plantFamily();
    const [a, b, , d] = crew;
    const quiet = [
      () => insertAt(world, ship, b, 1),
      () => moveBefore(world, a, b),
      () => moveAfter(world, b, a),
      () => setChildOrder(world, ship, crew),
      () => sortChildren(world, ship, () => 0),
      () => replaceChildren(world, ship, crew),
    ];

    for (const act of quiet) act();
    expect(heard).toEqual([]);
    moveBefore(world, d, a);
    setChildOrder(world, ship, crew);
    sortChildren(world, ship, (one, other) => other - one);
    replaceChildren(world, ship, crew);

    expect(heard).toEqual(Array(4).fill(`reordered ${ship} ${ship}`));
  });

  it("is a reparent for whoever comes to a place; the listener finds it there", () => {
    const { world, ship, crew, dock } = plantFamily();
    const [a, b, c, d] = crew;
    const cargo = spawn(world, ChildOf(dock));
    const heard: unknown[] = [];
    observe(
      world,
      { added: ChildOf, removed: ChildOf, reordered: ChildOf },
      ({ kind, oldTarget, newTarget }) => {
        heard.push([kind, oldTarget, newTarget, children(world, ship)]);
      },
    );

    moveAfter(world, cargo, a);

    expect(heard).toEqual([
      ["removed", dock, ship, [a, b, c, d]],
      ["added", dock, ship, [a, cargo, b, c, d]],
    ]);
  });

  it("is, of replaced children, who goes, who comes, and last of all that the others are reordered", () => {
    const { world, ship, crew, dock, heard } = plantFamily();
    const [a, b, c, d] = crew;

    replaceChildren(world, ship, [c, dock, b]);
    const reordered = heard.splice(0);
    replaceChildren(world, ship, [a, c, b, d]);

    expect(reordered).toEqual([
      `removed ${a} ${ship}`,
      `removed ${d} ${ship}`,
      `added ${dock} ${ship}`,
      `reordered ${ship} ${ship}`,
    ]);
    expect(heard).toEqual([`removed ${dock} ${ship}`, `added ${a} ${ship}`, `added ${d} ${ship}`]);
  });
});

describe("hooks", () => {
  const asked: string[] = [];
  /** Some want a parent, some want none. */
  const Wish = withHooks(component<string>("Wish"), {
    check: (_world, entity, wish, parent) => {
      asked.push(`check ${entity} ${parent}`);
      if (wish === "root" && parent !== undefined) throw new Error("wants no parent");
      if (wish === "child" && parent === undefined) throw new Error("wants a parent");
    },
    written: (_world, entity, _wish, parent) => asked.push(`written ${entity} ${parent}`),
  });

  it.each([
    ["a newcomer", "root", (family: Family) => family.dock],
    ["one who would leave", "child", (family: Family) => family.crew[0]],
  ] as const)("refuse a whole replacement for %s", (_, wish, whoOf) => {
    const family = plantFamily(ChildOf, Parent);
    const { world, ship, crew, dock, heard } = family;
    add(world, whoOf(family), Wish(wish));

    expect(() => replaceChildren(world, ship, [crew[3], dock, crew[1]])).toThrow("wants");
    expect(children(world, ship)).toEqual(crew);
    expect(children(world)).toEqual([ship, dock]);
    expect(heard).toEqual([]);
  });

  it("refuse that all children become roots", () => {
    const { world, ship, crew } = plantFamily(ChildOf, Parent);
    add(world, crew[2], Wish("child"));

    expect(() => detachChildren(world, ship)).toThrow("wants a parent");
    expect(children(world, ship)).toEqual(crew);
  });

  it("are asked before anything changes, once for each who goes or comes, and told after", () => {
    const { world, ship, crew, dock } = plantFamily(ChildOf, Parent);
    const [a, b, c, d] = crew;
    for (const one of [...crew, dock]) add(world, one, Wish("any"));
    asked.length = 0;

    replaceChildren(world, ship, [b, dock, d]);

    const none = undefined;
    expect(asked).toEqual([
      `check ${a} ${none}`,
      `check ${c} ${none}`,
      `check ${dock} ${ship}`,
      `written ${a} ${none}`,
      `written ${c} ${none}`,
      `written ${dock} ${ship}`,
    ]);
  });

  it("are neither asked nor told when a child moves within its family", () => {
    const { world, crew } = plantFamily();
    add(world, crew[0], Wish("any"));
    asked.length = 0;

    moveAfter(world, crew[0], crew[2]);

    expect(asked).toEqual([]);
  });
});
