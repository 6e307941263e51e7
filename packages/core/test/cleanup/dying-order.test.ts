import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  pack,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { inDyingOrder } from "../../src/cleanup/dying-order.ts";
import { reachFrom } from "../../src/cleanup/reach.ts";
import { Likes, Owns } from "../twin.ts";

const Frozen = tag("Frozen");

let world: World;
let ship: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world);
});

function orderFrom(entity: Entity): number[] {
  return inDyingOrder(world, reachFrom(world, indexOf(entity)));
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("the dying stand", () => {
  it("alone when nothing points at them", () => {
    expect(orderFrom(ship)).toEqual(indexes(ship));
  });

  it("children before parents, depth first, siblings in order", () => {
    const [first, second] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];
    const below = spawn(world, ChildOf(second));
    const deep = spawn(world, ChildOf(first));

    expect(orderFrom(ship)).toEqual(indexes(deep, first, below, second, ship));
  });

  it("in sibling order across tables, also after a pack", () => {
    const born = Array.from({ length: 9 }, (_, at) =>
      spawn(world, ChildOf(ship), ...(at % 2 ? [Frozen] : [])),
    );
    const before = orderFrom(ship);

    pack(world);

    expect(before).toEqual(indexes(...born, ship));
    expect(orderFrom(ship)).toEqual(before);
  });

  it("without the sources of relations that do not delete", () => {
    spawn(world, Likes(ship));
    const owner = spawn(world, Owns(ship));

    expect(orderFrom(ship)).toEqual(indexes(owner, ship));
  });

  it("once each in a diamond, before all whom they point at", () => {
    const shared = spawn(world, Owns(ship));
    const [left, right] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];
    add(world, shared, ChildOf(right));
    add(world, shared, Owns(left));

    expect(orderFrom(ship)).toEqual(indexes(shared, left, right, ship));
  });

  it("once each in a cycle, the first one last", () => {
    const owner = spawn(world, Owns(ship));
    add(world, ship, Owns(owner));

    expect(orderFrom(ship)).toEqual(indexes(owner, ship));
    expect(orderFrom(owner)).toEqual(indexes(ship, owner));
  });

  it("once when they point at themselves", () => {
    add(world, ship, Owns(ship));

    expect(orderFrom(ship)).toEqual(indexes(ship));
  });
});
