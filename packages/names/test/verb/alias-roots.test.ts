import { add, clone, remove, set, spawn, spawnMany, type World } from "@treeline/core";
import { destroyAll, indexOf, moveAll, parseTerm, removeFromAll } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  Alias,
  type Collisions,
  configureNames,
  ensurePath,
  findAll,
  lookup,
  Name,
  pathOf,
  rename,
} from "../../src/index.ts";
import { Any, ChildOf, Parent } from "../definitions.ts";
import { fleet, refusalOf } from "../fleet.ts";
import { get, verify } from "../reading.ts";

/** The fleet, in which Ship::Hold is also called Store. */
function store(collisions: Collisions) {
  const all = fleet();
  configureNames(all.world, { collisions });
  set(all.world, all.hold, Alias, "Store");
  return all;
}

const NEWCOMERS: [string, (all: ReturnType<typeof store>) => unknown][] = [
  ["a spawn", ({ world }) => spawn(world, Name("Store"))],
  ["the spawn of one of many", ({ world }) => spawnMany(world, 1, Name("Store"))],
  ["a rename", ({ world, buoy }) => rename(world, buoy, "Store")],
  ["a first name", ({ world }) => add(world, spawn(world), Name("Store"))],
  ["a clone", ({ world, buoy }) => clone(world, buoy, { with: [Name("Store")] })],
  [
    "an unparent",
    ({ world, station }) => remove(world, spawn(world, Name("Store"), Parent(station)), ChildOf(Any)),
  ],
];

describe("the name of a root that is the alias of another entity", () => {
  it.each(NEWCOMERS.slice(0, 3))("is refused where collisions are errors: %s", (_, act) => {
    const all = store("error");

    expect(refusalOf(all.world, () => act(all)).code).toBe("name-taken");
    expect(lookup(all.world, "Store")).toBe(all.hold);
  });

  it("refuses a clone and an unparent where collisions are errors", () => {
    const { world, buoy, station } = store("error");
    const other = spawn(world, Name("Store"), Parent(station));

    expect(refusalOf(world, () => clone(world, buoy, { with: [Name("Store")] })).code).toBe("name-taken");
    expect(refusalOf(world, () => remove(world, other, ChildOf(Any))).code).toBe("name-taken");
  });

  it.each(NEWCOMERS)("gets a suffix where suffixes are given: %s", (_, act) => {
    const all = store("suffix");
    const { world, hold } = all;

    act(all);

    expect(findAll(world, [/^Store$/])).toEqual([]);
    expect(findAll(world, [/^Store \(2\)$/])).toHaveLength(1);
    expect([lookup(world, "Store"), verify(world)]).toEqual([hold, []]);
  });

  it.each(NEWCOMERS)("is set where names may be shared, but the alias is found: %s", (_, act) => {
    const all = store("allow");
    const { world, hold } = all;

    act(all);

    const [first] = findAll(world, [/^Store$/]);
    expect(first).toBeDefined();
    expect(first).not.toBe(hold);
    expect([lookup(world, "Store"), verify(world)]).toEqual([hold, []]);
  });

  it("is found once the alias is gone, where names may be shared", () => {
    const { world, hold } = store("allow");
    const root = spawn(world, Name("Store"));

    remove(world, hold, Alias);

    expect(lookup(world, "Store")).toBe(root);
  });

  it("where names may be shared has a path that finds the alias", () => {
    const { world, hold } = store("allow");
    const root = spawn(world, Name("Store"));

    expect([pathOf(world, root), lookup(world, pathOf(world, root))]).toEqual(["Store", hold]);
  });

  it("where names may be shared does not keep paths below it from the alias", () => {
    const { world, hold } = store("allow");
    const root = spawn(world, Name("Store"));
    const below = spawn(world, Name("Crate"), ChildOf(root));

    expect(lookup(world, "Store::Crate")).toBeUndefined();
    expect(ensurePath(world, "Store")).toBe(hold);
    expect(lookup(world, "Crate", { from: root })).toBe(below);
  });
});

describe("an alias that is the name of a root", () => {
  it.each(["error", "suffix"] as const)("is refused where collisions are %s", (policy) => {
    const { world, hold, ship } = store(policy);

    for (const act of [
      () => set(world, hold, Alias, "Station"),
      () => spawn(world, Alias("Station"), ChildOf(ship)),
      () => spawnMany(world, 1, Alias("Station")),
      () => add(world, ship, Alias("Station")),
      () => set(world, ship, Alias, "Station"),
    ]) {
      expect(refusalOf(world, act).code).toBe("name-taken");
    }
  });

  it("is set where names may be shared, and found", () => {
    const { world, hold, station } = store("allow");

    set(world, hold, Alias, "Station");

    expect([lookup(world, "Station"), findAll(world, [/^Station$/])]).toEqual([hold, [station]]);
  });

  it("is free again once no root has it", () => {
    const { world, hold, ship, station } = store("error");

    add(world, station, ChildOf(ship));
    set(world, hold, Alias, "Station");

    expect([lookup(world, "Station"), lookup(world, "Ship::Station"), verify(world)]).toEqual([
      hold,
      station,
      [],
    ]);
    expect(refusalOf(world, () => remove(world, station, ChildOf(Any))).code).toBe("name-taken");
  });

  it("keeps the world from changing to a policy without shared names", () => {
    const { world, hold, station } = store("allow");
    set(world, hold, Alias, "Station");

    for (const collisions of ["error", "suffix"] as const) {
      const refusal = refusalOf(world, () => configureNames(world, { collisions }));
      expect([refusal.code, refusal.message]).toEqual(["name-taken", expect.stringContaining('"Station"')]);
    }

    rename(world, station, "Dock");
    configureNames(world, { collisions: "error" });
    expect(verify(world)).toEqual([]);
  });
});

describe("several that become roots at once, one of them by the alias of another,", () => {
  /** Both are below a ship: one has the name Store, the other has that alias. */
  function pair(collisions: Collisions): { world: World; ship: number; names: () => (string | undefined)[] } {
    const all = store(collisions);
    const { world, ship, cockpit, hold } = all;
    rename(world, cockpit, "Store");
    destroyAll(world, [indexOf(all.buoy)]);
    return { world, ship, names: () => [cockpit, hold].map((entity) => get(world, entity, Name)) };
  }
  const unparent = (world: World, ship: number): void =>
    removeFromAll(world, parseTerm(world, ChildOf(ship as never)));

  it("are refused where collisions are errors: an alias does not move away", () => {
    const { world, ship } = pair("error");

    expect(refusalOf(world, () => unparent(world, ship)).code).toBe("name-taken");
  });

  it("get suffixes where these are given", () => {
    const { world, ship, names } = pair("suffix");

    unparent(world, ship);

    expect([names(), verify(world)]).toEqual([["Store (2)", "Hold"], []]);
  });

  it("keep their names where these may be shared", () => {
    const { world, ship, names } = pair("allow");

    unparent(world, ship);

    expect([names(), verify(world)]).toEqual([["Store", "Hold"], []]);
  });

  it("may be a single one that has its own alias as name", () => {
    const { world, hold } = store("error");
    rename(world, hold, "Store");

    moveAll(world, [[hold, undefined]]);

    expect([lookup(world, "Store"), findAll(world, [/^Store$/]), verify(world)]).toEqual([hold, [hold], []]);
  });
});
