import type { Entity } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  createWorld,
  get,
  has,
  release,
  remove,
  set,
  spawn,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { escapeName, lookup, Name, pathOf, rename } from "@treeline/names";
import { destroy } from "@treeline/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, drawing, drawn, plant } from "./plant.ts";
import { refusalOf } from "./refusal.ts";

describe("lookup", () => {
  it("follows a reparent: the old path leads nowhere, the new one with all below it does (I15)", () => {
    const world = plant(`
      Station
      Ship
        Cockpit
          Seat
    `);
    const seat = at(world, "Ship::Cockpit::Seat");

    add(world, at(world, "Ship::Cockpit"), ChildOf(at(world, "Station")));

    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(lookup(world, "Ship::Cockpit::Seat")).toBeUndefined();
    expect(lookup(world, "Station::Cockpit::Seat")).toBe(seat);
    expect(pathOf(world, seat)).toBe("Station::Cockpit::Seat");
    expect(lookup(world, "Seat", { from: at(world, "Station::Cockpit") })).toBe(seat);
  });

  it("follows an unparent to the root scope, and back", () => {
    const world = plant(`
      Ship
        Cockpit
    `);
    const cockpit = at(world, "Ship::Cockpit");

    remove(world, cockpit, ChildOf(Any));
    expect(lookup(world, "Cockpit")).toBe(cockpit);
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();

    add(world, cockpit, ChildOf(at(world, "Ship")));
    expect(lookup(world, "Cockpit")).toBeUndefined();
    expect(lookup(world, "Ship::Cockpit")).toBe(cockpit);
  });

  it("follows a rename, by every verb that renames", () => {
    const world = plant(`
      Ship
        Cockpit
    `);
    const cockpit = at(world, "Ship::Cockpit");

    rename(world, cockpit, "Bridge");
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(lookup(world, "Ship::Bridge")).toBe(cockpit);

    set(world, cockpit, Name, "Deck");
    expect(lookup(world, "Ship::Bridge")).toBeUndefined();
    expect(lookup(world, "Ship::Deck")).toBe(cockpit);

    rename(world, cockpit, "Deck");
    expect(lookup(world, "Ship::Deck")).toBe(cockpit);
    expect(get(world, cockpit, Name)).toBe("Deck");
  });

  it("forgets a removed name, which is then free for others", () => {
    const world = plant(`
      Ship
        Cockpit
          Seat
    `);
    const cockpit = at(world, "Ship::Cockpit");

    remove(world, cockpit, Name);

    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    expect(lookup(world, "Ship::Cockpit::Seat")).toBeUndefined();
    expect(has(world, cockpit, Name)).toBe(false);
    const other = spawn(world, Name("Cockpit"), ChildOf(at(world, "Ship")));
    expect(lookup(world, "Ship::Cockpit")).toBe(other);
    expect(refusalOf(world, () => rename(world, cockpit, "Cockpit"))).toBe("name-taken");
  });

  it("forgets destroyed entities with everything below them, and their names are then free", () => {
    const world = plant(`
      Ship
        Cockpit
          Seat
    `);
    const ship = at(world, "Ship");

    destroy(world, ship);

    expect(lookup(world, "Ship")).toBeUndefined();
    expect(lookup(world, "Ship::Cockpit::Seat")).toBeUndefined();
    const again = spawn(world, Name("Ship"));
    expect(lookup(world, "Ship")).toBe(again);
    expect(lookup(world, "Ship::Cockpit")).toBeUndefined();
    release(world, again);
    expect(lookup(world, "Ship")).toBeUndefined();
  });

  it("never finds a child of a destroyed entity below the entity that reuses its index", () => {
    const world = createWorld();
    const recycled = spawnMany(world, 5_000);
    for (const entity of recycled) release(world, entity);

    for (let round = 0; round < 10_000; round++) {
      const parent = spawn(world, Name("Parent"));
      expect(lookup(world, "Parent::Child")).toBeUndefined();
      const child = spawn(world, Name("Child"), ChildOf(parent));
      expect(lookup(world, "Parent::Child")).toBe(child);
      destroy(world, parent);
    }
    expect(lookup(world, "Parent")).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });

  it("finds names and parents that were given in any order", () => {
    const world = plant("Ship");
    const ship = at(world, "Ship");

    const nameFirst = spawn(world, Name("a"));
    add(world, nameFirst, ChildOf(ship));
    const parentFirst = spawn(world, ChildOf(ship));
    set(world, parentFirst, Name, "b");
    const focus = spawn(world);
    add(world, focus, Name("c"), ChildOf(ship));

    expect(lookup(world, "Ship::a")).toBe(nameFirst);
    expect(lookup(world, "Ship::b")).toBe(parentFirst);
    expect(lookup(world, "Ship::c")).toBe(focus);
  });
});

