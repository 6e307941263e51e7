import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { add, createWorld, type Entity, observe, release, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  Alias,
  configureNames,
  ensurePath,
  escapeName,
  lookup,
  Name,
  pathOf,
  rename,
  withScope,
} from "../../src/index.ts";
import { Any, ChildOf, Parent, relation } from "../definitions.ts";
import { codeOf, fleet, refusalOf } from "../fleet.ts";
import { dump, get, has, isAlive, parentOf, stats, verify } from "../reading.ts";

describe("ensurePath", () => {
  it("creates every step that is missing, with a name and a parent and nothing else", () => {
    const world = createWorld();

    const gun = ensurePath(world, "Ship::Turret::Gun");

    expect(pathOf(world, gun)).toBe("Ship::Turret::Gun");
    expect(lookup(world, "Ship::Turret")).toBe(parentOf(world, gun));
    expect(stats(world).entities).toBe(3);
    expect(dump(world)).toBe(dump(plain()));
    expect(verify(world)).toEqual([]);
  });

  it("finds what is there, and creates nothing then", () => {
    const { world, cockpit } = fleet();
    const before = dump(world);

    expect(ensurePath(world, "Ship::Cockpit")).toBe(cockpit);
    expect(ensurePath(world, ["Ship", "Cockpit"])).toBe(cockpit);
    expect(ensurePath(world, "::Ship::Cockpit", { from: cockpit })).toBe(cockpit);
    expect(dump(world)).toBe(before);
  });

  it("continues from the last existing step", () => {
    const { world, cockpit } = fleet();

    const pedal = ensurePath(world, "Ship::Cockpit::Seat::Pedal");

    expect(parentOf(world, parentOf(world, pedal)!)).toBe(cockpit);
  });

  it("returns the same entity again", () => {
    const world = createWorld();

    const first = ensurePath(world, "a::b");

    expect([ensurePath(world, "a::b"), ensurePath(world, ["a", "b"])]).toEqual([first, first]);
  });

  it("begins at from, at the scope, or at the roots", () => {
    const { world, ship, station } = fleet();

    const below = ensurePath(world, "a", { from: ship });
    const inScope = withScope(world, station, () => ensurePath(world, "a::b"));
    const besides = withScope(world, station, () => ensurePath(world, "a", { from: ship }));
    const root = ensurePath(world, "a");

    expect([below, inScope, root].map((entity) => pathOf(world, entity))).toEqual([
      "Ship::a",
      "Station::a::b",
      "a",
    ]);
    expect(besides).toBe(below);
  });

  it("creates roots for a leading separator, also inside a scope", () => {
    const { world, ship } = fleet();

    const one = withScope(world, ship, () => ensurePath(world, "::a::b"));
    const other = ensurePath(world, "/c", { from: ship, separator: "/" });

    expect([one, other].map((entity) => pathOf(world, entity))).toEqual(["a::b", "c"]);
    expect(parentOf(world, other)).toBeUndefined();
  });

  it("is from itself for the empty path, and refuses it without from", () => {
    const { world, ship } = fleet();

    expect([ensurePath(world, "", { from: ship }), ensurePath(world, [], { from: ship })]).toEqual([
      ship,
      ship,
    ]);
    expect(refusalOf(world, () => ensurePath(world, "")).code).toBe("bad-path");
    expect(refusalOf(world, () => ensurePath(world, [])).code).toBe("bad-path");
    expect(refusalOf(world, () => withScope(world, ship, () => ensurePath(world, ""))).code).toBe("bad-path");
  });

  it("stores parents as requested, and leaves existing ones as they are", () => {
    const { world, hold, ship } = fleet();

    const crate = ensurePath(world, "Ship::Hold::Box::Crate", { storage: Parent });
    const other = ensurePath(world, "Ship::Hold::Bin::Crate", { storage: ChildOf });

    expect([has(world, crate, Parent(Any)), has(world, parentOf(world, crate)!, Parent(hold))]).toEqual([
      true,
      true,
    ]);
    expect([has(world, other, Parent(Any)), parentOf(world, parentOf(world, other)!)]).toEqual([false, hold]);
    expect([has(world, hold, Parent(Any)), parentOf(world, hold)]).toEqual([false, ship]);
    expect(parentOf(world, ensurePath(world, "Tug", { storage: Parent }))).toBeUndefined();
  });

  it("refuses another storage, also if nothing is missing", () => {
    const { world } = fleet();
    const storage = relation("Likes") as unknown as typeof ChildOf;

    expect(refusalOf(world, () => ensurePath(world, "a", { storage })).code).toBe("bad-term");
    expect(refusalOf(world, () => ensurePath(world, "Ship", { storage })).code).toBe("bad-term");
  });

  it("sets names without their escapes", () => {
    const world = createWorld();
    const names = ["a::b", "#12", "\\", ":", "x".repeat(5_000)];

    const last = ensurePath(world, names.map((name) => escapeName(name)).join("::"));

    expect(lookup(world, names)).toBe(last);
    expect(get(world, last, Name)).toBe("x".repeat(5_000));
  });

  it("uses a list as it is", () => {
    const world = createWorld();

    const last = ensurePath(world, ["a::b", "#12", "\\"]);

    expect([get(world, last, Name), pathOf(world, last)]).toEqual(["\\", "a\\:\\:b::\\#12::\\\\"]);
  });

  it("follows an alias in front, and creates no second entity of that name", () => {
    const { world, hold } = fleet();
    add(world, hold, Alias("Store"));

    expect(ensurePath(world, "Store")).toBe(hold);
    const crate = ensurePath(world, "Store::Crate");
    const box = ensurePath(world, "#0::Store::Box");

    expect([crate, box].map((entity) => pathOf(world, entity))).toEqual([
      "Ship::Hold::Crate",
      "Ship::Hold::Box",
    ]);
  });

  it("follows the first of several with one name", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const [first] = [0, 1].map(() => spawn(world, Name("Ship")));

    expect(parentOf(world, ensurePath(world, "Ship::Hold"))).toBe(first);
  });

  it("adds no suffixes: it finds the entity that has the name", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });

    expect(ensurePath(world, "a::b")).toBe(ensurePath(world, "a::b"));
    expect(stats(world).entities).toBe(2);
  });

  it("keeps no long path in memory through the names that were cut out of it", () => {
    const world = createWorld();
    const used = (): number => {
      setFlagsFromString("--expose-gc");
      runInNewContext("gc")();
      return process.memoryUsage().heapUsed;
    };
    const separator = "~".repeat(1_000_000);
    const before = used();

    for (let at = 0; at < 40; at++) {
      ensurePath(world, `root${separator}a name of some length ${at}`, { separator });
    }

    expect(stats(world).entities).toBe(41);
    expect(used() - before).toBeLessThan(20_000_000);
  });

  it("creates a chain of 10,000", () => {
    const world = createWorld();
    const names = Array.from({ length: 10_000 }, (_, depth) => `n${depth}`);

    const last = ensurePath(world, names);

    expect([lookup(world, names), stats(world).entities]).toEqual([last, 10_000]);
  });
});

