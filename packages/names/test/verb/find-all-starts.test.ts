import { ChildOf, createWorld, type Entity, Parent, release, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, configureNames, findAll, lookup, Name, pathOf, withScope } from "../../src/index.ts";
import { createDice } from "../dice.ts";
import { codeOf, fleet } from "../fleet.ts";

describe("findAll begins", () => {
  it("at the children of from", () => {
    const { world, ship, cockpit, hold } = fleet();

    expect(findAll(world, "*", { from: ship })).toEqual([cockpit, hold]);
    expect(findAll(world, "Cockpit", { from: ship })).toEqual([cockpit]);
    expect(findAll(world, "**", { from: ship })).toEqual([cockpit, hold]);
    expect(findAll(world, "Ship", { from: ship })).toEqual([]);
  });

  it("at the children of the scope inside withScope, unless from is given", () => {
    const { world, ship, station, cockpit, hold, dock } = fleet();

    const found = withScope(world, ship, () => [findAll(world, "*"), findAll(world, "*", { from: station })]);

    expect(found).toEqual([[cockpit, hold], [dock]]);
  });

  it("at the roots when the pattern begins with the separator", () => {
    const { world, ship, station, buoy } = fleet();

    expect(findAll(world, "::*", { from: ship })).toEqual([ship, station, buoy]);
    expect(withScope(world, ship, () => findAll(world, "::Cockpit"))).toEqual([buoy]);
    expect(findAll(world, "/C*", { from: ship, separator: "/" })).toEqual([buoy]);
  });

  it("with an index as lookup does: from the roots any entity, elsewhere a child", () => {
    const { world, ship, cockpit, hold } = fleet();
    const crate = spawn(world, Parent(hold));
    const step = `#${indexOf(hold)}`;

    expect(findAll(world, step)).toEqual([hold]);
    expect(findAll(world, `${step}::*`)).toEqual([crate]);
    expect(findAll(world, `Ship::${step}`)).toEqual([hold]);
    expect(findAll(world, step, { from: cockpit })).toEqual([]);
    expect(findAll(world, `*::${step}::#${indexOf(crate)}`)).toEqual([crate]);
    expect(findAll(world, `**::${step}`)).toEqual([hold]);
    expect(findAll(world, "#4000")).toEqual([]);
    expect(findAll(world, `Ship::#${indexOf(ship)}`)).toEqual([]);
  });

  it("with #0 at the roots, as lookup does", () => {
    const { world, ship, station, buoy, hold } = fleet();

    expect(findAll(world, "#0::*")).toEqual([ship, station, buoy]);
    expect(findAll(world, "#0::Ship::H*")).toEqual([hold]);
    expect(findAll(world, "::#0::Ship", { from: hold })).toEqual([ship]);
    expect([findAll(world, "#0"), findAll(world, "#0::Ship", { from: ship })]).toEqual([[], []]);
  });

  it("and ends with from itself when the pattern is empty", () => {
    const { world, ship } = fleet();

    expect([findAll(world, "", { from: ship }), findAll(world, [], { from: ship })]).toEqual([
      [ship],
      [ship],
    ]);
    expect(codeOf(() => findAll(world, ""))).toBe("bad-path");
    expect(codeOf(() => findAll(world, []))).toBe("bad-path");
    expect(codeOf(() => withScope(world, ship, () => findAll(world, "")))).toBe("bad-path");
  });
});

