import { beforeEach, describe, expect, it } from "vitest";
import { add, ChildOf, pack, remove, set, spawn } from "../../../../src/index.ts";
import { DockedTo, Frozen, Position } from "../../../definitions.ts";
import { setWorld, world } from "../../../fixture.ts";
import { calls, forgetCalls, Label, Second } from "./recorded-hooks.ts";

beforeEach(forgetCalls);

beforeEach(setWorld);

describe("hooks are not called", () => {
  it("when something else about the entity changes", () => {
    const ship = spawn(world);
    const one = spawn(world, Label("a"));
    forgetCalls();

    add(world, one, Frozen, Position);
    add(world, one, DockedTo(ship));
    set(world, one, Position, { x: 1 });
    remove(world, one, Frozen);
    pack(world);

    expect(calls).toEqual([]);
  });

  it.each([
    ["alone", []],
    ["together with a tag", [Frozen]],
  ])("when the added parent is the present one, %s", (_, terms) => {
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Label("a"));
    forgetCalls();

    add(world, one, ChildOf(ship), ...terms);

    expect(calls).toEqual([]);
  });

  it("when the added component is present already, without a value", () => {
    const one = spawn(world, Label("a"));
    forgetCalls();

    add(world, one, Label, Frozen);

    expect(calls).toEqual([]);
  });

  it("when another component with hooks is written", () => {
    const one = spawn(world, Label("a"));
    forgetCalls();

    add(world, one, Second("s"), Frozen);
    set(world, one, Second, "t");

    expect(calls.map(([hook]) => hook)).toEqual([
      "second check",
      "second written",
      "second check",
      "second written",
    ]);
  });

  it("of a removed component that is not there", () => {
    remove(world, spawn(world), Label);

    expect(calls).toEqual([]);
  });
});