function plain() {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"));
  const turret = spawn(world, Name("Turret"), ChildOf(ship));
  spawn(world, Name("Gun"), ChildOf(turret));
  return world;
}

describe("a step #index of ensurePath", () => {
  it("is the entity with that index, from the roots any entity, else a child", () => {
    const world = createWorld();
    const root = spawn(world);
    const child = spawn(world, ChildOf(root));

    const names = [
      ensurePath(world, `#${indexOf(root)}::a`),
      ensurePath(world, `#${indexOf(child)}::b`),
      ensurePath(world, `#0::#${indexOf(child)}::c`),
      ensurePath(world, `#${indexOf(child)}::d`, { from: root }),
    ];

    expect(names.map((entity) => parentOf(world, entity))).toEqual([root, child, child, child]);
  });

  it.each([
    "#4000",
    "#4000::a",
    "Ship::#4000",
    "new::#1",
    "new::newer::#4000::newest",
    "Ship::#0",
    "#0",
    "#0::#0::a",
  ])("that is unused refuses %j, and nothing is created", (path) => {
    const { world } = fleet();

    expect(refusalOf(world, () => ensurePath(world, path)).code).toBe("bad-path");
  });

  it("of an entity elsewhere or one that is not alive is refused too", () => {
    const { world, ship, dock, hold } = fleet();
    const destroyed = indexOf(hold);
    release(world, hold);

    expect(refusalOf(world, () => ensurePath(world, `Ship::#${indexOf(dock)}::a`)).code).toBe("bad-path");
    expect(refusalOf(world, () => ensurePath(world, `#${indexOf(dock)}::a`, { from: ship })).code).toBe(
      "bad-path",
    );
    expect(refusalOf(world, () => ensurePath(world, `Ship::#${destroyed}::a`)).code).toBe("bad-path");
    expect(() => ensurePath(world, "Ship::#4000::a")).toThrow("#4000");
  });

  it("#0 in front means the roots, where something may be created", () => {
    const { world, ship } = fleet();

    expect(ensurePath(world, "#0::Ship")).toBe(ship);
    expect(pathOf(world, ensurePath(world, "#0::Tug::Rope"))).toBe("Tug::Rope");
    expect(
      pathOf(
        world,
        withScope(world, ship, () => ensurePath(world, "::#0::Raft")),
      ),
    ).toBe("Raft");
  });

  it("in a list is a name", () => {
    const world = createWorld();

    expect(get(world, ensurePath(world, ["#4000"]), Name)).toBe("#4000");
    expect(lookup(world, "\\#4000")).toBeDefined();
  });
});

