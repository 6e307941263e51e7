import { spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { children, destroy, roots } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { ChildOf, OrderedChildren, Parent } from "../public/builtins.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../public/siblings.ts";
import { plantSiblings, type Siblings, Weight } from "./planted-siblings.ts";

describe("the sibling functions refuse", () => {
  const cases: readonly (readonly [string, string, RegExp, (siblings: Siblings) => void])[] = [
    [
      "a place below 0",
      "bad-order",
      /from 0 to 3; got -1/,
      ({ world, ship, crew }) => insertAt(world, ship, crew[0], -1),
    ],
    [
      "a place behind the end",
      "bad-order",
      /from 0 to 3; got 4/,
      ({ world, ship, crew }) => insertAt(world, ship, crew[0], 4),
    ],
    [
      "a place for a newcomer",
      "bad-order",
      /from 0 to 4; got 5/,
      ({ world, ship, dock }) => insertAt(world, ship, dock, 5),
    ],
    ["half a place", "bad-order", /got 0.5/, ({ world, ship, crew }) => insertAt(world, ship, crew[0], 0.5)],
    [
      "a second place below a leaf",
      "bad-order",
      /from 0 to 0/,
      ({ world, dock, crew }) => insertAt(world, dock, crew[0], 1),
    ],
    [
      "an entity beside itself",
      "bad-order",
      /beside itself/,
      ({ world, crew }) => moveBefore(world, crew[0], crew[0]),
    ],
    [
      "a place beside a root",
      "bad-order",
      /is a root/,
      ({ world, crew, dock }) => moveAfter(world, crew[0], dock),
    ],
    [
      "a list that lacks a child",
      "bad-order",
      /missing/,
      ({ world, ship, crew }) => setChildOrder(world, ship, crew.slice(1)),
    ],
    [
      "a list with a stranger",
      "bad-order",
      /not a child/,
      ({ world, ship, crew, dock }) => setChildOrder(world, ship, [...crew.slice(1), dock]),
    ],
    [
      "a list with a child twice",
      "bad-order",
      /twice/,
      ({ world, ship, crew }) => setChildOrder(world, ship, [...crew, crew[0]]),
    ],
    ["no list", "bad-order", /list/, ({ world, ship }) => setChildOrder(world, ship, null as never)],
    [
      "a replacement that is listed twice",
      "bad-order",
      /twice/,
      ({ world, ship, dock }) => replaceChildren(world, ship, [dock, dock]),
    ],
    [
      "a parent among its children",
      "cycle",
      /its own target/,
      ({ world, ship, crew }) => replaceChildren(world, ship, [...crew, ship]),
    ],
    [
      "an ancestor beside a child",
      "cycle",
      /its own target/,
      ({ world, ship, crew }) => moveBefore(world, ship, crew[0]),
    ],
    [
      "an ancestor at a place",
      "cycle",
      /below/,
      ({ world, ship, crew }) => insertAt(world, crew[0], ship, 0),
    ],
    [
      "a tag to sort by",
      "bad-term",
      /component with values/,
      ({ world, ship }) => sortChildren(world, ship, OrderedChildren as never, () => 0),
    ],
    [
      "a component without comparison",
      "bad-term",
      /comparison/,
      ({ world, ship }) => sortChildren(world, ship, Weight as never),
    ],
  ];

  it.each(cases)("%s: %s", (_, code, text, act) => {
    const siblings = plantSiblings(ChildOf, Parent);
    const { world, ship, crew, dock, observed } = siblings;

    expect(codeOf(() => act(siblings))).toBe(code);
    expect(() => act(siblings)).toThrow(text);
    expect(children(world, ship)).toEqual(crew);
    expect(roots(world)).toEqual([ship, dock]);
    expect(observed).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("destroyed entities, in any argument", () => {
    const { world, ship, crew, dock } = plantSiblings();
    const dead = spawn(world);
    destroy(world, dead);

    const acts = [
      () => insertAt(world, dead, dock, 0),
      () => insertAt(world, ship, dead, 0),
      () => moveBefore(world, dead, crew[0]),
      () => moveAfter(world, crew[0], dead),
      () => setChildOrder(world, dead, []),
      () => setChildOrder(world, ship, [...crew, dead]),
      () => sortChildren(world, dead, () => 0),
      () => replaceChildren(world, dead, []),
      () => replaceChildren(world, ship, [dead]),
      () => detachChildren(world, dead),
    ];

    expect(acts.map(codeOf)).toEqual(acts.map(() => "dead-entity"));
    expect(children(world, ship)).toEqual(crew);
  });
});
