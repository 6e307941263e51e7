import {
  Any,
  add,
  ChildOf,
  createWorld,
  type Entity,
  remove,
  set,
  spawnMany,
  type World,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import { holdersSeen, place } from "../cascades.ts";
import { Frozen, Local, Mark, Placed } from "../twin.ts";

let world: World;

beforeEach(() => {
  world = createWorld();
});

function holderSeen(entity: Entity): number | undefined {
  return holdersSeen(world, Placed).find(([one]) => one === entity)![1];
}

describe("the holder of a row", () => {
  it("is found over ancestors without the component", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station);
    const cockpit = place(world, ship, Local);
    const seat = place(world, cockpit, Placed);

    expect([ship, cockpit, seat].map(holderSeen)).toEqual([station, station, station]);
  });

  it("is nobody when no ancestor has the component, at any depth", () => {
    const station = place(world, undefined);
    const seat = place(world, place(world, station), Placed);

    expect([station, seat].map(holderSeen)).toEqual([undefined, undefined]);
  });

  it("is an ancestor that gets the component later, instead of one further up", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station);
    const seat = place(world, place(world, ship));
    const before = holderSeen(seat);

    set(world, ship, Placed, { of: ship });

    expect([before, holderSeen(seat), holderSeen(ship)]).toEqual([station, ship, station]);
  });

  it("is one further up once the nearest loses the component", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station, Placed);
    const seat = place(world, place(world, ship));
    const before = holderSeen(seat);

    remove(world, ship, Placed);

    expect([before, holderSeen(seat)]).toEqual([ship, station]);
  });

  it("is nobody once the only one loses the component", () => {
    const station = place(world, undefined, Placed);
    const seat = place(world, place(world, station));
    const before = holderSeen(seat);

    remove(world, station, Placed);

    expect([before, holderSeen(seat)]).toEqual([station, undefined]);
  });

  it("is found when it moves to another table for another reason", () => {
    const station = place(world, undefined, Placed);
    const seat = place(world, place(world, station));
    holderSeen(seat);

    add(world, station, Frozen);
    spawnMany(world, 3, Mark, Placed);

    expect(holderSeen(seat)).toBe(station);
  });

  it("is found when it fills the row of one that went", () => {
    const holders = Array.from({ length: 5 }, () => place(world, undefined, Placed));
    const below = holders.map((holder) => place(world, place(world, holder)));
    below.map(holderSeen);

    destroy(world, holders[0]!);
    destroy(world, holders[2]!);

    expect([1, 3, 4].map((at) => holderSeen(below[at]!))).toEqual([1, 3, 4].map((at) => holders[at]));
  });

  it("is another one after a reparent, of the entity or above it", () => {
    const [station, base] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const ship = place(world, station);
    const cockpit = place(world, ship);
    const seat = place(world, cockpit);
    holderSeen(seat);

    add(world, ship, ChildOf(base));

    expect([ship, cockpit, seat].map(holderSeen)).toEqual([base, base, base]);
  });

  it("is nobody after the way up was cut", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station);
    const seat = place(world, place(world, ship));
    holderSeen(seat);

    remove(world, ship, ChildOf(Any));

    expect([ship, seat].map(holderSeen)).toEqual([undefined, undefined]);
  });
});
