import { add, ChildOf, createWorld, type Entity, release, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, configureNames, lookup, Name, pathOf, withScope } from "../../src/index.ts";
import { codeOf, fleet } from "../fleet.ts";

describe("the empty path", () => {
  it("is the entity it starts from, as text and as list", () => {
    const { world, ship } = fleet();

    expect(lookup(world, "", { from: ship })).toBe(ship);
    expect(lookup(world, [], { from: ship })).toBe(ship);
  });

  it("is that entity upwards too, and not one above it", () => {
    const { world, cockpit } = fleet();

    expect(lookup(world, "", { from: cockpit, upwards: true })).toBe(cockpit);
  });

  it("is refused without a start, also inside withScope", () => {
    const { world, ship } = fleet();

    for (const path of ["", []]) {
      expect(codeOf(() => lookup(world, path))).toBe("bad-path");
      expect(codeOf(() => lookup(world, path, { upwards: true, search: [ship] }))).toBe("bad-path");
      expect(codeOf(() => withScope(world, ship, () => lookup(world, path)))).toBe("bad-path");
    }
  });

  it("does not return a destroyed entity", () => {
    const { world, hold } = fleet();
    release(world, hold);

    expect(codeOf(() => lookup(world, "", { from: hold }))).toBe("dead-entity");
  });
});

describe("extra separators", () => {
  it.each(["Ship::", "Ship::Cockpit::"])("at the end are not ignored: %j is refused", (path) => {
    const { world } = fleet();

    expect(codeOf(() => lookup(world, path))).toBe("bad-path");
  });

  it.each(["Ship::::Cockpit", "::::Ship", "::", "::::"])("leave an empty step: %j is refused", (path) => {
    const { world, ship } = fleet();

    expect(codeOf(() => lookup(world, path))).toBe("bad-path");
    expect(codeOf(() => lookup(world, path, { from: ship }))).toBe("bad-path");
  });
});

describe("a leading separator", () => {
  it("starts at the roots whatever the scope and from", () => {
    const { world, ship, cockpit, buoy } = fleet();

    expect(lookup(world, "::Cockpit", { from: ship })).toBe(buoy);
    expect(withScope(world, ship, () => lookup(world, "::Cockpit"))).toBe(buoy);
    expect(withScope(world, ship, () => lookup(world, "Cockpit"))).toBe(cockpit);
    expect(lookup(world, "/Cockpit", { from: ship, separator: "/" })).toBe(buoy);
  });

  it("is a part of the name when another separator is meant", () => {
    const world = createWorld();
    const odd = spawn(world, Name("::Ship"));

    expect(lookup(world, "::Ship", { separator: "." })).toBe(odd);
    expect(lookup(world, "::Ship")).toBeUndefined();
  });
});

describe("a value that is not a path", () => {
  it.each([null, undefined, 7, true, {}, new Set(["Ship"]), Symbol("Ship")])("is refused: %s", (path) => {
    const { world, ship } = fleet();

    expect(codeOf(() => lookup(world, path as string))).toBe("bad-path");
    expect(codeOf(() => lookup(world, path as string, { from: ship, upwards: true }))).toBe("bad-path");
  });

  it("is a list with anything but names, which is reported with its place", () => {
    const { world } = fleet();

    expect(() => lookup(world, ["Ship", 7 as unknown as string])).toThrow("step 1 (from 0) of the path");
    expect(() => lookup(world, ["Ship", "", "x"])).toThrow("step 1 (from 0) of the path is empty");
    expect(codeOf(() => lookup(world, ["Missing", ""]))).toBe("bad-path");
  });
});

describe("a path as list", () => {
  it("uses names as they are: without separators, escapes or indexes", () => {
    const { world, ship } = fleet();
    const names = ["a::b", "\\", "#1", "::", "**", "\\#1"];
    const odd = names.map((name) => spawn(world, Name(name), ChildOf(ship)));

    expect(names.map((name) => lookup(world, ["Ship", name]))).toEqual(odd);
    expect(lookup(world, ["Ship", `#${indexOf(odd[0]!)}`])).toBeUndefined();
    expect(lookup(world, ["Ship::a::b"])).toBeUndefined();
  });

  it("finds an alias by its first name, and by no other", () => {
    const { world, ship, hold } = fleet();
    add(world, hold, Alias("Store"));

    expect(lookup(world, ["Store"])).toBe(hold);
    expect(lookup(world, ["Ship", "Store"])).toBeUndefined();
    expect(lookup(world, ["Store"], { from: ship })).toBeUndefined();
  });

  it("is read whatever the separator is", () => {
    const { world, hold } = fleet();
    configureNames(world, { separator: "Ship" });

    expect(lookup(world, ["Ship", "Hold"])).toBe(hold);
  });
});

