import { onWarning } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dispose, query } from "../../src/index.ts";
import { Position, Velocity } from "../definitions.ts";
import { createWorld } from "../public/define.ts";
import { changed } from "../public/filters.ts";
import { setWorld, world } from "../test-world.ts";

let warnings: string[];

beforeEach(() => {
  setWorld();
  warnings = [];
  onWarning((text) => warnings.push(text));
});
afterEach(() => onWarning(undefined));

describe("queries for changes of equal terms", () => {
  it("are warned of once, when a world has 100 of them", () => {
    for (let at = 0; at < 99; at++) query(world, Position, changed(Position));
    expect(warnings).toEqual([]);

    for (let at = 0; at < 201; at++) query(world, Position, changed(Position));

    expect(warnings).toEqual([
      "this world has 100 queries of the same terms, query(Position, changed(Position)), which are not shared since they match " +
        "changes: call query once and keep it, or dispose(query) of each",
    ]);
  });

  it("are not warned of if they are disposed, differ, or belong to several worlds", () => {
    for (let at = 0; at < 300; at++) dispose(query(world, changed(Position)));
    for (let at = 0; at < 60; at++) {
      query(world, changed(Position));
      query(world, changed(Velocity));
      query(createWorld(), changed(Position));
    }

    expect(warnings).toEqual([]);
  });

  it("are shared, and so never many, if they match no changes", () => {
    for (let at = 0; at < 300; at++) query(world, Position, Velocity);

    expect(warnings).toEqual([]);
  });
});
