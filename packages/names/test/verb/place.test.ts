import { add, createWorld, defer, entityOf, observe, release, spawn, withHooks } from "@treeline/core";
import { destroyAll, indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  Alias,
  configureNames,
  ensurePath,
  lookup,
  Name,
  pathOf,
  place,
  withScope,
} from "../../src/index.ts";
import { Any, ChildOf, component, Disabled, f32, Parent } from "../definitions.ts";
import { codeOf, fleet, refusalOf } from "../fleet.ts";
import { dump, get, has, isAlive, parentOf, stats, verify } from "../reading.ts";

const Position = component("Position", { x: f32 });

describe("place", () => {
  it("names an entity and makes it a child, and keeps the rest of it", () => {
    const { world, ship } = fleet();
    const gun = spawn(world, Position({ x: 3 }));
    const barrel = spawn(world, ChildOf(gun));

    place(world, gun, "Ship::Gun");

    expect([pathOf(world, gun), parentOf(world, gun), parentOf(world, barrel)]).toEqual([
      "Ship::Gun",
      ship,
      gun,
    ]);
    expect(get(world, gun, Position)).toEqual({ x: 3 });
    expect(verify(world)).toEqual([]);
  });

  it("makes a root of a child for a path of one step", () => {
    const { world, hold } = fleet();

    place(world, hold, "Cellar");

    expect([parentOf(world, hold), lookup(world, "Cellar"), lookup(world, "Ship::Hold")]).toEqual([
      undefined,
      hold,
      undefined,
    ]);
  });

  it("begins at from, at the scope, or at the roots for a leading separator", () => {
    const { world, ship, station } = fleet();
    const [one, other, third] = [spawn(world), spawn(world), spawn(world)];

    place(world, one, "Gun", { from: ship });
    withScope(world, station, () => place(world, other, "Gun"));
    withScope(world, station, () => place(world, third, "/Gun", { separator: "/" }));

    expect([one, other, third].map((entity) => pathOf(world, entity))).toEqual([
      "Ship::Gun",
      "Station::Gun",
      "Gun",
    ]);
  });

  it("creates the ancestors that are missing, with a name and a parent and nothing else", () => {
    const { world, ship } = fleet();
    const gun = spawn(world);

    place(world, gun, "Ship::Turrets::Left::Gun", { storage: Parent });

    const left = parentOf(world, gun)!;
    expect(pathOf(world, gun)).toBe("Ship::Turrets::Left::Gun");
    expect(parentOf(world, parentOf(world, left)!)).toBe(ship);
    expect([gun, left].map((entity) => [has(world, entity, Parent(Any)), has(world, entity, Name)])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(stats(world).entities).toBe(9);
    expect(verify(world)).toEqual([]);
  });

  it("keeps the storage of the present parent unless one is given", () => {
    const { world, ship, station } = fleet();
    const gun = spawn(world, Parent(ship));
    const other = spawn(world, Parent(ship));

    place(world, gun, "Station::New::Gun");
    place(world, other, "Station::Other", { storage: ChildOf });

    expect([has(world, gun, Parent(Any)), has(world, parentOf(world, gun)!, Parent(Any))]).toEqual([
      true,
      false,
    ]);
    expect([has(world, other, Parent(Any)), parentOf(world, other)]).toEqual([false, station]);
  });

  it("takes lists of names, aliases at the beginning and steps by index", () => {
    const { world, ship, cockpit } = fleet();
    add(world, ship, Alias("Flagship"));
    const [one, other, third] = [spawn(world), spawn(world), spawn(world)];

    place(world, one, ["Ship", "a/b"]);
    place(world, other, "Flagship::Gun");
    place(world, third, `#${indexOf(cockpit)}::Seat`);

    expect([one, other, third].map((entity) => pathOf(world, entity))).toEqual([
      "Ship::a/b",
      "Ship::Gun",
      "Ship::Cockpit::Seat",
    ]);
  });

  it("changes nothing, and notifies no observer, if the entity is there already", () => {
    const { world, cockpit, ship } = fleet();
    const bone = spawn(world, Name("Bone"), Parent(ship));
    const before = dump(world);
    const seen: string[] = [];
    observe(world, { set: Name, added: ChildOf, removed: ChildOf }, ({ kind }) => seen.push(kind));

    place(world, cockpit, "Ship::Cockpit");
    place(world, bone, "Ship::Bone");

    expect([dump(world), seen]).toEqual([before, []]);
  });

  it("only renames, or only reparents, where the other is right already", () => {
    const { world, cockpit, hold } = fleet();
    const seen: string[] = [];
    observe(world, { set: Name, added: ChildOf, removed: ChildOf }, ({ kind, entity }) =>
      seen.push(`${kind} ${pathOf(world, entity)}`),
    );

    place(world, cockpit, "Ship::Bridge");
    place(world, hold, "Station::Hold");

    expect(seen).toEqual(["set Ship::Bridge", "removed Ship::Hold", "added Station::Hold"]);
  });

  it("is one change to observers: they see the new name at the new place", () => {
    const { world, hold } = fleet();
    const seen: string[] = [];
    observe(world, { set: Name }, ({ entity }) => seen.push(`set ${pathOf(world, entity)}`));
    observe(world, { added: ChildOf }, ({ entity }) => seen.push(`added ${pathOf(world, entity)}`));

    place(world, hold, "Station::Cellar");

    expect(seen).toEqual(["added Station::Cellar", "set Station::Cellar"]);
  });

  it("may exchange the names of siblings by way of a third name", () => {
    const { world, cockpit, hold } = fleet();

    place(world, cockpit, "Ship::x");
    place(world, hold, "Ship::Cockpit");
    place(world, cockpit, "Ship::Hold");

    expect([lookup(world, "Ship::Hold"), lookup(world, "Ship::Cockpit")]).toEqual([cockpit, hold]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps rows disabled below a tree that is", () => {
    const { world, ship } = fleet();
    const gun = spawn(world, Disabled);

    place(world, gun, "Ship::Gun");

    expect(has(world, gun, Disabled)).toBe(true);
    expect(parentOf(world, gun)).toBe(ship);
  });

  it("gives a suffix, or shares the name, as the world is configured", () => {
    const { world, hold, cockpit } = fleet();

    configureNames(world, { collisions: "suffix" });
    place(world, hold, "Ship::Cockpit");
    expect(get(world, hold, Name)).toBe("Cockpit (2)");

    configureNames(world, { collisions: "allow" });
    place(world, hold, "Ship::Cockpit");
    expect([get(world, hold, Name), lookup(world, "Ship::Cockpit")]).toEqual(["Cockpit", cockpit]);
  });
});

describe("place refuses without a trace", () => {
  const Picky = withHooks(component("Picky", { x: f32 }), {
    check: (_world, _entity, _value, parent) => {
      if (parent !== undefined) throw new Error("no parents");
    },
  });
  const cases: [string, string, (all: ReturnType<typeof fleet>) => void][] = [
    ["a name that a sibling has", "name-taken", ({ world, hold }) => place(world, hold, "Ship::Cockpit")],
    ["a name that a root has", "name-taken", ({ world, hold }) => place(world, hold, "Station")],
    ["a path through the entity", "cycle", ({ world, ship }) => place(world, ship, "Ship::Gun")],
    ["a path through a child", "cycle", ({ world, ship }) => place(world, ship, "Ship::Hold::New::Gun")],
    ["an empty path", "bad-path", ({ world, ship }) => place(world, ship, "")],
    [
      "an empty path from an entity",
      "bad-path",
      ({ world, hold, ship }) => place(world, hold, "", { from: ship }),
    ],
    ["an empty list", "bad-path", ({ world, ship }) => place(world, ship, [])],
    ["an empty step", "bad-path", ({ world, hold }) => place(world, hold, "New::::Gun")],
    ["an index at the end", "bad-path", ({ world, hold }) => place(world, hold, `Ship::#${indexOf(hold)}`)],
    ["an index that no entity has", "bad-path", ({ world, hold }) => place(world, hold, "New::#999::Gun")],
    ["the roots themselves", "bad-path", ({ world, hold }) => place(world, hold, "#0")],
    ["a separator", "bad-path", ({ world, hold }) => place(world, hold, "a", { separator: "#" })],
    [
      "another storage",
      "bad-term",
      ({ world, hold }) => place(world, hold, "a", { storage: Picky as never }),
    ],
  ];
  for (const [what, code, change] of cases) {
    it(`${what}: ${code}`, () => {
      const all = fleet();
      expect(refusalOf(all.world, () => change(all)).code).toBe(code);
    });
  }

  it("a dead entity, and a dead from: dead-entity", () => {
    const { world, hold, cockpit } = fleet();
    destroyAll(world, [indexOf(hold)]);

    expect(refusalOf(world, () => place(world, hold, "a")).code).toBe("dead-entity");
    expect(refusalOf(world, () => place(world, cockpit, "a", { from: hold })).code).toBe("dead-entity");
  });

  it("a builtin below ancestors that are missing, as below others: refused", () => {
    const { world } = fleet();
    const builtin = entityOf(world, Parent);
    spawn(world, ChildOf(builtin));

    expect(refusalOf(world, () => place(world, builtin, "New::Builtin")).code).toBe("refused");
    expect(refusalOf(world, () => place(world, builtin, "Ship::Builtin")).code).toBe("refused");
  });

  it("what a hook of another component refuses, ancestors included", () => {
    const { world } = fleet();
    const gun = spawn(world, Picky({ x: 1 }));
    const { entities } = stats(world);

    expect(() => place(world, gun, "Ship::New::Newer::Gun")).toThrow("no parents");

    expect([stats(world).entities, lookup(world, "Ship::New"), has(world, gun, Name)]).toEqual([
      entities,
      undefined,
      false,
    ]);
    expect(verify(world)).toEqual([]);
  });
});

describe("place inside an iteration", () => {
  it("is deferred to the end, and sees what was changed before it", () => {
    const { world, hold } = fleet();

    const gun = defer(world, () => {
      const spawned = spawn(world);
      ensurePath(world, "Ship::Turret");
      place(world, spawned, "Ship::Turret::Gun");
      place(world, hold, "Ship::Turret::New::Hold");
      expect(pathOf(world, hold)).toBe("Ship::Hold");
      return spawned;
    });

    expect([gun, hold].map((entity) => pathOf(world, entity))).toEqual([
      "Ship::Turret::Gun",
      "Ship::Turret::New::Hold",
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("refuses bad paths and dead entities at once, and the rest at the end without a trace", () => {
    const { world, hold, cockpit } = fleet();
    const before = dump(world);
    let late: string | undefined = "nothing was thrown";

    late = codeOf(() =>
      defer(world, () => {
        expect(codeOf(() => place(world, hold, ""))).toBe("bad-path");
        place(world, hold, "Ship::Cockpit");
        place(world, cockpit, "Ship::Cockpit::New::Seat");
      }),
    );

    expect([late, dump(world)]).toEqual(["name-taken", before]);
    expect(verify(world)).toEqual([]);
  });

  it("destroys the entity, or leaves it, if from is destroyed before the end", () => {
    const outcomes = (["destroy", "drop"] as const).map((ifParentDestroyed) => {
      const world = createWorld({ ifParentDestroyed });
      const ship = spawn(world, Name("Ship"));
      const gun = spawn(world, Name("Gun"));
      defer(world, () => {
        release(world, ship);
        place(world, gun, "New::Gun", { from: ship });
      });
      return [isAlive(world, gun), stats(world).entities];
    });

    expect(outcomes).toEqual([
      [false, 0],
      [true, 1],
    ]);
  });

  it("is dropped for an entity that is destroyed before the end", () => {
    const { world, buoy } = fleet();

    defer(world, () => {
      release(world, buoy);
      place(world, buoy, "New::Buoy");
    });

    expect([isAlive(world, buoy), lookup(world, "New")]).toEqual([false, undefined]);
  });

  it("throws iterating in a strict world", () => {
    const world = createWorld({ strict: true });
    const gun = spawn(world);

    expect(codeOf(() => defer(world, () => place(world, gun, "Gun")))).toBe("iterating");
    expect(has(world, gun, Name)).toBe(false);
  });
});
