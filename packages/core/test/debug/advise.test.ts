import { describe, expect, it } from "vitest";
import { advise } from "../../src/debug.ts";
import {
  add,
  bits,
  ChildOf,
  component,
  createWorld,
  Disabled,
  type Entity,
  i32,
  Parent,
  relation,
  remove,
  sparse,
  spawn,
  spawnMany,
  tag,
  type World,
} from "../../src/index.ts";
import { destroy } from "../../src/internal.ts";
import { DockedTo, Likes, Position } from "../definitions.ts";

const Charge = component("Charge", { left: i32 });
const Stunned = tag("Stunned");
const Rare = tag("Rare");
const Awake = tag("Awake", { storage: bits });
const Fuel = component("Fuel", { left: i32 }, { storage: sparse });
const kinds = Array.from({ length: 5 }, (_, at) => tag(`Kind${at}`));

/** The kinds of advice and what each is about. */
function foundIn(world: World): unknown[] {
  return advise(world).map(({ kind, about }) => [kind, about]);
}

const Holds = relation("Holds");

/** Docks with this many ships each. */
function plantDocks(docks: number, size: number, what = DockedTo): World {
  const world = createWorld();
  for (const dock of spawnMany(world, docks)) spawnMany(world, size, Position, what(dock));
  return world;
}

describe("advice about pairs that make tables of few rows", () => {
  it("names a relation with its numbers, and a field as the remedy", () => {
    const world = plantDocks(101, 2);

    expect(advise(world)).toEqual([
      {
        about: DockedTo,
        kind: "few rows",
        entities: 202,
        tables: 101,
        tablesWithout: 1,
        saves: 100,
        advice:
          "101 tables with pairs of DockedTo have fewer than 3 rows, 202 in all; without it they would be 1. " +
          "Keep its targets in an `entity` field of a component: then entities with different targets share tables",
      },
    ]);
  });

  it("is not given for fewer tables, nor for more rows in each", () => {
    const healthy = [plantDocks(100, 2), plantDocks(101, 3)];

    expect(healthy.map(advise)).toEqual([[], []]);
  });

  it.each([ChildOf, Parent])("is not given for %o: parents cost no table", (storage) => {
    const world = createWorld();
    for (const parent of spawnMany(world, 1000)) spawnMany(world, 2, Position, storage(parent));

    expect(advise(world)).toEqual([]);
  });

  it("counts tables whatever the parents of their entities", () => {
    const [alone, apart] = [1, 60].map((docks) => {
      const world = createWorld();
      const all = spawnMany(world, docks);
      spawnMany(world, 120).forEach((parent, at) => {
        spawn(world, ChildOf(parent), DockedTo(all[at % docks]!));
      });
      return world;
    });
    for (const dock of spawnMany(apart!, 101))
      for (let ship = 0; ship < 2; ship++) spawn(apart!, ChildOf(spawn(apart!)), DockedTo(dock));

    expect(advise(alone!)).toEqual([]);
    expect(advise(apart!)).toMatchObject([{ about: DockedTo, tables: 161, entities: 322, saves: 160 }]);
  });

  it("advises sparse pairs where entities have many targets", () => {
    const world = plantDocks(150, 1, Holds);

    const [one, ...others] = advise(world);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ about: Holds, kind: "few rows", tables: 150, tablesWithout: 1, saves: 149 });
    expect(one!.advice).toContain("`storage: sparse`");
  });

  it.each(["acyclic", "symmetric"] as const)(
    "advises a field where %s relations cannot be sparse",
    (trait) => {
      const world = createWorld();
      const Near = relation("Near", { [trait]: true });
      for (const place of spawnMany(world, 150)) spawn(world, Position, Near(place));

      expect(advise(world).map(({ about, advice }) => [about, advice.match(/`.*?`/)?.[0]])).toEqual([
        [Near, "`entity`"],
      ]);
    },
  );

  it("has nothing to say once the relation is sparse", () => {
    const world = createWorld();
    const NearBy = relation("NearBy", { storage: sparse });
    for (const place of spawnMany(world, 150)) spawn(world, Position, NearBy(place));

    expect(advise(world)).toEqual([]);
  });

  it("counts what each of two relations adds", () => {
    const world = createWorld();
    const [fan, ...stars] = spawnMany(world, 121) as [Entity, ...Entity[]];
    for (const star of stars) spawn(world, Likes(star), DockedTo(fan));

    expect(foundIn(world)).toEqual([["few rows", Likes]]);
  });

  it("does not count large tables, nor do these hide it", () => {
    const world = plantDocks(101, 2);
    spawnMany(world, 10_000, Position, DockedTo(spawn(world)));

    expect(advise(world)).toMatchObject([{ entities: 202, tables: 101, saves: 100 }]);
  });

  it("ends when the entities are gone", () => {
    const world = createWorld();
    const docks = spawnMany(world, 150);
    const ships = docks.map((dock) => spawn(world, DockedTo(dock)));
    const before = foundIn(world);
    for (const ship of ships) destroy(world, ship);

    expect([before, foundIn(world)]).toEqual([[["few rows", DockedTo]], []]);
  });
});

/** A world with entities of some combinations of tags, in each `rare` entities with Rare and `others` without. */
function spreadOut(combinations: number, rare: number, others: number): World {
  const world = createWorld();
  for (let combination = 0; combination < combinations; combination++) {
    const tags = kinds.filter((_, at) => (combination & (1 << at)) !== 0);
    spawnMany(world, rare, Position, Rare, ...tags);
    if (others > 0) spawnMany(world, others, Position, ...tags);
  }
  return world;
}

