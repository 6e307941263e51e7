import { add, clear, clone, defer, observe, release, remove, set, spawn, spawnMany } from "@treeline/core";
import { destroyAll, indexOf, parseTerm, removeFromAll } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, childNamed, configureNames, findAll, lookup, Name, pathOf, rename } from "../../src/index.ts";
import { Any, ChildOf, Parent } from "../definitions.ts";
import { codeOf, type Entity, fleet, refusalOf } from "../fleet.ts";
import { get, has, verify } from "../reading.ts";

/** The fleet, in which Ship::Hold is also called Store. */
function store() {
  const all = fleet();
  set(all.world, all.hold, Alias, "Store");
  return all;
}

describe("an alias", () => {
  it("is found from the roots, wherever its entity is", () => {
    const { world, hold } = store();
    const crate = spawn(world, Name("Crate"), Parent(hold));

    expect([lookup(world, "Store"), lookup(world, "::Store")]).toEqual([hold, hold]);
    expect([lookup(world, "Store::Crate"), lookup(world, ["Store", "Crate"])]).toEqual([crate, crate]);
    expect(lookup(world, "Ship::Hold")).toBe(hold);
    expect(verify(world)).toEqual([]);
  });

  it("is found from nowhere else, and by no later step", () => {
    const { world, ship, station } = store();

    expect(lookup(world, "Store", { from: ship })).toBeUndefined();
    expect(lookup(world, "Store", { from: station })).toBeUndefined();
    expect(lookup(world, "Ship::Store")).toBeUndefined();
    expect(childNamed(world, ship, "Store")).toBeUndefined();
    expect(findAll(world, [/^Store$/])).toEqual([]);
  });

  it("is found from everywhere by a leading separator, and upwards", () => {
    const { world, station, hold } = store();

    expect(lookup(world, "::Store", { from: station })).toBe(hold);
    expect(lookup(world, "Store", { from: station, upwards: true })).toBe(hold);
  });

  it("needs no name beside it", () => {
    const { world, ship } = fleet();

    const nameless = spawn(world, ChildOf(ship), Alias("Pilot"));

    expect([lookup(world, "Pilot"), pathOf(world, nameless)]).toEqual([
      nameless,
      `Ship::#${indexOf(nameless)}`,
    ]);
  });

  it("stays when its entity moves, gets another name, or loses it", () => {
    const { world, hold, station } = store();

    rename(world, hold, "Hull");
    expect(lookup(world, "Store")).toBe(hold);
    add(world, hold, Parent(station));
    expect(lookup(world, "Store")).toBe(hold);
    remove(world, hold, ChildOf(Any));
    remove(world, hold, Name);

    expect([lookup(world, "Store"), verify(world)]).toEqual([hold, []]);
  });

  it("may be any legal name: escapes are for paths", () => {
    const { world, hold } = fleet();

    for (const [alias, path] of [
      ["a::b", "a\\:\\:b"],
      ["#1", "\\#1"],
      ["\\", "\\\\"],
    ] as const) {
      set(world, hold, Alias, alias);
      expect([lookup(world, path), lookup(world, [alias])]).toEqual([hold, hold]);
    }
  });

  it("is the name of a root as well, if that root is its own", () => {
    const { world, ship } = fleet();

    set(world, ship, Alias, "Ship");
    expect(lookup(world, "Ship")).toBe(ship);
    rename(world, ship, "Boat");
    expect([lookup(world, "Ship"), lookup(world, "Boat")]).toEqual([ship, ship]);
    rename(world, ship, "Ship");

    expect(verify(world)).toEqual([]);
  });

  it("may be the name of a child of another entity, since that one is not a root", () => {
    const { world, station } = store();

    const other = spawn(world, Name("Store"), ChildOf(station));

    expect([lookup(world, "Station::Store"), lookup(world, "Store") === other]).toEqual([other, false]);
    expect(verify(world)).toEqual([]);
  });

  it("is reported like any component", () => {
    const { world, hold } = fleet();
    const seen: unknown[] = [];
    observe(world, { added: Alias, set: Alias, removed: Alias }, ({ kind, entity }) =>
      seen.push([kind, get(world, entity, Alias), lookup(world, get(world, entity, Alias)!) === entity]),
    );

    set(world, hold, Alias, "Store");
    set(world, hold, Alias, "Stores");
    remove(world, hold, Alias);

    expect(seen).toEqual([
      ["added", "Store", true],
      ["set", "Store", true],
      ["set", "Stores", true],
      ["removed", "Stores", true],
    ]);
  });
});

