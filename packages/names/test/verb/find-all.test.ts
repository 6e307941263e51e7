import { add, createWorld, type Entity, spawn, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  Alias,
  configureNames,
  escapePattern,
  findAll,
  Name,
  type Pattern,
  pathOf,
} from "../../src/index.ts";
import { ChildOf, OrderedChildren, Parent } from "../definitions.ts";
import { startingAt } from "../starts.ts";

/**
 *   Fleet
 *     Ship 1
 *       Gun a
 *       Gun b
 *         Gun a
 *     Ship 2
 *       (unnamed)
 *         Gun a
 *       Gun 🚀
 *     Tug
 *   Gun x
 *   (unnamed)
 *     Tug
 */
function fleet() {
  const world = createWorld();
  const root = spawn(world, Name("Fleet"));
  const one = spawn(world, Name("Ship 1"), ChildOf(root));
  const gunA = spawn(world, Name("Gun a"), Parent(one));
  const gunB = spawn(world, Name("Gun b"), ChildOf(one));
  const deepGun = spawn(world, Name("Gun a"), ChildOf(gunB));
  const two = spawn(world, Name("Ship 2"), Parent(root));
  const nameless = spawn(world, ChildOf(two));
  const disabledGun = spawn(world, Name("Gun a"), Parent(nameless));
  const rocketGun = spawn(world, Name("Gun 🚀"), ChildOf(two));
  const tug = spawn(world, Name("Tug"), ChildOf(root));
  const gunX = spawn(world, Name("Gun x"));
  const other = spawn(world);
  const lostTug = spawn(world, Name("Tug"), ChildOf(other));
  const entities = [
    ...[root, one, gunA, gunB, deepGun, two, nameless, disabledGun, rocketGun, tug],
    ...[gunX, other, lostTug],
  ];
  return {
    world,
    entities,
    ...{ root, one, gunA, gunB, deepGun, two, nameless, disabledGun, rocketGun, tug, gunX, other, lostTug },
  };
}

const paths = (world: World, pattern: Pattern, from?: Entity): string[] =>
  findAll(world, pattern, startingAt(from)).map((entity) => pathOf(world, entity));

describe("a pattern of names", () => {
  it("finds the one entity at that path, or none", () => {
    const { world, deepGun } = fleet();

    expect(findAll(world, "Fleet::Ship 1::Gun b::Gun a")).toEqual([deepGun]);
    expect(findAll(world, ["Fleet", "Ship 1", "Gun b", "Gun a"])).toEqual([deepGun]);
    expect(findAll(world, "Fleet::Ship 3::Gun a")).toEqual([]);
    expect(findAll(world, "Fleet::Ship 1::Gun a::Gun a")).toEqual([]);
  });

  it("is a fresh list, which may be changed", () => {
    const { world, root } = fleet();

    findAll(world, "Fleet").pop();

    expect(findAll(world, "Fleet")).toEqual([root]);
  });
});

describe("the step *", () => {
  it("matches any entity in that place, named or not", () => {
    const { world, one, two, tug, root, gunX, other, nameless, rocketGun } = fleet();

    expect(findAll(world, "*")).toEqual([root, gunX, other]);
    expect(findAll(world, "Fleet::*")).toEqual([one, two, tug]);
    expect(findAll(world, "Fleet::Ship 2::*")).toEqual([nameless, rocketGun]);
  });

  it("skips entities without names on the way", () => {
    const { world, disabledGun, lostTug, gunA, gunB, rocketGun, deepGun } = fleet();

    expect(findAll(world, "Fleet::*::*::Gun a")).toEqual([deepGun, disabledGun]);
    expect(findAll(world, "*::Tug")).toEqual([findAll(world, "Fleet::Tug")[0], lostTug]);
    expect(findAll(world, "Fleet::*::Gun*")).toEqual([gunA, gunB, rocketGun]);
  });
});

describe("* and ? within a step", () => {
  it("match text and one character of names", () => {
    const { world, one, two, gunA, gunB, rocketGun, gunX } = fleet();

    expect(findAll(world, "Fleet::Ship ?")).toEqual([one, two]);
    expect(findAll(world, "Fleet::S*")).toEqual([one, two]);
    expect(findAll(world, "Fleet::*::Gun ?")).toEqual([gunA, gunB, rocketGun]);
    expect(findAll(world, "Gun*")).toEqual([gunX]);
    expect(findAll(world, "Fleet::Ship??")).toEqual([one, two]);
    expect(findAll(world, "Fleet::Ship?")).toEqual([]);
  });

  it("match no entity without a name", () => {
    const { world } = fleet();

    expect(findAll(world, "Fleet::Ship 2::?*")).toHaveLength(1);
    expect(findAll(world, "?*::Tug")).toHaveLength(1);
    expect(findAll(world, "***")).toHaveLength(2);
  });

  it("are characters of a name behind a backslash", () => {
    const { world } = fleet();
    const star = spawn(world, Name("*"));
    const odd = spawn(world, Name("a?b"));

    expect(findAll(world, "\\*")).toEqual([star]);
    expect(findAll(world, escapePattern("a?b"))).toEqual([odd]);
    expect(findAll(world, "?")).toEqual([star]);
  });
});

