import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, entityOf, pack, spawn, spawnMany } from "../../../src/index.ts";
import { destroyOrder, treeOrder } from "../../../src/world/change/free-entity.ts";
import { tag, withPolicy } from "../../defining.ts";
import { ChildOf, Frozen, Parent } from "../../definitions.ts";
import { Likes, Owns } from "../../destroy/target-policies.ts";
import { createDice, seeds } from "../../dice.ts";
import { setShip, ship, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";

const Burning = withPolicy(tag("Burning"), { onDestroy: "delete" });

beforeEach(setShip);

function orderFrom(...roots: Entity[]): number[] {
  return destroyOrder(world, roots.map(indexOf));
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("entities are destroyed", () => {
  it("together with all entities that have a definition whose entity is destroyed", () => {
    const entity = entityOf(world, Burning);
    const users = spawnMany(world, 130_000, Burning);

    expect(orderFrom(entity)).toHaveLength(users.length + 1);
  });

  it("alone when nothing points at them", () => {
    expect(orderFrom(ship)).toEqual(indexes(ship));
  });

  it.each([
    ["ChildOf", [ChildOf, ChildOf, ChildOf]],
    ["Parent", [Parent, Parent, Parent]],
    ["both storages", [ChildOf, Parent, ChildOf]],
    ["both storages, the other way round", [Parent, ChildOf, Parent]],
  ] as const)("children before parents, depth first, siblings in order, with %s", (_, [one, two, three]) => {
    const first = spawn(world, one(ship));
    const second = spawn(world, two(ship));
    const below = spawn(world, three(second));
    const deep = spawn(world, two(first));
    const beside = spawn(world, one(first));

    expect(orderFrom(ship)).toEqual(indexes(deep, beside, first, below, second, ship));
  });

  it("in sibling order across tables, also after a pack", () => {
    const spawned = Array.from({ length: 9 }, (_, at) =>
      spawn(world, (at % 3 ? ChildOf : Parent)(ship), ...(at % 2 ? [Frozen] : [])),
    );
    const before = orderFrom(ship);

    pack(world);

    expect(before).toEqual(indexes(...spawned, ship));
    expect(orderFrom(ship)).toEqual(before);
  });

  it("without the sources of relations that do not delete", () => {
    spawn(world, Likes(ship));
    const owner = spawn(world, Owns(ship));

    expect(orderFrom(ship)).toEqual(indexes(owner, ship));
  });

  it("with children before the sources of other relations", () => {
    const owner = spawn(world, Owns(ship));
    const child = spawn(world, Parent(ship));

    expect(orderFrom(ship)).toEqual(indexes(child, owner, ship));
  });

  it("once each in a diamond, before all their targets", () => {
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

  it("one root after the other, and once where one root is below another", () => {
    const child = spawn(world, ChildOf(ship));
    const deep = spawn(world, Parent(child));
    const station = spawn(world);

    expect(orderFrom(station, ship)).toEqual(indexes(station, deep, child, ship));
    expect(orderFrom(ship, child, station)).toEqual(indexes(deep, child, ship, station));
    expect(orderFrom(child, ship)).toEqual(indexes(deep, child, ship));
  });

  it("before the component entity of a definition they have, if its policy deletes", () => {
    const [one, other] = [spawn(world, Burning), spawn(world, Burning, Frozen)];
    const child = spawn(world, ChildOf(one));
    spawn(world, Frozen);

    expect(orderFrom(entityOf(world, Burning))).toEqual(indexes(child, one, other, entityOf(world, Burning)));
    expect(orderFrom(entityOf(world, Frozen))).toEqual(indexes(entityOf(world, Frozen)));
  });

  it("in order also down a chain of 30,000, in alternating storages", () => {
    const chain = [ship];
    while (chain.length < 30_000) {
      chain.push(spawn(world, (chain.length % 2 ? ChildOf : Parent)(chain.at(-1)!)));
    }

    expect(orderFrom(ship)).toEqual(indexes(...chain.toReversed()));
  });

  it.each(seeds(1, 3))("as along the tree alone, where no other relation deletes, seed %i", (seed) => {
    const dice = createDice(seed);
    const all = [ship, spawn(world)];
    for (let at = 0; at < 120; at++) {
      const storage = dice.chance(0.5) ? ChildOf : Parent;
      all.push(spawn(world, storage(dice.pick(all)), ...(dice.chance(0.3) ? [Frozen] : [])));
    }
    const roots = indexes(ship, all[1]!);

    expect(treeOrder(world, roots)).toEqual(destroyOrder(world, roots));
    expect(treeOrder(world, roots).length).toBe(all.length);
  });
});
