import type { Entity, World } from "@treeline/core";
import { add, clear, markChanged, pack, remove, set, spawn, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { destroy, each, eachRun, entities, type QueryTerm, query, type Run } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen } from "../../definitions.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf } from "../../public/builtins.ts";
import { component, createWorld } from "../../public/define.ts";
import { array, entity, f32 } from "../../public/fields.ts";
import { changed } from "../../public/filters.ts";
import { bind, orderBy } from "../../public/parts.ts";
import { cascade, variable } from "../../public/terms.ts";
import { listsChanges } from "../../world-state.ts";
import { pointsOf, Score, spawnWith, Unit } from "./scores.ts";

const Label = component<string>("Label");
const Depth = component("Depth", { of: f32 });

describe("an ordered query by a field", () => {
  it("iterates small numbers first, from all archetypes together", () => {
    const world = createWorld();
    spawnWith(world, 5, 1, 3);
    for (const points of [4, 2]) spawn(world, Unit, Frozen, Score({ points }));

    expect(pointsOf(world, query(world, Unit, orderBy(Score, "points")))).toEqual([1, 2, 3, 4, 5]);
  });

  it("iterates large numbers first with desc", () => {
    const world = createWorld();
    spawnWith(world, 5, 1, Number.NEGATIVE_INFINITY, 3);

    const tested = query(world, Unit, orderBy(Score, "points", { desc: true }));

    expect(pointsOf(world, tested)).toEqual([5, 3, 1, Number.NEGATIVE_INFINITY]);
  });

  it.each([false, true])("iterates equal numbers by their indexes, downwards too: %s", (desc) => {
    const world = createWorld();
    const [first, second] = [spawn(world, Unit, Frozen), spawn(world, Unit)];
    const third = spawn(world, Unit, Frozen);
    for (const one of [third, first, second]) set(world, one, Score, { points: 7 });

    const tested = query(world, Unit, orderBy(Score, "points", { desc }));

    expect(entities(tested)).toEqual([first, second, third]);
  });

  it.each([false, true])(
    "iterates entities without a number after all others, and those without the component last: desc %s",
    (desc) => {
      const world = createWorld();
      const without = spawn(world, Unit);
      const [none, many, few] = spawnWith(
        world,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
      );
      const alsoWithout = spawn(world, Unit, Frozen);

      const tested = query(world, Unit, orderBy(Score, "points", { desc }));

      expect(entities(tested)).toEqual([...(desc ? [many, few] : [few, many]), none, without, alsoWithout]);
    },
  );

  it("compares booleans as numbers, and zeros of both signs as equal", () => {
    const world = createWorld();
    const out = spawn(world, Score({ isOut: true, points: 0 }));
    const isIn = spawn(world, Score({ points: -0 }));

    expect(entities(query(world, Score, orderBy(Score, "isOut")))).toEqual([isIn, out]);
    expect(entities(query(world, Score, orderBy(Score, "points")))).toEqual([out, isIn]);
  });

  it("joins adjacent rows into one run", () => {
    const world = createWorld();
    spawnWith(world, 1, 2, 3, 9, 5);

    const runs = matchesByRun(query(world, Unit, orderBy(Score, "points")));

    expect(runs.map(({ length }) => length)).toEqual([3, 1, 1]);
  });

  it("follows values, spawns, destructions and moves", () => {
    const world = createWorld();
    const tested = query(world, Unit, orderBy(Score, "points"));
    const [one, two, three] = spawnWith(world, 10, 20, 30) as [Entity, Entity, Entity];
    const received = [pointsOf(world, tested)];

    set(world, one, Score, { points: 25 });
    received.push(pointsOf(world, tested));
    spawnWith(world, 22);
    received.push(pointsOf(world, tested));
    add(world, three, Frozen);
    received.push(pointsOf(world, tested));
    destroy(world, two);
    received.push(pointsOf(world, tested));
    remove(world, one, Score);
    received.push(pointsOf(world, tested));

    expect(received).toEqual([
      [10, 20, 30],
      [20, 25, 30],
      [20, 22, 25, 30],
      [20, 22, 25, 30],
      [22, 25, 30],
      [22, 30, undefined],
    ]);
  });

  it("follows a value whose row another entity reuses", () => {
    const world = createWorld();
    const tested = query(world, Unit, orderBy(Score, "points"));
    const [one, , last] = spawnWith(world, 1, 2, 3) as [Entity, Entity, Entity];
    entities(tested);

    destroy(world, one);
    spawnWith(world, 2.5);

    expect(pointsOf(world, tested)).toEqual([2, 2.5, 3]);
    expect(entities(tested).at(-1)).toBe(last);
  });

  it("finds its rows again after a pack, after a clear, and after more changes than are listed", () => {
    const world = createWorld();
    const tested = query(world, Unit, orderBy(Score, "points"));
    const [one, , three] = spawnWith(world, 3, 2, 1, 4) as [Entity, Entity, Entity];
    entities(tested);
    add(world, one, ChildOf(three));
    const received: (number | undefined)[][] = [];

    pack(world);
    received.push(pointsOf(world, tested));
    for (let change = 0; change < 70_000; change++) {
      if (change % 2 === 0) add(world, three, Frozen);
      else remove(world, three, Frozen);
    }
    received.push(pointsOf(world, tested));
    clear(world, one);
    received.push(pointsOf(world, tested));

    expect(received).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [1, 2, 4],
    ]);
  });

  it("follows what iterations write, while they keep the order that they began with", () => {
    const world = createWorld();
    spawnWith(world, 1, 2, 3);
    const tested = query(world, Score, orderBy(Score, "points"));
    const before: number[] = [];

    each(tested, (score) => {
      before.push(score.points);
      score.points = 10 - score.points;
    });
    const after = pointsOf(world, tested);
    const write = (run: Run): void => {
      const { points } = run.columns(Score);
      for (let row = run.first; row < run.end; row++) points[row]! *= -1;
    };
    eachRun(tested, write, { writes: [Score] });

    expect(before).toEqual([1, 2, 3]);
    expect(after).toEqual([7, 8, 9]);
    expect(pointsOf(world, tested)).toEqual([-9, -8, -7]);
  });

  it("about changes orders what changed, and follows what its own iterations write", () => {
    const world = createWorld();
    const [one, two, three] = spawnWith(world, 1, 2, 3) as [Entity, Entity, Entity];
    const tested = query(world, Score, changed(Score), orderBy(Score, "points"));
    const received: Entity[][] = [];
    const inspect = (turn: number): void => {
      const found: Entity[] = [];
      each(tested, (score, entity) => {
        found.push(entity);
        score.points *= turn;
      });
      received.push(found);
    };

    inspect(-1);
    inspect(1);
    markChanged(world, one, Score);
    markChanged(world, three, Score);
    inspect(1);

    expect(received).toEqual([[one, two, three], [], [three, one]]);
  });

  it("that names an entity is ordered at each iteration", () => {
    const world = createWorld();
    const ship = spawn(world);
    const seats = [3, 1, 2].map((points) => spawn(world, ChildOf(ship), Score({ points })));
    const tested = query(world, ChildOf(ship), orderBy(Score, "points"));
    expect(entities(tested)).toEqual([seats[1], seats[2], seats[0]]);

    set(world, seats[1]!, Score, { points: 4 });

    expect(entities(tested)).toEqual([seats[2], seats[0], seats[1]]);
    expect(listsChanges(world)).toBe(false);
  });

  it("that has one match iterates that one, whichever row it has", () => {
    const world = createWorld();
    const ships = spawnMany(world, 2);
    const seats = ships.map((ship, at) => spawn(world, ChildOf(ship), Score({ points: at })));

    expect(entities(query(world, ChildOf(ships[1]!), orderBy(Score, "points")))).toEqual([seats[1]]);
  });

  it("with a variable orders what that is bound to now", () => {
    const world = createWorld();
    const parent = variable("parent");
    const ships = spawnMany(world, 2);
    const seats = [4, 2, 3, 1].map((points, at) => spawn(world, ChildOf(ships[at % 2]!), Score({ points })));
    const tested = query(world, Score, ChildOf(parent), orderBy(Score, "points"));

    expect(entities(tested)).toEqual([seats[3], seats[1], seats[2], seats[0]]);
    expect(entities(bind(tested, parent, ships[0]!))).toEqual([seats[2], seats[0]]);
    expect(entities(bind(tested, parent, ships[1]!))).toEqual([seats[3], seats[1]]);
  });
});

