import { add, ChildOf, createWorld, type Entity, Parent, release, remove, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, childNamed, configureNames, Name, withScope } from "../../src/index.ts";
import { codeOf, fleet } from "../fleet.ts";

describe("childNamed", () => {
  it("finds the child with a name, in both storages, and none further below", () => {
    const { world, ship, cockpit } = fleet();
    const seat = spawn(world, Name("Seat"), Parent(cockpit));

    expect(childNamed(world, ship, "Cockpit")).toBe(cockpit);
    expect(childNamed(world, cockpit, "Seat")).toBe(seat);
    expect(childNamed(world, ship, "Seat")).toBeUndefined();
    expect(childNamed(world, ship, "cockpit")).toBeUndefined();
  });

  it("finds children of its parent inside withScope too", () => {
    const { world, ship, cockpit, station } = fleet();

    expect(withScope(world, station, () => childNamed(world, ship, "Cockpit"))).toBe(cockpit);
  });

  it.each(["a::b", "::a", "\\", "a\\", "#1", "#0", "*", "**", " ", "x".repeat(10_000), "\ud800"])(
    "uses the name as it is: %j",
    (name) => {
      const { world, ship } = fleet();
      configureNames(world, { separator: "a" });
      expect(childNamed(world, ship, name)).toBeUndefined();

      const odd = spawn(world, Name(name), ChildOf(ship));

      expect(childNamed(world, ship, name)).toBe(odd);
    },
  );

  it("finds none by index, by path or by the empty name", () => {
    const { world, ship, cockpit } = fleet();

    expect(childNamed(world, ship, `#${indexOf(cockpit)}`)).toBeUndefined();
    expect(childNamed(world, cockpit, "Ship::Cockpit")).toBeUndefined();
    expect(childNamed(world, ship, "")).toBeUndefined();
  });

  it("finds no alias", () => {
    const { world, ship, cockpit } = fleet();
    add(world, cockpit, Alias("Home"));

    expect(childNamed(world, ship, "Home")).toBeUndefined();
  });

  it("returns the first of several, and the next when that one leaves", () => {
    const { world, ship } = fleet();
    configureNames(world, { collisions: "allow" });
    const crates = Array.from({ length: 3 }, () => spawn(world, Name("Crate"), ChildOf(ship)));

    const results: (Entity | undefined)[] = [];
    for (const crate of crates) {
      results.push(childNamed(world, ship, "Crate"));
      remove(world, crate, Name);
    }

    expect(results).toEqual(crates);
    expect(childNamed(world, ship, "Crate")).toBeUndefined();
  });

  it("refuses a parent that is not alive, and one of another world", () => {
    const { world, hold } = fleet();
    release(world, hold);

    expect(codeOf(() => childNamed(world, hold, "Crate"))).toBe("dead-entity");
    expect(codeOf(() => childNamed(world, spawn(createWorld()), "Crate"))).toBe("dead-entity");
  });

  it.each([undefined, null, 7, ["Ship"], {}])("refuses %j, which is not a text", (name) => {
    const { world, ship } = fleet();

    expect(codeOf(() => childNamed(world, ship, name as string))).toBe("bad-name");
  });

  it("returns undefined in a world without names", () => {
    const world = createWorld();

    expect(childNamed(world, spawn(world), "Ship")).toBeUndefined();
  });
});
