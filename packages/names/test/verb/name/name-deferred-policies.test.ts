import { add, clone, createWorld, defer, type Entity, release, remove, set, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  Alias,
  configureNames,
  findAll,
  lookup,
  Name,
  path,
  pathOf,
  rename,
  withScope,
} from "../../../src/index.ts";
import { ChildOf, Disabled, DisabledTree, Parent } from "../../definitions.ts";
import { get, isAlive, parentOf, verify } from "../../reading.ts";

/** A parent that is released inside an iteration, in which a Crate was to be spawned below it; a root has the name. */
function spawnBelowDestroyed(collisions: "error" | "suffix" | "allow") {
  const world = createWorld({ ifParentDestroyed: "drop" });
  configureNames(world, { collisions });
  const ship = spawn(world, Name("Ship"));
  const root = spawn(world, Name("Crate"));
  let crate: Entity | undefined;
  const act = (): void =>
    defer(world, () => {
      release(world, ship);
      crate = spawn(world, Name("Crate"), ChildOf(ship));
    });
  return { world, root, act, crate: () => crate! };
}

describe("an entity that becomes a root since its parent was destroyed meanwhile", () => {
  it("is refused where collisions are errors", () => {
    const { world, root, act, crate } = spawnBelowDestroyed("error");

    expect(act).toThrow(expect.objectContaining({ code: "name-taken" }));

    expect([isAlive(world, crate()), lookup(world, "Crate"), verify(world)]).toEqual([false, root, []]);
  });

  it("gets a suffix where these are given", () => {
    const { world, act, crate } = spawnBelowDestroyed("suffix");

    act();

    expect([get(world, crate(), Name), parentOf(world, crate()), verify(world)]).toEqual([
      "Crate (2)",
      undefined,
      [],
    ]);
  });

  it("shares the name where it may", () => {
    const { world, root, act, crate } = spawnBelowDestroyed("allow");

    act();

    expect([findAll(world, "Crate"), verify(world)]).toEqual([[root, crate()], []]);
  });
});

describe("suffixes of deferred changes", () => {
  it("are added at the end of the iteration, in the order of the changes", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const nameless = spawn(world);

    const [one, other] = defer(world, () => {
      const spawned = [spawn(world, Name("Crate")), spawn(world, Name("Crate"))];
      rename(world, nameless, "Crate");
      return spawned;
    });

    expect([one!, other!, nameless].map((entity) => get(world, entity, Name))).toEqual([
      "Crate",
      "Crate (2)",
      "Crate (3)",
    ]);
  });

  it("are not needed by an entity that arrives after another one has left", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const first = spawn(world, Name("Crate"));

    const second = defer(world, () => {
      release(world, first);
      return spawn(world, Name("Crate"));
    });

    expect([get(world, second, Name), verify(world)]).toEqual(["Crate", []]);
  });

  it("are added by the policy at the end, not by that at the call", () => {
    const world = createWorld();
    spawn(world, Name("Crate"));

    const second = defer(world, () => {
      const spawned = spawn(world, Name("Crate"));
      configureNames(world, { collisions: "suffix" });
      return spawned;
    });

    expect(get(world, second, Name)).toBe("Crate (2)");
  });
});

describe("a pending entity", () => {
  it("may be the start of a lookup, which finds none", () => {
    const world = createWorld();
    const buoy = spawn(world, Name("Buoy"));

    defer(world, () => {
      const ship = spawn(world, Name("Ship"));
      expect(lookup(world, "Buoy", { from: ship })).toBeUndefined();
      expect(lookup(world, "Buoy", { from: ship, upwards: true })).toBe(buoy);
      expect(withScope(world, ship, () => lookup(world, "::Buoy"))).toBe(buoy);
      expect(path(world, "Hold", { from: ship }).entity).toBeUndefined();
      expect([pathOf(world, ship), findAll(world, "*", { from: ship })]).toEqual(["Ship", []]);
      expect(findAll(world, "**")).toEqual([buoy]);
    });

    expect(findAll(world, "*")).toHaveLength(2);
  });

  it("may be the scope of other pending entities", () => {
    const world = createWorld();

    const hold = defer(world, () => {
      const ship = spawn(world, Name("Ship"));
      return withScope(world, ship, () =>
        withScope(world, spawn(world, Name("Deck")), () => spawn(world, Name("Hold"))),
      );
    });

    expect(pathOf(world, hold)).toBe("Ship::Deck::Hold");
  });
});

describe("a disabled entity", () => {
  it("is found by path, by alias and by pattern as usual", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), DisabledTree, Alias("Flagship"));
    const hold = spawn(world, Name("Hold"), ChildOf(ship), Disabled);
    const crate = spawn(world, Name("Crate"), Parent(hold));

    expect([lookup(world, "Ship::Hold::Crate"), lookup(world, "Flagship::Hold")]).toEqual([crate, hold]);
    expect([findAll(world, "**"), findAll(world, "*::H*")]).toEqual([[ship, hold, crate], [hold]]);
  });
});

describe("a deep clone of entities that share names", () => {
  it("has as many of them, in the order of siblings", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const ship = spawn(world, Name("Ship"));
    const crates = [ChildOf, Parent, ChildOf].map((storage) => spawn(world, Name("Crate"), storage(ship)));
    crates.forEach((crate, at) => {
      set(world, spawn(world, ChildOf(crate)), Name, `n${at}`);
    });

    const copy = clone(world, ship, { deep: true, with: [Name("Ship")] });

    const copies = findAll(world, "Crate", { from: copy });
    expect(
      copies.map((crate) => pathOf(world, findAll(world, "*", { from: crate })[0]!, { from: crate })),
    ).toEqual(["n0", "n1", "n2"]);
    expect([lookup(world, "Ship"), verify(world)]).toEqual([ship, []]);
  });
});

describe("a name and an alias in one verb", () => {
  it("may be the same, for a root and for others, in any order", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), Alias("Ship"));
    const hold = spawn(world, Alias("Hold"), Name("Hold"), ChildOf(ship));
    const crate = spawn(world);

    add(world, crate, Alias("Crate"), Name("Crate"));
    remove(world, hold, ChildOf(ship));

    expect(["Ship", "Hold", "Crate"].map((name) => lookup(world, name))).toEqual([ship, hold, crate]);
    expect(verify(world)).toEqual([]);
  });
});
