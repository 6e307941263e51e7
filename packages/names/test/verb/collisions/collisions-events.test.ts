import { add, clone, defer, locate, observe, remove, set, spawn, spawnMany } from "@treeline/core";
import { archetypeViewAt, clockOf, indexOf, keepTicks, moveAll, trackOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { configureNames, lookup, Name, pathOf, rename } from "../../../src/index.ts";
import { KEEPING_CASES, STORAGES, type Yard, yard } from "../../collision-cases.ts";
import { Any, ChildOf } from "../../definitions.ts";
import { createWorld, type Entity, refusalOf } from "../../fleet.ts";
import { get, parentOf, verify } from "../../reading.ts";

/** The events that observers get, with the path at that time. */
function record({ world }: Pick<Yard, "world">): string[] {
  const calls: string[] = [];
  observe(world, { added: Name, removed: Name, set: Name }, ({ kind, entity }) =>
    calls.push(`Name ${kind}: ${pathOf(world, entity)}`),
  );
  observe(world, { added: ChildOf, removed: ChildOf }, ({ kind, entity }) =>
    calls.push(`ChildOf ${kind}: ${pathOf(world, entity)}`),
  );
  return calls;
}

describe("a name that is kept but gets a suffix", () => {
  it.each(STORAGES)("is reported as a write, after the move (%s)", (_, storage) => {
    const all = yard("suffix", storage);
    const calls = record(all);

    add(all.world, all.stationCrate, storage(all.ship));

    expect(calls).toEqual([
      "ChildOf removed: Station::Crate",
      "ChildOf added: Ship::Crate (2)",
      "Name set: Ship::Crate (2)",
    ]);
  });

  it.each(STORAGES)("is reported so for an unparent as well (%s)", (_, storage) => {
    const all = yard("suffix", storage);
    const calls = record(all);

    remove(all.world, all.crate, ChildOf(Any));

    expect(calls).toEqual(["ChildOf removed: Ship::Crate", "Name set: Crate (2)"]);
  });

  it.each(KEEPING_CASES)("is reported once by $title, with the final name", ({ come }) => {
    const all = yard("suffix", ChildOf);
    const { world } = all;
    const calls: unknown[] = [];
    observe(world, { set: Name }, ({ entity }) => calls.push([entity, get(world, entity, Name)]));

    const comer = come(all);

    expect(calls).toEqual([[comer, "Crate (2)"]]);
  });

  it("is reported neither for descendants that move along nor for a move to where it is free", () => {
    const { world, ship, stationCrate, box } = yard("suffix", ChildOf);
    const seen: string[] = [];
    observe(world, { set: Name }, ({ entity }) => seen.push(get(world, entity, Name)!));

    moveAll(world, [
      [box, undefined],
      [stationCrate, undefined],
    ]);
    add(world, stationCrate, ChildOf(ship));

    expect([seen, get(world, stationCrate, Name)]).toEqual([["Crate (2)"], "Crate (2)"]);
  });
});

describe("a name that is kept as it is", () => {
  it.each(["error", "suffix", "allow"] as const)("is not reported as a write (%s)", (policy) => {
    const all = yard(policy, ChildOf);
    const calls = record(all);

    add(all.world, all.lid, ChildOf(all.ship));

    expect(calls).toEqual(["ChildOf removed: Station::Lid", "ChildOf added: Ship::Lid"]);
  });
});

describe("a new name that gets a suffix", () => {
  it("is reported once, as it is in the end", () => {
    const all = yard("suffix", ChildOf);
    const { world, ship, box, nameless } = all;
    const calls = record(all);

    spawn(world, Name("Crate"), ChildOf(ship));
    rename(world, box, "Crate");
    set(world, nameless, Name, "Crate");

    expect(calls).toEqual([
      "Name added: Ship::Crate (2)",
      "ChildOf added: Ship::Crate (2)",
      "Name set: Ship::Crate (2)",
      "Name set: Ship::Crate (3)",
      "Name added: Ship::Crate (4)",
      "Name set: Ship::Crate (4)",
    ]);
  });

  it("is reported for each of many, and for a clone", () => {
    const all = yard("suffix", ChildOf);
    const { world, ship, crate } = all;
    const seen: string[] = [];
    observe(world, { added: Name }, ({ entity }) => seen.push(get(world, entity, Name)!));

    spawnMany(world, 2, Name("Crate"), ChildOf(ship));
    clone(world, crate, { with: [Name("Crate")] });

    expect(seen).toEqual(["Crate (2)", "Crate (3)", "Crate (4)"]);
  });
});

describe("a refused collision", () => {
  it.each(KEEPING_CASES)("by $title is not reported", ({ come }) => {
    const all = yard("error", ChildOf);
    const calls = record(all);

    expect(refusalOf(all.world, () => come(all)).code).toBe("name-taken");
    expect(refusalOf(all.world, () => defer(all.world, () => come(all))).code).toBe("name-taken");

    expect(calls).toEqual([]);
  });
});

describe("observers that name others", () => {
  it("while an entity is named find room only behind that one", () => {
    const { world, ship, box, stationCrate, crate } = yard("suffix", ChildOf);
    rename(world, crate, "Old");
    const stop = observe(world, { removed: ChildOf }, () => rename(world, box, "Crate"));

    add(world, stationCrate, ChildOf(ship));
    stop();

    expect([stationCrate, box].map((entity) => get(world, entity, Name))).toEqual(["Crate", "Crate (2)"]);
    expect(verify(world)).toEqual([]);
  });

  it("are refused where collisions are errors, and the observed change is not", () => {
    const { world, ship, box, stationCrate, crate } = yard("error", ChildOf);
    rename(world, crate, "Old");
    observe(world, { removed: ChildOf }, () => rename(world, box, "Crate"));

    expect(() => add(world, stationCrate, ChildOf(ship))).toThrow(
      expect.objectContaining({ code: "name-taken" }),
    );

    expect([lookup(world, "Ship::Crate"), get(world, box, Name)]).toEqual([stationCrate, "Box"]);
    expect([parentOf(world, stationCrate), verify(world)]).toEqual([ship, []]);
  });

  it("with the name of a spawned entity get a suffix, and not the spawned entity", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const other = spawn(world, Name("Other"));
    const spawned: Entity[] = [];
    observe(world, { added: Name }, ({ entity }) => {
      spawned.push(entity);
      if (spawned.length < 4) spawn(world, Name("Crate"));
      rename(world, other, "Crate");
    });

    spawn(world, Name("Crate"));

    expect(spawned.map((entity) => get(world, entity, Name))).toEqual([
      "Crate",
      "Crate (2)",
      "Crate (4)",
      "Crate (5)",
    ]);
    expect([get(world, other, Name), verify(world)]).toEqual(["Crate (3)", []]);
  });
});

describe("a name whose changes are tracked", () => {
  /** Each is moved to the ship at a different tick. @returns whether that counts as a change of its name. */
  function isChanged(all: Yard, entity: Entity): boolean {
    const { world, ship } = all;
    const clock = clockOf(world);
    clock.now++;
    add(world, entity, ChildOf(ship));
    const { row } = locate(world, entity, Name)!;
    return trackOf(archetypeViewAt(world, indexOf(entity)), Name, "changed")!.rows[row] === clock.now;
  }

  it("counts as changed by a move that gives a suffix, and by no other move", () => {
    const all = yard("suffix", ChildOf);
    keepTicks(all.world, Name, "changed", true);

    expect([
      isChanged(all, all.stationCrate),
      isChanged(all, all.lid),
      isChanged(all, all.rootCrate),
    ]).toEqual([true, false, true]);
  });
});
