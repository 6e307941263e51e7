import { type Entity, spawn, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { each, type QueryTerm, query } from "../../../src/index.ts";
import { Damage, Frozen, Likes, Marker, Position, Velocity } from "../../definitions.ts";
import { Any, asTag, ChildOf, Disabled } from "../../public/builtins.ts";
import { component, createWorld } from "../../public/define.ts";
import { maybe, not } from "../../public/filters.ts";
import { cascade } from "../../public/terms.ts";

const Mesh = component<string | undefined>("Mesh");

let world: World;
let ship: Entity;
let cockpit: Entity;
let buoy: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Velocity({ x: 5 }), Mesh("hull"));
  buoy = spawn(world);
  cockpit = spawn(
    world,
    ChildOf(ship),
    Position({ x: 1 }),
    Velocity({ x: 2 }),
    Mesh("glass"),
    Frozen,
    Marker,
    Likes(ship),
    Damage(ship, { amount: 3 }),
    asTag(buoy),
  );
});

function maybePairs(): QueryTerm[] {
  return [maybe(Likes(ship)), maybe(ChildOf(Any)), maybe(Likes(buoy)), maybe(Any(ship))];
}

/** One row as plain data: `{x}` of views, values as they are. */
function argumentsOf(...terms: QueryTerm[]): unknown[] {
  const rows: unknown[][] = [];
  each(query(world, ...terms), (...row: unknown[]) => {
    rows.push(
      row.map((one) => {
        if (typeof one !== "object" || one === null) return one;
        const { x, amount } = one as { x?: number; amount?: number };
        return x ?? amount ?? "empty view";
      }),
    );
  });
  return rows.find((row) => row.at(-1) === cockpit)!;
}

describe("the values that a term passes", () => {
  it.each<[title: string, terms: () => QueryTerm[], given: unknown[]]>([
    ["no terms: nothing", () => [], []],
    ["a component: a row view", () => [Position], [1]],
    ["a component of JavaScript values: the value", () => [Mesh], ["glass"]],
    ["a component without fields: an empty view", () => [Marker], ["empty view"]],
    ["a tag: nothing", () => [Frozen], []],
    ["a pair: nothing", () => [ChildOf(ship)], []],
    ["any target: nothing", () => [ChildOf(Any)], []],
    ["a pair with data: a row view", () => [Damage(ship)], [3]],
    ["a pair with data and any target: nothing", () => [Damage(Any)], []],
    ["not: nothing", () => [not(Damage(cockpit)), not(Likes(cockpit))], []],
    ["maybe of a tag: true", () => [maybe(Frozen)], [true]],
    ["maybe of a tag that is not there: undefined", () => [maybe(Disabled)], [undefined]],
    ["maybe of pairs without values: true or undefined", maybePairs, [true, true, undefined, true]],
    ["maybe of a pair with data: a row view", () => [maybe(Damage(ship))], [3]],
    ["maybe of a pair with data and any target: true", () => [maybe(Damage(Any))], [true]],
    ["maybe of an entity as a tag: true", () => [maybe(asTag(buoy))], [true]],
    ["maybe of a component without fields: an empty view", () => [maybe(Marker)], ["empty view"]],
    ["any pair, with a target or without: nothing", () => [Any(ship), Any(Any), not(Any(cockpit))], []],
    ["an entity as a tag: nothing", () => [asTag(buoy)], []],
    ["maybe of what is there: a row view", () => [maybe(Position)], [1]],
    ["maybe of a JavaScript value that is there: the value", () => [maybe(Mesh)], ["glass"]],
    ["cascade: a row view of the ancestor's", () => [cascade(Velocity)], [5]],
    ["cascade of JavaScript values: the ancestor's value", () => [cascade(Mesh)], ["hull"]],
    ["cascade of what no ancestor has: undefined", () => [cascade(Position)], [undefined]],
    ["the same component twice: twice", () => [Position, Position], [1, 1]],
  ])("%s", (_, terms, given) => {
    expect(argumentsOf(...terms())).toEqual([...given, cockpit]);
  });

  it("are in the order of the terms, with nothing in place of those that pass nothing", () => {
    const given = argumentsOf(
      Frozen,
      Mesh,
      not(Damage(cockpit)),
      Damage(ship),
      ChildOf(ship),
      Position,
      cascade(Velocity),
    );

    expect(given).toEqual(["glass", 3, 1, 5, cockpit]);
  });

  it("are undefined for maybe where it is not there", () => {
    const bare = spawn(world, Position({ x: 9 }));
    const received: unknown[] = [];

    each(query(world, Position, maybe(Velocity), maybe(Mesh)), (position, velocity, mesh, entity) => {
      if (entity === bare) received.push(position.x, velocity, mesh);
    });

    expect(received).toEqual([9, undefined, undefined]);
  });

  it("are undefined for maybe of a component without fields where it is not there", () => {
    const bare = spawn(world, Position);
    const received: unknown[] = [];

    each(query(world, Position, maybe(Marker)), (_, marker, entity) => {
      if (entity === bare) received.push(marker);
    });

    expect(received).toEqual([undefined]);
  });

  it("change from archetype to archetype and back", () => {
    spawn(world, Mesh("a"), Position({ x: 10 }), ChildOf(ship));
    spawn(world, Mesh("b"));
    const received: unknown[] = [];

    each(query(world, Mesh, maybe(Position), maybe(Velocity)), (mesh, position, velocity) => {
      received.push([mesh, position?.x, velocity?.x]);
    });

    expect(received).toEqual([
      ["hull", undefined, 5],
      ["glass", 1, 2],
      ["a", 10, undefined],
      ["b", undefined, undefined],
    ]);
  });
});
