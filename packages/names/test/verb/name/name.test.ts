import { add, createWorld, defer, pack, release, remove, set, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { lookup, Name, pathOf, rename } from "../../../src/index.ts";
import { Any, ChildOf, component, f32, relation, tag } from "../../definitions.ts";
import { fleet, refusalOf } from "../../fleet.ts";
import { describeEntity, dump, get, has, parentOf, verify } from "../../reading.ts";

const Position = component("Position", { x: f32, y: f32 });
const Frozen = tag("Frozen");
const Likes = relation("Likes");

describe("Name", () => {
  it("is read and matched like any component", () => {
    const { world, ship } = fleet();

    expect(get(world, ship, Name)).toBe("Ship");
    expect(has(world, ship, Name)).toBe(true);
    expect(has(world, spawn(world), Name)).toBe(false);
  });

  it("may be given first, last, or together with a parent", () => {
    const { world, station } = fleet();

    const nameFirst = spawn(world, Name("a"));
    add(world, nameFirst, ChildOf(station));
    const parentFirst = spawn(world, ChildOf(station));
    add(world, parentFirst, Name("b"));
    const together = spawn(world, Position);
    add(world, together, ChildOf(station), Name("c"), Frozen);

    expect(["a", "b", "c"].map((name) => lookup(world, `Station::${name}`))).toEqual([
      nameFirst,
      parentFirst,
      together,
    ]);
    expect(lookup(world, "a")).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });

  it("may be any string that is not empty", () => {
    const world = createWorld();
    for (const name of ["__proto__", "constructor", "0", "undefined", "\0", "\ud800", "x".repeat(100_000)]) {
      const entity = spawn(world, Name(name));
      expect(lookup(world, name)).toBe(entity);
    }
    expect(verify(world)).toEqual([]);
  });

  it("stays through every other change of its entity", () => {
    const { world, ship, cockpit, hold } = fleet();

    add(world, cockpit, Position({ x: 1 }), Frozen, Likes(hold));
    remove(world, cockpit, Frozen);
    pack(world);
    remove(world, cockpit, Likes(Any));

    expect(lookup(world, "Ship::Cockpit")).toBe(cockpit);
    expect(parentOf(world, cockpit)).toBe(ship);
    expect(verify(world)).toEqual([]);
  });

  it("stays when it is added again without a value", () => {
    const { world, cockpit, station, dock } = fleet();
    rename(world, dock, "Dock");

    add(world, cockpit, Name);
    add(world, cockpit, Name, ChildOf(station));

    expect(pathOf(world, cockpit)).toBe("Station::Cockpit");
    expect(verify(world)).toEqual([]);
  });
});

describe("a reparent", () => {
  it("moves the name and all below to another scope", () => {
    const { world, cockpit, hold } = fleet();
    const seat = spawn(world, Name("Seat"), ChildOf(cockpit));

    add(world, cockpit, ChildOf(hold));

    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(lookup(world, "Ship::Hold::Cockpit")).toBe(cockpit);
    expect(lookup(world, "Ship::Hold::Cockpit::Seat")).toBe(seat);
    expect(verify(world)).toEqual([]);
  });

  it("to the same parent changes nothing", () => {
    const { world, ship, cockpit } = fleet();

    add(world, cockpit, ChildOf(ship));
    add(world, cockpit, ChildOf(ship), Frozen);

    expect(lookup(world, "Ship::Cockpit")).toBe(cockpit);
    expect(verify(world)).toEqual([]);
  });

  it("may end at the roots, and start there", () => {
    const { world, ship, hold } = fleet();

    remove(world, hold, ChildOf(Any));
    expect(lookup(world, "Hold")).toBe(hold);
    expect(lookup(world, "Ship::Hold")).toBeUndefined();

    add(world, hold, ChildOf(ship));
    expect(lookup(world, "Hold")).toBeUndefined();
    remove(world, hold, ChildOf(ship));
    expect(lookup(world, "Hold")).toBe(hold);
    expect(verify(world)).toEqual([]);
  });

  it("may change the name at once, and so move to where the old one is taken", () => {
    const { world, cockpit, station } = fleet();

    add(world, cockpit, ChildOf(station), Name("Bridge"));

    expect(lookup(world, "Station::Bridge")).toBe(cockpit);
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });

  it("moves entities without a name as usual", () => {
    const { world, ship, station } = fleet();
    const crate = spawn(world, ChildOf(ship));

    add(world, crate, ChildOf(station));

    expect(pathOf(world, crate)).toBe(`Station::#${indexOf(crate)}`);
  });
});

describe("rename", () => {
  it("sets another name, or a first one", () => {
    const { world, ship, cockpit } = fleet();
    const crate = spawn(world, ChildOf(ship));

    rename(world, cockpit, "Bridge");
    rename(world, crate, "Crate");

    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(lookup(world, "Ship::Bridge")).toBe(cockpit);
    expect(lookup(world, "Ship::Crate")).toBe(crate);
    expect(verify(world)).toEqual([]);
  });

  it("is what set does as well", () => {
    const { world, cockpit } = fleet();

    set(world, cockpit, Name, "Bridge");

    expect(lookup(world, "Ship::Bridge")).toBe(cockpit);
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
  });

  it("to the same name changes nothing", () => {
    const { world, cockpit } = fleet();

    rename(world, cockpit, "Cockpit");
    set(world, cockpit, Name, "Cockpit");
    add(world, cockpit, Name("Cockpit"));

    expect(lookup(world, "Ship::Cockpit")).toBe(cockpit);
    expect(verify(world)).toEqual([]);
  });

  it("lets two siblings swap names through a third", () => {
    const { world, cockpit, hold } = fleet();

    rename(world, cockpit, "free");
    rename(world, hold, "Cockpit");
    rename(world, cockpit, "Hold");

    expect(lookup(world, "Ship::Cockpit")).toBe(hold);
    expect(lookup(world, "Ship::Hold")).toBe(cockpit);
    expect(verify(world)).toEqual([]);
  });

  it("refuses an entity that is not alive", () => {
    const { world, hold } = fleet();
    release(world, hold);

    expect(refusalOf(world, () => rename(world, hold, "Hull")).code).toBe("dead-entity");
    expect(refusalOf(world, () => rename(world, hold, "")).code).toBe("dead-entity");
  });

  it("sets another name inside an iteration at once, and a first one at its end", () => {
    const { world, cockpit } = fleet();
    const crate = spawn(world);

    defer(world, () => {
      rename(world, cockpit, "Bridge");
      expect(lookup(world, "Ship::Bridge")).toBe(cockpit);
      rename(world, crate, "Crate");
      expect(lookup(world, "Crate")).toBeUndefined();
    });

    expect(lookup(world, "Crate")).toBe(crate);
  });

  it("refuses a first name inside an iteration of a strict world", () => {
    const world = createWorld({ strict: true });
    const [ship, crate] = [spawn(world, Name("Ship")), spawn(world)];

    defer(world, () => {
      rename(world, ship, "Boat");
      expect(refusalOf(world, () => rename(world, crate, "Crate")).code).toBe("iterating");
    });

    expect(lookup(world, "Boat")).toBe(ship);
  });
});

describe("messages", () => {
  it("call entities by their paths once names are in use", () => {
    const { world, cockpit } = fleet();
    const other = createWorld();
    const crate = spawn(world);

    expect(world.textOf(world, cockpit)).toBe("Ship::Cockpit");
    expect(world.textOf(world, crate)).toBe(`#${indexOf(crate)}`);
    expect(describeEntity(world, cockpit)).toContain("Ship::Cockpit (#");
    expect(dump(world)).toContain("Ship::Hold");
    expect(refusalOf(world, () => add(world, cockpit, ChildOf(cockpit))).message).toContain("Ship::Cockpit");
    expect(other.textOf(other, spawn(other))).toBe("#1");
  });

  it("call entities without a name by their index, behind the names above them, and destroyed ones as before", () => {
    const { world, cockpit, hold } = fleet();

    remove(world, cockpit, Name);
    release(world, hold);

    const nameless = spawn(world);
    expect(world.textOf(world, cockpit)).toBe(`Ship::#${indexOf(cockpit)}`);
    expect(world.textOf(world, nameless)).toBe(`#${indexOf(nameless)}`);
    expect(world.textOf(world, hold)).toBe(`#${indexOf(hold)}`);
  });

  it("leave out the middle of long paths and long names", () => {
    const world = createWorld();
    let last = spawn(world, Name("n0"));
    for (let depth = 1; depth < 20_000; depth++) last = spawn(world, Name(`n${depth}`), ChildOf(last));
    const long = spawn(world, Name(`${"a".repeat(500)}${"b".repeat(500)}`));

    const tail = [19_994, 19_995, 19_996, 19_997, 19_998, 19_999].map((depth) => `n${depth}`).join("::");
    expect(world.textOf(world, last)).toBe(`n0::n1::n2::n3::n4::n5::...::${tail}`);
    expect(world.textOf(world, long)).toBe(`${"a".repeat(30)}...${"b".repeat(30)}`);
  });
});
