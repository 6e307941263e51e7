import {
  Any,
  add,
  ChildOf,
  clear,
  clone,
  DisabledTree,
  defer,
  type Entity,
  get,
  isAlive,
  locate,
  Parent,
  remove,
  set,
  spawn,
  tag,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { ancestors, children, destroy, observeAbove, removeAll, setChildOrder } from "../../src/index.ts";
import { Likes } from "../definitions.ts";
import { born, hear, names, news, SIGNS, setStage, Team, world } from "./hearing-above.ts";

const Lit = tag("Lit");

beforeEach(setStage);

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
    ship = born("ship");
    deck = born("deck", First(ship));
    seat = born("seat", Second(deck));
    crew = born("crew", First(seat));
    cargo = born("cargo", Second(ship));
  });

  it("everybody is told what somebody gets, is given and loses, each before what is below it", () => {
    hear();

    add(world, ship, Team);
    expect(news()).toEqual(["+deck of ship", "+seat of ship", "+crew of ship", "+cargo of ship"]);
    set(world, ship, Team, { number: 1 });
    expect(news()).toEqual(["=deck of ship", "=seat of ship", "=crew of ship", "=cargo of ship"]);
    remove(world, ship, Team);
    expect(news()).toEqual(["-deck of ship", "-seat of ship", "-crew of ship", "-cargo of ship"]);
  });

  it("is told in the order of siblings", () => {
    hear();
    setChildOrder(world, ship, children(world, ship).reverse());

    add(world, ship, Team({ number: 1 }));

    expect(news()).toEqual([
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

  it("events reach down to the first one that has it itself, and that one", () => {
    add(world, seat, Team);
    hear();

    add(world, ship, Team);
    expect(news()).toEqual(["+deck of ship", "+seat of ship", "+cargo of ship"]);
    set(world, ship, Team, { number: 1 });
    expect(news()).toEqual(["=deck of ship", "=seat of ship", "=cargo of ship"]);
    set(world, seat, Team, { number: 2 });
    expect(news()).toEqual(["=crew of seat"]);
    remove(world, ship, Team);
    expect(news()).toEqual(["-deck of ship", "-seat of ship", "-cargo of ship"]);
  });

  it("whoever comes between takes over, and gives back", () => {
    add(world, ship, Team);
    hear();

    add(world, deck, Team);
    expect(news()).toEqual(["-seat of ship", "+seat of deck", "-crew of ship", "+crew of deck"]);
    remove(world, deck, Team);
    expect(news()).toEqual(["-seat of deck", "+seat of ship", "-crew of deck", "+crew of ship"]);
  });

  it("a child that comes is told, one that leaves too, with all below it", () => {
    add(world, ship, Team);
    const box = born("box");
    born("lid", First(box));
    hear();

    add(world, box, Second(deck));
    expect(news()).toEqual(["+box of ship", "+lid of ship"]);
    remove(world, box, ChildOf(Any));
    expect(news()).toEqual(["-box of ship", "-lid of ship"]);
    spawn(world, First(crew));
    expect(news()).toEqual(["+new of ship"]);
  });

  it("a reparent is told only if the holder is another one", () => {
    add(world, ship, Team);
    const dock = born("dock", Team);
    hear();

    add(world, seat, First(cargo));
    expect(news()).toEqual([]);
    add(world, seat, Second(dock));
    expect(news()).toEqual(["-seat of ship", "-crew of ship", "+seat of dock", "+crew of dock"]);
    add(world, seat, Team);
    expect(news()).toEqual(["-crew of dock", "+crew of seat"]);
    add(world, seat, First(deck));
    expect(news()).toEqual(["-seat of dock", "+seat of ship"]);
  });

  it("another storage for the same parent is told to nobody", () => {
    add(world, ship, Team);
    hear();

    add(world, deck, Parent(ship));
    add(world, deck, ChildOf(ship));
    setChildOrder(world, ship, children(world, ship).reverse());

    expect(news()).toEqual([]);
  });

  it("deaths are told deepest first", () => {
    add(world, ship, Team);
    add(world, seat, Team);
    hear();

    destroy(world, ship);

    expect(news()).toEqual(["-crew of seat", "-seat of ship", "-deck of ship", "-cargo of ship"]);
  });

  it("an own value, and what lies beside, counts for nothing", () => {
    hear();

    add(world, crew, Team({ number: 1 }));
    add(world, ship, Lit, Likes(deck));
    add(world, cargo, Likes(ship));

    expect(news()).toEqual([]);
  });

  it("a clone of a tree is told as it is born", () => {
    add(world, deck, Team);
    hear();

    const copy = clone(world, ship, { deep: true });

    expect(news()).toEqual(["+new of new", "+new of new"]);
    expect(children(world, copy).length).toBe(2);
  });

  it("who loses holder and parent at once is told both ways, and ends without a holder", () => {
    add(world, ship, Team);
    add(world, deck, Team);
    hear();

    clear(world, deck);

    expect(news()).toEqual([
      "-seat of deck",
      "+seat of ship",
      "-crew of deck",
      "+crew of ship",
      "-deck of ship",
      "-seat of ship",
      "-crew of ship",
    ]);
  });

  it("who gets it along with another parent becomes the holder of its own", () => {
    add(world, ship, Team);
    const dock = born("dock", Team);
    hear();

    add(world, deck, First(dock), Team);

    expect(news()).toEqual([
      "-deck of ship",
      "-seat of ship",
      "-crew of ship",
      "+seat of deck",
      "+crew of deck",
      "+deck of dock",
    ]);
  });

  it("removeAll and changes that waited leave everybody with the right holder", () => {
    add(world, ship, Team);
    add(world, deck, Team);
    hear();

    removeAll(world, Team);
    expect(news()).toEqual(["-deck of ship", "-cargo of ship", "-seat of deck", "-crew of deck"]);
    defer(world, () => {
      add(world, ship, Team);
      add(world, seat, First(cargo));
      const box = spawn(world, Second(cargo), Team);
      names.set(box, "box");
      add(world, crew, Second(box));
    });

    expect(news()).toEqual([
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

describe("what a listener reads", () => {
  let ship: Entity;
  let deck: Entity;
  let seat: Entity;

  // ship (Team 1) > deck > seat
  beforeEach(() => {
    ship = born("ship", Team({ number: 1 }));
    deck = born("deck", ChildOf(ship));
    seat = born("seat", Parent(deck));
  });

  /** Of each event: is the holder above, has it a team, and which one has the entity's parent? */
  function look(): unknown[] {
    const seen: unknown[] = [];
    observeAbove(world, Team, ({ kind, entity, source }) => {
      const isBelow = ancestors(world, entity).includes(source);
      seen.push([SIGNS[kind], names.get(entity), isBelow, get(world, source, Team)?.number]);
    });
    return seen;
  }

  it.each<[string, () => unknown, unknown[]]>([
    ["set", () => set(world, ship, Team, { number: 2 }), ["=deck 2", "=seat 2"]],
    ["removed", () => remove(world, ship, Team), ["-deck 1", "-seat 1"]],
    ["removed of a detached", () => remove(world, deck, ChildOf(Any)), ["-deck 1", "-seat 1"]],
    ["removed of the dead", () => destroy(world, ship), ["-seat 1", "-deck 1"]],
    ["added between", () => add(world, deck, Team({ number: 3 })), ["-seat 1", "+seat 3", "=seat 3"]],
    [
      "a reparent",
      () => add(world, deck, ChildOf(born("dock", Team({ number: 4 })))),
      ["-deck 1", "-seat 1", "+deck 4", "+seat 4"],
    ],
  ])("of %s is the holder, with its value, above the entity", (_, act, expected) => {
    const seen = look();

    act();

    expect(
      seen.map((one) => (one as unknown[]).join(" ").replace(" true ", " ").replace(/^(.) /, "$1")),
    ).toEqual(expected);
  });

  it("of somebody between who loses it are both holders", () => {
    add(world, deck, Team({ number: 3 }));
    const seen = look();

    remove(world, deck, Team);

    expect(seen).toEqual([
      ["-", "seat", true, 3],
      ["+", "seat", true, 1],
    ]);
  });

  it("is not told of writes through views", () => {
    hear();

    const { columns, row } = locate(world, ship, Team)!;
    columns.number[row] = 9;

    expect(news()).toEqual([]);
    expect(get(world, ship, Team)).toEqual({ number: 9 });
    expect(isAlive(world, seat)).toBe(true);
  });

  it("is told of who is disabled too", () => {
    add(world, ship, DisabledTree);
    hear();

    set(world, ship, Team, { number: 2 });

    expect(news()).toEqual(["=deck of ship", "=seat of ship"]);
  });
});
