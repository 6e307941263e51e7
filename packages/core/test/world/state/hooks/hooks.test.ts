import { beforeEach, describe, expect, it } from "vitest";
import { add, release, remove, set, spawn, spawnMany } from "../../../../src/index.ts";
import { component, f32, relation, tag, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Frozen } from "../../../definitions.ts";
import { createWorld, type Entity, setWorld, world } from "../../../fixture.ts";
import { codeOf, get, has } from "../../../reading.ts";
import { calls, forgetCalls, Label } from "./recorded-hooks.ts";

beforeEach(forgetCalls);

const Place = withHooks(component("Place", { x: f32, y: f32 }), {
  check: (_, entity, value, parent) => {
    calls.push(["check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => calls.push(["written", entity, value, parent]),
});
const Marker = withHooks(component("Marker", {}), {
  written: (_, entity, value, parent) => calls.push(["marked", entity, value, parent]),
  onRemove: (_, entity, value, parent) => calls.push(["unmarked", entity, value, parent]),
});
beforeEach(setWorld);

describe("withHooks", () => {
  it("returns the definition", () => {
    const Plain = component<string>("Plain");

    expect(withHooks(Plain, {})).toBe(Plain);
  });

  it("refuses a second time as bad-definition", () => {
    const Plain = withHooks(component<string>("Plain"), {});

    expect(codeOf(() => withHooks(Plain, {}))).toBe("bad-definition");
  });

  it.each<[string, unknown, unknown]>([
    ["undefined for a component", undefined, {}],
    ["an object for a component", {}, {}],
    ["a tag", tag("Plain"), {}],
    ["a relation", relation("Plain"), {}],
    ["null for the hooks", component<string>("Plain"), null],
    ["undefined for the hooks", component<string>("Plain"), undefined],
  ])("refuses %s as bad-definition", (_, definition, hooks) => {
    expect(codeOf(() => withHooks(definition as never, hooks as never))).toBe("bad-definition");
  });

  it("works in every world, without registration", () => {
    const [one, other] = [createWorld(), createWorld()];

    spawn(one, Label("a"));
    spawn(other, Label("b"));

    expect(calls.map(([hook, , value]) => [hook, value])).toEqual([
      ["check", "a"],
      ["written", "a"],
      ["check", "b"],
      ["written", "b"],
    ]);
  });
});

describe("hooks are called with the value and the parent", () => {
  it("of a spawn: first without an entity, then with it", () => {
    const ship = spawn(world);

    const one = spawn(world, Label("a"), ChildOf(ship));

    expect(calls).toEqual([
      ["check", undefined, "a", ship],
      ["written", one, "a", ship],
    ]);
  });

  it("of each of many that are spawned", () => {
    const [one, other] = spawnMany(world, 2, Label("a")) as [Entity, Entity];

    expect(calls).toEqual([
      ["check", undefined, "a", undefined],
      ["check", undefined, "a", undefined],
      ["written", one, "a", undefined],
      ["written", other, "a", undefined],
    ]);
  });

  it("of a component that is added", () => {
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship));

    add(world, one, Label("a"), Frozen);

    expect(calls).toEqual([
      ["check", one, "a", ship],
      ["written", one, "a", ship],
    ]);
  });

  it("of a value that is set, new or not", () => {
    const one = spawn(world);

    set(world, one, Label, "a");
    set(world, one, Label, "b");

    expect(calls).toEqual([
      ["check", one, "a", undefined],
      ["written", one, "a", undefined],
      ["check", one, "b", undefined],
      ["written", one, "b", undefined],
    ]);
  });

  it.each([
    ["alone", []],
    ["together with a tag", [Frozen]],
  ])("of a reparent, with the kept value and the new parent, %s", (_, terms) => {
    const [ship, station] = [spawn(world), spawn(world)];
    const one = spawn(world, ChildOf(ship), Label("a"));
    forgetCalls();

    add(world, one, ChildOf(station), ...terms);

    expect(calls).toEqual([
      ["check", one, "a", station],
      ["written", one, "a", station],
    ]);
  });

  it("of a reparent with a new value: once, both together", () => {
    const ship = spawn(world);
    const one = spawn(world, Label("a"));
    forgetCalls();

    add(world, one, ChildOf(ship), Label("b"));

    expect(calls).toEqual([
      ["check", one, "b", ship],
      ["written", one, "b", ship],
    ]);
  });

  it("of a reparent that names the component again, without a value: it is kept", () => {
    const ship = spawn(world);
    const one = spawn(world, Label("a"));
    forgetCalls();

    add(world, one, ChildOf(ship), Label);

    expect(calls).toEqual([
      ["check", one, "a", ship],
      ["written", one, "a", ship],
    ]);
  });

  it.each([
    ["its parent", (ship: Entity) => ChildOf(ship)],
    ["any parent", () => ChildOf(Any)],
  ])("of a removed %s: there is no new parent", (_, pairFor) => {
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Label("a"));
    forgetCalls();

    remove(world, one, pairFor(ship));

    expect(calls).toEqual([
      ["check", one, "a", undefined],
      ["written", one, "a", undefined],
    ]);
  });

  it("of a removed component, while it is still there", () => {
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Label("a"));
    forgetCalls();

    remove(world, one, Label);

    expect(calls).toEqual([["removed", one, "a", ship]]);
    expect(has(world, one, Label)).toBe(false);
  });

  it("of a destruction, while the entity and its parent are still alive", () => {
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Label("a"));
    forgetCalls();

    release(world, one);

    expect(calls).toEqual([["removed", one, "a", ship]]);
  });

  it("of components without values too", () => {
    const one = spawn(world, Marker);

    remove(world, one, Marker);

    expect(calls).toEqual([
      ["marked", one, undefined, undefined],
      ["unmarked", one, undefined, undefined],
    ]);
  });

  it("of fields: whole rows, as their type says", () => {
    const one = spawn(world, Place({ x: 1, y: 2 }));
    forgetCalls();

    set(world, one, Place, { x: 5 });

    expect(calls).toEqual([
      ["check", one, { x: 5, y: 2 }, undefined],
      ["written", one, { x: 5, y: 2 }, undefined],
    ]);
  });
});

