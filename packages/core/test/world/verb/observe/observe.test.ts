import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, entityOf, pack, release, remove, set } from "../../../../src/index.ts";
import {
  Any,
  ChildOf,
  Damage,
  Disabled,
  DisabledTree,
  DockedTo,
  Frozen,
  Label,
  Likes,
  Lit,
  Parent,
  Position,
} from "../../../definitions.ts";
import { createWorld, spawn, spawnMany } from "../../../fixture.ts";
import { asTag, codeOf, get, isAlive } from "../../../reading.ts";
import { calls, dock, names, record, setFixture, ship, world } from "./recorded-events.ts";

beforeEach(setFixture);

/** Of a ship that loses all it has. */
const ALL_GONE = [
  "-Frozen of ship",
  "-Label of ship",
  "-ChildOf(dock) of ship dock>-",
  "-DockedTo(dock) of ship dock>-",
  "-Is(dock) of ship",
  "-Likes(dock) of ship",
];

describe("the reported change", () => {
  it.each<[string, () => unknown, string[]]>([
    [
      "a spawn",
      () => spawn(world, Position({ x: 1 }), Likes(dock)),
      ["+Position of new", "+Likes(dock) of new", "=Position of new"],
    ],
    ["a spawn without anything", () => spawn(world), []],
    ["spawns", () => spawnMany(world, 2, Frozen), ["+Frozen of new", "+Frozen of new"]],
    ["a tag", () => add(world, ship, Frozen), ["+Frozen of ship"]],
    ["a component with a value", () => add(world, ship, Label("x")), ["+Label of ship", "=Label of ship"]],
    ["a component with its defaults", () => add(world, ship, Position), ["+Position of ship"]],
    ["a pair", () => add(world, ship, Likes(dock)), ["+Likes(dock) of ship"]],
    [
      "a pair with data",
      () => add(world, ship, Damage(dock, { amount: 1 })),
      ["+Damage(dock) of ship", "=Damage(dock) of ship"],
    ],
    ["an exclusive pair", () => add(world, ship, DockedTo(dock)), ["+DockedTo(dock) of ship ->dock"]],
    ["a parent", () => add(world, ship, ChildOf(dock)), ["+ChildOf(dock) of ship ->dock"]],
    ["a parent stored by value", () => add(world, ship, Parent(dock)), ["+ChildOf(dock) of ship ->dock"]],
    ["an entity as a tag", () => add(world, ship, asTag(dock)), ["+Is(dock) of ship"]],
    ["a value that is set", () => set(world, ship, Label, "x"), ["+Label of ship", "=Label of ship"]],
    ["a value that is disabled", () => add(world, ship, Disabled), ["+Disabled of ship"]],
  ])("of %s", (_, act, expected) => {
    record({ added: Any, set: Any });
    record({ added: asTag(dock) });

    act();

    expect(calls).toEqual(expected);
  });

  it.each<[string, () => unknown, string[]]>([
    ["a tag", () => remove(world, ship, Frozen), ["-Frozen of ship"]],
    ["a pair", () => remove(world, ship, Likes(dock)), ["-Likes(dock) of ship"]],
    ["a pair by a wildcard", () => remove(world, ship, Likes(Any)), ["-Likes(dock) of ship"]],
    ["an exclusive pair", () => remove(world, ship, DockedTo(dock)), ["-DockedTo(dock) of ship dock>-"]],
    ["the parent", () => remove(world, ship, ChildOf(Any)), ["-ChildOf(dock) of ship dock>-"]],
    ["an entity as a tag", () => remove(world, ship, asTag(dock)), ["-Is(dock) of ship"]],
    ["all of it, by clear", () => clear(world, ship), ALL_GONE],
    ["all of it, by destruction", () => release(world, ship), ALL_GONE],
  ])("of the loss of %s", (_, act, expected) => {
    add(world, ship, Frozen, Label("x"), Likes(dock), DockedTo(dock), ChildOf(dock), asTag(dock));
    record({ removed: Any });
    record({ removed: asTag(dock) });

    act();

    expect(calls.toSorted()).toEqual(expected.toSorted());
  });

  it("of a retarget is the old target first, then the new one, both with both ends", () => {
    const pier = spawn(world);
    names.set(pier, "pier");
    add(world, ship, DockedTo(dock));
    add(world, ship, ChildOf(dock));
    record({ added: Any, removed: Any });

    add(world, ship, DockedTo(pier));
    add(world, ship, ChildOf(pier));
    add(world, ship, Parent(dock));
    add(world, ship, Frozen, ChildOf(pier));

    expect(calls).toEqual([
      "-DockedTo(dock) of ship dock>pier",
      "+DockedTo(pier) of ship dock>pier",
      "-ChildOf(dock) of ship dock>pier",
      "+ChildOf(pier) of ship dock>pier",
      "-ChildOf(pier) of ship pier>dock",
      "+ChildOf(dock) of ship pier>dock",
      "-ChildOf(dock) of ship dock>pier",
      "+Frozen of ship",
      "+ChildOf(pier) of ship dock>pier",
    ]);
  });

  it.each<[string, () => unknown]>([
    ["the same parent again", () => add(world, ship, ChildOf(dock))],
    ["the same parent in the other storage", () => add(world, ship, Parent(dock))],
    ["the same parent beside a tag that is there", () => add(world, ship, Parent(dock), Frozen)],
    ["a tag that is there", () => add(world, ship, Frozen)],
    ["a component that is there, without a value", () => add(world, ship, Position)],
    ["a pair that is there", () => add(world, ship, Likes(dock))],
    ["the removal of what is not there", () => remove(world, ship, Lit)],
    ["a pack", () => pack(world)],
    ["an addition of nothing", () => add(world, ship)],
    ["a change inside another world", () => spawn(createWorld(), Frozen)],
    ["a component entity", () => entityOf(world, Position)],
    ["what is refused", () => codeOf(() => add(world, dock, ChildOf(ship), Lit))],
    ["the clear of an entity that has nothing", () => clear(world, dock)],
    ["a column that is written", () => get(world, ship, Position)],
  ])("is nothing when nothing changes: %s", (_, act) => {
    add(world, ship, ChildOf(dock), Frozen, Position, Likes(dock));
    record({ added: Any, removed: Any, set: Any, reordered: ChildOf });

    act();

    expect(calls).toEqual([]);
  });

  it("of an entity below a DisabledTree is nothing: internal tags are not reported", () => {
    const deck = spawn(world, ChildOf(ship));
    record({ added: Any, removed: Any });

    add(world, ship, DisabledTree);
    remove(world, ship, DisabledTree);

    expect([calls, isAlive(world, deck)]).toEqual([["+DisabledTree of ship", "-DisabledTree of ship"], true]);
  });

  it("of a clone is as of a spawn", () => {
    add(world, ship, Frozen, Position({ x: 3 }), ChildOf(dock));
    record({ added: Any, set: Any });

    clone(world, ship);

    expect(calls).toEqual([
      "+Position of new",
      "+Frozen of new",
      "+ChildOf(dock) of new ->dock",
      "=Position of new",
    ]);
  });

  it("of one entity: components and tags in the order of definition, then pairs, whatever was given first", () => {
    record({ added: Any });

    spawn(world, Likes(dock), Lit, Label("x"), ChildOf(ship), Frozen, Position);
    const given = calls.splice(0);
    add(world, dock, Lit, ChildOf(ship), Position, Frozen);

    expect(given.slice(0, 4)).toEqual(["+Position of new", "+Label of new", "+Frozen of new", "+Lit of new"]);
    expect(given.slice(4).toSorted()).toEqual(["+ChildOf(ship) of new ->ship", "+Likes(dock) of new"]);
    expect(calls).toEqual([
      "+Position of dock",
      "+Frozen of dock",
      "+Lit of dock",
      "+ChildOf(ship) of dock ->ship",
    ]);
  });
});
