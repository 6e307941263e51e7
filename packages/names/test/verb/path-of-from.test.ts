import { add, ChildOf, createWorld, type Entity, Parent, release, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  Alias,
  configureNames,
  lookup,
  Name,
  pathOf,
  rename,
  withoutScope,
  withScope,
} from "../../src/index.ts";
import { createDice, nameFrom } from "../dice.ts";
import { codeOf, fleet } from "../fleet.ts";
import { startingAt } from "../starts.ts";

describe("a path from an entity", () => {
  it("is relative for those below it", () => {
    const { world, ship, cockpit } = fleet();
    const seat = spawn(world, Name("Seat"), Parent(cockpit));

    expect(pathOf(world, seat, { from: ship })).toBe("Cockpit::Seat");
    expect(pathOf(world, seat, { from: cockpit })).toBe("Seat");
  });

  it("is empty for itself, named or not", () => {
    const { world, ship } = fleet();
    const nameless = spawn(world);

    expect(pathOf(world, ship, { from: ship })).toBe("");
    expect(pathOf(world, nameless, { from: nameless })).toBe("");
    expect(withScope(world, ship, () => pathOf(world, ship, { from: ship }))).toBe("");
  });

  it("is the path from the root with a leading separator for all others", () => {
    const { world, ship, cockpit, hold, station, dock } = fleet();

    expect(pathOf(world, ship, { from: cockpit })).toBe("::Ship");
    expect(pathOf(world, hold, { from: cockpit })).toBe("::Ship::Hold");
    expect(pathOf(world, dock, { from: ship })).toBe("::Station::Cockpit");
    expect(pathOf(world, station, { from: ship, separator: "/" })).toBe("/Station");
  });

  it("has indexes for entities without names, and may consist of those", () => {
    const world = createWorld();
    const root = spawn(world);
    const child = spawn(world, ChildOf(root));
    const leaf = spawn(world, Name("Leaf"), ChildOf(child));

    expect(pathOf(world, leaf, { from: root })).toBe(`#${indexOf(child)}::Leaf`);
    expect(pathOf(world, child, { from: root })).toBe(`#${indexOf(child)}`);
    expect(pathOf(world, root, { from: leaf })).toBe(`::#${indexOf(root)}`);
  });

  it("that is left out is the root", () => {
    const { world, cockpit } = fleet();

    expect(pathOf(world, cockpit, {})).toBe("Ship::Cockpit");
  });

  it("is refused if that entity is not alive, or of another world", () => {
    const { world, ship, hold } = fleet();
    release(world, hold);

    expect(codeOf(() => pathOf(world, ship, { from: hold }))).toBe("dead-entity");
    expect(codeOf(() => pathOf(world, ship, { from: spawn(createWorld()) }))).toBe("dead-entity");
    expect(codeOf(() => pathOf(world, hold, { from: ship }))).toBe("dead-entity");
    expect(codeOf(() => pathOf(world, hold, { from: hold }))).toBe("dead-entity");
  });

  it("never contains an alias", () => {
    const { world, ship, hold } = fleet();
    add(world, hold, Alias("Store"));

    expect([pathOf(world, hold), pathOf(world, hold, { from: ship })]).toEqual(["Ship::Hold", "Hold"]);
  });

  it("follows renames and moves", () => {
    const { world, ship, cockpit, hold, station } = fleet();
    const seat = spawn(world, Name("Seat"), ChildOf(cockpit));

    rename(world, cockpit, "Bridge");
    add(world, cockpit, ChildOf(hold));

    expect(pathOf(world, seat, { from: ship })).toBe("Hold::Bridge::Seat");
    expect(pathOf(world, seat, { from: station })).toBe("::Ship::Hold::Bridge::Seat");
  });
});

describe("a path inside withScope", () => {
  it("is the one from the root with a leading separator, so that lookups there read it back", () => {
    const { world, ship, cockpit, station } = fleet();

    withScope(world, ship, () => {
      expect([ship, cockpit, station].map((entity) => pathOf(world, entity))).toEqual([
        "::Ship",
        "::Ship::Cockpit",
        "::Station",
      ]);
      expect(lookup(world, pathOf(world, cockpit))).toBe(cockpit);
    });
  });

  it("is as usual where the scope is that of the roots", () => {
    const { world, ship, cockpit } = fleet();

    const path = withScope(world, ship, () => withoutScope(world, () => pathOf(world, cockpit)));

    expect(path).toBe("Ship::Cockpit");
  });

  it("is relative to a from that is given", () => {
    const { world, ship, cockpit, station } = fleet();

    expect(withScope(world, station, () => pathOf(world, cockpit, { from: ship }))).toBe("Cockpit");
  });

  it("has the separator of the call in front", () => {
    const { world, ship, cockpit } = fleet();

    expect(withScope(world, ship, () => pathOf(world, cockpit, { separator: "." }))).toBe(".Ship.Cockpit");
  });
});

describe("the path of one of several with one name", () => {
  it("finds the first of them", () => {
    const { world, ship } = fleet();
    configureNames(world, { collisions: "allow" });
    const crates = [0, 1, 2].map(() => spawn(world, Name("Crate"), ChildOf(ship)));

    const paths = crates.map((crate) => pathOf(world, crate));

    expect(paths).toEqual(Array(3).fill("Ship::Crate"));
    expect(lookup(world, paths[2]!)).toBe(crates[0]);
  });

  it("of a descendant of a later one finds one below the first", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const ships = [0, 1].map(() => spawn(world, Name("Ship")));
    const hold = spawn(world, Name("Hold"), ChildOf(ships[1]!));

    expect([pathOf(world, hold), lookup(world, pathOf(world, hold))]).toEqual(["Ship::Hold", undefined]);
    expect(lookup(world, pathOf(world, hold, { from: ships[1]! }), { from: ships[1]! })).toBe(hold);
  });
});

describe("lookup of pathOf with the same options", () => {
  it("is the entity, whatever from and scope are, and whatever the names", () => {
    const dice = createDice(71);
    for (let round = 0; round < 25; round++) {
      const world = createWorld();
      configureNames(world, { collisions: "suffix", separator: dice.pick(["::", ".", "->", " "]) });
      const entities: Entity[] = [];
      for (let at = 0; at < 25; at++) {
        const parent = dice.below(6) > 0 && at > 0 ? [dice.pick([ChildOf, Parent])(dice.pick(entities))] : [];
        const name = dice.below(5) > 0 ? [Name(nameFrom(dice))] : [];
        entities.push(spawn(world, ...parent, ...name));
      }

      for (const entity of entities) {
        const separator = dice.below(2) === 0 ? undefined : dice.pick(["/", "aa", ":"]);
        const from = dice.below(4) === 0 ? undefined : dice.pick(entities);
        const options = { ...startingAt(from), separator };
        const scope = dice.below(3) === 0 ? dice.pick(entities) : undefined;
        const read = (): Entity | undefined => lookup(world, pathOf(world, entity, options), options);
        const found = scope === undefined ? read() : withScope(world, scope, read);

        expect(found).toBe(entity);
      }
    }
  });
});