describe("hooks get whole rows", () => {
  it("of a spawn, with the defaults of fields that are not given", () => {
    const one = spawn(world, Place({ x: 1 }));
    const other = spawn(world, Place);

    expect(calls).toEqual([
      ["check", undefined, { x: 1, y: 0 }, undefined],
      ["written", one, { x: 1, y: 0 }, undefined],
      ["check", undefined, { x: 0, y: 0 }, undefined],
      ["written", other, { x: 0, y: 0 }, undefined],
    ]);
  });

  it("of an add to what is there", () => {
    const one = spawn(world, Place({ x: 1, y: 2 }));
    forgetCalls();

    add(world, one, Place({ y: 5 }), Frozen);

    expect(calls).toEqual([
      ["check", one, { x: 1, y: 5 }, undefined],
      ["written", one, { x: 1, y: 5 }, undefined],
    ]);
  });
});

describe("hooks see a value as it will be written", () => {
  class Point {
    #x: number;
    constructor(x: number) {
      this.#x = x;
    }
    get x(): number {
      return this.#x;
    }
  }

  it("also if its fields are accessors, of a class or a row view", () => {
    const view = Object.create(null, { y: { get: () => 7, enumerable: false } });

    const one = spawn(world, Place(new Point(5)));
    set(world, one, Place, view);
    add(world, one, Place(new Point(6)));

    expect(calls.filter(([hook]) => hook === "check").map(([, , value]) => value)).toEqual([
      { x: 5, y: 0 },
      { x: 5, y: 7 },
      { x: 6, y: 7 },
    ]);
    expect(get(world, one, Place)).toEqual({ x: 6, y: 7 });
  });
});
