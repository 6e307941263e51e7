import {
  add,
  Disabled,
  type Entity,
  isAlive,
  parentOf,
  release,
  remove,
  spawn,
  spawnMany,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  children,
  descendants,
  destroy,
  forEachChild,
  isAncestor,
  isDescendant,
  levelOrder,
  moveBefore,
  postOrder,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Frozen, Tag, Warm } from "../definitions.ts";
import { drawing, type Planted, plant } from "../drawn-tree.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { createWorld, relation } from "../public/define.ts";
import { setWorld, world } from "../test-world.ts";

const PartOf = relation("PartOf", { acyclic: true });
const Needs = relation("Needs", { acyclic: true, exclusive: false, traversable: true });
const Likes = relation("Likes");

const TREE = "ship\n  cockpit\n    seat\n    lamp\n  hold\n    crate\n      lid\n  bay";

const storages = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const;

beforeEach(setWorld);

function passedBy(parent: Entity, along?: typeof PartOf): Entity[] {
  const seen: Entity[] = [];
  forEachChild(world, parent, (child) => seen.push(child), along);
  return seen;
}

function names(planted: Planted, list: readonly Entity[]): string {
  const known = new Map(Object.entries(planted).map(([name, entity]) => [entity, name]));
  return list.map((one) => known.get(one) ?? "?").join(" ");
}

describe.each(storages)("forEachChild of children stored by %s", (_, storage) => {
  it("passes them in sibling order", () => {
    const planted = plant(world, TREE, storage);

    expect(names(planted, passedBy(planted.ship))).toBe("cockpit hold bay");
  });

  it("passes them in their new order after they were reordered", () => {
    const planted = plant(world, TREE, storage);
    moveBefore(world, planted.bay, planted.cockpit);

    expect(names(planted, passedBy(planted.ship))).toBe("bay cockpit hold");
  });

  it("passes children with different components in sibling order", () => {
    const planted = plant(world, TREE, storage);
    add(world, planted.hold, Frozen);

    expect(names(planted, passedBy(planted.ship))).toBe("cockpit hold bay");
  });

  it("passes children of many tables and of emptied ones in sibling order", () => {
    const { ship } = plant(world, "ship");
    const all = Array.from({ length: 12 }, (_, at) => {
      const kinds = [Frozen, Tag, Warm({ of: at })].filter((_one, kind) => ((at * 5) >> kind) & 1);
      return spawn(world, ...kinds, storage(ship));
    });
    destroy(world, all[3]!);
    const left = all.filter((one) => isAlive(world, one));
    for (const one of left) for (const kind of [Frozen, Tag, Warm]) remove(world, one, kind);

    expect([passedBy(ship), children(world, ship)]).toEqual([left, left]);
  });

  it("passes disabled ones too", () => {
    const planted = plant(world, TREE, storage);
    add(world, planted.hold, Disabled);

    expect(names(planted, passedBy(planted.ship))).toBe("cockpit hold bay");
    expect(children(world, planted.ship)).toEqual(passedBy(planted.ship));
  });

  it("passes the handles of children whose indexes were used before", () => {
    const { ship } = plant(world, "ship");
    const past = spawnMany(world, 5000, Tag);
    for (const one of past) destroy(world, one);
    const used = new Set(past.map((one) => one & 0xff_ffff));
    const present = Array.from({ length: 1000 }, () => spawn(world, storage(ship)));

    expect(present.some((one) => used.has(one & 0xff_ffff))).toBe(true);
    expect([passedBy(ship), children(world, ship)]).toEqual([present, present]);
  });

  it("passes all children while it destroys each of them, the parent first", () => {
    const planted = plant(world, TREE, storage);
    const seen: Entity[] = [];

    forEachChild(world, planted.ship, (child) => {
      destroy(world, planted.ship);
      destroy(world, child);
      seen.push(child);
    });

    expect(names(planted, seen)).toBe("cockpit hold bay");
    expect([planted.ship, ...seen].some((one) => isAlive(world, one))).toBe(false);
  });

  it("passes none of a leaf", () => {
    const { bay } = plant(world, TREE, storage);

    expect(passedBy(bay)).toEqual([]);
  });

  it("defers changes, and passes the children that there were at the beginning", () => {
    const planted = plant(world, TREE, storage);
    const { ship, cockpit } = planted;
    const seen: [Entity, number][] = [];

    forEachChild(world, ship, (child) => {
      seen.push([child, children(world, ship).length]);
      if (child === cockpit) remove(world, planted.hold, storage(ship));
      if (child === cockpit) spawn(world, storage(ship));
      destroy(world, planted.bay);
    });

    expect(seen).toEqual([
      [cockpit, 3],
      [planted.hold, 3],
      [planted.bay, 3],
    ]);
    expect([isAlive(world, planted.bay), parentOf(world, planted.hold)]).toEqual([false, undefined]);
    expect(children(world, ship).length).toBe(2);
  });
});

it("forEachChild passes children of both storages in one order", () => {
  const { ship } = plant(world, "ship");
  const mixed = [ChildOf, Parent, ChildOf].map((storage) => spawn(world, storage(ship)));

  expect(passedBy(ship)).toEqual(mixed);
  expect(passedBy(ship, Parent)).toEqual([mixed[1]]);
});

