import { add, type Entity, TreelineError } from "@treeline/core";
import { dump, stats, verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import * as hierarchy from "../src/hierarchy.ts";
import * as queryPackage from "../src/index.ts";
import {
  ancestors,
  children,
  depthOf,
  descendants,
  destroy,
  destroyWhere,
  forEachChild,
  isAncestor,
  isDescendant,
  levelOrder,
  monitor,
  monitorGroups,
  postOrder,
  query,
  removeAll,
} from "../src/index.ts";
import { Damage, Docked, Frozen, Likes, Position } from "./definitions.ts";
import { ChildOf, Parent } from "./public/builtins.ts";
import { added, all, changed, maybe, not, or, removed } from "./public/filters.ts";
import { bind, group, groupBy, orderBy } from "./public/parts.ts";
import { insertAt, moveAfter, moveBefore } from "./public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "./public/siblings.ts";
import { cascade, on, selfOrUp, up, variable } from "./public/terms.ts";
import { seat, setBranch, ship, world } from "./test-world.ts";

const parent = variable("parent");
const nothing = undefined as unknown as Entity;

beforeEach(() => setBranch(Position));

function refusalOf(act: () => unknown): TreelineError {
  const before = [dump(world), stats(world).entities];
  let refusal: unknown;
  try {
    act();
  } catch (error) {
    refusal = error;
  }
  expect([dump(world), stats(world).entities]).toEqual(before);
  expect(verify(world)).toEqual([]);
  expect(refusal).toBeInstanceOf(TreelineError);
  return refusal as TreelineError;
}

/** The functions of the package that take an entity, with undefined in its place. */
const ENTITIES: [name: string, act: () => unknown, advice?: RegExp][] = [
  // @ts-expect-error: undefined is not an entity, here and below
  ["ancestors", () => ancestors(world, undefined)],
  // @ts-expect-error
  ["bind", () => bind(query(world, ChildOf(parent)), parent, undefined), /unbind\(query, variable\)/],
  // @ts-expect-error
  ["children", () => children(world, undefined), /roots\(world\)/],
  // @ts-expect-error
  ["children without an argument", () => children(world), /roots\(world\)/],
  // @ts-expect-error
  ["children along a relation", () => children(world, undefined, Docked), /roots\(world\)/],
  // @ts-expect-error
  ["depthOf", () => depthOf(world, undefined)],
  // @ts-expect-error
  ["descendants", () => descendants(world, undefined)],
  // @ts-expect-error
  ["forEachChild", () => forEachChild(world, undefined, () => {}), /roots\(world\)/],
  // @ts-expect-error
  ["isAncestor", () => isAncestor(world, undefined, seat)],
  // @ts-expect-error
  ["isDescendant", () => isDescendant(world, undefined, seat)],
  // @ts-expect-error
  ["levelOrder", () => levelOrder(world, undefined)],
  // @ts-expect-error
  ["postOrder", () => postOrder(world, undefined)],
  // @ts-expect-error
  ["hierarchy.attachMany", () => hierarchy.attachMany(world, [seat], undefined)],
  // @ts-expect-error
  ["destroy", () => destroy(world, undefined)],
  // @ts-expect-error
  ["detachChildren", () => detachChildren(world, undefined)],
  // @ts-expect-error
  ["insertAt", () => insertAt(world, undefined, seat, 0)],
  // @ts-expect-error
  ["insertAt of it", () => insertAt(world, ship, undefined, 0)],
  // @ts-expect-error
  ["moveAfter", () => moveAfter(world, undefined, seat)],
  // @ts-expect-error
  ["moveAfter it", () => moveAfter(world, seat, undefined)],
  // @ts-expect-error
  ["moveBefore", () => moveBefore(world, undefined, seat)],
  // @ts-expect-error
  ["moveBefore it", () => moveBefore(world, seat, undefined)],
  // @ts-expect-error
  ["replaceChildren", () => replaceChildren(world, undefined, [seat])],
  // @ts-expect-error
  ["replaceChildren by it", () => replaceChildren(world, ship, [seat, undefined])],
  // @ts-expect-error
  ["setChildOrder", () => setChildOrder(world, undefined, [seat])],
  // @ts-expect-error
  ["setChildOrder of it", () => setChildOrder(world, ship, [undefined])],
  // @ts-expect-error
  ["sortChildren", () => sortChildren(world, undefined, () => 0)],
  // @ts-expect-error
  ["sortChildren by a component", () => sortChildren(world, undefined, Position, () => 0)],
  // @ts-expect-error
  ["hierarchy.ancestors", () => hierarchy.ancestors(world, undefined)],
  // @ts-expect-error
  ["hierarchy.attach", () => hierarchy.attach(world, undefined, ship)],
  // @ts-expect-error
  ["hierarchy.attach to it", () => hierarchy.attach(world, seat, undefined)],
  // @ts-expect-error
  ["hierarchy.attach to it by Parent", () => hierarchy.attach(world, seat, undefined, Parent)],
  // @ts-expect-error
  ["hierarchy.attachNew", () => hierarchy.attachNew(world, undefined, Position)],
  // @ts-expect-error
  ["hierarchy.children", () => hierarchy.children(world, undefined), /roots\(world\)/],
  // @ts-expect-error
  ["hierarchy.descendants", () => hierarchy.descendants(world, undefined)],
  // @ts-expect-error
  ["hierarchy.detach", () => hierarchy.detach(world, undefined)],
  // @ts-expect-error
  ["hierarchy.remove", () => hierarchy.remove(world, undefined)],
  // @ts-expect-error
  ["hierarchy.removeAll", () => hierarchy.removeAll(world, undefined)],
  // @ts-expect-error
  ["hierarchy.sort", () => hierarchy.sort(world, undefined, () => 0)],
];

/** Pairs with undefined as their target, and undefined as a source. */
const TARGETS: [name: string, act: () => unknown][] = [
  // @ts-expect-error: a pair needs a target, here and below
  ["query", () => query(world, Position, ChildOf(undefined))],
  ["query, after the same with a target", () => [ship, nothing].map((one) => query(world, Likes(one)))],
  // @ts-expect-error
  ["all", () => query(world, all(ChildOf(undefined)))],
  // @ts-expect-error
  ["not", () => query(world, not(ChildOf(undefined)))],
  // @ts-expect-error
  ["or", () => query(world, or(Position, ChildOf(undefined)))],
  // @ts-expect-error
  ["maybe", () => query(world, maybe(Damage(undefined)))],
  // @ts-expect-error
  ["up", () => query(world, up(Likes(undefined)))],
  // @ts-expect-error
  ["selfOrUp", () => query(world, selfOrUp(Likes(undefined)))],
  // @ts-expect-error
  ["on", () => query(world, on(undefined, Position))],
  // @ts-expect-error
  ["on, as target", () => query(world, on(ship, Likes(undefined)))],
  // @ts-expect-error
  ["changed", () => query(world, changed(Damage(undefined)))],
  // @ts-expect-error
  ["added", () => query(world, added(Likes(undefined)))],
  // @ts-expect-error
  ["removed", () => query(world, removed(Likes(undefined)))],
  // @ts-expect-error
  ["monitor", () => monitor(query(world, ChildOf(undefined)), {})],
  // @ts-expect-error
  ["monitorGroups", () => monitorGroups(query(world, groupBy(ChildOf), ChildOf(undefined)), {})],
  // @ts-expect-error
  ["destroyWhere", () => destroyWhere(world, ChildOf(undefined))],
  // @ts-expect-error
  ["removeAll", () => removeAll(world, Likes(undefined))],
];

/** Undefined in place of a term, which may be an entity that is used as a tag. */
const TERMS: [name: string, act: () => unknown, code?: string][] = [
  // @ts-expect-error: undefined is not a term, here and below
  ["query", () => query(world, undefined)],
  // @ts-expect-error
  ["query, beside others", () => query(world, Position, undefined)],
  // @ts-expect-error
  ["not", () => query(world, not(undefined))],
  // @ts-expect-error
  ["or", () => query(world, or(Position, undefined))],
  // @ts-expect-error
  ["all", () => query(world, all(undefined))],
  // @ts-expect-error
  ["maybe", () => query(world, maybe(undefined))],
  // @ts-expect-error
  ["up", () => query(world, up(undefined))],
  // @ts-expect-error
  ["selfOrUp", () => query(world, selfOrUp(undefined))],
  // @ts-expect-error
  ["cascade", () => query(world, cascade(undefined))],
  // @ts-expect-error
  ["on", () => query(world, on(ship, undefined))],
  // @ts-expect-error
  ["changed", () => query(world, changed(undefined))],
  // @ts-expect-error
  ["added", () => query(world, added(undefined))],
  // @ts-expect-error
  ["removed", () => query(world, removed(undefined))],
  // @ts-expect-error
  ["orderBy", () => query(world, Position, orderBy(undefined))],
  // @ts-expect-error
  ["groupBy", () => query(world, Position, groupBy(undefined))],
  // @ts-expect-error
  ["destroyWhere", () => destroyWhere(world, undefined)],
  // @ts-expect-error
  ["removeAll", () => removeAll(world, undefined), "bad-term"],
];

describe("undefined in place of an entity", () => {
  it.each(ENTITIES)("is refused as dead-entity by %s", (_, act, advice = /pass a handle/) => {
    const { code, message } = refusalOf(act);

    expect(code).toBe("dead-entity");
    expect(message).toMatch(/undefined is not an entity; /);
    expect(message).toMatch(advice);
  });

  it.each(TARGETS)("is refused as dead-entity in a pair or as a source, by %s", (_, act) => {
    const { code, message } = refusalOf(act);

    expect(code).toBe("dead-entity");
    expect(message).toMatch(/undefined is not an entity; /);
  });

  it.each(TERMS)("is refused in place of a term, by %s", (_, act, expected = "bad-query") => {
    expect(refusalOf(act).code).toBe(expected);
  });

  it("is a group of its own where groups are targets: that of the entities without one", () => {
    add(world, seat, Frozen);
    const grouped = query(world, groupBy(ChildOf), maybe(Frozen));

    expect(queryPackage.entities(group(grouped, undefined))).toHaveLength(1);
  });

  it("is tested for each function of the package that is not in this list", () => {
    const others = [
      ...["collect", "count", "each", "eachBatch", "eachLevel", "eachRun", "entities", "explain", "first"],
      ...[
        "dispose",
        "group",
        "groupsOf",
        "isEmpty",
        "inOrder",
        "page",
        "rows",
        "shard",
        "unbind",
        "variable",
      ],
      ...["below", "inOrder", "observeAbove", "roots", "singleton"],
      "$this", // a variable
    ];
    const tested = [...ENTITIES, ...TARGETS, ...TERMS].map(([name]) => name.split(/[ ,]/)[0]);
    const exported = [
      ...Object.keys(queryPackage),
      ...Object.keys(hierarchy).map((name) => `hierarchy.${name}`),
    ];

    expect(exported.filter((name) => !others.includes(name) && !tested.includes(name))).toEqual([]);
  });
});
