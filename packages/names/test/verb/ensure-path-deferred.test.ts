import { add, createWorld, defer, type Entity, observe, release, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { ensurePath, lookup, Name, pathOf, rename, withScope } from "../../src/index.ts";
import { ChildOf, Parent } from "../definitions.ts";
import { codeOf, fleet, refusalOf } from "../fleet.ts";
import { namesOf } from "../internal.ts";
import { get, isAlive, parentOf, stats, verify } from "../reading.ts";

describe("ensurePath inside an iteration", () => {
  it("returns entities that have their names and places when it ends", () => {
    const { world, ship } = fleet();

    const gun = defer(world, () => {
      const spawned = ensurePath(world, "Ship::Turret::Gun");
      expect([isAlive(world, spawned), lookup(world, "Ship::Turret")]).toEqual([true, undefined]);
      return spawned;
    });

    expect(pathOf(world, gun)).toBe("Ship::Turret::Gun");
    expect(parentOf(world, parentOf(world, gun)!)).toBe(ship);
    expect(verify(world)).toEqual([]);
  });

  it("returns the same entity for the same path twice", () => {
    const { world, ship } = fleet();

    const requests = defer(world, () => [
      ensurePath(world, "Ship::Turret::Gun"),
      ensurePath(world, "Ship::Turret::Gun"),
      ensurePath(world, ["Turret", "Gun"], { from: ship }),
      withScope(world, ship, () => ensurePath(world, "Turret/Gun", { separator: "/" })),
    ]);

    expect(new Set(requests).size).toBe(1);
    expect([lookup(world, "Ship::Turret::Gun"), stats(world).entities]).toEqual([requests[0], 8]);
  });

  it("continues from pending entities", () => {
    const world = createWorld();

    const [one, other] = defer(world, () => [ensurePath(world, "a::b"), ensurePath(world, "a::c::d")]);

    expect([one, other].map((entity) => pathOf(world, entity!))).toEqual(["a::b", "a::c::d"]);
    expect(stats(world).entities).toBe(4);
  });

  it("may begin at a pending entity", () => {
    const world = createWorld();

    const gun = defer(world, () => {
      const ship = ensurePath(world, "Ship");
      const below = ensurePath(world, "Gun", { from: ship });
      expect(ensurePath(world, "Ship::Gun")).toBe(below);
      return below;
    });

    expect(pathOf(world, gun)).toBe("Ship::Gun");
  });

  it("finds what is there at once", () => {
    const { world, cockpit } = fleet();

    expect(defer(world, () => ensurePath(world, "Ship::Cockpit"))).toBe(cockpit);
  });

  it("distinguishes names that are made of scopes and spaces", () => {
    const world = createWorld();

    const made = defer(world, () =>
      [["1 a"], ["a"], ["1", "a"], [" a"]].map((list) => ensurePath(world, list)),
    );

    expect(new Set(made).size).toBe(4);
    expect(verify(world)).toEqual([]);
  });

  it("forgets its pending entities when the iteration ends, so that others may have the names", () => {
    const world = createWorld();
    const first = defer(world, () => ensurePath(world, "a"));
    release(world, first);

    const second = defer(world, () => ensurePath(world, "a"));

    expect([second === first, lookup(world, "a")]).toEqual([false, second]);
    expect(namesOf(world).pending.size).toBe(0);
  });

  it("forgets its pending entities also when the iteration ends with an error", () => {
    const world = createWorld();
    let first: Entity | undefined;
    expect(() =>
      defer(world, () => {
        first = ensurePath(world, "a");
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect(lookup(world, "a")).toBe(first);
    rename(world, first!, "b");
    const second = defer(world, () => ensurePath(world, "a"));

    expect([lookup(world, "a"), lookup(world, "b")]).toEqual([second, first]);
  });

  it("spawns none for names that are found, even if a rename changes them later", () => {
    const world = createWorld();
    const seen: Entity[] = [];
    observe(world, { set: Name }, ({ entity }) => {
      if (get(world, entity, Name) === "b") seen.push(ensurePath(world, "a"));
    });

    const first = defer(world, () => {
      const spawned = ensurePath(world, "a");
      rename(world, spawned, "b");
      return spawned;
    });

    expect([seen.length, seen[0] === first, lookup(world, "a"), lookup(world, "b")]).toEqual([
      1,
      false,
      seen[0],
      first,
    ]);
  });

  it("stores parents as requested", () => {
    const { world } = fleet();

    const gun = defer(world, () => ensurePath(world, "Ship::Turret::Gun", { storage: Parent }));

    expect([pathOf(world, gun), verify(world)]).toEqual(["Ship::Turret::Gun", []]);
  });

  it("is dropped with a parent that is destroyed before the iteration ends", () => {
    const { world, hold } = fleet();

    const crate = defer(world, () => {
      release(world, hold);
      return ensurePath(world, "Ship::Hold::Box::Crate");
    });

    expect([isAlive(world, crate), lookup(world, "Ship::Hold"), verify(world)]).toEqual([
      false,
      undefined,
      [],
    ]);
  });

  it("is refused in the end if another entity got the name before", () => {
    const { world, ship } = fleet();
    let late: Entity | undefined;

    expect(() =>
      defer(world, () => {
        spawn(world, Name("Crate"), ChildOf(ship));
        late = ensurePath(world, "Ship::Crate");
      }),
    ).toThrow(expect.objectContaining({ code: "name-taken" }));

    expect([isAlive(world, late!), verify(world)]).toEqual([false, []]);
  });

  it("creates nothing for a bad path or an unused index", () => {
    const { world } = fleet();
    const { entities } = stats(world);

    const codes = defer(world, () => [
      codeOf(() => ensurePath(world, "new::#4000")),
      codeOf(() => ensurePath(world, "new::")),
    ]);

    expect([codes, stats(world).entities, lookup(world, "new")]).toEqual([
      ["bad-path", "bad-path"],
      entities,
      undefined,
    ]);
  });
});

describe("ensurePath in observers", () => {
  it("creates when the verb ends, and returns the same entity to all callers", () => {
    const { world, hold, station } = fleet();
    const made: Entity[] = [];
    for (let observer = 0; observer < 3; observer++) {
      observe(world, { added: ChildOf }, () => made.push(ensurePath(world, "Log::Moves")));
    }

    add(world, hold, ChildOf(station));

    expect(new Set(made.slice(0, 3)).size).toBe(1);
    expect(lookup(world, "Log::Moves")).toBe(made[0]);
    expect(verify(world)).toEqual([]);
  });
});

describe("ensurePath in a strict world", () => {
  it("inside an iteration finds what is there, and refuses what is missing", () => {
    const world = createWorld({ strict: true });
    const hold = ensurePath(world, "Ship::Hold");

    defer(world, () => {
      expect(ensurePath(world, "Ship::Hold")).toBe(hold);
      expect(refusalOf(world, () => ensurePath(world, "Ship::Galley")).code).toBe("iterating");
      expect(refusalOf(world, () => ensurePath(world, "a::b::c")).code).toBe("iterating");
    });

    expect([lookup(world, "Ship::Galley"), lookup(world, "a"), stats(world).entities]).toEqual([
      undefined,
      undefined,
      2,
    ]);
  });
});