it("forEachChild along another relation passes the entities that have it with this target", () => {
  const { ship } = plant(world, "ship");
  const parts = [spawn(world, PartOf(ship)), spawn(world, Frozen, PartOf(ship)), spawn(world, PartOf(ship))];

  expect(passedBy(ship, PartOf)).toEqual(parts);
});

it("forEachChild throws what the function throws, and makes the changes before that", () => {
  const { ship, cockpit, hold } = plant(world, TREE);

  const call = (): void =>
    forEachChild(world, ship, (child) => {
      destroy(world, child);
      if (child === hold) throw new Error("enough");
    });

  expect(call).toThrow("enough");
  expect([cockpit, hold].map((one) => isAlive(world, one))).toEqual([false, false]);
});

it("forEachChild may be nested", () => {
  const planted = plant(world, TREE);
  const seen: Entity[] = [];

  forEachChild(world, planted.ship, (child) => forEachChild(world, child, (below) => seen.push(below)));

  expect(names(planted, seen)).toBe("seat lamp crate");
});

describe("an ancestor", () => {
  it.each(storages)("is any entity above, stored by %s", (_, storage) => {
    const { ship, hold, crate, lid } = plant(world, TREE, storage);

    expect([ship, hold, crate].map((one) => isAncestor(world, one, lid))).toEqual([true, true, true]);
  });

  it("is neither the entity itself nor one beside or below it", () => {
    const { cockpit, hold, crate, lid } = plant(world, TREE);

    expect([crate, cockpit, lid].map((one) => isAncestor(world, one, crate))).toEqual([false, false, false]);
    expect(isAncestor(world, hold, crate)).toBe(true);
  });

  it("is one that is reached through any target of a relation with many", () => {
    const [a, b, c, d] = [spawn(world), spawn(world), spawn(world), spawn(world)];
    add(world, c, Needs(a), Needs(b));
    add(world, d, Needs(c));

    expect([a, b, c, d].map((one) => isAncestor(world, one, d, Needs))).toEqual([true, true, true, false]);
  });

  it("has the other entity as its descendant", () => {
    const { ship, cockpit, lid } = plant(world, TREE);

    expect([isDescendant(world, lid, ship), isDescendant(world, lid, cockpit)]).toEqual([true, false]);
  });
});

describe.each(storages)("the orders of a tree stored by %s", (_, storage) => {
  it("post-order has children before parents, siblings in order", () => {
    const planted = plant(world, TREE, storage);

    expect(names(planted, postOrder(world, planted.ship))).toBe("seat lamp cockpit lid crate hold bay");
  });

  it("level order has one level after the other", () => {
    const planted = plant(world, TREE, storage);

    expect(names(planted, levelOrder(world, planted.ship))).toBe("cockpit hold bay seat lamp crate lid");
  });

  it("both have nothing below a leaf", () => {
    const { bay } = plant(world, TREE, storage);

    expect([postOrder(world, bay), levelOrder(world, bay)]).toEqual([[], []]);
  });
});

describe("along a relation with many targets", () => {
  it("each entity occurs once: after all below it in post-order, at its shortest path in level order", () => {
    const planted = plant(world, "top\nleft\nright\nlow");
    const { top, left, right, low } = planted;
    add(world, left, Needs(top));
    add(world, right, Needs(top), Needs(left));
    add(world, low, Needs(right), Needs(left));

    expect(names(planted, postOrder(world, top, Needs))).toBe("low right left");
    expect(names(planted, levelOrder(world, top, Needs))).toBe("left right low");
  });
});

it.each([
  ["postOrder", postOrder],
  ["levelOrder", levelOrder],
])("%s of a chain of 20,000 is listed without recursion", (_, order) => {
  const top = spawn(world);
  let last = top;
  for (let depth = 0; depth < 20_000; depth++) last = spawn(world, Parent(last));

  const found = order(world, top);

  expect(found.length).toBe(20_000);
  expect(new Set([found[0], found.at(-1)])).toEqual(new Set([last, descendants(world, top)[0]]));
  expect(isAncestor(world, top, last)).toBe(true);
});

describe("what is refused", () => {
  const calls: [string, (one: Entity, along?: typeof Likes) => unknown][] = [
    ["forEachChild", (one, along) => forEachChild(world, one, () => {}, along)],
    ["isAncestor", (one, along) => isAncestor(world, spawn(world), one, along)],
    ["isDescendant", (one, along) => isDescendant(world, one, spawn(world), along)],
    ["postOrder", (one, along) => postOrder(world, one, along)],
    ["levelOrder", (one, along) => levelOrder(world, one, along)],
  ];

  it.each(calls)("%s: an entity that is not alive", (_, call) => {
    const gone = spawn(world);
    release(world, gone);

    expect(codeOf(() => call(gone))).toBe("dead-entity");
  });

  it.each(calls)("%s: a relation that is not traversable", (_, call) => {
    expect(codeOf(() => call(spawn(world), Likes))).toBe("bad-term");
  });

  it("isAncestor: an ancestor that is not alive", () => {
    const [gone, one] = [spawn(world), spawn(world)];
    release(world, gone);

    expect(codeOf(() => isAncestor(world, gone, one))).toBe("dead-entity");
  });

  it("changes inside forEachChild in a strict world", () => {
    const strict = createWorld({ strict: true });
    const planted = plant(strict, TREE);
    const before = drawing(strict, planted);

    const code = codeOf(() => forEachChild(strict, planted.ship, (child) => destroy(strict, child)));

    expect([code, drawing(strict, planted)]).toEqual(["iterating", before]);
  });
});
