import {
  Any,
  add,
  ChildOf,
  Disabled,
  DisabledTree,
  type Entity,
  entityOf,
  Parent,
  spawn,
  spawnMany,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, each, maybe, not, type Query, query } from "../../src/index.ts";
import { askedOf, visited } from "../asked.ts";
import { Frozen, Includes, Likes, Position } from "../definitions.ts";
import { setWorld, world } from "../stage.ts";

beforeEach(setWorld);

describe("a reflexive relation", () => {
  it("is answered by the target too, if it answers the rest", () => {
    const [ship, station] = [spawn(world, Frozen), spawn(world)];
    const part = spawn(world, Includes(ship), Frozen);
    const other = spawn(world, Includes(ship));

    expect(askedOf(world, Includes(ship))).toEqual([ship, part, other]);
    expect(askedOf(world, Includes(ship), Frozen)).toEqual([ship, part]);
    expect(askedOf(world, Includes(ship), not(Frozen))).toEqual([other]);
    expect(askedOf(world, Includes(station))).toEqual([station]);
    expect(askedOf(world, Includes(station), Frozen)).toEqual([]);
  });

  it("excludes the target too", () => {
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const part = spawn(world, Includes(ship));
    const sibling = spawn(world, ChildOf(ship));

    expect(askedOf(world, not(Includes(ship)))).toEqual([station, sibling]);
    expect(askedOf(world, not(Includes(station)))).toEqual([ship, part, sibling]);
    expect(askedOf(world, Includes(ship), not(Includes(part)))).toEqual([ship]);
  });

  it("gives nobody twice who has the pair with themselves", () => {
    const ship = spawn(world);
    const part = spawn(world, Includes(ship));
    add(world, ship, Includes(ship));

    expect(askedOf(world, Includes(ship))).toEqual([ship, part]);
    expect(askedOf(world, not(Includes(ship)))).toEqual([]);
  });

  it("asks for stored pairs only with any target", () => {
    const ship = spawn(world);
    const part = spawn(world, Includes(ship));

    expect(askedOf(world, Includes(Any))).toEqual([part]);
    expect(askedOf(world, Any(ship))).toEqual([part]);
    expect(askedOf(world, Any(Any))).toEqual([part]);
  });

  it("is answered neither by dead nor by disabled targets", () => {
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    add(world, station, Disabled);
    destroy(world, ship);

    expect(askedOf(world, Includes(ship))).toEqual([]);
    expect(askedOf(world, Includes(station))).toEqual([]);
    expect(askedOf(world, Includes(station), maybe(Disabled))).toEqual([station]);
  });

  it("is not answered by a target that waits for the end of a visit to be born", () => {
    spawn(world);
    const found: Entity[][] = [];

    each(query(world), () => {
      const newborn = spawn(world);
      found.push(visited(query(world, Includes(newborn))), visited(query(world, not(Includes(newborn)))));
    });

    expect(found.map(({ length }) => length)).toEqual([0, 1]);
  });
});

describe("an entity that stands for a definition", () => {
  it("asks for that definition", () => {
    const ship = spawn(world, Position);
    const part = spawn(world, ChildOf(ship), Frozen);
    const [frozen, childOf] = [entityOf(world, Frozen), entityOf(world, ChildOf)];

    expect(askedOf(world, frozen)).toEqual([part]);
    expect(askedOf(world, childOf)).toEqual([part]);
    expect(askedOf(world, not(frozen), not(childOf))).toEqual([ship, frozen, childOf]);
    const [byEntity, byTag]: Query[] = [query(world, frozen), query(world, Frozen)];
    expect(byEntity === byTag).toBe(true);
  });

  it("can be a target itself", () => {
    const fan = spawn(world, Likes(entityOf(world, Frozen)));

    expect(askedOf(world, Likes(entityOf(world, Frozen)))).toEqual([fan]);
    expect(askedOf(world, Any(entityOf(world, Frozen)))).toEqual([fan]);
  });
});

describe("an entity used as a tag", () => {
  it("is had by those who were given it, and not seen by wildcards", () => {
    const [red, ship] = spawnMany(world, 2) as [Entity, Entity];
    const marked = spawn(world, red);
    const both = spawn(world, red, Likes(red));

    expect(askedOf(world, red)).toEqual([marked, both]);
    expect(askedOf(world, not(red))).toEqual([red, ship]);
    expect(askedOf(world, Any(red))).toEqual([both]);
    expect(askedOf(world, Any(Any))).toEqual([both]);
    expect(askedOf(world, red, not(Any(Any)))).toEqual([marked]);
  });
});

describe("the disabled", () => {
  it("do not answer queries with a target, unless a term names that", () => {
    const ship = spawn(world);
    const [own, typed] = [spawn(world, ChildOf(ship), Disabled), spawn(world, ChildOf(ship))];
    const loose = spawn(world, Parent(ship), Disabled);
    const below = spawn(world, ChildOf(spawn(world, ChildOf(ship), DisabledTree)), Likes(ship));

    expect(askedOf(world, ChildOf(ship))).toEqual([typed]);
    expect(askedOf(world, not(ChildOf(ship)))).toEqual([ship]);
    expect(askedOf(world, Likes(ship))).toEqual([]);
    expect(askedOf(world, Likes(ship), maybe(Disabled))).toEqual([below]);
    expect(askedOf(world, ChildOf(ship), Disabled)).toEqual([own, loose]);
    expect(askedOf(world, ChildOf(ship), maybe(Disabled), not(DisabledTree))).toEqual([own, typed, loose]);
  });
});
