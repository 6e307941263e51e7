import { add, type Entity, pack, remove, spawn, targetOf } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { children, descendants, destroy, each, query, roots } from "../../src/index.ts";
import { ChildOf, OrderedChildren, Parent } from "../public/builtins.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../public/siblings.ts";
import { plantSiblings, STORAGES, Tone, Weight } from "./planted-siblings.ts";

describe.each(STORAGES)("among children by %s", (_, one, other) => {
  it("insertAt moves a child to a place among the others", () => {
    const { world, ship, crew } = plantSiblings(one, other);
    const [a, b, c, d] = crew;

    const received = [0, 1, 2, 3].map((place) => {
      insertAt(world, ship, b, place);
      return children(world, ship);
    });

    expect(received).toEqual([
      [b, a, c, d],
      [a, b, c, d],
      [a, c, b, d],
      [a, c, d, b],
    ]);
  });

  it("insertAt attaches a child from elsewhere, at the place", () => {
    const { world, ship, crew, dock } = plantSiblings(one, other);
    const [a, b, c, d] = crew;

    insertAt(world, ship, dock, 1);

    expect(children(world, ship)).toEqual([a, dock, b, c, d]);
    expect(verify(world)).toEqual([]);
  });

  it("moveBefore and moveAfter move a child beside another", () => {
    const { world, ship, crew } = plantSiblings(one, other);
    const [a, b, c, d] = crew;

    moveBefore(world, d, a);
    moveAfter(world, b, c);

    expect(children(world, ship)).toEqual([d, a, c, b]);
    expect(verify(world)).toEqual([]);
  });

  it("setChildOrder puts all of them into an order", () => {
    const { world, ship, crew } = plantSiblings(one, other);

    setChildOrder(world, ship, crew.toReversed());

    expect(children(world, ship)).toEqual(crew.toReversed());
    expect(verify(world)).toEqual([]);
  });

  it("replaceChildren makes a list all the children there are", () => {
    const { world, ship, crew, dock } = plantSiblings(one, other);
    const [a, b, c, d] = crew;

    replaceChildren(world, ship, [c, dock, a]);

    expect(children(world, ship)).toEqual([c, dock, a]);
    expect(roots(world)).toEqual([ship, b, d]);
    expect(verify(world)).toEqual([]);
  });

  it("detachChildren makes roots of all of them, in their order", () => {
    const { world, ship, crew, dock } = plantSiblings(one, other);
    setChildOrder(world, ship, crew.toReversed());

    detachChildren(world, ship);

    expect(roots(world)).toEqual([ship, dock, ...crew.toReversed()]);
    expect(verify(world)).toEqual([]);
  });

  it("walks, destructions and pack follow a new order", () => {
    const { world, ship, crew, observed } = plantSiblings(one, other);
    const [a, b, c, d] = crew;
    const below = spawn(world, one(b));
    setChildOrder(world, ship, [d, b, a, c]);
    for (const child of crew) add(world, child, Weight({ kilos: child }));

    pack(world);
    const rows: Entity[] = [];
    each(query(world, Weight), (_weight, entity) => rows.push(entity));
    const walked = descendants(world, ship);
    observed.length = 0;
    destroy(world, ship);

    // Each table by itself: one for each storage.
    const ofOne = (list: readonly Entity[]): Entity[] => list.filter((child) => child === a || child === d);
    expect(ofOne(rows)).toEqual([d, a]);
    expect(rows.filter((child) => child === b || child === c)).toEqual([b, c]);
    expect(walked).toEqual([d, b, below, a, c]);
    expect(observed.map((text) => text.split(" ")[1])).toEqual([d, below, b, a, c].map(String));
  });

  it("components are added and removed without changing the order", () => {
    const { world, ship, crew } = plantSiblings(one, other);
    setChildOrder(world, ship, crew.toReversed());

    for (const child of crew) {
      add(world, child, Weight, Tone("a"));
      remove(world, child, Weight);
    }

    expect(children(world, ship)).toEqual(crew.toReversed());
  });

  it("a change of storage keeps the place, and reports nothing", () => {
    const { world, ship, crew, observed } = plantSiblings(one, other);
    const [a, b, c, d] = crew;
    moveBefore(world, d, b);
    observed.length = 0;

    for (const storage of [Parent, ChildOf, Parent])
      for (const child of [b, d]) add(world, child, storage(ship));

    expect(children(world, ship)).toEqual([a, d, b, c]);
    expect(observed).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("an order is kept when OrderedChildren is added late and removed", () => {
    const { world, ship, crew } = plantSiblings(one, other);
    const [a, b, c, d] = crew;

    add(world, ship, OrderedChildren);
    expect(children(world, ship)).toEqual([a, b, c, d]);
    moveBefore(world, d, a);
    remove(world, ship, OrderedChildren);
    expect(children(world, ship)).toEqual([d, a, b, c]);
    const last = spawn(world, one(ship));

    expect(children(world, ship)).toEqual([d, a, b, c, last]);
    expect(verify(world)).toEqual([]);
  });

  it("children are added and removed in a list that is kept from the start", () => {
    const { world } = plantSiblings(one, other);
    const deck = spawn(world, OrderedChildren);
    const [a, b, c] = [one, other, one].map((storage) => spawn(world, storage(deck))) as [
      Entity,
      Entity,
      Entity,
    ];

    insertAt(world, deck, c, 0);
    destroy(world, a);
    const d = spawn(world, other(deck));
    remove(world, b, ChildOf(deck));
    add(world, b, one(deck));

    expect(children(world, deck)).toEqual([c, d, b]);
    expect(verify(world)).toEqual([]);
  });
});

describe("the storage of an attached child", () => {
  it("stays Parent for a child by Parent, and is ChildOf for a child by ChildOf and for a root", () => {
    const { world, ship, dock } = plantSiblings();
    const byValue = spawn(world, Parent(dock));
    const bound = spawn(world, ChildOf(dock));
    const root = spawn(world);

    insertAt(world, ship, byValue, 0);
    moveBefore(world, bound, byValue);
    replaceChildren(world, ship, [root, bound, byValue]);

    expect([root, bound, byValue].map((child) => targetOf(world, child, Parent))).toEqual([
      undefined,
      undefined,
      ship,
    ]);
    expect(children(world, ship)).toEqual([root, bound, byValue]);
  });
});

describe("sortChildren", () => {
  it("compares values read once; equal ones stay in order, those without a value come last", () => {
    const { world, ship, crew } = plantSiblings(ChildOf, Parent);
    const [a, b, c, d] = crew;
    add(world, b, Weight({ kilos: 5 }));
    add(world, c, Weight({ kilos: 1 }));
    add(world, d, Weight({ kilos: 5 }));

    sortChildren(world, ship, Weight, (one, other) => one.kilos - other.kilos);

    expect(children(world, ship)).toEqual([c, b, d, a]);
  });

  it("has typed values in the comparison", () => {
    const { world, ship } = plantSiblings();

    sortChildren(world, ship, Weight, (one, other) => one.kilos - other.kilos);
    // @ts-expect-error Weight has no such field.
    sortChildren(world, ship, Weight, (one, other) => one.pounds - other.pounds);
    // @ts-expect-error A component is no comparison.
    const act = (): void => sortChildren(world, ship, Weight);

    expect(act).toThrow("comparison");
  });

  it("accepts components of JavaScript values", () => {
    const { world, ship, crew } = plantSiblings();
    const [a, b, c, d] = crew;
    [a, b, c, d].forEach((child, at) => {
      add(world, child, Tone("dbca"[at]!));
    });

    sortChildren(world, ship, Tone, (one, other) => one.localeCompare(other));

    expect(children(world, ship)).toEqual([d, b, c, a]);
  });

  it("defers what the comparison changes, and changes nothing if it throws", () => {
    const { world, ship, crew } = plantSiblings();
    const [a] = crew;

    const act = (): void =>
      sortChildren(world, ship, () => {
        remove(world, a, ChildOf(ship));
        throw new Error("no comparison");
      });

    expect(act).toThrow("no comparison");
    expect(children(world, ship)).toEqual(crew.slice(1));
    expect(verify(world)).toEqual([]);
  });
});
