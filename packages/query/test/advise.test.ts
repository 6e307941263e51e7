import {
  component,
  createWorld,
  type Entity,
  f32,
  relation,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { advise } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { below, cascade, changed, groupBy, inOrder, not, on, or, query, up, variable } from "../src/index.ts";
import { Any, ChildOf } from "./public/builtins.ts";

const Position = component("Position", { x: f32 });
const BuiltBy = relation("BuiltBy", { traversable: true });

let world: World;
let yards: Entity[];

beforeEach(() => {
  world = createWorld();
  yards = spawnMany(world, 101);
  for (const yard of yards) spawnMany(world, 15, Position, BuiltBy(yard));
});

describe("advice about pairs that no query names", () => {
  it("is given with its numbers, once there are queries", () => {
    const before = advise(world);
    query(world, Position);

    expect(before).toEqual([]);
    expect(advise(world)).toEqual([
      {
        about: BuiltBy,
        kind: "in no query",
        entities: 1515,
        tables: 101,
        tablesWithout: 1,
        saves: 100,
        advice:
          "101 tables with pairs of BuiltBy have fewer than 16 rows, 1515 in all; without it they would be 1, and no query has named it. " +
          "Keep its targets in an `entity` field of a component: then entities with different targets share tables",
      },
    ]);
  });

  it("is not given for tables of more rows", () => {
    for (const yard of yards) spawn(world, Position, BuiltBy(yard));
    query(world, Position);

    expect(advise(world)).toEqual([]);
  });

  const $yard = variable("yard");
  it.each<[string, () => unknown]>([
    ["names a pair", () => query(world, Position, BuiltBy(yards[0]!))],
    ["names any pair", () => query(world, not(BuiltBy(Any)))],
    ["names any relation", () => query(world, Any(yards[0]!))],
    ["names it inside an operator", () => query(world, or(BuiltBy(yards[0]!), Position))],
    ["names it with a variable", () => query(world, BuiltBy($yard))],
    ["names it about another entity", () => query(world, on(yards[0]!, BuiltBy(Any)))],
    ["follows it upwards", () => query(world, up(Position, { relation: BuiltBy }))],
    ["follows it upwards to a variable", () => query(world, up(ChildOf($yard), { relation: BuiltBy }))],
    ["follows it downwards", () => query(world, cascade(Position, { relation: BuiltBy }))],
    [
      "asks what is below a change along it",
      () => query(world, below(changed(Position), { relation: BuiltBy })),
    ],
    ["follows it in order", () => query(world, Position, inOrder({ relation: BuiltBy }))],
    ["groups by it", () => query(world, Position, groupBy(BuiltBy))],
  ])("is not given once a query %s", (_, ask) => {
    query(world, Position);
    ask();

    expect(advise(world)).toEqual([]);
  });
});