describe("an alias is free again", () => {
  it.each<[string, (all: ReturnType<typeof store>) => unknown]>([
    ["after it was removed", ({ world, hold }) => remove(world, hold, Alias)],
    ["after its entity got another one", ({ world, hold }) => set(world, hold, Alias, "Other")],
    ["after its entity was cleared", ({ world, hold }) => clear(world, hold)],
    ["after its entity was released", ({ world, hold }) => release(world, hold)],
    ["after all above it were destroyed", ({ world, ship }) => destroyAll(world, [indexOf(ship)])],
    ["after all aliases were taken off", ({ world }) => removeFromAll(world, parseTerm(world, Alias))],
  ])("%s", (_, free) => {
    const all = store();
    const { world, dock } = all;

    free(all);

    expect(lookup(world, "Store")).toBeUndefined();
    set(world, dock, Alias, "Store");
    expect([lookup(world, "Store"), verify(world)]).toEqual([dock, []]);
  });

  it("and not taken over by an entity that gets the index of its entity", () => {
    const { world, hold } = store();
    const index = indexOf(hold);
    release(world, hold);

    let later: Entity;
    let rounds = 0;
    do {
      later = spawn(world);
      if (indexOf(later) !== index) release(world, later);
    } while (indexOf(later) !== index && rounds++ < 10_000);

    expect([indexOf(later), lookup(world, "Store"), has(world, later, Alias)]).toEqual([
      index,
      undefined,
      false,
    ]);
    expect(verify(world)).toEqual([]);
  });
});

describe("a taken alias", () => {
  it.each(["error", "suffix", "allow"] as const)(
    "is refused by every verb where collisions are %s",
    (policy) => {
      const { world, ship, dock } = store();
      configureNames(world, { collisions: policy });
      set(world, dock, Alias, "Dock");

      for (const act of [
        () => spawn(world, Alias("Store")),
        () => spawn(world, Alias("Store"), ChildOf(ship)),
        () => spawnMany(world, 1, Alias("Store")),
        () => spawnMany(world, 2, Alias("Store")),
        () => set(world, ship, Alias, "Store"),
        () => set(world, dock, Alias, "Store"),
        () => add(world, ship, Alias("Store")),
        () => add(world, dock, Alias("Store"), ChildOf(ship)),
        () => clone(world, ship, { with: [Alias("Store")] }),
      ]) {
        expect(refusalOf(world, act).code).toBe("name-taken");
      }
    },
  );

  it("set on its own entity again is not a collision", () => {
    const { world, hold } = store();

    set(world, hold, Alias, "Store");
    add(world, hold, Alias("Store"));
    add(world, hold, Alias);

    expect([lookup(world, "Store"), verify(world)]).toEqual([hold, []]);
  });

  it("is reported with the entity that has it, and as what", () => {
    const { world, ship, hold } = store();

    expect(refusalOf(world, () => set(world, ship, Alias, "Store")).message).toBe(
      `"Store" is taken: Ship::Hold (#${indexOf(hold)}) has it as its alias; choose another alias, or change that one first`,
    );
    expect(refusalOf(world, () => set(world, hold, Alias, "Ship")).message).toContain(
      `Ship (#${indexOf(ship)}) has it as its name`,
    );
  });

  it("by several at once is refused, also if no entity has it", () => {
    const { world, ship } = fleet();

    const refusal = refusalOf(world, () => spawnMany(world, 3, Alias("Store"), ChildOf(ship)));

    expect([refusal.code, refusal.message]).toEqual(["name-taken", expect.stringContaining("not to 3")]);
    const [one] = spawnMany(world, 1, Alias("Store"), ChildOf(ship));
    expect(lookup(world, "Store")).toBe(one);
  });

  it("inside an iteration goes to the first entity, and the other change is refused in the end", () => {
    const { world, cockpit, dock } = fleet();

    expect(() =>
      defer(world, () => {
        set(world, cockpit, Alias, "Best");
        set(world, dock, Alias, "Best");
      }),
    ).toThrow(expect.objectContaining({ code: "name-taken" }));

    expect([lookup(world, "Best"), has(world, dock, Alias), verify(world)]).toEqual([cockpit, false, []]);
  });

  it.each(["", undefined, null, 7, {}])("or not, %j is refused", (alias) => {
    const { world, ship } = fleet();
    const bad = alias as string;

    for (const act of [
      () => spawn(world, Alias(bad)),
      () => spawnMany(world, 2, Alias(bad)),
      () => set(world, ship, Alias, bad),
      () => add(world, ship, Alias(bad)),
    ]) {
      expect(refusalOf(world, act).code).toBe("bad-name");
    }
    expect(refusalOf(world, () => spawn(world, Alias as never)).code).toBe("bad-name");
  });
});

describe("a clone", () => {
  it("has no alias, and neither have the clones of what is below", () => {
    const { world, ship, hold } = store();
    set(world, ship, Alias, "Flagship");

    const copy = clone(world, ship, { deep: true });

    const copiedHold = lookup(world, "Hold", { from: copy })!;
    expect([has(world, copy, Alias), has(world, copiedHold, Alias)]).toEqual([false, false]);
    expect([lookup(world, "Flagship"), lookup(world, "Store"), verify(world)]).toEqual([ship, hold, []]);
  });

  it("gets the one that it is given", () => {
    const { world, hold } = store();

    const copy = clone(world, hold, { with: [Alias("Second")] });

    expect([lookup(world, "Second"), lookup(world, "Store")]).toEqual([copy, hold]);
    expect(codeOf(() => clone(world, hold, { deep: true, with: [Alias("Store")] }))).toBe("name-taken");
  });
});
