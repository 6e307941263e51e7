import { add, type Entity, Parent, relation, remove, set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  bind,
  cascade,
  children,
  collect,
  count,
  descendants,
  destroy,
  detachChildren,
  dispose,
  eachLevel,
  entities,
  explain,
  first,
  group,
  groupBy,
  inOrder,
  moveAfter,
  orderBy,
  page,
  query,
  roots,
  setChildOrder,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Docked, DockedTo, Needs, SoldIn, Tag, Warm } from "../definitions.ts";
import { plant } from "../drawn-tree.ts";
import { iterated, matchesByRun } from "../matches.ts";
import { ChildOf } from "../public/builtins.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";

const TREES = "a\n  b\n    c\n    d\n  e\nf\n  g\n    h";

/** Gives the tag to all, from last to first: tables are not in the order of the trees. */
function tagAll(...tagged: readonly Entity[]): void {
  for (const entity of tagged.toReversed()) add(world, entity, Tag);
}

beforeEach(setWorld);

describe("inOrder with a parent", () => {
  it("iterates as `children` lists them, in both storages mixed", () => {
    const parent = spawn(world);
    for (let at = 0; at < 6; at++) {
      spawn(world, Tag, at % 2 === 0 ? ChildOf(parent) : Parent(parent), ...(at < 3 ? [Warm] : []));
    }
    const listed = children(world, parent);
    setChildOrder(
      world,
      parent,
      [5, 0, 4, 1, 3, 2].map((at) => listed[at]!),
    );

    expect(entities(query(world, Tag, ChildOf(parent), inOrder()))).toEqual(children(world, parent));
    expect(entities(query(world, Warm, ChildOf(parent), inOrder()))).toEqual([
      listed[0],
      listed[1],
      listed[2],
    ]);
    verifyWorld();
  });

  it("follows a bound variable, and reorders below what it is bound to", () => {
    const { a, b, c, d, e, f, g } = plant(world, TREES);
    const parent = variable("parent");
    const below = query(world, ChildOf(parent), inOrder());
    expect(entities(bind(below, parent, a))).toEqual([b, e]);
    expect(entities(bind(below, parent, b))).toEqual([c, d]);

    moveAfter(world, c, d);

    expect(entities(bind(below, parent, b))).toEqual([d, c]);
    expect(entities(bind(below, parent, f))).toEqual([g]);
  });
});

describe("inOrder without a parent", () => {
  it("iterates trees in document order, roots as `roots` lists them", () => {
    const all = Object.values(plant(world, TREES));
    tagAll(...all);
    const tested = query(world, Tag, inOrder());
    const document = roots(world).flatMap((root) => [root, ...descendants(world, root)]);

    expect(iterated(tested)).toEqual(document);
    expect([first(tested), count(tested)]).toEqual([document[0], 8]);
    expect(collect(tested)).toEqual(document.map((one) => [one]));
    expect(matchesByRun(tested).flat()).toEqual(document);
    expect(iterated(page(tested, 2, 3))).toEqual(document.slice(2, 5));
  });

  it("counts ancestors that do not match", () => {
    const { c, d, e, h } = plant(world, TREES);
    tagAll(h, e, d, c);
    const tested = query(world, Tag, inOrder());

    expect(entities(tested)).toEqual([c, d, e, h]);
  });

  it("follows reorders, moves of ancestors, spawns, detached children and destructions", () => {
    const { a, b, c, d, e, f, g, h } = plant(world, TREES);
    tagAll(c, d, e, h);
    const tested = query(world, Tag, inOrder());
    expect(entities(tested)).toEqual([c, d, e, h]);

    moveAfter(world, b, e);
    expect(entities(tested)).toEqual([e, c, d, h]);
    add(world, g, ChildOf(b));
    expect(entities(tested)).toEqual([e, c, d, h]);
    moveAfter(world, c, g);
    expect(entities(tested)).toEqual([e, d, h, c]);
    const spawned = spawn(world, Tag, Parent(f));
    expect(entities(tested)).toEqual([e, d, h, c, spawned]);
    detachChildren(world, a);
    expect(entities(tested)).toEqual([spawned, e, d, h, c]);
    destroy(world, b);
    expect(entities(tested)).toEqual([spawned, e]);
    verifyWorld();
  });

  it("iterates a chain of 20,000 from the top", () => {
    const chain = [spawn(world, Tag)];
    while (chain.length < 20_000) chain.push(spawn(world, Tag, Parent(chain.at(-1)!)));

    expect(entities(query(world, Tag, inOrder()))).toEqual(chain);
  });

  it("follows another relation, whose subjects come in the order in which they were spawned", () => {
    const top = spawn(world, Tag);
    const inner = spawn(world, Tag, Docked(top));
    const other = spawn(world, Tag);
    const innermost = spawn(world, Tag, Docked(inner));
    const second = spawn(world, Tag, Docked(top));

    const tested = query(world, Tag, inOrder({ relation: Docked }));
    expect(entities(tested)).toEqual([top, inner, innermost, second, other]);
    remove(world, inner, Docked(top));
    expect(entities(tested)).toHaveLength(5);
    expect(entities(tested).indexOf(innermost)).toBe(entities(tested).indexOf(inner) + 1);
  });
});

