import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onWarning } from "../../src/debug.ts";
import { add, clone, createCommands, defer, record, set } from "../../src/index.ts";
import { insideScope } from "../../src/internal.ts";
import { Label, Position } from "../definitions.ts";
import { setShip, ship, spawn, world } from "../fixture.ts";
import { codeOf, get, has } from "../reading.ts";
import { snapshot } from "../world/snapshot.ts";

const warnings: string[] = [];

beforeEach(setShip);
beforeEach(() => {
  warnings.length = 0;
  onWarning((text) => warnings.push(text));
});
afterEach(() => onWarning(undefined));

describe("a first argument that is no world is refused as bad-value", () => {
  it.each<[string, () => unknown]>([
    ["by spawn", () => spawn(Position as never, world as never)],
    ["by add", () => add(ship as never, world as never, Position)],
    ["by set", () => set(undefined as never, ship, Position, { x: 1 })],
    ["by get", () => get(ship as never, world as never, Position)],
    ["by has", () => has({} as never, ship, Position)],
  ])("%s", (_, act) => {
    expect(codeOf(act)).toBe("bad-value");
    expect(act).toThrow(/ is not a world; the world is the first argument: spawn\(world, \.\.\.\)$/);
  });
});

it("clone refuses terms that are not in a list, as bad-value, and spawns nothing", () => {
  const before = snapshot(world);

  expect(codeOf(() => clone(world, ship, { with: Label("Copy") as never }))).toBe("bad-value");
  expect(snapshot(world)).toEqual(before);
});

describe("development builds warn of a function that returns a promise", () => {
  const wait = async (): Promise<void> => {};

  it.each<[string, () => unknown]>([
    ["defer", () => defer(world, wait)],
    ["record", () => record(createCommands(world), wait)],
    ["withScope", () => insideScope(world, ship, wait)],
  ])("in %s", (verb, act) => {
    act();

    expect(warnings.map((text) => text.split(":")[0])).toEqual([
      `${verb} got a function that returned a promise`,
    ]);
  });

  it("and of no other", () => {
    defer(world, () => 5);
    insideScope(world, ship, () => undefined);

    expect(warnings).toEqual([]);
  });
});