describe("advice about what few entities have in many archetypes", () => {
  it("names a tag with its numbers, and bits as the remedy", () => {
    const about = advise(spreadOut(16, 3, 10)).filter((one) => one.about === Rare);

    expect(about).toEqual([
      {
        about: Rare,
        kind: "scattered",
        entities: 48,
        archetypes: 16,
        doubled: 16,
        saves: 16,
        advice:
          "The 48 entities with Rare are in 16 archetypes; 16 of these are also there without it. " +
          'Store it as bits: tag("Rare", { storage: bits })',
      },
    ]);
  });

  it("is not given for fewer archetypes, for more entities, nor if no other archetype is saved", () => {
    const healthy = [spreadOut(15, 3, 10), spreadOut(16, 4, 10), spreadOut(16, 3, 0)];

    expect(healthy.map(foundIn)).toEqual([[], [], []]);
  });
});

/** A world where the last of some entities gets and loses something. */
function flipping(what: typeof Stunned | typeof Charge, times: number, entities = 1): World {
  const world = createWorld();
  const last = spawnMany(world, entities, Position).at(-1)!;
  for (let time = 0; time < times; time++) {
    add(world, last, what);
    remove(world, last, what);
  }
  return world;
}

describe("advice about what flips", () => {
  it("names a tag with its numbers, and bits as the remedy", () => {
    expect(advise(flipping(Stunned, 1000))).toEqual([
      {
        about: Stunned,
        kind: "flips",
        entities: 0,
        flips: 1000,
        saves: 2000,
        advice:
          "Entities have got and lost Stunned 1000 times, and each time moved to another archetype. " +
          'Store it as bits: tag("Stunned", { storage: bits })',
      },
    ]);
  });

  it("names a component, and sparse as the remedy", () => {
    const world = flipping(Charge, 1000);

    expect(foundIn(world)).toEqual([["flips", Charge]]);
    expect(advise(world)[0]!.advice).toMatch(/component\("Charge", .* \{ storage: sparse \}\)$/);
  });

  it("is not given for fewer flips, nor if there are more entities than flips", () => {
    const healthy = [flipping(Stunned, 999), flipping(Stunned, 1000, 1001)];

    expect(healthy.map(advise)).toEqual([[], []]);
  });

  it("is not given for what entities only get", () => {
    const world = createWorld();
    for (const entity of spawnMany(world, 2000, Position)) add(world, entity, Stunned);

    expect(advise(world)).toEqual([]);
  });

  it("is not given for a tag in bits", () => {
    const world = createWorld();
    const [last] = spawnMany(world, 1, Position);
    for (let time = 0; time < 2000; time++) {
      add(world, last!, Awake);
      remove(world, last!, Awake);
    }

    expect(advise(world)).toEqual([]);
  });
});

/** A world where the entities at the places for which `has` holds have Awake. */
function awakened(entities: number, has: (at: number) => boolean): World {
  const world = createWorld();
  spawnMany(world, entities, Position).forEach((entity, at) => {
    if (has(at)) add(world, entity, Awake);
  });
  return world;
}

describe("advice about tags in bits", () => {
  it("names one that nearly all have", () => {
    expect(advise(awakened(1000, (at) => at >= 100))).toEqual([
      {
        about: Awake,
        kind: "nearly all",
        entities: 900,
        among: 1000,
        saves: 900,
        advice:
          "900 of 1000 entities have Awake. Leave out its storage, so that tables have it; " +
          "or define its opposite, which few have, if it comes and goes",
      },
    ]);
  });

  it("names a sparse component that nearly all have, but not one that half of them have", () => {
    const worlds = [900, 500].map((count) => {
      const world = createWorld();
      for (const entity of spawnMany(world, 1000, Position).slice(0, count)) add(world, entity, Fuel);
      return world;
    });

    expect(worlds.map(foundIn)).toEqual([[["nearly all", Fuel]], []]);
  });

  it("does not name a sparse component for short runs", () => {
    const world = createWorld();
    spawnMany(world, 1200, Position).forEach((entity, at) => {
      if (at % 2 === 0) add(world, entity, Fuel);
    });

    expect(advise(world)).toEqual([]);
  });

  it("is not given if fewer have it, or if there are few entities", () => {
    const healthy = [awakened(1000, (at) => at >= 101), awakened(999, () => true)];

    expect(healthy.map(advise)).toEqual([[], []]);
  });

  it("names one that makes short runs", () => {
    expect(advise(awakened(1200, (at) => at % 6 < 3))).toEqual([
      {
        about: Awake,
        kind: "short runs",
        entities: 600,
        among: 1200,
        runs: 400,
        saves: 400,
        advice:
          "1200 rows, of which 600 have Awake, are 400 runs with and without it. " +
          "Leave out its storage, so that rows with it are adjacent, unless it comes and goes often",
      },
    ]);
  });

  it("is not given for runs of four rows, nor for one row in ten", () => {
    const healthy = [awakened(1200, (at) => at % 8 < 4), awakened(1200, (at) => at % 10 === 0)];

    expect(healthy.map(advise)).toEqual([[], []]);
  });

  it("is not given for Disabled", () => {
    const world = createWorld();
    for (const entity of spawnMany(world, 2000, Position)) add(world, entity, Disabled);

    expect(advise(world)).toEqual([]);
  });
});

describe("advise", () => {
  it("lists what saves most first", () => {
    const world = plantDocks(120, 1);
    for (const hand of spawnMany(world, 200)) spawn(world, Position, Holds(hand));

    expect(advise(world).map(({ about, saves }) => [about, saves])).toEqual([
      [Holds, 199],
      [DockedTo, 119],
    ]);
  });

  it("has no advice for an empty world", () => {
    expect(advise(createWorld())).toEqual([]);
  });
});
