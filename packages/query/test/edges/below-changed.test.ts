import { Any, add, Disabled, type Entity, Parent, remove, set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  added,
  all,
  below,
  cascade,
  changed,
  count,
  each,
  entities,
  explain,
  maybe,
  not,
  or,
  page,
  type QueryTerm,
  query,
  removed,
  up,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Docked, Frozen, Needs, Position, Tag, Velocity } from "../definitions.ts";
import { type Planted, plant } from "../drawn-tree.ts";
import { sorted } from "../matches.ts";
import { ChildOf } from "../public/builtins.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";

const TREES = "a\n  b\n    c\n      d\n  e\nf\n  g";

beforeEach(setWorld);

/** Trees in which all have a Position; the storage of parents. */
function plantPlaces(storage: typeof ChildOf): Planted<"a" | "b" | "c" | "d" | "e" | "f" | "g"> {
  const planted = plant(world, TREES, storage);
  for (const entity of Object.values(planted)) add(world, entity, Position({ x: 0 }));
  return planted;
}

/** A query that has read all changes so far. */
function readUpToNow(...terms: QueryTerm[]): ReturnType<typeof query> {
  const tested = query(world, ...terms);
  entities(tested);
  return tested;
}

function write(entity: Entity): void {
  set(world, entity, Position, { x: 1 });
}

describe.each([ChildOf, Parent])("below, with parents stored by %o", (storage) => {
  it("matches everything below what changed, at any depth, and not that itself", () => {
    const { a, b, c, d } = plantPlaces(storage);
    const tested = readUpToNow(below(changed(Position)));

    write(b);
    expect(sorted(entities(tested))).toEqual(sorted([c, d]));
    expect(entities(tested)).toEqual([]);
    write(a);
    expect(count(tested)).toBe(4);
    verifyWorld();
  });

  it("matches what is below two that changed once, one of them too if it is below the other", () => {
    const { a, b, c, d, e } = plantPlaces(storage);
    const tested = readUpToNow(below(changed(Position)));

    write(b);
    write(a);

    expect(sorted(entities(tested))).toEqual(sorted([b, c, d, e]));
  });

  it("matches everything below an entity with another parent", () => {
    const { b, c, d, e, f, g } = plantPlaces(storage);
    const tested = readUpToNow(below(changed(ChildOf)));

    add(world, b, storage(f));
    expect(sorted(entities(tested))).toEqual(sorted([c, d]));
    remove(world, c, ChildOf(Any));
    expect(entities(tested)).toEqual([d]);
    add(world, f, storage(e));
    expect(sorted(entities(tested))).toEqual(sorted([b, g]));
  });

  it("tells exactly the entities whose world transform must be computed again", () => {
    const { b, c, d, e, f, g } = plantPlaces(storage);
    const stale = readUpToNow(
      Position,
      cascade(Position),
      or(changed(Position), changed(ChildOf), below(changed(Position)), below(changed(ChildOf))),
    );

    write(c);
    add(world, f, storage(e));
    expect(sorted(entities(stale))).toEqual(sorted([c, d, f, g]));
    const order: Entity[] = [];
    write(b);
    each(stale, (...row: unknown[]) => order.push(row.at(-1) as Entity));
    expect(order).toEqual([b, c, d]);
    expect(entities(stale)).toEqual([]);
  });

  it("sees the trees of the moment of reading", () => {
    const { b, c, d, f, g } = plantPlaces(storage);
    const tested = readUpToNow(below(changed(Position)));

    write(b);
    add(world, c, storage(f));
    expect(entities(tested)).toEqual([]);
    write(f);
    expect(sorted(entities(tested))).toEqual(sorted([c, d, g]));
  });
});

