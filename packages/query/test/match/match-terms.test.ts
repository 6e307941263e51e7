import { add, type Entity, entityOf, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, each, type Query, query } from "../../src/index.ts";
import { Frozen, Includes, Likes, Position } from "../definitions.ts";
import { iterated, matchesOf } from "../matches.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { maybe, not } from "../public/filters.ts";
import { setWorld, world } from "../test-world.ts";

beforeEach(setWorld);

describe("a reflexive relation", () => {
  it("is matched by the target too, if it matches the other terms", () => {
    const [ship, station] = [spawn(world, Frozen), spawn(world)];
    const part = spawn(world, Includes(ship), Frozen);
    const other = spawn(world, Includes(ship));

    expect(matchesOf(world, Includes(ship))).toEqual([ship, part, other]);
    expect(matchesOf(world, Includes(ship), Frozen)).toEqual([ship, part]);
    expect(matchesOf(world, Includes(ship), not(Frozen))).toEqual([other]);
    expect(matchesOf(world, Includes(station))).toEqual([station]);
    expect(matchesOf(world, Includes(station), Frozen)).toEqual([]);
  });

  it("excludes the target too", () => {
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const part = spawn(world, Includes(ship));
    const sibling = spawn(world, ChildOf(ship));

    expect(matchesOf(world, not(Includes(ship)))).toEqual([station, sibling]);
    expect(matchesOf(world, not(Includes(station)))).toEqual([ship, part, sibling]);
    expect(matchesOf(world, Includes(ship), not(Includes(part)))).toEqual([ship]);
  });

  it("matches no entity twice that has the pair with itself", () => {
    const ship = spawn(world);
    const part = spawn(world, Includes(ship));
    add(world, ship, Includes(ship));

    expect(matchesOf(world, Includes(ship))).toEqual([ship, part]);
    expect(matchesOf(world, not(Includes(ship)))).toEqual([]);
  });

  it("requires stored pairs only with any target", () => {
    const ship = spawn(world);
    const part = spawn(world, Includes(ship));

    expect(matchesOf(world, Includes(Any))).toEqual([part]);
    expect(matchesOf(world, Any(ship))).toEqual([part]);
    expect(matchesOf(world, Any(Any))).toEqual([part]);
  });

  it("is matched neither by destroyed nor by disabled targets", () => {
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    add(world, station, Disabled);
    destroy(world, ship);

    expect(matchesOf(world, Includes(ship))).toEqual([]);
    expect(matchesOf(world, Includes(station))).toEqual([]);
    expect(matchesOf(world, Includes(station), maybe(Disabled))).toEqual([station]);
  });

  it("is not matched by a target whose spawn is deferred to the end of an iteration", () => {
    spawn(world);
    const found: Entity[][] = [];

    each(query(world), () => {
      const spawned = spawn(world);
      found.push(iterated(query(world, Includes(spawned))), iterated(query(world, not(Includes(spawned)))));
    });

    expect(found.map(({ length }) => length)).toEqual([0, 1]);
  });
});

describe("a component entity", () => {
  it("requires its definition", () => {
    const ship = spawn(world, Position);
    const part = spawn(world, ChildOf(ship), Frozen);
    const [frozen, childOf] = [entityOf(world, Frozen), entityOf(world, ChildOf)];

    expect(matchesOf(world, asTag(frozen))).toEqual([part]);
    expect(matchesOf(world, asTag(childOf))).toEqual([part]);
    expect(matchesOf(world, not(asTag(frozen)), not(asTag(childOf)))).toEqual([ship, frozen, childOf]);
    const [byEntity, byTag]: Query[] = [query(world, asTag(frozen)), query(world, Frozen)];
    expect(byEntity === byTag).toBe(true);
  });

  it("can be a target itself", () => {
    const fan = spawn(world, Likes(entityOf(world, Frozen)));

    expect(matchesOf(world, Likes(entityOf(world, Frozen)))).toEqual([fan]);
    expect(matchesOf(world, Any(entityOf(world, Frozen)))).toEqual([fan]);
  });
});

describe("an entity used as a tag", () => {
  it("matches entities that were given it, and not wildcards", () => {
    const [red, ship] = spawnMany(world, 2) as [Entity, Entity];
    const marked = spawn(world, asTag(red));
    const both = spawn(world, asTag(red), Likes(red));

    expect(matchesOf(world, asTag(red))).toEqual([marked, both]);
    expect(matchesOf(world, not(asTag(red)))).toEqual([red, ship]);
    expect(matchesOf(world, Any(red))).toEqual([both]);
    expect(matchesOf(world, Any(Any))).toEqual([both]);
    expect(matchesOf(world, asTag(red), not(Any(Any)))).toEqual([marked]);
  });
});

describe("disabled entities", () => {
  it("do not match queries with a target, unless a term names that", () => {
    const ship = spawn(world);
    const [own, typed] = [spawn(world, ChildOf(ship), Disabled), spawn(world, ChildOf(ship))];
    const byValue = spawn(world, Parent(ship), Disabled);
    const below = spawn(world, ChildOf(spawn(world, ChildOf(ship), DisabledTree)), Likes(ship));

    expect(matchesOf(world, ChildOf(ship))).toEqual([typed]);
    expect(matchesOf(world, not(ChildOf(ship)))).toEqual([ship]);
    expect(matchesOf(world, Likes(ship))).toEqual([]);
    expect(matchesOf(world, Likes(ship), maybe(Disabled))).toEqual([below]);
    expect(matchesOf(world, ChildOf(ship), Disabled)).toEqual([own, byValue]);
    expect(matchesOf(world, ChildOf(ship), maybe(Disabled), not(DisabledTree))).toEqual([
      own,
      typed,
      byValue,
    ]);
  });
});
