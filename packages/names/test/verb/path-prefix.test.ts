import { createWorld, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { ensurePath, findAll, lookup, Name, path, pathOf, place, withScope } from "../../src/index.ts";
import { ChildOf } from "../definitions.ts";
import { codeOf, fleet } from "../fleet.ts";
import { dump } from "../reading.ts";
import { startingAt } from "../starts.ts";

describe("the prefix of paths", () => {
  it("is in front of every path from the roots, and of no other", () => {
    const { world, ship, cockpit, dock } = fleet();

    expect(pathOf(world, cockpit, { prefix: "/" })).toBe("/Ship::Cockpit");
    expect(pathOf(world, ship, { prefix: "::" })).toBe("::Ship");
    expect(pathOf(world, cockpit, { prefix: "/", from: ship })).toBe("Cockpit");
    expect(pathOf(world, ship, { prefix: "/", from: ship })).toBe("");
    expect(pathOf(world, dock, { prefix: "root:", from: ship })).toBe("root:Station::Cockpit");
    expect(withScope(world, ship, () => pathOf(world, cockpit, { prefix: "/" }))).toBe("/Ship::Cockpit");
  });

  it("makes every call that reads a path begin at the roots", () => {
    const { world, ship, station, dock } = fleet();
    const options = { from: ship, prefix: "~" };

    expect(lookup(world, "~Station::Cockpit", options)).toBe(dock);
    expect(ensurePath(world, "~Station::Cockpit", options)).toBe(dock);
    expect(findAll(world, "~Station::*", options)).toEqual([dock]);
    expect(path(world, "~Station::Cockpit", options).entity).toBe(dock);
    place(world, dock, "~Dock", options);
    expect(lookup(world, "Dock")).toBe(dock);
    expect(lookup(world, "~Station", { from: ship })).toBe(undefined);
    expect(lookup(world, "::Station", options)).toBe(station);
  });

  it("leads back whatever names begin with", () => {
    const world = createWorld();
    const signs = ["a", "ab", "aba", ":", "::", "~", "~a", "/", "//x", "ax", "#1", "\\"];
    const wrong: string[] = [];
    const roots = signs.map((name) => spawn(world, Name(name)));
    const entities = roots.flatMap((root) => [
      root,
      ...signs.map((name) => spawn(world, Name(name), ChildOf(root))),
    ]);
    for (const prefix of ["a", "ab", "aba", "abab", ":", "::", ":::", "~", "/", "//"]) {
      for (const separator of ["::", "/", "aba", "~"]) {
        for (const from of [undefined, roots[0]!, roots[5]!]) {
          const options = { prefix, separator, ...startingAt(from) };
          for (const entity of entities) {
            const text = pathOf(world, entity, options);
            if (lookup(world, text, options) !== entity)
              wrong.push(`${text} with ${JSON.stringify(options)}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is refused when it is empty or has characters with another meaning", () => {
    const { world, ship } = fleet();
    const before = dump(world);

    for (const prefix of ["", "#", "a*", "1", "\\"]) {
      expect(codeOf(() => pathOf(world, ship, { prefix }))).toBe("bad-path");
      expect(codeOf(() => lookup(world, "Ship", { prefix }))).toBe("bad-path");
      expect(codeOf(() => place(world, ship, "Boat", { prefix }))).toBe("bad-path");
    }
    expect(codeOf(() => pathOf(world, ship, { prefix: 7 as never }))).toBe("bad-path");
    expect(dump(world)).toBe(before);
  });
});
