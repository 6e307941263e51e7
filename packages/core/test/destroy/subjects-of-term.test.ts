import { beforeEach, describe, expect, it } from "vitest";
import { subjectsOfTerm } from "../../src/destroy/remove-all.ts";
import { defer, release, spawn, type TermPattern } from "../../src/index.ts";
import { Any, ChildOf, Damage, Frozen, Parent } from "../definitions.ts";
import { dock, type Entity, setShipAndDock, ship, world } from "../fixture.ts";
import { indexOf } from "../handles.ts";
import { parseTerm } from "../internal.ts";
import { asTag } from "../reading.ts";
import { Likes } from "./target-policies.ts";

beforeEach(setShipAndDock);

function subjects(what: TermPattern): number[] {
  return subjectsOfTerm(world, parseTerm(world, what)).toSorted((one, other) => one - other);
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("the subjects of a term", () => {
  it("are all entities that have the term, each once", () => {
    const one = spawn(world, Likes(ship), Damage(ship), ChildOf(ship), Frozen);
    const two = spawn(world, Parent(ship), Likes(dock));
    const three = spawn(world, asTag(ship));

    expect([subjects(Frozen), subjects(Likes(Any)), subjects(ChildOf(ship)), subjects(Parent(ship))]).toEqual(
      [indexes(one), indexes(one, two), indexes(one, two), indexes(two)],
    );
    expect([subjects(Any(ship)), subjects(Any(dock)), subjects(Any(Any)), subjects(asTag(ship))]).toEqual([
      indexes(one, two),
      indexes(two),
      indexes(one, two),
      indexes(three),
    ]);
  });

  it("of an entity that is not alive are none, and pending spawns are none", () => {
    const destroyed = spawn(world);
    release(world, destroyed);

    expect([subjects(Likes(destroyed)), subjects(Any(destroyed)), subjects(asTag(destroyed))]).toEqual([
      [],
      [],
      [],
    ]);
    defer(world, () => {
      spawn(world, ChildOf(ship));
      expect(subjects(Any(Any))).toEqual([]);
    });
  });
});
