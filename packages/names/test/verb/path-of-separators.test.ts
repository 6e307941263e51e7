import { ChildOf, createWorld, type Entity, Parent, spawn, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import {
  configureNames,
  ensurePath,
  escapePattern,
  findAll,
  lookup,
  Name,
  path,
  pathOf,
} from "../../src/index.ts";
import { createDice, hostileNameFrom, SEPARATORS } from "../dice.ts";
import { namedIn } from "../starts.ts";

/** A chain of four, or a little more, whose names are hostile from the first to the last. */
function plant(world: World, separator: string, seed: number): { entities: Entity[]; names: string[][] } {
  const dice = createDice(seed);
  const entities: Entity[] = [];
  const names: string[][] = [];
  for (let chain = 0; chain < 10; chain++) {
    let parent: Entity | undefined;
    let above: string[] = [];
    for (let depth = 0; depth < 4; depth++) {
      const name = hostileNameFrom(dice, separator);
      above = [...above, name];
      const known = namedIn(world, parent, name);
      const storage = dice.pick([ChildOf, Parent]);
      parent =
        known ??
        (parent === undefined ? spawn(world, Name(name)) : spawn(world, Name(name), storage(parent)));
      if (known !== undefined) continue;
      entities.push(parent);
      names.push(above);
    }
  }
  return { entities, names };
}

describe.each(SEPARATORS)("in a world whose separator is %j,", (separator) => {
  it("the path of every entity is read back, as text, as list, and with a separator of its own", () => {
    const world = createWorld();
    configureNames(world, { separator });
    const { entities, names } = plant(world, separator, 31);

    const paths = entities.map((entity) => pathOf(world, entity));

    expect(paths.map((one) => lookup(world, one))).toEqual(entities);
    expect(paths.map((one) => lookup(world, separator + one))).toEqual(entities);
    expect(names.map((list) => lookup(world, list))).toEqual(entities);
    expect(new Set(paths).size).toBe(entities.length);
    const other = entities.map((entity) => pathOf(world, entity, { separator: "~" }));
    expect(other.map((one) => lookup(world, one, { separator: "~" }))).toEqual(entities);
  });

  it("relative paths are read back from there, and others with the separator in front", () => {
    const world = createWorld();
    configureNames(world, { separator });
    const { entities } = plant(world, separator, 32);
    const [one] = entities;

    for (const entity of entities) {
      const from = pathOf(world, entity, { from: one! });
      expect(lookup(world, from, { from: one! })).toBe(entity);
    }
    expect(pathOf(world, one!, { from: entities.at(-1)! })).toBe(separator + pathOf(world, one!));
  });

  it("handles, patterns and ensurePath read the same paths", () => {
    const world = createWorld();
    configureNames(world, { separator });
    const { entities, names } = plant(world, separator, 33);

    const paths = entities.map((entity) => pathOf(world, entity));

    expect(paths.map((one) => path(world, one).entity)).toEqual(entities);
    expect(paths.map((one) => ensurePath(world, one))).toEqual(entities);
    const patterns = names.map((list) => list.map((name) => escapePattern(name, { separator })));
    expect(patterns.map((steps) => findAll(world, steps.join(separator)))).toEqual(
      entities.map((entity) => [entity]),
    );
  });

  it("ensurePath sets the names that the path was made of", () => {
    const one = createWorld();
    const { entities, names } = plant(one, separator, 34);
    const other = createWorld();

    const made = entities.map((entity) =>
      ensurePath(other, pathOf(one, entity, { separator }), { separator }),
    );

    expect(names.map((list) => lookup(other, list))).toEqual(made);
    expect(verify(other)).toEqual([]);
  });
});

describe("the separator", () => {
  it("of a call is not that of the next one", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    const hold = spawn(world, Name("Hold"), ChildOf(ship));

    expect(lookup(world, "Ship.Hold", { separator: "." })).toBe(hold);
    expect(lookup(world, "Ship.Hold")).toBeUndefined();
    expect(lookup(world, "Ship::Hold")).toBe(hold);
    expect(pathOf(world, hold, { separator: "/" })).toBe("Ship/Hold");
  });

  it("of a world is not that of another world", () => {
    const [one, other] = [createWorld(), createWorld()];
    configureNames(one, { separator: "/" });

    const [deep, flat] = [ensurePath(one, "a/b"), ensurePath(other, "a/b")];

    expect([lookup(one, ["a", "b"]), lookup(other, ["a/b"])]).toEqual([deep, flat]);
  });

  it("of a world is used again after another one was given for a call", () => {
    const world = createWorld();
    configureNames(world, { separator: "/" });
    const hold = ensurePath(world, "Ship/Hold");

    expect(lookup(world, "Ship::Hold", { separator: "::" })).toBe(hold);
    expect(lookup(world, "Ship/Hold")).toBe(hold);
  });

  it("stays in names that were set under another one", () => {
    const world = createWorld();
    const odd = ensurePath(world, "Ship::a/b");

    configureNames(world, { separator: "/" });

    expect(pathOf(world, odd)).toBe("Ship/a\\/b");
    expect(lookup(world, "Ship/a\\/b")).toBe(odd);
  });
});
