import { beforeEach, describe, expect, it } from "vitest";
import { add, type createWorld, release, remove, set, spawn, spawnMany } from "../../../../src/index.ts";
import { component, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Frozen, Position } from "../../../definitions.ts";
import { type Entity, setWorld, world } from "../../../fixture.ts";
import { get, parentOf, stats } from "../../../reading.ts";
import { livingTables, snapshot } from "../../snapshot.ts";

/** The calls of `written` and `onRemove`: [hook, value, parent]. */
type Call = [hook: string, value: unknown, parent: Entity | undefined];
let calls: Call[] = [];
/** Values that `check` refuses from now on. */
let refused: unknown[] = [];

beforeEach(() => {
  calls = [];
  refused = [];
});

class Refusal extends Error {}

function refuse(value: unknown): void {
  if (refused.includes(value)) throw new Refusal(`not ${value}`);
}

const Label = withHooks(component<string>("Label"), {
  check: (_, __, value) => refuse(value),
  written: (_, __, value, parent) => calls.push(["written", value, parent]),
});
const Second = withHooks(component<string>("Second"), {
  check: (_, __, value) => refuse(value),
  written: (_, __, value, parent) => calls.push(["written", value, parent]),
});

beforeEach(setWorld);

describe("a check refuses the whole call, and nothing has changed", () => {
  it.each<[string, (world: ReturnType<typeof createWorld>, one: Entity, ship: Entity) => unknown]>([
    ["spawn", (world, _, ship) => spawn(world, Label("bad"), ChildOf(ship), Position({ x: 1 }))],
    ["spawn with a second component", (world) => spawn(world, Label("good"), Second("bad"))],
    ["add", (world, one, ship) => add(world, one, Label("bad"), Frozen, ChildOf(ship))],
    ["add of a second component", (world, one) => add(world, one, Label("good"), Second("bad"))],
    ["set", (world, one) => set(world, one, Label, "bad")],
    ["set that would add", (world, _, ship) => set(world, ship, Label, "bad")],
  ])("%s", (_, act) => {
    const ship = spawn(world);
    const one = spawn(world, Label("a"), Position({ x: 1 }));
    refused = ["bad"];
    calls = [];
    const before = snapshot(world);

    expect(() => act(world, one, ship)).toThrow(Refusal);

    expect(snapshot(world)).toEqual(before);
    expect(calls).toEqual([]);
  });

  it.each<[string, (world: ReturnType<typeof createWorld>, one: Entity, station: Entity) => void]>([
    ["a reparent", (world, one, station) => add(world, one, ChildOf(station))],
    ["a reparent together with a tag", (world, one, station) => add(world, one, Frozen, ChildOf(station))],
    ["taking the parent off", (world, one) => remove(world, one, ChildOf(Any))],
  ])("%s of an entity that keeps the value", (_, act) => {
    const [ship, station] = [spawn(world), spawn(world)];
    const one = spawn(world, Label("a"), ChildOf(ship));
    refused = ["a"];
    const before = snapshot(world);

    expect(() => act(world, one, station)).toThrow(Refusal);

    expect(snapshot(world)).toEqual(before);
    expect(parentOf(world, one)).toBe(ship);
  });

  it("spawnMany: all are checked before the first one is spawned", () => {
    let checked = 0;
    const Rare = withHooks(component<string>("Rare"), {
      check: () => {
        if (checked === 3) throw new Refusal("enough");
        checked++;
      },
      onRemove: (_, __, value, parent) => calls.push(["removed", value, parent]),
    });
    const ship = spawn(world);
    const before = { living: livingTables(world), entities: stats(world).entities };

    expect(() => spawnMany(world, 5, Rare("r"), ChildOf(ship))).toThrow(Refusal);

    expect({ living: livingTables(world), entities: stats(world).entities }).toEqual(before);
    expect(calls).toEqual([]);
    release(world, ship);
  });

  it("and the same call may succeed later", () => {
    const one = spawn(world);
    refused = ["a"];
    expect(() => set(world, one, Label, "a")).toThrow(Refusal);
    refused = [];

    set(world, one, Label, "a");

    expect(get(world, one, Label)).toBe("a");
  });
});
