import { createWorld, type Entity, release, set, spawn, spawnMany, type World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { escapeName, lookup, Name, pathOf } from "../../src/index.ts";
import { ChildOf } from "../definitions.ts";
import { createDice, nameFrom } from "../dice.ts";
import { verify } from "../reading.ts";
import { startingAt } from "../starts.ts";

function fleet() {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"));
  const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
  const seat = spawn(world, Name("Seat"), ChildOf(cockpit));
  const station = spawn(world, Name("Station"));
  return { world, ship, cockpit, seat, station };
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
}

describe("lookup", () => {
  it("finds entities by path from the roots", () => {
    const { world, ship, seat } = fleet();

    expect(lookup(world, "Ship")).toBe(ship);
    expect(lookup(world, "Ship::Cockpit::Seat")).toBe(seat);
  });

  it("finds entities by path from another entity", () => {
    const { world, ship, cockpit, seat } = fleet();

    expect(lookup(world, "Seat", { from: cockpit })).toBe(seat);
    expect(lookup(world, "Cockpit::Seat", { from: ship })).toBe(seat);
    expect(lookup(world, "Ship", { from: ship })).toBeUndefined();
    expect(lookup(world, "Seat", { from: ship })).toBeUndefined();
  });

  it("starts at the roots when the path begins with ::, or when there is no start", () => {
    const { world, ship, cockpit, seat } = fleet();

    expect(lookup(world, "::Ship")).toBe(ship);
    expect(lookup(world, "::Ship::Cockpit::Seat", { from: cockpit })).toBe(seat);
    expect(lookup(world, "::Seat", { from: cockpit })).toBeUndefined();
    expect(lookup(world, "Ship", {})).toBe(ship);
  });

  it("returns undefined when a step is missing, wherever", () => {
    const { world } = fleet();

    for (const path of [
      "Boat",
      "Boat::Cockpit",
      "Ship::Hold",
      "Ship::Hold::Seat",
      "Ship::Cockpit::Seat::Leg",
      "ship",
    ]) {
      expect(lookup(world, path)).toBeUndefined();
    }
    expect(lookup(createWorld(), "Ship")).toBeUndefined();
  });

  it("keeps several worlds apart", () => {
    const one = createWorld();
    const other = createWorld();
    const inOne = spawn(one, Name("Ship"));
    expect(lookup(other, "Ship")).toBeUndefined();

    const inOther = spawn(other, Name("Ship"));

    expect(lookup(one, "Ship")).toBe(inOne);
    expect(lookup(other, "Ship")).toBe(inOther);
    release(one, inOne);
    expect(lookup(one, "Ship")).toBeUndefined();
    expect(lookup(other, "Ship")).toBe(inOther);
    expect([...verify(one), ...verify(other)]).toEqual([]);
  });

  it("finds names of any length, cut out of longer texts or put together", () => {
    const { world, ship } = fleet();
    const text = `(${"long ".repeat(50)})`;
    const hull = spawn(world, Name(text.slice(1, -1)), ChildOf(ship));

    expect(lookup(world, `Ship::${"long ".repeat(50)}`)).toBe(hull);
    expect(
      lookup(
        world,
        ["Sh", "ip", "::", "long ".repeat(50)].reduce((one, two) => one + two),
      ),
    ).toBe(hull);
  });
});

describe("a bad path", () => {
  it.each([
    "",
    "::",
    "::::Ship",
    "Ship::",
    "Ship::::Seat",
    "Ship::Cockpit::",
    "\\",
    "Ship\\",
    "Ship::Seat\\",
  ])("%j is refused", (path) => {
    const { world } = fleet();

    expect(codeOf(() => lookup(world, path))).toBe("bad-path");
  });

  it("is refused whatever entities the world has", () => {
    const { world } = fleet();

    for (const path of ["Boat::", "Boat::::a", "Boat::a::", "Boat::a\\", "#999::", "Bo\\at::a::"]) {
      expect(codeOf(() => lookup(world, path))).toBe("bad-path");
      expect(codeOf(() => lookup(createWorld(), path))).toBe("bad-path");
    }
  });

  it("is a value that is not a string", () => {
    const { world } = fleet();

    for (const path of [undefined, null, 7, {}, [], ["Ship", 7], ["Ship", ""]]) {
      expect(codeOf(() => lookup(world, path as unknown as string))).toBe("bad-path");
    }
  });

  it("is shown with the place", () => {
    const { world } = fleet();

    expect(() => lookup(world, "Ship::::Seat")).toThrow('"Ship::::Seat", character 6');
  });
});

describe("a start that is not alive", () => {
  it("is refused, also when the path begins with ::", () => {
    const { world, seat } = fleet();
    release(world, seat);

    for (const path of ["Leg", "::Ship"]) {
      expect(codeOf(() => lookup(world, path, { from: seat }))).toBe("dead-entity");
    }
    expect(codeOf(() => lookup(world, "Ship", { from: 0 as Entity }))).toBe("dead-entity");
    expect(codeOf(() => lookup(world, "Ship", { from: spawn(createWorld()) }))).toBe("dead-entity");
  });
});

describe("escapes", () => {
  it("make the next character literal, needed or not", () => {
    const { world, ship } = fleet();
    const odd = spawn(world, Name("a::b\\"), ChildOf(ship));

    for (const path of ["Ship::a\\:\\:b\\\\", "Ship::a\\::b\\\\", "\\S\\h\\i\\p::\\a:\\:b\\\\"]) {
      expect(lookup(world, path)).toBe(odd);
    }
    expect(lookup(world, "Ship::a::b")).toBeUndefined();
  });

  it("allow a single colon as it is", () => {
    const world = createWorld();
    const name = spawn(world, Name("a:b"));
    const border = spawn(world, Name(":a"));

    expect(lookup(world, "a:b")).toBe(name);
    expect(lookup(world, "a\\:b")).toBe(name);
    expect(lookup(world, ":a")).toBe(border);
  });

  it("find a literal name given by a user", () => {
    const { world, ship } = fleet();
    const name = "::Ship::Cockpit\\";
    const odd = spawn(world, Name(name), ChildOf(ship));

    expect(lookup(world, `Ship::${escapeName(name)}`)).toBe(odd);
    expect(lookup(world, escapeName(name), { from: ship })).toBe(odd);
  });
});

describe("a step #index", () => {
  function unnamed(): { world: World; root: Entity; ship: Entity; hold: Entity; crate: Entity } {
    const world = createWorld();
    const root = spawn(world);
    const ship = spawn(world, Name("Ship"), ChildOf(root));
    const hold = spawn(world, ChildOf(ship));
    const crate = spawn(world, Name("Crate"), ChildOf(hold));
    return { world, root, ship, hold, crate };
  }

  it("finds the entity for which pathOf writes it", () => {
    const { world, root, ship, hold, crate } = unnamed();

    for (const entity of [root, ship, hold, crate]) expect(lookup(world, pathOf(world, entity))).toBe(entity);
    expect(lookup(world, `#${indexOf(hold)}::Crate`, { from: ship })).toBe(crate);
  });

  it("finds no entity elsewhere, and none that is not alive", () => {
    const { world, root, ship, hold, crate } = unnamed();
    const step = (entity: Entity): string => `#${indexOf(entity)}`;

    expect(lookup(world, `${step(root)}::${step(hold)}`)).toBeUndefined();
    expect(lookup(world, step(hold), { from: root })).toBeUndefined();
    expect(lookup(world, step(root), { from: ship })).toBeUndefined();
    const path = pathOf(world, hold);
    release(world, crate);
    release(world, hold);
    expect(lookup(world, path)).toBeUndefined();
  });

  it("finds nothing for indexes that were never used", () => {
    const { world } = unnamed();

    for (const path of ["#0", "#4000", "#16777215", "#16777216", "#4294967297", `#${"9".repeat(400)}`]) {
      expect(lookup(world, path)).toBeUndefined();
      expect(lookup(createWorld(), path)).toBeUndefined();
    }
  });

  it("finds an entity with a name as well", () => {
    const { world, ship } = fleet();

    expect(lookup(world, `#${indexOf(ship)}`)).toBe(ship);
  });

  it("is a name when it is escaped, or is not all digits", () => {
    const { world, ship } = fleet();
    const literal = spawn(world, Name(`#${indexOf(ship)}`));
    const colour = spawn(world, Name("#12x"));
    const sharp = spawn(world, Name("#"));

    expect(lookup(world, `#${indexOf(ship)}`)).toBe(ship);
    expect(lookup(world, `\\#${indexOf(ship)}`)).toBe(literal);
    expect(lookup(world, pathOf(world, literal))).toBe(literal);
    expect([lookup(world, "#12x"), lookup(world, "\\#12x")]).toEqual([colour, colour]);
    expect([lookup(world, "#"), lookup(world, "\\#")]).toEqual([sharp, sharp]);
  });
});

const WALKS = Number(process.env.TREELINE_WALKS ?? 1);

describe("lookup and pathOf", () => {
  it("find the same entity from any names at any depth, named or not", () => {
    const dice = createDice(41);
    for (let round = 0; round < 50 * WALKS; round++) {
      const world = createWorld();
      const entities: Entity[] = [];
      for (let at = 0; at < 30; at++) {
        const parent = entities.length > 0 && dice.below(6) > 0 ? dice.pick(entities) : undefined;
        const entity = parent === undefined ? spawn(world) : spawn(world, ChildOf(parent));
        entities.push(entity);
        if (dice.below(6) === 0) continue;
        const name = nameFrom(dice);
        if (lookup(world, escapeName(name), startingAt(parent)) === undefined) set(world, entity, Name, name);
      }

      const paths = entities.map((entity) => pathOf(world, entity));

      expect(paths.map((path) => lookup(world, path))).toEqual(entities);
      expect(paths.map((path) => lookup(world, `::${path}`, { from: entities[0]! }))).toEqual(entities);
      expect(new Set(paths).size).toBe(entities.length);
      expect(verify(world)).toEqual([]);
    }
  });

  it("never find a child of a destroyed entity below an entity with the same index", () => {
    const world = createWorld();
    for (const entity of spawnMany(world, 5_001)) release(world, entity); // odd, so that parents follow parents
    const seen = new Set<number>();
    const wrong: number[] = [];
    let reused = 0;

    for (let round = 0; round < 3_000; round++) {
      const parent = spawn(world, Name("Parent"));
      if (lookup(world, "Parent::Child") !== undefined) wrong.push(round);
      const child = spawn(world, Name("Child"), ChildOf(parent));
      if (lookup(world, "Parent::Child") !== child) wrong.push(round);
      if (seen.has(indexOf(parent))) reused++;
      seen.add(indexOf(parent));
      release(world, child);
      release(world, parent);
    }

    expect(wrong).toEqual([]);
    expect(reused).toBeGreaterThan(0);
    expect(lookup(world, "Parent")).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });
});
