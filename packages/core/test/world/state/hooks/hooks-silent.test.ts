import { beforeEach, describe, expect, it } from "vitest";
import { add, ChildOf, createWorld, pack, remove, set, spawn } from "../../../../src/index.ts";
import { DockedTo, Frozen, Position } from "../../../definitions.ts";
import { forget, Label, Second, told } from "./told.ts";

beforeEach(forget);

describe("hooks are not told", () => {
  it("when something else about the entity changes", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Label("a"));
    forget();

    add(world, one, Frozen, Position);
    add(world, one, DockedTo(ship));
    set(world, one, Position, { x: 1 });
    remove(world, one, Frozen);
    pack(world);

    expect(told).toEqual([]);
  });

  it.each([
    ["alone", []],
    ["together with a tag", [Frozen]],
  ])("when the parent that is added is the one that is there, %s", (_, terms) => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Label("a"));
    forget();

    add(world, one, ChildOf(ship), ...terms);

    expect(told).toEqual([]);
  });

  it("when the component is added that is there, without a value", () => {
    const world = createWorld();
    const one = spawn(world, Label("a"));
    forget();

    add(world, one, Label, Frozen);

    expect(told).toEqual([]);
  });

  it("when another component with hooks is written", () => {
    const world = createWorld();
    const one = spawn(world, Label("a"));
    forget();

    add(world, one, Second("s"), Frozen);
    set(world, one, Second, "t");

    expect(told.map(([hook]) => hook)).toEqual([
      "second check",
      "second written",
      "second check",
      "second written",
    ]);
  });

  it("of a component that is not there to be taken off", () => {
    const world = createWorld();

    remove(world, spawn(world), Label);

    expect(told).toEqual([]);
  });
});
