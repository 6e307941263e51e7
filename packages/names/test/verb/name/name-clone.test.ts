import { clone, createWorld, defer, type Entity, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { lookup, Name, pathOf } from "../../../src/index.ts";
import { ChildOf, Parent, tag } from "../../definitions.ts";
import { refusalOf } from "../../fleet.ts";
import { get, has, isAlive, verify } from "../../reading.ts";

const Frozen = tag("Frozen");

/**
 *   Ship
 *     Turret
 *       Barrel   as a value
 *       Base
 */
function plant() {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"));
  const turret = spawn(world, Name("Turret"), ChildOf(ship), Frozen);
  const barrel = spawn(world, Name("Barrel"), Parent(turret));
  const base = spawn(world, Name("Base"), ChildOf(turret));
  return { world, ship, turret, barrel, base };
}

describe("a clone", () => {
  it("has no name: its original keeps it", () => {
    const { world, turret } = plant();

    const copy = clone(world, turret);

    expect([has(world, copy, Name), has(world, copy, Frozen), lookup(world, "Ship::Turret")]).toEqual([
      false,
      true,
      turret,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("that is deep has the names below it, in a scope of its own", () => {
    const { world, turret, barrel } = plant();

    const copy = clone(world, turret, { deep: true, with: [Name("Second")] });

    const second = lookup(world, "Ship::Second::Barrel") as Entity;
    expect([lookup(world, "Ship::Second"), second === barrel, pathOf(world, second)]).toEqual([
      copy,
      false,
      "Ship::Second::Barrel",
    ]);
    expect([lookup(world, "Ship::Turret::Barrel"), has(world, second, Parent(copy)), verify(world)]).toEqual([
      barrel,
      true,
      [],
    ]);
  });

  it("below another parent may have the same name", () => {
    const { world, turret } = plant();
    const station = spawn(world, Name("Station"));

    const copy = clone(world, turret, { deep: true, with: [Name("Turret"), Parent(station)] });

    expect([lookup(world, "Station::Turret"), get(world, copy, Name)]).toEqual([copy, "Turret"]);
    expect(lookup(world, "Station::Turret::Base")).toBeDefined();
  });

  it("with a name that is taken is refused, and no entity is spawned", () => {
    const { world, turret } = plant();

    expect(refusalOf(world, () => clone(world, turret, { with: [Name("Turret")] })).code).toBe("name-taken");
    expect(refusalOf(world, () => clone(world, turret, { deep: true, with: [Name("Turret")] })).code).toBe(
      "name-taken",
    );
    expect(refusalOf(world, () => clone(world, turret, { with: [Name("")] })).code).toBe("bad-name");
  });

  it("inside an iteration is found at its end, or not alive if its name was taken by then", () => {
    const { world, turret } = plant();

    const copy = defer(world, () => clone(world, turret, { deep: true, with: [Name("Second")] }));
    let late: Entity | undefined;
    expect(() =>
      defer(world, () => {
        late = clone(world, turret, { deep: true, with: [Name("Third")] });
        clone(world, turret, { with: [Name("Third")] });
      }),
    ).toThrow(expect.objectContaining({ code: "name-taken" }));

    expect([lookup(world, "Ship::Second"), lookup(world, "Ship::Third"), isAlive(world, late!)]).toEqual([
      copy,
      late,
      true,
    ]);
    expect([lookup(world, "Ship::Third::Base") === undefined, verify(world)]).toEqual([false, []]);
  });
});