describe("an ordered query with a cascade", () => {
  /**
   *   Station 5        Ship 3
   *     Deck 1           Bridge 4
   *       Seat 0
   */
  function planted(): { world: World; all: { [name: string]: Entity } } {
    const world = createWorld();
    const named = (points: number, parent?: Entity): Entity =>
      parent === undefined
        ? spawn(world, Score({ points }))
        : spawn(world, Score({ points }), ChildOf(parent));
    const station = named(5);
    const ship = named(3);
    const deck = named(1, station);
    const bridge = named(4, ship);
    const seat = named(0, deck);
    return { world, all: { station, ship, deck, bridge, seat } };
  }

  it("iterates by depth, then by the field", () => {
    const { world, all } = planted();

    const down = query(world, Score, cascade(Score), orderBy(Score, "points"));
    const up = query(world, Score, cascade(Score, { desc: true }), orderBy(Score, "points", { desc: true }));

    expect(entities(down)).toEqual([all.ship, all.station, all.deck, all.bridge, all.seat]);
    expect(entities(up)).toEqual([all.seat, all.bridge, all.deck, all.station, all.ship]);
  });

  it("follows a reparent that moves whole depths", () => {
    const { world, all } = planted();
    const tested = query(world, Score, cascade(Score), orderBy(Score, "points"));
    entities(tested);

    add(world, all.station!, ChildOf(all.ship!));

    expect(entities(tested)).toEqual([all.ship, all.bridge, all.station, all.deck, all.seat]);
  });

  it("with a free variable iterates by depth as well", () => {
    const { world, all } = planted();
    const parent = variable("parent");
    set(world, all.deck!, Depth, { of: 1 });

    const tested = query(world, ChildOf(parent), cascade(Depth), orderBy(Score, "points", { desc: true }));

    expect(entities(tested)).toEqual([all.bridge, all.deck, all.seat]);
  });
});

describe("an order is refused", () => {
  it("by what has no values, by what is not a single number", () => {
    const world = createWorld();
    const Path = component("Path", { points: array(f32, 2), next: entity });
    const Nothing = component("Nothing", {});
    const refused = (...terms: QueryTerm[]): string | undefined => codeOf(() => query(world, ...terms));

    expect(refused(orderBy(Nothing as never, () => 0))).toBe("bad-query");
    expect(refused(orderBy(Frozen as never, () => 0))).toBe("bad-query");
    expect(refused(orderBy(Path, "points" as never))).toBe("bad-query");
    expect(refused(orderBy(Path, "next" as never))).toBe("bad-query");
    expect(refused(orderBy(Score, "rank" as never))).toBe("bad-query");
    expect(refused(orderBy(Label, undefined as never))).toBe("bad-query");
  });
});