describe("the step **", () => {
  it("is any number of steps, also none", () => {
    const { world, gunA, deepGun, disabledGun } = fleet();

    expect(findAll(world, "Fleet::**::Gun a")).toEqual([gunA, deepGun, disabledGun]);
    expect(findAll(world, "**::Gun a")).toEqual([gunA, deepGun, disabledGun]);
    expect(findAll(world, "Fleet::Ship 1::**::Gun a")).toEqual([gunA, deepGun]);
  });

  it("at the end is the entity before it and all below", () => {
    const { world, one, gunA, gunB, deepGun } = fleet();

    expect(findAll(world, "Fleet::Ship 1::**")).toEqual([one, gunA, gunB, deepGun]);
  });

  it("alone matches every entity, parents before descendants, siblings in order", () => {
    const { world, entities } = fleet();

    expect(findAll(world, "**")).toEqual(entities);
  });

  it("behind another one adds nothing, and every entity is found once", () => {
    const { world, entities } = fleet();

    for (const pattern of ["**::**", "**::**::**", "**::*", "**::*::**", "*::**", "**::**::*"]) {
      expect(findAll(world, pattern)).toEqual(entities);
    }
    expect(findAll(world, "**::Gun*::**").length).toBe(new Set(findAll(world, "**::Gun*::**")).size);
  });

  it("before a star leaves out as many levels as there are stars", () => {
    const { world, entities } = fleet();
    const deeper = entities.filter((entity) => pathOf(world, entity).split("::").length > 2);

    expect(findAll(world, "*::**::*::*")).toEqual(deeper);
    expect(findAll(world, "**::*::*::**::*")).toEqual(deeper);
  });

  it("between names finds every path down", () => {
    const { world, gunB, deepGun, gunA, disabledGun, rocketGun } = fleet();

    expect(findAll(world, "Fleet::**::Gun b::**")).toEqual([gunB, deepGun]);
    expect(findAll(world, "**::Ship*::**::Gun*")).toEqual([gunA, gunB, deepGun, disabledGun, rocketGun]);
    expect(findAll(world, "**::Gun*::**::Gun*")).toEqual([deepGun]);
  });
});

describe("a regular expression", () => {
  it("is tested against names, step by step", () => {
    const { world, one, two, gunA, deepGun, disabledGun } = fleet();

    expect(findAll(world, ["Fleet", /^Ship \d+$/])).toEqual([one, two]);
    expect(findAll(world, [/fleet/i, "**", /a$/])).toEqual([gunA, deepGun, disabledGun]);
    expect(findAll(world, [/^/])).toHaveLength(2);
  });

  it.each(["g", "y", "gy"])("with the flags %s finds the same, however often it is used", (flags) => {
    const { world, one, two } = fleet();
    const pattern = ["Fleet", new RegExp("Ship", flags)];

    expect([findAll(world, pattern), findAll(world, pattern)]).toEqual([
      [one, two],
      [one, two],
    ]);
  });

  it("may be beside stars, globs and names in a list", () => {
    const { world, disabledGun, nameless } = fleet();

    expect(findAll(world, ["F*", /2$/, "*", "Gun a"])).toEqual([disabledGun]);
    expect(findAll(world, ["Fleet", /2$/, "*"])[0]).toBe(nameless);
  });
});

describe("what is found", () => {
  it("is in the order of siblings, also after a reorder", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), OrderedChildren);
    const crates = ["c", "a", "b"].map((name) => spawn(world, Name(name), ChildOf(ship)));

    add(world, crates[0]!, ChildOf(ship));

    expect(findAll(world, "Ship::?")).toEqual(crates);
  });

  it("are all of one name where siblings may share it", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const ships = [1, 2].map(() => spawn(world, Name("Ship")));
    const guns = [0, 1, 1, 0].map((at) => spawn(world, Name("Gun"), ChildOf(ships[at]!)));

    expect(findAll(world, "Ship")).toEqual(ships);
    expect(findAll(world, "Ship::Gun")).toEqual([guns[0], guns[3], guns[1], guns[2]]);
    expect(findAll(world, "**::Gun")).toEqual([guns[0], guns[3], guns[1], guns[2]]);
    expect(findAll(world, "Gun", { from: ships[1]! })).toEqual([guns[1], guns[2]]);
  });

  it("is the entity with an alias, as the first step from the roots", () => {
    const { world, gunB, deepGun, root } = fleet();
    add(world, gunB, Alias("Best"));

    expect(findAll(world, "Best")).toEqual([gunB]);
    expect(findAll(world, "::Best::*", { from: root })).toEqual([deepGun]);
    expect(findAll(world, ["Best", "Gun ?"])).toEqual([deepGun]);
    expect(findAll(world, "Best", { from: root })).toEqual([]);
    expect(findAll(world, "Fleet::Best")).toEqual([]);
  });

  it("is that entity also if a sibling shares its name", () => {
    const world = createWorld();
    configureNames(world, { collisions: "allow" });
    const level = spawn(world, Name("Level"));
    const heroes = [Alias("One"), Alias("Two")].map((alias) =>
      spawn(world, Name("Hero"), ChildOf(level), alias),
    );
    const hand = spawn(world, Name("Hand"), ChildOf(heroes[1]!));

    expect([findAll(world, "One"), findAll(world, "Two"), findAll(world, "Two::*")]).toEqual([
      [heroes[0]],
      [heroes[1]],
      [hand],
    ]);
  });

  it("is not found by alias for a glob", () => {
    const { world, gunB } = fleet();
    add(world, gunB, Alias("Best"));

    expect(findAll(world, "Bes?")).toEqual([]);
    expect(findAll(world, "**::Best")).toEqual([]);
    expect(paths(world, "**::Gun b")).toEqual(["Fleet::Ship 1::Gun b"]);
  });
});
