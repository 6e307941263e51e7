import type { Entity } from "@treeline/core";
import { add, clear, clone, defer, get, isAlive, locate, remove, set, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { ancestors, children, destroy, observeAbove, removeAll } from "../../src/index.ts";
import { Likes } from "../definitions.ts";
import { Any, ChildOf, DisabledTree, Parent } from "../public/builtins.ts";
import { tag } from "../public/define.ts";
import { setChildOrder } from "../public/siblings.ts";
import {
  names,
  observeTeam,
  SIGNS,
  setObservedWorld,
  spawnNamed,
  Team,
  takeReports,
  world,
} from "./observed-world.ts";

const Lit = tag("Lit");

beforeEach(setObservedWorld);

describe.each([
  ["ChildOf", ChildOf, ChildOf],
  ["Parent", Parent, Parent],
  ["both storages", ChildOf, Parent],
])("below, in %s", (_, First, Second) => {
  let ship: Entity;
  let deck: Entity;
  let seat: Entity;
  let crew: Entity;
  let cargo: Entity;

  // ship
  //   deck
  //     seat
  //       crew
  //   cargo
  beforeEach(() => {
    ship = spawnNamed("ship");
    deck = spawnNamed("deck", First(ship));
    seat = spawnNamed("seat", Second(deck));
    crew = spawnNamed("crew", First(seat));
    cargo = spawnNamed("cargo", Second(ship));
  });

  it("additions, sets and removals are reported, each before what is below it", () => {
    observeTeam();

    add(world, ship, Team);
    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship", "+crew of ship", "+cargo of ship"]);
    set(world, ship, Team, { number: 1 });
    expect(takeReports()).toEqual(["=deck of ship", "=seat of ship", "=crew of ship", "=cargo of ship"]);
    remove(world, ship, Team);
    expect(takeReports()).toEqual(["-deck of ship", "-seat of ship", "-crew of ship", "-cargo of ship"]);
  });

  it("events come in the order of siblings", () => {
    observeTeam();
    setChildOrder(world, ship, children(world, ship).reverse());

    add(world, ship, Team({ number: 1 }));

    expect(takeReports()).toEqual([
      "+cargo of ship",
      "+deck of ship",
      "+seat of ship",
      "+crew of ship",
      "=cargo of ship",
      "=deck of ship",
      "=seat of ship",
      "=crew of ship",
    ]);
  });

  it("events reach down to the first entity that has it itself, and that one", () => {
    add(world, seat, Team);
    observeTeam();

    add(world, ship, Team);
    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship", "+cargo of ship"]);
    set(world, ship, Team, { number: 1 });
    expect(takeReports()).toEqual(["=deck of ship", "=seat of ship", "=cargo of ship"]);
    set(world, seat, Team, { number: 2 });
    expect(takeReports()).toEqual(["=crew of seat"]);
    remove(world, ship, Team);
    expect(takeReports()).toEqual(["-deck of ship", "-seat of ship", "-cargo of ship"]);
  });

  it("an entity that comes between becomes the source, and stops being it", () => {
    add(world, ship, Team);
    observeTeam();

    add(world, deck, Team);
    expect(takeReports()).toEqual(["-seat of ship", "+seat of deck", "-crew of ship", "+crew of deck"]);
    remove(world, deck, Team);
    expect(takeReports()).toEqual(["-seat of deck", "+seat of ship", "-crew of deck", "+crew of ship"]);
  });

  it("a child that comes is reported, and one that leaves too, with everything below it", () => {
    add(world, ship, Team);
    const box = spawnNamed("box");
    spawnNamed("lid", First(box));
    observeTeam();

    add(world, box, Second(deck));
    expect(takeReports()).toEqual(["+box of ship", "+lid of ship"]);
    remove(world, box, ChildOf(Any));
    expect(takeReports()).toEqual(["-box of ship", "-lid of ship"]);
    spawn(world, First(crew));
    expect(takeReports()).toEqual(["+new of ship"]);
  });

  it("a reparent is reported only if the source is another one", () => {
    add(world, ship, Team);
    const dock = spawnNamed("dock", Team);
    observeTeam();

    add(world, seat, First(cargo));
    expect(takeReports()).toEqual([]);
    add(world, seat, Second(dock));
    expect(takeReports()).toEqual(["-seat of ship", "-crew of ship", "+seat of dock", "+crew of dock"]);
    add(world, seat, Team);
    expect(takeReports()).toEqual(["-crew of dock", "+crew of seat"]);
    add(world, seat, First(deck));
    expect(takeReports()).toEqual(["-seat of dock", "+seat of ship"]);
  });

  it("another storage for the same parent is not reported", () => {
    add(world, ship, Team);
    observeTeam();

    add(world, deck, Parent(ship));
    add(world, deck, ChildOf(ship));
    setChildOrder(world, ship, children(world, ship).reverse());

    expect(takeReports()).toEqual([]);
  });

  it("destructions are reported deepest first", () => {
    add(world, ship, Team);
    add(world, seat, Team);
    observeTeam();

    destroy(world, ship);

    expect(takeReports()).toEqual(["-crew of seat", "-seat of ship", "-deck of ship", "-cargo of ship"]);
  });

  it("a value of the entity itself, and of its siblings, is not reported", () => {
    observeTeam();

    add(world, crew, Team({ number: 1 }));
    add(world, ship, Lit, Likes(deck));
    add(world, cargo, Likes(ship));

    expect(takeReports()).toEqual([]);
  });

  it("a clone of a tree is reported as it is spawned", () => {
    add(world, deck, Team);
    observeTeam();

    const copy = clone(world, ship, { deep: true });

    expect(takeReports()).toEqual(["+new of new", "+new of new"]);
    expect(children(world, copy).length).toBe(2);
  });

  it("an entity that loses source and parent at once is reported for both, and ends without a source", () => {
    add(world, ship, Team);
    add(world, deck, Team);
    observeTeam();

    clear(world, deck);

    expect(takeReports()).toEqual([
      "-seat of deck",
      "+seat of ship",
      "-crew of deck",
      "+crew of ship",
      "-deck of ship",
      "-seat of ship",
      "-crew of ship",
    ]);
  });

  it("an entity that gets it together with another parent becomes the source of its own subtree", () => {
    add(world, ship, Team);
    const dock = spawnNamed("dock", Team);
    observeTeam();

    add(world, deck, First(dock), Team);

    expect(takeReports()).toEqual([
      "-deck of ship",
      "-seat of ship",
      "-crew of ship",
      "+seat of deck",
      "+crew of deck",
      "+deck of dock",
    ]);
  });

  it("removeAll and deferred changes leave all entities with the right source", () => {
    add(world, ship, Team);
    add(world, deck, Team);
    observeTeam();

    removeAll(world, Team);
    expect(takeReports()).toEqual(["-deck of ship", "-cargo of ship", "-seat of deck", "-crew of deck"]);
    defer(world, () => {
      add(world, ship, Team);
      add(world, seat, First(cargo));
      const box = spawn(world, Second(cargo), Team);
      names.set(box, "box");
      add(world, crew, Second(box));
    });

    expect(takeReports()).toEqual([
      "+deck of ship",
      "+seat of ship",
      "+crew of ship",
      "+cargo of ship",
      "+box of ship",
      "-crew of ship",
      "+crew of box",
    ]);
    expect(verify(world)).toEqual([]);
  });
});

describe("a callback", () => {
  let ship: Entity;
  let deck: Entity;
  let seat: Entity;

  // ship (Team 1) > deck > seat
  beforeEach(() => {
    ship = spawnNamed("ship", Team({ number: 1 }));
    deck = spawnNamed("deck", ChildOf(ship));
    seat = spawnNamed("seat", Parent(deck));
  });

  /** Of each event: is the source above, has it a team, and which one has the entity's parent? */
  function inspect(): unknown[] {
    const received: unknown[] = [];
    observeAbove(world, Team, ({ kind, entity, source }) => {
      const isBelow = ancestors(world, entity).includes(source);
      received.push([SIGNS[kind], names.get(entity), isBelow, get(world, source, Team)?.number]);
    });
    return received;
  }

  it.each<[string, () => unknown, unknown[]]>([
    ["set", () => set(world, ship, Team, { number: 2 }), ["=deck 2", "=seat 2"]],
    ["removed", () => remove(world, ship, Team), ["-deck 1", "-seat 1"]],
    ["removed of a detached", () => remove(world, deck, ChildOf(Any)), ["-deck 1", "-seat 1"]],
    ["removed of a destroyed entity", () => destroy(world, ship), ["-seat 1", "-deck 1"]],
    ["added between", () => add(world, deck, Team({ number: 3 })), ["-seat 1", "+seat 3", "=seat 3"]],
    [
      "a reparent",
      () => add(world, deck, ChildOf(spawnNamed("dock", Team({ number: 4 })))),
      ["-deck 1", "-seat 1", "+deck 4", "+seat 4"],
    ],
  ])("of %s finds the source, with its value, above the entity", (_, act, expected) => {
    const received = inspect();

    act();

    expect(
      received.map((one) => (one as unknown[]).join(" ").replace(" true ", " ").replace(/^(.) /, "$1")),
    ).toEqual(expected);
  });

  it("reads both sources when an entity between loses the component", () => {
    add(world, deck, Team({ number: 3 }));
    const received = inspect();

    remove(world, deck, Team);

    expect(received).toEqual([
      ["-", "seat", true, 3],
      ["+", "seat", true, 1],
    ]);
  });

  it("is not called for writes through views", () => {
    observeTeam();

    const { columns, row } = locate(world, ship, Team)!;
    columns.number[row] = 9;

    expect(takeReports()).toEqual([]);
    expect(get(world, ship, Team)).toEqual({ number: 9 });
    expect(isAlive(world, seat)).toBe(true);
  });

  it("is called for disabled entities too", () => {
    add(world, ship, DisabledTree);
    observeTeam();

    set(world, ship, Team, { number: 2 });

    expect(takeReports()).toEqual(["=deck of ship", "=seat of ship"]);
  });
});
