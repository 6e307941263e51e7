import { Any, add, ChildOf, type Entity, Parent, remove, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../../src/index.ts";
import { place, sourcesInBatches, wrongSources } from "../../random/cascades.ts";
import { Frozen, Local, Mark, Placed } from "../../random/twin.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

function sourceNow(entity: Entity): number | undefined {
  return sourcesInBatches(world, Placed).find(([one]) => one === entity)![1];
}

describe("the source of a row", () => {
  it("is found beyond ancestors without the component", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station);
    const cockpit = place(world, ship, Local);
    const seat = place(world, cockpit, Placed);

    expect([ship, cockpit, seat].map(sourceNow)).toEqual([station, station, station]);
  });

  it("is none when no ancestor has the component, at any depth", () => {
    const station = place(world, undefined);
    const seat = place(world, place(world, station), Placed);

    expect([station, seat].map(sourceNow)).toEqual([undefined, undefined]);
  });

  it("is an ancestor that gets the component later, instead of one further up", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station);
    const seat = place(world, place(world, ship));
    const before = sourceNow(seat);

    set(world, ship, Placed, { of: ship });

    expect([before, sourceNow(seat), sourceNow(ship)]).toEqual([station, ship, station]);
  });

  it("is one further up once the nearest loses the component", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station, Placed);
    const seat = place(world, place(world, ship));
    const before = sourceNow(seat);

    remove(world, ship, Placed);

    expect([before, sourceNow(seat)]).toEqual([ship, station]);
  });

  it("is none once the only one loses the component", () => {
    const station = place(world, undefined, Placed);
    const seat = place(world, place(world, station));
    const before = sourceNow(seat);

    remove(world, station, Placed);

    expect([before, sourceNow(seat)]).toEqual([station, undefined]);
  });

  it("is found when it moves to another table for another reason", () => {
    const station = place(world, undefined, Placed);
    const seat = place(world, place(world, station));
    sourceNow(seat);

    add(world, station, Frozen);
    spawnMany(world, 3, Mark, Placed);

    expect(sourceNow(seat)).toBe(station);
  });

  it("is found when it fills the row of one that left", () => {
    const sources = Array.from({ length: 5 }, () => place(world, undefined, Placed));
    const below = sources.map((source) => place(world, place(world, source)));
    below.map(sourceNow);

    destroy(world, sources[0]!);
    destroy(world, sources[2]!);

    expect([1, 3, 4].map((at) => sourceNow(below[at]!))).toEqual([1, 3, 4].map((at) => sources[at]));
  });

  it("is another one after a reparent, of the entity or above it", () => {
    const [station, base] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const ship = place(world, station);
    const cockpit = place(world, ship);
    const seat = place(world, cockpit);
    sourceNow(seat);

    add(world, ship, ChildOf(base));

    expect([ship, cockpit, seat].map(sourceNow)).toEqual([base, base, base]);
  });

  it("is none after the branch was cut", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station);
    const seat = place(world, place(world, ship));
    sourceNow(seat);

    remove(world, ship, ChildOf(Any));

    expect([ship, seat].map(sourceNow)).toEqual([undefined, undefined]);
  });
});

describe("with parents stored by value, the source of a row", () => {
  /** A station with a ship in it, and so on; each in the storage given. */
  function chain(...storages: (typeof ChildOf | typeof Parent)[]): Entity[] {
    const found = [place(world, undefined, Placed)];
    for (const below of storages) {
      const one = spawn(world, Mark, below(found.at(-1)!));
      set(world, one, Mark, { of: one });
      found.push(one);
    }
    return found;
  }

  it.each([
    ["only values", [Parent, Parent, Parent, Parent]],
    ["values below types", [ChildOf, ChildOf, Parent, Parent]],
    ["types below values", [Parent, Parent, ChildOf, ChildOf]],
    ["in turns", [Parent, ChildOf, Parent, ChildOf]],
  ])(
    "is found over ancestors without the component, and follows when one gets it or loses it: %s",
    (_, storages) => {
      const [station, ship, cockpit, seat, belt] = chain(...storages) as [
        Entity,
        Entity,
        Entity,
        Entity,
        Entity,
      ];
      const received = (): (number | undefined)[] => [ship, cockpit, seat, belt].map(sourceNow);
      const first = received();

      set(world, cockpit, Placed, { of: cockpit });
      const second = received();
      remove(world, station, Placed);
      const third = received();
      add(world, cockpit, Frozen);
      const fourth = received();
      remove(world, cockpit, Placed);

      expect(first).toEqual([station, station, station, station]);
      expect(second).toEqual([station, station, cockpit, cockpit]);
      expect(third).toEqual([undefined, undefined, cockpit, cockpit]);
      expect([fourth, received()]).toEqual([third, [undefined, undefined, undefined, undefined]]);
    },
  );

  it("is another one after a reparent above it, in the other storage or in the same", () => {
    const [station, ship, cockpit, seat] = chain(Parent, ChildOf, Parent) as [Entity, Entity, Entity, Entity];
    const base = place(world, undefined, Placed);
    const received = (): (number | undefined)[] => [ship, cockpit, seat].map(sourceNow);
    received();

    add(world, ship, Parent(base));
    const first = received();
    add(world, ship, ChildOf(station));

    expect([first, received()]).toEqual([
      [base, base, base],
      [station, station, station],
    ]);
  });

  it("is found when it fills the row of one that left", () => {
    const sources = Array.from({ length: 5 }, () => place(world, undefined, Placed));
    const below = sources.flatMap((source) =>
      spawnMany(world, 3, Mark, Parent(spawn(world, Mark, Parent(source)))),
    );
    wrongSources(world, Placed);

    destroy(world, sources[0]!);
    destroy(world, sources[2]!);

    for (const one of sources)
      if (one !== sources[0] && one !== sources[2]) set(world, one, Placed, { of: one });
    expect(below.slice(3, 6).map(sourceNow)).toEqual([sources[1], sources[1], sources[1]]);
    expect(wrongSources(world, Placed)).toEqual([]);
  });
});

describe("far below its source", () => {
  it.each([
    ["in types", () => ChildOf],
    ["as values", () => Parent],
    ["in turns", (at: number) => (at % 3 === 0 ? ChildOf : Parent)],
  ])(
    "a chain of 20,000 without the component is walked once, and again after a change: parents %s",
    (_, storage) => {
      const station = place(world, undefined, Placed);
      let last = station;
      for (let at = 0; at < 20_000; at++) last = spawn(world, storage(at)(last));
      const before = sourceNow(last);

      remove(world, station, Placed);
      const between = sourceNow(last);
      const dock = spawn(world, Placed({ of: 7 }));
      add(world, station, Parent(dock));

      expect([before, between, sourceNow(last)]).toEqual([station, undefined, 7]);
    },
  );

  it("every entity finds it, whichever is read first", () => {
    const roots = [place(world, undefined, Placed), place(world, undefined)];
    for (const root of roots) {
      let last = root;
      for (let at = 0; at < 200; at++) last = place(world, last, ...(at === 120 ? [Local, Placed] : []));
    }

    expect(wrongSources(world, Placed)).toEqual([]);
    expect(wrongSources(world, Local)).toEqual([]);
  });
});
