import { ChildOf, createWorld, remove, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, configureNames, Name } from "../../src/index.ts";
import { scopeAt, separatorOf, shortPath, stepAt } from "../../src/state/world-names.ts";
import { separatorFrom } from "../../src/text/step.ts";
import { codeOf, fleet } from "../fleet.ts";
import { namesOf } from "../internal.ts";

describe("the separator of a call", () => {
  it("is that of the world if none is given", () => {
    const { world } = fleet();
    const names = namesOf(world);
    expect(separatorOf(names, undefined).text).toBe("::");

    configureNames(world, { separator: "/" });

    expect([separatorOf(names, undefined).text, separatorOf(names, { separator: "/" }).text]).toEqual([
      "/",
      "/",
    ]);
  });

  it("is parsed once for all calls", () => {
    const names = namesOf(createWorld());

    expect(separatorOf(names, { separator: "->" })).toBe(separatorOf(names, { separator: "->" }));
    expect(separatorOf(names, { separator: "->" }).second).toBe(">".charCodeAt(0));
  });

  it("is refused if it cannot separate", () => {
    const names = namesOf(createWorld());

    for (const text of ["", "#", 7, null])
      expect(codeOf(() => separatorOf(names, { separator: text as string }))).toBe("bad-path");
  });
});

describe("a step and a scope", () => {
  it("are those of the index for an entity with a name, and those of the tree for others", () => {
    const { world, ship, hold } = fleet();
    const names = namesOf(world);
    const crate = indexOf(spawn(world, ChildOf(hold)));

    expect([indexOf(ship), indexOf(hold), crate].map((index) => scopeAt(world, names, index))).toEqual([
      0,
      indexOf(ship),
      indexOf(hold),
    ]);
    expect([indexOf(hold), crate].map((index) => stepAt(names, index, separatorFrom("o")))).toEqual([
      "H\\old",
      `#${crate}`,
    ]);
  });
});

describe("a path in messages", () => {
  it("has indexes for entities without a name below others with one", () => {
    const { world, hold } = fleet();
    const crate = spawn(world, ChildOf(hold));
    const below = spawn(world, Name("Nail"), ChildOf(crate));

    expect(world.textOf(world, crate)).toBe(`Ship::Hold::#${indexOf(crate)}`);
    expect(world.textOf(world, below)).toBe(`Ship::Hold::#${indexOf(crate)}::Nail`);
  });

  it("is none if no entity on the way has a name, whether or not one has an alias", () => {
    const world = createWorld();
    const root = spawn(world, Alias("Pilot"));
    const child = spawn(world, ChildOf(root));

    expect(shortPath(world, namesOf(world), indexOf(child))).toBeUndefined();
    expect(world.textOf(world, child)).toBe(`#${indexOf(child)}`);
  });

  it("has the world's separator, and escapes by it", () => {
    const world = createWorld();
    configureNames(world, { separator: "/" });
    const root = spawn(world, Name("a/b::c"));

    expect(world.textOf(world, spawn(world, Name("d"), ChildOf(root)))).toBe("a\\/b::c/d");
  });

  it("starts with a name again once the root has lost its own", () => {
    const { world, ship, hold } = fleet();

    remove(world, ship, Name);

    expect(world.textOf(world, hold)).toBe(`#${indexOf(ship)}::Hold`);
  });

  it("of twelve steps is whole, of thirteen has its middle left out", () => {
    const world = createWorld();
    let last = spawn(world, Name("n1"));
    for (let depth = 2; depth <= 12; depth++) last = spawn(world, Name(`n${depth}`), ChildOf(last));
    const whole = world.textOf(world, last);
    last = spawn(world, Name("n13"), ChildOf(last));

    expect(whole.split("::")).toHaveLength(12);
    expect(world.textOf(world, last)).toBe("n1::n2::n3::n4::n5::n6::...::n8::n9::n10::n11::n12::n13");
  });
});