describe("inOrder with other operators", () => {
  it("is the order within a group", () => {
    const { b, c, d, e, h } = plant(world, TREES);
    const [north, south] = [spawn(world), spawn(world)];
    tagAll(b, c, d, e, h);
    for (const one of [h, c, e]) add(world, one, SoldIn(north));
    for (const one of [d, b]) add(world, one, SoldIn(south));
    const tested = query(world, Tag, inOrder(), groupBy(SoldIn));

    expect(entities(tested)).toEqual([c, e, h, b, d]);
    expect(entities(group(tested, south))).toEqual([b, d]);
    moveAfter(world, c, d);
    expect(entities(group(tested, north))).toEqual([c, e, h]);
  });

  it("comes after depth with cascade, so that levels stay together", () => {
    const { a, b, c, d, e, f, g, h } = plant(world, TREES);
    for (const one of [h, g, f, e, d, c, b, a]) set(world, one, Warm, { of: 1 });
    const tested = query(world, Warm, cascade(Warm), inOrder());

    expect(entities(tested)).toEqual([a, f, b, e, g, c, d, h]);
    const levels: number[] = [];
    eachLevel(tested, ({ depth }) => {
      levels.push(depth);
    });
    expect(levels).toEqual([0, 1, 2]);
  });

  it("is refused beside orderBy, twice, and along what is not a tree", () => {
    expect(codeOf(() => query(world, Warm, inOrder(), orderBy(Warm, "of")))).toBe("bad-query");
    expect(codeOf(() => query(world, Warm, orderBy(Warm, "of"), inOrder()))).toBe("bad-query");
    expect(codeOf(() => query(world, Warm, inOrder(), inOrder()))).toBe("bad-query");
    expect(codeOf(() => query(world, Warm, inOrder({ relation: DockedTo })))).toBe("bad-query");
    expect(codeOf(() => query(world, Warm, inOrder({ relation: Needs })))).toBe("bad-query");
    expect(codeOf(() => query(world, Warm, inOrder({ relation: Parent })))).toBe("bad-query");
    expect(codeOf(() => inOrder(ChildOf as never))).toBe("bad-query");
  });

  it("is explained, and shared by equal queries", () => {
    const tested = query(world, Tag, inOrder());

    expect(explain(tested)).toContain("query(Tag, inOrder())");
    expect(explain(tested)).toContain("order: of the trees of ChildOf");
    expect(query(world, Tag, inOrder())).toBe(tested);
    dispose(tested);
    dispose(tested);
    const Held = relation("Held", { traversable: true });
    expect(explain(query(world, Tag, inOrder({ relation: Held })))).toContain("inOrder({ relation: Held })");
  });
});