describe("below with other terms", () => {
  it("accepts added, removed, and another relation", () => {
    const [top, inner, innermost] = [spawn(world), spawn(world), spawn(world)];
    add(world, inner, Docked(top));
    add(world, innermost, Docked(inner));
    const gained = readUpToNow(below(added(Frozen), { relation: Docked }));
    const lost = readUpToNow(below(removed(Frozen), { relation: Docked }));

    add(world, top, Frozen);
    expect(sorted(entities(gained))).toEqual([inner, innermost]);
    remove(world, top, Frozen);
    expect(sorted(entities(lost))).toEqual([inner, innermost]);
    expect(entities(gained)).toEqual([]);
  });

  it("follows a relation with many targets, each entity once", () => {
    const [left, right] = [spawn(world, Position), spawn(world, Position)];
    const both = spawn(world, Needs(left), Needs(right));
    const last = spawn(world, Needs(both));
    const tested = readUpToNow(below(changed(Position), { relation: Needs }));

    write(left);
    write(right);

    expect(sorted(entities(tested))).toEqual([both, last]);
  });

  it("is a part of not, all and or, and stays unread for pages and counts", () => {
    const { a, b, c, d, e } = plantPlaces(ChildOf);
    add(world, c, Tag);
    const others = readUpToNow(Position, not(below(changed(Position))), ChildOf(Any));
    const tagged = readUpToNow(or(all(Tag, below(changed(Position))), changed(Velocity)));

    write(b);

    expect([count(tagged), entities(page(tagged, 0, 3))]).toEqual([1, [c]]);
    expect(entities(tagged)).toEqual([c]);
    expect(entities(others)).not.toContain(d);
    expect(entities(others)).toContain(e);
    expect(entities(query(world, Position, ChildOf(a), below(changed(Position))))).toHaveLength(2);
  });

  it("leaves disabled entities out, and matches what is below one that is disabled", () => {
    const { b, c, d } = plantPlaces(Parent);
    const tested = readUpToNow(below(changed(Position)));
    const withDisabled = readUpToNow(below(changed(Position)), maybe(Disabled));
    for (const entity of [b, c]) add(world, entity, Disabled);

    write(b);

    expect(entities(tested)).toEqual([d]);
    expect(sorted(entities(withDisabled))).toEqual(sorted([c, d]));
  });

  it("finds 20,000 entities of a chain below its top", () => {
    const top = spawn(world, Position);
    let last = top;
    for (let left = 20_000; left > 0; left--) last = spawn(world, Tag, Parent(last));
    const tested = readUpToNow(Tag, below(changed(Position)));

    write(top);

    expect(entities(tested)).toHaveLength(20_000);
  });

  it("is refused for what is not a change, and is explained", () => {
    expect(codeOf(() => query(world, below(up(Position) as never)))).toBe("bad-query");
    expect(codeOf(() => query(world, below(Position as never)))).toBe("bad-query");
    expect(codeOf(() => query(world, below(changed(up(Position)))))).toBe("bad-query");
    expect(codeOf(() => query(world, below(changed(Position), { relation: Parent })))).toBe("bad-query");
    expect(codeOf(() => below(changed(Position), ChildOf as never))).toBe("bad-query");
    const tested = query(world, or(changed(Position), below(changed(Position))));
    expect(explain(tested)).toContain("query(or(changed(Position), below(changed(Position))))");
    expect(explain(tested)).toContain("watches: changed(Position), below(changed(Position))");
  });
});

describe("below, of a component that ancestors get and lose", () => {
  it("tells of one that got it as changed, and of one that lost it by removed alone", () => {
    const { a, b, c, d, e } = plant(world, TREES);
    const tests = [readUpToNow(below(changed(Position))), readUpToNow(below(removed(Position)))];

    add(world, b, Position({ x: 0 }));
    expect(tests.map((one) => sorted(entities(one)))).toEqual([sorted([c, d]), []]);
    add(world, a, Position({ x: 0 }));
    expect(tests.map((one) => sorted(entities(one)))).toEqual([sorted([b, c, d, e]), []]);
    remove(world, b, Position);

    expect(tests.map((one) => sorted(entities(one)))).toEqual([[], sorted([c, d])]);
  });
});
