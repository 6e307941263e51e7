import { type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { type Batch, collect, eachBatch, type Query, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Damage, Docked, Likes, Tag, Warm } from "../../definitions.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { component, createWorld } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";
import { maybe, or } from "../../public/filters.ts";
import { bind } from "../../public/parts.ts";
import { cascade, selfOrUp, up, variable } from "../../public/terms.ts";

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

/** The values at each position of each batch. */
function valuesAt<Found>(tested: unknown, inspect: (batch: Batch, at: number) => Found): Found[] {
  const found: Found[] = [];
  eachBatch(tested as Query, (batch) => {
    for (let at = batch.from; at < batch.to; at++) found.push(inspect(batch, at));
  });
  return found;
}

describe("a batch of a query with several paths", () => {
  it("names each by its term or by its component, with rows and columns of its own", () => {
    const docked = up(Warm, { relation: Docked });
    const tested = query(world, Tag, docked, maybe(up(Heavy)), maybe(up(Tag)));

    const found = valuesAt(tested, (batch, at) => [
      batch.has(docked),
      batch.columnsOf(docked, Warm).of[batch.rowsOf(docked)[at]!],
      batch.columnsOf(Heavy, Heavy).of[batch.rowsOf(Heavy)[at]!],
      batch.columnsOf(Heavy, Warm).of[batch.rowsOf(Heavy)[at]!],
      batch.has(Tag),
      batch.entityAt(batch.rows[at]!),
    ]);

    expect(found).toEqual([[true, 1, 2, 3, false, ship]]);
  });

  it("distinguishes paths to the same component along two relations by their terms", () => {
    const [docked, child] = [up(Warm, { relation: Docked }), up(Warm)];

    const found = valuesAt(query(world, Tag, docked, child), (batch, at) =>
      [docked, child].map((path) => batch.columnsOf(path, Warm).of[batch.rowsOf(path)[at]!]),
    );

    expect(found).toEqual([[1, 3]]);
  });

  it("names a path without a relation along ChildOf", () => {
    const docked = up(Heavy, { relation: Docked });
    const found = valuesAt(query(world, Tag, maybe(docked), maybe(up(Heavy))), (batch) => [
      batch.has(up(Heavy)),
      batch.has(docked),
    ]);

    expect(found).toEqual([[true, false]]);
  });

  it("shows parents along the first of its paths, and their depth", () => {
    const found = valuesAt(query(world, Tag, up(Warm, { relation: Docked }), up(Heavy)), (batch, at) => [
      batch.hasParents,
      batch.parentColumns(Warm).of[batch.parentRows[at]!],
      batch.depth,
    ]);

    expect(found).toEqual([[true, 1, 1]]);
  });

  it("refuses paths that the query does not have, and columns where there is no source", () => {
    const codes = valuesAt(query(world, Tag, cascade(Warm), maybe(up(Tag))), (batch) => [
      codeOf(() => batch.has(Heavy)),
      codeOf(() => batch.rowsOf(up(Warm, { relation: Docked }))),
      codeOf(() => batch.columnsOf(Tag, Warm)),
      codeOf(() => batch.columnsOf(Warm, component("Other", { of: f32 }))),
    ]);

    expect(codes).toEqual([["bad-query", "bad-query", "bad-query", "bad-query"]]);
  });
});

describe("values of a pair above a batch", () => {
  it("are not columns, since tables store them in different places: refused as bad-query", () => {
    const pair = Damage(port);
    spawn(world, Warm, Damage(port, { amount: 4 }), ChildOf(spawn(world, Warm, Damage(port, { amount: 5 }))));
    const tested = query(world, Warm, pair, up(pair));

    const codes = valuesAt(tested, (batch) => [
      codeOf(() => batch.columns(pair)),
      codeOf(() => batch.parentColumns(pair as never)),
      codeOf(() => batch.columnsOf(pair, pair as never)),
    ]);

    expect(codes).toEqual([[undefined, "bad-query", "bad-query"]]);
    expect(collect(tested).map(([, own, above]) => [own.amount, above.amount])).toEqual([[4, 5]]);
  });
});

describe("a batch of joined rows", () => {
  it("has rows and parents by position like any other", () => {
    spawnMany(world, 3, Tag, Likes(port), Likes(fleet), Parent(fleet));

    const found = valuesAt(query(world, Tag, Likes(liked), selfOrUp(Warm)), (batch, at) => [
      batch.columnsOf(Warm, Warm).of[batch.rowsOf(Warm)[at]!],
      batch.parentColumns(Warm).of[batch.parentRows[at]!],
      batch.depth,
    ]);

    expect(found).toEqual(Array.from({ length: 6 }, () => [3, 3, 1]));
  });

  it("needs no path to ancestors: it has no parents then", () => {
    const fans = spawnMany(world, 100, Likes(port));

    const found = valuesAt(bind(query(world, Likes(liked)), liked, port), (batch, at) => [
      batch.hasParents,
      batch.entityAt(batch.rows[at]!),
    ]);

    expect(found).toEqual(fans.map((fan) => [false, fan]));
  });
});

describe("columns of a batch", () => {
  it("are returned by columnsIf where alternatives have them", () => {
    spawn(world, Warm({ of: 9 }), ChildOf(fleet));

    const found = valuesAt(
      query(world, or(Warm, Tag), cascade(Warm), up(Heavy)),
      (batch, at) => batch.columnsIf(Warm)?.of[batch.rows[at]!],
    );

    expect(found.toSorted()).toEqual([9, undefined]);
  });
});
