import { add, createWorld, remove, set, spawn, spawnMany } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { lookup, Name, rename } from "../../../src/index.ts";
import { Any, ChildOf, component, f32, tag } from "../../definitions.ts";
import { fleet, refusalOf } from "../../fleet.ts";

const Position = component("Position", { x: f32, y: f32 });
const Frozen = tag("Frozen");

describe("a taken name", () => {
  it("refuses a spawn, and no entity is spawned", () => {
    const { world, ship } = fleet();

    expect(refusalOf(world, () => spawn(world, Name("Hold"), ChildOf(ship))).code).toBe("name-taken");
    expect(refusalOf(world, () => spawn(world, ChildOf(ship), Position, Name("Hold"))).code).toBe(
      "name-taken",
    );
    expect(refusalOf(world, () => spawn(world, Name("Ship"))).code).toBe("name-taken");
  });

  it("refuses the spawn of two, and none is spawned", () => {
    const { world, ship } = fleet();

    expect(refusalOf(world, () => spawnMany(world, 2, Name("Twin"), ChildOf(ship))).code).toBe("name-taken");
    expect(refusalOf(world, () => spawnMany(world, 1, Name("Ship"))).code).toBe("name-taken");
    expect(lookup(world, "Ship::Twin")).toBeUndefined();
    const [only] = spawnMany(world, 1, Name("Twin"), ChildOf(ship));
    expect(lookup(world, "Ship::Twin")).toBe(only);
  });

  it("refuses a rename by every verb", () => {
    const { world, ship, hold } = fleet();
    const crate = spawn(world, ChildOf(ship));

    expect(refusalOf(world, () => rename(world, hold, "Cockpit")).code).toBe("name-taken");
    expect(refusalOf(world, () => set(world, hold, Name, "Cockpit")).code).toBe("name-taken");
    expect(refusalOf(world, () => add(world, hold, Name("Cockpit"))).code).toBe("name-taken");
    expect(refusalOf(world, () => add(world, crate, Name("Cockpit"), Frozen)).code).toBe("name-taken");
    expect(refusalOf(world, () => set(world, crate, Name, "Cockpit")).code).toBe("name-taken");
    expect(lookup(world, "Ship::Hold")).toBe(hold);
  });

  it("refuses a reparent, with and without other changes", () => {
    const { world, cockpit, hold, station } = fleet();

    expect(refusalOf(world, () => add(world, cockpit, ChildOf(station))).code).toBe("name-taken");
    expect(refusalOf(world, () => add(world, cockpit, ChildOf(station), Frozen)).code).toBe("name-taken");
    expect(refusalOf(world, () => add(world, hold, ChildOf(station), Name("Cockpit"))).code).toBe(
      "name-taken",
    );
    expect(lookup(world, "Ship::Cockpit")).toBe(cockpit);
  });

  it("refuses a first parent to a root", () => {
    const { world, ship, buoy } = fleet();

    expect(refusalOf(world, () => add(world, buoy, ChildOf(ship))).code).toBe("name-taken");
    expect(lookup(world, "Cockpit")).toBe(buoy);
  });

  it("refuses to unparent", () => {
    const { world, ship, cockpit } = fleet();

    expect(refusalOf(world, () => remove(world, cockpit, ChildOf(Any))).code).toBe("name-taken");
    expect(refusalOf(world, () => remove(world, cockpit, ChildOf(ship))).code).toBe("name-taken");
  });

  it("is reported with the entity that has it and what to do", () => {
    const { world, ship, station, cockpit, dock, buoy } = fleet();

    expect(refusalOf(world, () => add(world, cockpit, ChildOf(station))).message).toBe(
      `"Cockpit" is taken among the children of Station: Station::Cockpit (#${indexOf(dock)}) has it; ` +
        "choose another name, or rename that one first",
    );
    expect(refusalOf(world, () => spawn(world, Name("Cockpit"))).message).toContain(
      `"Cockpit" is taken among the roots: Cockpit (#${indexOf(buoy)}) has it`,
    );
    remove(world, ship, Name);
    expect(refusalOf(world, () => spawn(world, Name("Hold"), ChildOf(ship))).message).toContain(
      `among the children of #${indexOf(ship)}: #${indexOf(ship)}::Hold`,
    );
  });
});

describe("a bad name", () => {
  it.each(["", undefined, null, 7, true, {}, []])("%j is refused by every verb", (name) => {
    const { world, ship, hold } = fleet();
    const bad = name as string;
    const unnamed = spawn(world);

    for (const change of [
      () => spawn(world, Name(bad), ChildOf(ship)),
      () => spawnMany(world, 2, Name(bad)),
      () => set(world, hold, Name, bad),
      () => set(world, unnamed, Name, bad),
      () => rename(world, hold, bad),
      () => rename(world, unnamed, bad),
      () => add(world, unnamed, Name(bad)),
    ]) {
      expect(refusalOf(world, change).code).toBe("bad-name");
    }
  });

  it("is no name at all where there was none", () => {
    const world = createWorld();
    const unnamed = spawn(world);

    expect(refusalOf(world, () => spawn(world, Name as never)).code).toBe("bad-name");
    expect(refusalOf(world, () => add(world, unnamed, Name)).code).toBe("bad-name");
  });

  it("given twice is refused before it is checked", () => {
    const world = createWorld();

    expect(refusalOf(world, () => spawn(world, Name("a"), Name("b"))).code).toBe("bad-term");
  });
});
