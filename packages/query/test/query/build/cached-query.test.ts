import { Any, add, ChildOf, Disabled, DisabledTree, Parent, remove, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, each, entities, maybe, not, type QueryTerm, query } from "../../../src/index.ts";
import { Frozen, Position, Velocity } from "../../definitions.ts";
import { iterated, sorted } from "../../matches.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

describe("a cached query", () => {
  it("follows entities that are disabled, by themselves or with their tree", () => {
    const [ship, buoy] = [spawn(world, Position), spawn(world, Position)];
    const cockpit = spawn(world, Position, ChildOf(ship));
    const seat = spawn(world, Position, Parent(cockpit));
    const [tested, all] = [query(world, Position), query(world, Position, maybe(Disabled))];
    const received = [iterated(tested)];

    add(world, buoy, Disabled);
    received.push(iterated(tested));
    add(world, ship, DisabledTree);
    received.push(iterated(tested), iterated(all));
    remove(world, ship, DisabledTree);
    received.push(iterated(tested));
    remove(world, buoy, Disabled);
    received.push(iterated(tested));

    expect(received.map(sorted)).toEqual([
      [ship, buoy, cockpit, seat],
      [ship, cockpit, seat],
      [],
      [ship, buoy, cockpit, seat],
      [ship, cockpit, seat],
      [ship, buoy, cockpit, seat],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("with a cascade leaves disabled entities out, and still reads values from them", () => {
    const ship = spawn(world, Position({ x: 1 }), Disabled);
    const cockpit = spawn(world, Position({ x: 2 }), ChildOf(ship));
    const received: unknown[] = [];

    each(query(world, Position, cascade(Position)), (own, above, entity) => {
      received.push([entity, own.x, above?.x]);
    });

    expect(received).toEqual([[cockpit, 2, 1]]);
  });

  it.each<[title: string, terms: QueryTerm[], places: number[]]>([
    ["any parent", [ChildOf(Any)], [0, 1, 2, 3]],
    ["any pair", [Any(Any), Position], [0, 1, 2, 3]],
    ["any parent stored by value", [Parent(Any)], [0, 2]],
  ])("lists archetypes in order of creation, whatever their storage: %s", (_, terms, places) => {
    const before = query(world, ...terms, not(Velocity));
    const ship = spawn(world);
    const children = [
      spawn(world, Parent(ship), Position),
      spawn(world, ChildOf(ship), Position),
      spawn(world, Parent(ship), Position, Frozen),
      spawn(world, ChildOf(ship), Position, Frozen),
    ];

    const after = query(world, ...terms);

    const expected = places.map((place) => children[place]);
    expect(entities(after)).toEqual(expected);
    expect(entities(before)).toEqual(expected);
  });
});
