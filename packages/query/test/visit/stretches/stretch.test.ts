import {
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  Parent,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  bind,
  cascade,
  collect,
  eachStretch,
  maybe,
  or,
  type Query,
  query,
  type Stretch,
  selfOrUp,
  up,
  variable,
} from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Damage, Docked, Likes, Tag, Warm } from "../../definitions.ts";

const Heavy = component("Heavy", { of: f32 });
const liked = variable("liked");

let world: World;
let port: Entity;
let fleet: Entity;
let ship: Entity;

beforeEach(() => {
  world = createWorld();
  port = spawn(world, Warm({ of: 1 }));
  fleet = spawn(world, Heavy({ of: 2 }), Warm({ of: 3 }));
  ship = spawn(world, Tag, Docked(port), Parent(fleet));
});

/** What is seen at each position of each stretch. */
function seen<Found>(asked: unknown, look: (stretch: Stretch, at: number) => Found): Found[] {
  const found: Found[] = [];
  eachStretch(asked as Query, (stretch) => {
    for (let at = stretch.from; at < stretch.to; at++) found.push(look(stretch, at));
  });
  return found;
}

describe("a stretch of a query with several ways", () => {
  it("names each by its term or by what it looks for, with rows and columns of its own", () => {
    const docked = up(Warm, { relation: Docked });
    const asked = query(world, Tag, docked, maybe(up(Heavy)), maybe(up(Tag)));

    const found = seen(asked, (stretch, at) => [
      stretch.has(docked),
      stretch.columnsOf(docked, Warm).of[stretch.rowsOf(docked)[at]!],
      stretch.columnsOf(Heavy, Heavy).of[stretch.rowsOf(Heavy)[at]!],
      stretch.columnsOf(Heavy, Warm).of[stretch.rowsOf(Heavy)[at]!],
      stretch.has(Tag),
      stretch.entityAt(stretch.rows[at]!),
    ]);

    expect(found).toEqual([[true, 1, 2, 3, false, ship]]);
  });

  it("tells ways to the same component along two relations apart by their terms", () => {
    const [docked, child] = [up(Warm, { relation: Docked }), up(Warm)];

    const found = seen(query(world, Tag, docked, child), (stretch, at) =>
      [docked, child].map((way) => stretch.columnsOf(way, Warm).of[stretch.rowsOf(way)[at]!]),
    );

    expect(found).toEqual([[1, 3]]);
  });

  it("names a way without a relation along ChildOf", () => {
    const docked = up(Heavy, { relation: Docked });
    const found = seen(query(world, Tag, maybe(docked), maybe(up(Heavy))), (stretch) => [
      stretch.has(up(Heavy)),
      stretch.has(docked),
    ]);

    expect(found).toEqual([[true, false]]);
  });

  it("shows parents along the first of its ways, and their depth", () => {
    const found = seen(query(world, Tag, up(Warm, { relation: Docked }), up(Heavy)), (stretch, at) => [
      stretch.hasParents,
      stretch.parentColumns(Warm).of[stretch.parentRows[at]!],
      stretch.depth,
    ]);

    expect(found).toEqual([[true, 1, 1]]);
  });

  it("refuses ways that the query does not have, and columns where nobody is above", () => {
    const codes = seen(query(world, Tag, cascade(Warm), maybe(up(Tag))), (stretch) => [
      codeOf(() => stretch.has(Heavy)),
      codeOf(() => stretch.rowsOf(up(Warm, { relation: Docked }))),
      codeOf(() => stretch.columnsOf(Tag, Warm)),
      codeOf(() => stretch.columnsOf(Warm, component("Other", { of: f32 }))),
    ]);

    expect(codes).toEqual([["bad-query", "bad-query", "bad-query", "bad-query"]]);
  });
});

describe("values of a pair above a stretch", () => {
  it("are no columns, since tables differ in where they lie: refused as bad-query", () => {
    const pair = Damage(port);
    spawn(world, Warm, Damage(port, { amount: 4 }), ChildOf(spawn(world, Warm, Damage(port, { amount: 5 }))));
    const asked = query(world, Warm, pair, up(pair));

    const codes = seen(asked, (stretch) => [
      codeOf(() => stretch.columns(pair)),
      codeOf(() => stretch.parentColumns(pair as never)),
      codeOf(() => stretch.columnsOf(pair, pair as never)),
    ]);

    expect(codes).toEqual([[undefined, "bad-query", "bad-query"]]);
    expect(collect(asked).map(([, own, above]) => [own.amount, above.amount])).toEqual([[4, 5]]);
  });
});

describe("a stretch of joined rows", () => {
  it("has rows and parents by position as any other", () => {
    spawnMany(world, 3, Tag, Likes(port), Likes(fleet), Parent(fleet));

    const found = seen(query(world, Tag, Likes(liked), selfOrUp(Warm)), (stretch, at) => [
      stretch.columnsOf(Warm, Warm).of[stretch.rowsOf(Warm)[at]!],
      stretch.parentColumns(Warm).of[stretch.parentRows[at]!],
      stretch.depth,
    ]);

    expect(found).toEqual(Array.from({ length: 6 }, () => [3, 3, 1]));
  });

  it("needs no way to ancestors: it has nobody above then", () => {
    const fans = spawnMany(world, 100, Likes(port));

    const found = seen(bind(query(world, Likes(liked)), liked, port), (stretch, at) => [
      stretch.hasParents,
      stretch.entityAt(stretch.rows[at]!),
    ]);

    expect(found).toEqual(fans.map((fan) => [false, fan]));
  });
});

describe("columns of a stretch", () => {
  it("are given where alternatives have them, by columnsIf", () => {
    spawn(world, Warm({ of: 9 }), ChildOf(fleet));

    const found = seen(
      query(world, or(Warm, Tag), cascade(Warm), up(Heavy)),
      (stretch, at) => stretch.columnsIf(Warm)?.of[stretch.rows[at]!],
    );

    expect(found.toSorted()).toEqual([9, undefined]);
  });
});