describe("a refused ensurePath creates nothing:", () => {
  it.each(["new::", "new::::newer", "new\\", "::", ["new", ""], ["new", 7], undefined, null, 7])(
    "the path %j",
    (path) => {
      const { world, ship } = fleet();

      expect(refusalOf(world, () => ensurePath(world, path as string)).code).toBe("bad-path");
      expect(refusalOf(world, () => ensurePath(world, path as string, { from: ship })).code).toBe("bad-path");
    },
  );

  it("a from that is not alive, and one of another world", () => {
    const { world, hold } = fleet();
    release(world, hold);

    for (const path of ["new", "::new", ""]) {
      expect(refusalOf(world, () => ensurePath(world, path, { from: hold })).code).toBe("dead-entity");
      expect(codeOf(() => ensurePath(world, path, { from: spawn(createWorld()) }))).toBe("dead-entity");
    }
  });
});

describe("observers of what ensurePath creates", () => {
  it("are notified of each spawn, parents first", () => {
    const { world } = fleet();
    const seen: string[] = [];
    observe(world, { added: Name }, ({ entity }) => seen.push(pathOf(world, entity)));

    ensurePath(world, "Ship::a::b");

    expect(seen).toEqual(["Ship::a", "Ship::a::b"]);
  });

  it("may release the last one: then its handle is stale", () => {
    const world = createWorld();
    observe(world, { added: Name }, ({ entity }) => release(world, entity));

    const gone = ensurePath(world, "a");

    expect([isAlive(world, gone), indexOf(gone) > 0, lookup(world, "a")]).toEqual([false, true, undefined]);
  });

  it("may throw: all are created, and the error is thrown in the end", () => {
    for (const bad of ["a", "b", "c"]) {
      const { world } = fleet();
      observe(world, { added: Name }, ({ entity }) => {
        if (get(world, entity, Name) === bad) throw new Error(`no ${bad}`);
      });

      expect(() => ensurePath(world, "Ship::a::b::c")).toThrow(`no ${bad}`);

      expect(lookup(world, "Ship::a::b::c")).toBeDefined();
      expect(verify(world)).toEqual([]);
    }
  });

  it("may rename what is created, and give its name to others, which stay alive", () => {
    const world = createWorld();
    const library = spawn(world, Name("Library"));
    observe(world, { added: Name }, ({ entity }) => {
      if (get(world, entity, Name) !== "a") return;
      rename(world, entity, "z");
      rename(world, library, "a");
      throw new Error("no");
    });

    expect(() => ensurePath(world, "a::b")).toThrow("no");

    expect([lookup(world, "a"), lookup(world, "z::b") !== undefined]).toEqual([library, true]);
    expect(verify(world)).toEqual([]);
  });

  it("may release one when all are created, unless it has children", () => {
    const world = createWorld();
    const stop = observe(world, { added: Name }, ({ entity }) => release(world, entity));

    expect(codeOf(() => ensurePath(world, "a::b"))).toBe("still-a-target");

    stop();
    expect([lookup(world, "a::b"), stats(world).entities]).toEqual([undefined, 1]);
    expect(pathOf(world, ensurePath(world, "a::b") as Entity)).toBe("a::b");
  });
});
