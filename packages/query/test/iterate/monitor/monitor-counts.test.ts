import { add, clear, defer, type Entity, remove, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, type QueryTerm } from "../../../src/index.ts";
import { DockedTo, Frozen, Includes, Knows, Likes, Position } from "../../definitions.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../../public/builtins.ts";
import { maybe, not } from "../../public/filters.ts";
import { insertAt } from "../../public/places.ts";
import { cascade } from "../../public/terms.ts";
import { observedNames } from "../../world-state.ts";
import { reported, setWatchedWorld, spawnNamed, takeReports, watch, world } from "./watched-world.ts";

beforeEach(setWatchedWorld);

describe("what counts", () => {
  let ship: Entity;
  let dock: Entity;
  let one: Entity;

  beforeEach(() => {
    ship = spawnNamed("ship");
    dock = spawnNamed("dock");
    one = spawnNamed("one");
  });

  it.each<[string, () => QueryTerm, () => unknown, () => unknown]>([
    ["a pair", () => Likes(ship), () => add(world, one, Likes(ship)), () => remove(world, one, Likes(ship))],
    [
      "a wildcard, while one of its pairs is left",
      () => Likes(Any),
      () => add(world, one, Likes(ship), Likes(dock)),
      () => remove(world, one, Likes(Any)),
    ],
    [
      "any pair with a target",
      () => Any(ship),
      () => add(world, one, ChildOf(ship)),
      () => remove(world, one, ChildOf(Any)),
    ],
    ["any pair", () => Any(Any), () => add(world, one, Parent(ship)), () => clear(world, one)],
    [
      "an entity as a tag",
      () => asTag(ship),
      () => add(world, one, asTag(ship)),
      () => remove(world, one, asTag(ship)),
    ],
    [
      "a parent in either storage",
      () => ChildOf(ship),
      () => add(world, one, Parent(ship)),
      () => insertAt(world, dock, one, 0),
    ],
    [
      "the one storage alone",
      () => Parent(ship),
      () => add(world, one, Parent(ship)),
      () => add(world, one, ChildOf(ship)),
    ],
    [
      "the one storage with any parent",
      () => Parent(Any),
      () => {
        add(world, one, ChildOf(ship));
        expect(reported).toEqual([]);
        add(world, one, Parent(ship));
      },
      () => add(world, one, ChildOf(ship)),
    ],
    [
      "the target of an exclusive relation",
      () => DockedTo(dock),
      () => add(world, one, DockedTo(dock)),
      () => add(world, one, DockedTo(ship)),
    ],
    [
      "the destruction of a target",
      () => Likes(ship),
      () => add(world, one, Likes(ship)),
      () => destroy(world, ship),
    ],
  ])("is %s", (_, term, enter, leave) => {
    watch(term());

    enter();
    expect(takeReports()).toEqual(["+one"]);
    leave();

    expect(takeReports()).toEqual(["-one"]);
  });

  it("is the other side of a symmetric pair", () => {
    watch(Knows(one));

    add(world, one, Knows(ship));
    expect(takeReports()).toEqual(["+ship"]);
    remove(world, one, Knows(Any));

    expect(takeReports()).toEqual(["-ship"]);
  });

  it("is what an entity does not have, pairs too", () => {
    watch(not(Frozen), not(ChildOf(ship)));

    add(world, one, Frozen);
    expect(takeReports()).toEqual(["-one"]);
    remove(world, one, Frozen);
    expect(takeReports()).toEqual(["+one"]);
    add(world, one, Parent(ship));
    expect(takeReports()).toEqual(["-one"]);
    add(world, one, Parent(dock));

    expect(takeReports()).toEqual(["+one"]);
  });

  it("is a reflexive pair with the entity itself, until it is destroyed", () => {
    watch(Includes(ship));

    destroy(world, ship);

    expect(takeReports()).toEqual(["-ship"]);
  });

  it("is every spawn and destruction, if the query only says what entities do not have", () => {
    watch(not(Frozen));

    const bare = spawnNamed("bare");
    expect(takeReports()).toEqual(["+new"]);
    destroy(world, bare);
    expect(takeReports()).toEqual(["-bare"]);
    defer(world, () => destroy(world, spawn(world)));
    expect(takeReports()).toEqual([]);
  });

  it("is not what `maybe` and `cascade` name", () => {
    watch(Frozen, maybe(Position), cascade(Position));

    add(world, one, Position);
    remove(world, one, Position);
    add(world, one, Frozen);

    expect(takeReports()).toEqual(["+one"]);
  });

  it("is nothing with a destroyed target: no entity has a pair with it", () => {
    destroy(world, ship);

    watch(Likes(ship));
    watch(not(Likes(ship)), Position);
    add(world, one, Position);

    expect(takeReports()).toEqual(["+one"]);
  });

  it("is nothing else: verbs about other definitions are ignored", () => {
    const stop = watch(Position, not(Likes(ship)), maybe(Frozen));

    expect(observedNames(world)).toEqual([
      "Disabled",
      "DisabledFromAbove",
      "DisabledTree",
      "Life", // only for restored snapshots
      "Likes",
      "Position",
      "Prefab",
    ]);
    stop();
    expect(observedNames(world)).toEqual([]);
  });
});

describe("a disabled entity", () => {
  let ship: Entity;
  let deck: Entity;

  // ship > deck (in its type) > seat (as a value)
  beforeEach(() => {
    ship = spawnNamed("ship", Position);
    deck = spawnNamed("deck", Position, ChildOf(ship));
    spawnNamed("seat", Position, Parent(deck));
  });

  it("leaves, and enters when it is enabled", () => {
    watch(Position);

    add(world, deck, Disabled);
    expect(takeReports()).toEqual(["-deck"]);
    remove(world, deck, Disabled);

    expect(takeReports()).toEqual(["+deck"]);
  });

  it("leaves with everything below it by DisabledTree, in both storages", () => {
    watch(Position);

    add(world, ship, DisabledTree);
    expect(takeReports().toSorted()).toEqual(["-deck", "-seat", "-ship"]);
    add(world, deck, Disabled);
    expect(takeReports()).toEqual([]);
    remove(world, ship, DisabledTree);

    expect(takeReports().toSorted()).toEqual(["+seat", "+ship"]);
  });

  it("is disabled by its place: a reparent changes everything below it too", () => {
    const dark = spawnNamed("dark", DisabledTree);
    watch(Position);

    add(world, deck, Parent(dark));
    expect(takeReports()).toEqual(["-deck", "-seat"].toSorted());
    remove(world, deck, ChildOf(Any));
    expect(takeReports().toSorted()).toEqual(["+deck", "+seat"]);
    spawn(world, Position, ChildOf(dark));
    expect(takeReports()).toEqual([]);
    clear(world, dark);

    expect(takeReports()).toEqual(["+new"]);
  });

  it("counts like all others if the query names it", () => {
    watch(Position, maybe(Disabled));
    watch(DisabledTree);

    add(world, deck, Disabled);
    add(world, ship, DisabledTree);

    expect(takeReports()).toEqual(["+ship"]);
  });
});
