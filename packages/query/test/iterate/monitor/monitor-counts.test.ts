import {
  Any,
  add,
  ChildOf,
  clear,
  Disabled,
  DisabledTree,
  defer,
  type Entity,
  Parent,
  remove,
  spawn,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, destroy, insertAt, maybe, not, type QueryTerm } from "../../../src/index.ts";
import { DockedTo, Frozen, Includes, Knows, Likes, Position } from "../../definitions.ts";
import { born, news, setStage, told, watch, world } from "./watching.ts";

beforeEach(setStage);

describe("what counts", () => {
  let ship: Entity;
  let dock: Entity;
  let one: Entity;

  beforeEach(() => {
    ship = born("ship");
    dock = born("dock");
    one = born("one");
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
      "any pair that points at somebody",
      () => Any(ship),
      () => add(world, one, ChildOf(ship)),
      () => remove(world, one, ChildOf(Any)),
    ],
    ["any pair", () => Any(Any), () => add(world, one, Parent(ship)), () => clear(world, one)],
    ["an entity as a tag", () => ship, () => add(world, one, ship), () => remove(world, one, ship)],
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
        expect(told).toEqual([]);
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
      "the death of a target",
      () => Likes(ship),
      () => add(world, one, Likes(ship)),
      () => destroy(world, ship),
    ],
  ])("is %s", (_, term, enter, leave) => {
    watch(term());

    enter();
    expect(news()).toEqual(["+one"]);
    leave();

    expect(news()).toEqual(["-one"]);
  });

  it("is the other side of a symmetric pair", () => {
    watch(Knows(one));

    add(world, one, Knows(ship));
    expect(news()).toEqual(["+ship"]);
    remove(world, one, Knows(Any));

    expect(news()).toEqual(["-ship"]);
  });

  it("is what an entity has not, pairs too", () => {
    watch(not(Frozen), not(ChildOf(ship)));

    add(world, one, Frozen);
    expect(news()).toEqual(["-one"]);
    remove(world, one, Frozen);
    expect(news()).toEqual(["+one"]);
    add(world, one, Parent(ship));
    expect(news()).toEqual(["-one"]);
    add(world, one, Parent(dock));

    expect(news()).toEqual(["+one"]);
  });

  it("is a reflexive pair with oneself, until death", () => {
    watch(Includes(ship));

    destroy(world, ship);

    expect(news()).toEqual(["-ship"]);
  });

  it("is every birth and death, if the query only says what entities have not", () => {
    watch(not(Frozen));

    const bare = born("bare");
    expect(news()).toEqual(["+new"]);
    destroy(world, bare);
    expect(news()).toEqual(["-bare"]);
    defer(world, () => destroy(world, spawn(world)));
    expect(news()).toEqual([]);
  });

  it("is not what `maybe` and `cascade` name", () => {
    watch(Frozen, maybe(Position), cascade(Position));

    add(world, one, Position);
    remove(world, one, Position);
    add(world, one, Frozen);

    expect(news()).toEqual(["+one"]);
  });

  it("is nothing with a dead target: nobody has a pair with it", () => {
    destroy(world, ship);

    watch(Likes(ship));
    watch(not(Likes(ship)), Position);
    add(world, one, Position);

    expect(news()).toEqual(["+one"]);
  });

  it("is nothing else: verbs about other definitions are not looked at", () => {
    const { events } = world;
    const stop = watch(Position, not(Likes(ship)), maybe(Frozen));

    const heard = new Set(events.listeners.map(({ definition }) => definition.name));

    expect(heard).toEqual(new Set(["Position", "Likes", "Disabled", "DisabledTree", "DisabledFromAbove"]));
    stop();
    expect(events.listeners).toEqual([]);
  });
});

describe("who is disabled", () => {
  let ship: Entity;
  let deck: Entity;

  // ship > deck (in its type) > seat (as a value)
  beforeEach(() => {
    ship = born("ship", Position);
    deck = born("deck", Position, ChildOf(ship));
    born("seat", Position, Parent(deck));
  });

  it("leaves, and enters when it is enabled", () => {
    watch(Position);

    add(world, deck, Disabled);
    expect(news()).toEqual(["-deck"]);
    remove(world, deck, Disabled);

    expect(news()).toEqual(["+deck"]);
  });

  it("leaves with everything below it by DisabledTree, in both storages", () => {
    watch(Position);

    add(world, ship, DisabledTree);
    expect(news().toSorted()).toEqual(["-deck", "-seat", "-ship"]);
    add(world, deck, Disabled);
    expect(news()).toEqual([]);
    remove(world, ship, DisabledTree);

    expect(news().toSorted()).toEqual(["+seat", "+ship"]);
  });

  it("is so by its place: with a reparent all below go along", () => {
    const dark = born("dark", DisabledTree);
    watch(Position);

    add(world, deck, Parent(dark));
    expect(news()).toEqual(["-deck", "-seat"].toSorted());
    remove(world, deck, ChildOf(Any));
    expect(news().toSorted()).toEqual(["+deck", "+seat"]);
    spawn(world, Position, ChildOf(dark));
    expect(news()).toEqual([]);
    clear(world, dark);

    expect(news()).toEqual(["+new"]);
  });

  it("counts like all others if the query names it", () => {
    watch(Position, maybe(Disabled));
    watch(DisabledTree);

    add(world, deck, Disabled);
    add(world, ship, DisabledTree);

    expect(news()).toEqual(["+ship"]);
  });
});
