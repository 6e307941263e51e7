import { beforeEach, describe, expect, it } from "vitest";
import { rowAt, tableAt } from "../../src/cursor/archetype.ts";
import { pairCursor } from "../../src/cursor/pairs.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, ChildOf, type Entity, f32, Parent, relation, spawn } from "../../src/index.ts";
import { Likes } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";
import { asTag } from "../reading.ts";

const Holds = relation("Holds", { fields: { much: f32 } });

let deck: Entity;
let seat: Entity;

beforeEach(setShip);
beforeEach(() => {
  deck = spawn(world, ChildOf(ship));
  seat = spawn(world, ChildOf(deck));
});

describe("pairs", () => {
  it("are found by relation and target; those of Parent are those of ChildOf", () => {
    const pairs = pairCursor(world);
    const pair = pairs.find(ChildOf, indexOf(ship));

    expect([pairs.target(pair), pairs.relation(pair)]).toEqual([indexOf(ship), ChildOf.id]);
    expect(pairs.find(Parent, indexOf(ship))).toBe(pair);
    expect(pairs.find(Likes, indexOf(ship))).toBe(0);
    expect(pairCursor(world)).toBe(pairs);
  });

  it("are below each other, with depths that are right after a reparent", () => {
    const pairs = pairCursor(world);
    const below = pairs.find(ChildOf, indexOf(deck));
    expect([pairs.above(below), pairs.depth(below)]).toEqual([pairs.find(ChildOf, indexOf(ship)), 2]);

    add(world, ship, ChildOf(spawn(world)));

    expect(pairs.depth(below)).toBe(3);
  });

  it("list the pairs to an entity, with wildcards apart from tags", () => {
    add(world, deck, Likes(ship));
    add(world, seat, asTag(ship));
    const pairs = pairCursor(world);
    const found: [number, boolean][] = [];
    for (let pair = pairs.firstTo(indexOf(ship)); pair !== 0; pair = pairs.after(pair)) {
      found.push([pairs.relation(pair), pairs.isTag(pair)]);
    }

    expect(
      found
        .filter(([, isTag]) => !isTag)
        .map(([id]) => id)
        .sort(),
    ).toEqual([ChildOf.id, Likes.id].sort());
    expect(found.filter(([, isTag]) => isTag)).toHaveLength(1);
    expect(pairs.firstTo(indexOf(seat))).toBe(0);
  });

  it("of a table come one by one, without that of the parent", () => {
    add(world, seat, Likes(ship));
    add(world, seat, Likes(deck));
    const pairs = pairCursor(world);
    const table = tableAt(world, indexOf(seat));
    const found: number[] = [];
    for (let place = 0; pairs.inTable(table, place) !== 0; place++) found.push(pairs.inTable(table, place));

    expect(found).toEqual([ship, deck].map((one) => pairs.find(Likes, indexOf(one))));
  });

  it("of an entity are in its type or a value", () => {
    const pairs = pairCursor(world);
    const pair = pairs.find(ChildOf, indexOf(deck));
    const index = indexOf(seat);
    const inspect = (): number[] => [
      pairs.at(index, ChildOf),
      pairs.at(index, Parent),
      pairs.parentAt(index),
      pairs.parentAt(index, Parent),
      pairs.values(pair),
      pairs.count(pair),
    ];
    expect(inspect()).toEqual([pair, 0, pair, 0, 0, 1]);

    add(world, seat, Parent(deck));

    expect(pairs.find(ChildOf, indexOf(deck))).toBe(pair);
    expect(inspect()).toEqual([pair, pair, pair, pair, 1, 1]);
  });

  it("of a parent count its children in both storages", () => {
    const pairs = pairCursor(world);
    spawn(world, Parent(ship));
    spawn(world, Likes(ship));

    const pair = pairs.find(ChildOf, indexOf(ship));

    expect([pairs.count(pair), pairs.values(pair)]).toEqual([2, 1]);
  });

  it("return their values, whichever column these are stored in", () => {
    add(world, seat, Holds(ship, { much: 1 }), Holds(deck, { much: 2 }));
    const pairs = pairCursor(world);
    const much = (target: Entity): number => {
      const columns = pairs.columns(tableAt(world, indexOf(seat)), pairs.find(Holds, indexOf(target)));
      return (columns as { readonly much: Float32Array }).much[rowAt(world, indexOf(seat))]!;
    };

    expect([much(ship), much(deck)]).toEqual([1, 2]);
    expect(pairs.columns(tableAt(world, indexOf(deck)), pairs.find(Holds, indexOf(ship)))).toBeUndefined();
  });
});