describe("a step #index", () => {
  it("as the first one from the roots is the entity with that index, at whatever depth, named or not", () => {
    const { world, cockpit, hold } = fleet();
    const crate = spawn(world, ChildOf(hold));

    for (const entity of [cockpit, hold, crate]) {
      expect(lookup(world, `#${indexOf(entity)}`)).toBe(entity);
      expect(lookup(world, `::#${indexOf(entity)}`, { from: cockpit })).toBe(entity);
    }
    expect(lookup(world, `#${indexOf(crate)}`, { from: cockpit, upwards: true })).toBe(crate);
  });

  it("later, or from an entity, is a child of the one before", () => {
    const { world, ship, cockpit, station, dock } = fleet();

    expect(lookup(world, `Ship::#${indexOf(cockpit)}`)).toBe(cockpit);
    expect(lookup(world, `#${indexOf(cockpit)}`, { from: ship })).toBe(cockpit);
    expect(lookup(world, `Ship::#${indexOf(dock)}`)).toBeUndefined();
    expect(lookup(world, `#${indexOf(ship)}`, { from: station })).toBeUndefined();
    expect(withScope(world, station, () => lookup(world, `#${indexOf(ship)}`))).toBeUndefined();
  });

  it("is the entity that has the index now, not the one that had it before", () => {
    const world = createWorld();
    const first = spawn(world);
    const path = pathOf(world, first);
    release(world, first);
    expect(lookup(world, path)).toBeUndefined();

    let later = spawn(world);
    for (let round = 0; indexOf(later) !== indexOf(first) && round < 10_000; round++) {
      release(world, later);
      later = spawn(world);
    }

    expect([indexOf(later), later === first]).toEqual([indexOf(first), false]);
    expect(lookup(world, path)).toBe(later);
  });

  it("with leading zeros is a name: an index is written in one way", () => {
    const { world, ship } = fleet();

    expect(lookup(world, `#00${indexOf(ship)}`)).toBeUndefined();
    const odd = ["#00", "#01"].map((name) => spawn(world, Name(name)));
    expect(["#00", "#01"].map((name) => lookup(world, name))).toEqual(odd);
  });

  it("with anything but digits behind it is a name", () => {
    const { world } = fleet();
    const names = ["#12x", "#", "##", "# 1", "#-1", "#1.0", "#1e1", "#0x1"];
    const entities = names.map((name) => spawn(world, Name(name)));

    expect(names.map((name) => lookup(world, name))).toEqual(entities);
  });

  it("without its # is a name: 12 is not an index", () => {
    const { world, ship } = fleet();

    expect(lookup(world, `${indexOf(ship)}`)).toBeUndefined();
    const twelve = spawn(world, Name("12"));
    expect(lookup(world, "12")).toBe(twelve);
  });
});

describe("the step #0", () => {
  it("in front means the roots, with and without a leading separator", () => {
    const { world, ship, hold } = fleet();

    expect(lookup(world, "#0::Ship::Hold")).toBe(hold);
    expect(lookup(world, "::#0::Ship", { from: hold })).toBe(ship);
    expect(lookup(world, "#0/Ship", { separator: "/" })).toBe(ship);
    expect(lookup(world, `#0::#${indexOf(hold)}`)).toBe(hold);
  });

  it("alone is undefined: the roots have no entity", () => {
    const { world } = fleet();

    expect(lookup(world, "#0")).toBeUndefined();
    expect(lookup(world, "::#0")).toBeUndefined();
    expect(codeOf(() => lookup(world, "#0::"))).toBe("bad-path");
  });

  it("elsewhere is undefined", () => {
    const { world, ship } = fleet();

    expect(lookup(world, "Ship::#0")).toBeUndefined();
    expect(lookup(world, "#0::#0::Ship")).toBeUndefined();
    expect(lookup(world, "#0::Ship", { from: ship })).toBeUndefined();
    expect(lookup(world, "#00::Ship")).toBeUndefined();
  });

  it("upwards is reached with the roots", () => {
    const { world, ship, hold } = fleet();

    expect(lookup(world, "#0::Ship", { from: hold, upwards: true })).toBe(ship);
  });

  it("finds aliases as the roots do", () => {
    const { world, hold } = fleet();
    add(world, hold, Alias("Store"));

    expect(lookup(world, "#0::Store")).toBe(hold);
    expect(lookup(world, "Ship::Store")).toBeUndefined();
  });

  it("is a name when it is escaped", () => {
    const world = createWorld();
    const zero = spawn(world, Name("#0"));
    const below = spawn(world, Name("Ship"), ChildOf(zero));

    expect(lookup(world, "\\#0::Ship")).toBe(below);
    expect([lookup(world, pathOf(world, zero)), lookup(world, ["#0", "Ship"])]).toEqual([zero, below]);
  });
});

describe("words with a special meaning elsewhere", () => {
  it.each([".", "..", "*", "**", "?", "_", "$", "this", "~", "/", "__proto__"])(
    "are names here: %j finds the entity with that name",
    (name) => {
      const { world, ship } = fleet();

      expect(lookup(world, name)).toBeUndefined();
      const entity = spawn(world, Name(name), ChildOf(ship));
      expect(lookup(world, name, { from: ship })).toBe(entity);
    },
  );
});

describe("a from of another world", () => {
  it("is not alive here, whatever the path", () => {
    const { world } = fleet();
    const other = spawn(createWorld());

    for (const path of ["Ship", "::Ship", "", [], ["Ship"]]) {
      expect(codeOf(() => lookup(world, path, { from: other as Entity, upwards: true }))).toBe("dead-entity");
    }
  });
});
