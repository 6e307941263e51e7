import { beforeEach, describe, expect, it } from "vitest";
import { add, ChildOf, Parent, remove, spawn, spawnMany, tag } from "../../../src/index.ts";
import { usersOf } from "../../../src/world/verb/component-entity.ts";
import { Frozen, Lit } from "../../definitions.ts";
import { Likes } from "../../destroy/target-policies.ts";
import { setWorld, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";

beforeEach(setWorld);

describe("the users of a definition", () => {
  it("are all entities that have it, or a pair of it, in any table", () => {
    const ship = spawn(world);
    const frozen = [
      spawn(world, Frozen),
      spawn(world, Frozen, Lit),
      ...spawnMany(world, 2, Frozen, ChildOf(ship)),
    ];
    const lovers = [spawn(world, Likes(ship)), spawn(world, Likes(ship), Likes(frozen[0]!), Lit)];

    expect(usersOf(world, Frozen).toSorted()).toEqual(frozen.map(indexOf).toSorted());
    expect(usersOf(world, Likes).toSorted()).toEqual(lovers.map(indexOf).toSorted());
  });

  it("are none, where no entity has it or has it any more", () => {
    const one = spawn(world, Frozen);
    remove(world, one, Frozen);

    expect([usersOf(world, Frozen), usersOf(world, tag("Never"))]).toEqual([[], []]);
  });

  it("of ChildOf are children in both storages", () => {
    const ship = spawn(world);
    const children = [
      spawn(world, ChildOf(ship)),
      spawn(world, Parent(ship)),
      spawn(world, Parent(ship), Frozen),
    ];
    add(world, ship, Lit);

    expect(usersOf(world, ChildOf).toSorted()).toEqual(children.map(indexOf).toSorted());
    expect(usersOf(world, Parent).toSorted()).toEqual(children.slice(1).map(indexOf).toSorted());
  });
});