describe("findAll refuses", () => {
  it.each(["::", "a::", "*::::*", "a\\", ["a", ""], [7], undefined, null, 7, {}])(
    "the pattern %j",
    (pattern) => {
      const { world, ship } = fleet();

      expect(codeOf(() => findAll(world, pattern as string))).toBe("bad-path");
      expect(codeOf(() => findAll(world, pattern as string, { from: ship }))).toBe("bad-path");
    },
  );

  it("a bad pattern whatever entities the world has", () => {
    expect(codeOf(() => findAll(createWorld(), "Missing::*::"))).toBe("bad-path");
    expect(codeOf(() => findAll(createWorld(), ["Missing", "*", "a\\"]))).toBe("bad-path");
  });

  it("a from that is not alive, whatever the pattern", () => {
    const { world, hold } = fleet();
    release(world, hold);

    for (const pattern of ["*", "::*", ""]) {
      expect(codeOf(() => findAll(world, pattern, { from: hold }))).toBe("dead-entity");
    }
    expect(codeOf(() => findAll(world, "*", { from: spawn(createWorld()) }))).toBe("dead-entity");
  });
});

describe("findAll in an empty world", () => {
  it("finds none", () => {
    for (const pattern of ["*", "**", "a", "#1", "**::a"])
      expect(findAll(createWorld(), pattern)).toEqual([]);
  });
});

describe("findAll in a chain of 20,000", () => {
  it("comes to its end, and finds what is there", () => {
    const world = createWorld();
    const top = spawn(world, Name("a"));
    let last: Entity = top;
    for (let depth = 1; depth < 20_000; depth++) last = spawn(world, Parent(last));
    const end = spawn(world, Name("end"), ChildOf(last));

    expect(findAll(world, "**::end")).toEqual([end]);
    expect(findAll(world, "a::**::*::**::e*")).toEqual([end]);
    expect(findAll(world, "a::*::*::b")).toEqual([]);
  });
});

const WALKS = Number(process.env.TREELINE_WALKS ?? 1);

describe("findAll beside pathOf", () => {
  /** Follows the rules literally, for paths without escapes. */
  function naive(pattern: readonly string[], steps: readonly string[]): boolean {
    const [first, ...rest] = pattern;
    if (first === undefined) return steps.length === 0;
    if (first === "**") return naive(rest, steps) || (steps.length > 0 && naive(pattern, steps.slice(1)));
    const [step, ...below] = steps;
    if (step === undefined || !naive(rest, below)) return false;
    if (first === "*") return true;
    if (step.startsWith("#")) return false;
    return new RegExp(`^${first.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(step);
  }

  it("finds exactly those whose paths match, in the order of a walk", () => {
    const dice = createDice(61);
    for (let round = 0; round < 4 * WALKS; round++) {
      const world = createWorld();
      if (round % 2 === 0) configureNames(world, { collisions: "allow" });
      else configureNames(world, { collisions: "suffix" });
      const entities: Entity[] = [];
      for (let at = 0; at < 40; at++) {
        const parent = dice.below(5) > 0 && at > 0 ? [dice.pick([ChildOf, Parent])(dice.pick(entities))] : [];
        const name = dice.below(4) > 0 ? [Name(dice.pick(["a", "b", "ab", "ba"]))] : [];
        entities.push(spawn(world, ...parent, ...name));
      }
      const inOrder = findAll(world, "**");
      expect(new Set(inOrder)).toEqual(new Set(entities));

      for (let requests = 0; requests < 20; requests++) {
        const steps = ["a", "b", "*", "**", "**", "a*", "?", "?b", "*b*"];
        const pattern = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(steps));
        const meant = inOrder.filter((entity) => naive(pattern, pathOf(world, entity).split("::")));

        expect([pattern, findAll(world, pattern.join("::"))]).toEqual([pattern, meant]);
        expect([pattern, findAll(world, pattern)]).toEqual([pattern, meant]);
      }
    }
  });

  it("finds for every path without wildcards what lookup finds", () => {
    const { world, hold } = fleet();
    spawn(world, ChildOf(hold), Alias("Store"));

    for (const path of ["Ship", "Ship::Hold", "Store", "#1", "Boat", "Ship::#9", "::Store"]) {
      const found = lookup(world, path);
      expect(findAll(world, path)).toEqual(found === undefined ? [] : [found]);
    }
  });
});