describe("a taken name", () => {
  const tree = `
    Ship
      Cockpit
      Hold
    Station
      Cockpit
    Cockpit
  `;

  it("refuses a spawn, and no entity is spawned", () => {
    const world = plant(tree);

    const ship = at(world, "Ship");
    expect(refusalOf(world, () => spawn(world, Name("Cockpit"), ChildOf(ship)))).toBe("name-taken");
    expect(refusalOf(world, () => spawn(world, Name("Ship")))).toBe("name-taken");
    expect(refusalOf(world, () => spawnMany(world, 2, Name("Twin")))).toBe("name-taken");
  });

  it("refuses a rename by every verb, and the old name stays", () => {
    const world = plant(tree);
    const hold = at(world, "Ship::Hold");

    expect(refusalOf(world, () => rename(world, hold, "Cockpit"))).toBe("name-taken");
    expect(refusalOf(world, () => set(world, hold, Name, "Cockpit"))).toBe("name-taken");
    expect(lookup(world, "Ship::Hold")).toBe(hold);
    expect(refusalOf(world, () => rename(world, hold, ""))).toBe("bad-name");
  });

  it("refuses a reparent and an unparent, and no parent changes", () => {
    const world = plant(tree);
    const cockpit = at(world, "Ship::Cockpit");

    expect(refusalOf(world, () => add(world, cockpit, ChildOf(at(world, "Station"))))).toBe("name-taken");
    expect(refusalOf(world, () => remove(world, cockpit, ChildOf(Any)))).toBe("name-taken");
    expect(refusalOf(world, () => remove(world, cockpit, ChildOf(at(world, "Ship"))))).toBe("name-taken");
    expect(lookup(world, "Ship::Cockpit")).toBe(cockpit);
  });

  it("does not prevent a move that changes the name at the same time", () => {
    const world = plant(tree);

    add(world, at(world, "Ship::Cockpit"), ChildOf(at(world, "Station")), Name("Bridge"));

    expect(drawing(world)).toBe(
      drawn(`
        Ship
          Hold
        Station
          Cockpit
          Bridge
        Cockpit
      `),
    );
  });

  it("is free again after the entity that has it moved away", () => {
    const world = plant(tree);

    add(world, at(world, "Ship::Cockpit"), ChildOf(at(world, "Ship::Hold")));
    rename(world, at(world, "Ship::Hold"), "Cockpit");

    expect(pathOf(world, at(world, "Ship::Cockpit::Cockpit"))).toBe("Ship::Cockpit::Cockpit");
  });
});

describe("paths", () => {
  const awkward = [
    "::",
    ":",
    ":::",
    "a:",
    ":a",
    "a::b",
    "\\",
    "\\\\",
    "\\:",
    ":\\",
    "a\\::b",
    ".",
    "..",
    "a.b",
  ];
  const wellKnown = [
    " ",
    "  a ",
    "#1",
    "#",
    '"',
    "'",
    "`",
    "\n",
    "\u0000",
    "🚀",
    "👩‍🚀",
    "é",
    "\ud800",
    "__proto__",
  ];
  const names = [...awkward, ...wellKnown, "constructor", "toString", "0", "undefined"];

  it.each(names)("lead back to the entity from the name %j", (name) => {
    const world = createWorld();
    const [parent] = [spawn(world, Name(name))];
    const child = spawn(world, Name(name), ChildOf(parent));

    expect(lookup(world, pathOf(world, parent))).toBe(parent);
    expect(lookup(world, pathOf(world, child))).toBe(child);
    expect(lookup(world, escapeName(name), { from: parent })).toBe(child);
    expect(get(world, child, Name)).toBe(name);
  });

  it("lead back to the entity from any names at any depth, and differ for all siblings", () => {
    const sign = fc.constantFrom(":", "\\", "::", ".", "#", " ", "a", "b", "🚀", '"');
    const name = fc.oneof(
      fc.array(sign, { minLength: 1, maxLength: 6 }).map((signs) => signs.join("")),
      fc.string({ minLength: 1, unit: "binary" }),
    );
    const siblingNames = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

    fc.assert(
      fc.property(fc.array(siblingNames, { minLength: 1, maxLength: 4 }), (generations) => {
        const world = createWorld();
        const all: Entity[] = [];
        let parent: Entity | undefined;
        for (const siblings of generations) {
          const spawned: Entity[] = siblings.map((own) =>
            parent === undefined ? spawn(world, Name(own)) : spawn(world, Name(own), ChildOf(parent)),
          );
          all.push(...spawned);
          parent = spawned.at(-1);
        }

        const paths = all.map((entity) => pathOf(world, entity));
        expect(paths.map((path) => lookup(world, path))).toEqual(all);
        expect(new Set(paths).size).toBe(all.length);
      }),
      { numRuns: 200 },
    );
  });

  it("lead from the roots after a leading separator, whatever `from` is", () => {
    const world = plant(`
      a
        b
    `);

    expect(lookup(world, "::a::b", { from: at(world, "a") })).toBe(at(world, "a::b"));
    expect(lookup(world, "::b", { from: at(world, "a") })).toBeUndefined();
  });

  it("lead back to entities without a name by their number", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    const nameless = spawn(world, ChildOf(ship));
    const seat = spawn(world, Name("#1"), ChildOf(nameless));

    for (const entity of [ship, nameless, seat]) expect(lookup(world, pathOf(world, entity))).toBe(entity);
    release(world, seat);
    const path = pathOf(world, nameless);
    release(world, nameless);
    expect(lookup(world, path)).toBeUndefined();
  });

  it.each(["", "::", "a::", "::a::", "a::::b", "a\\"])("refuse the empty step in %j", (path) => {
    const world = plant("a");

    expect(refusalOf(world, () => lookup(world, path))).toBe("bad-path");
  });
});
