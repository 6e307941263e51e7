import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  isAlive,
  pack,
  remove,
  set,
  spawn,
  withHooks,
} from "../../../../src/index.ts";
import { DockedTo, Frozen, Position } from "../../../definitions.ts";

/** What the hooks were told: [hook, entity, value, parent]. */
type Told = [hook: string, entity: Entity | undefined, value: unknown, parent: Entity | undefined];
let told: Told[] = [];

beforeEach(() => {
  told = [];
});

const Label = withHooks(component<string | undefined>("Label"), {
  check: (_, entity, value, parent) => {
    told.push(["check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => told.push(["written", entity, value, parent]),
  onRemove: (world, entity, value, parent) => {
    told.push(["removed", entity, value, parent]);
    if (!isAlive(world, entity)) told.push(["too late", entity, value, parent]);
  },
});
const Second = withHooks(component<string>("Second"), {
  check: (_, entity, value, parent) => {
    told.push(["second check", entity, value, parent]);
  },
  written: (_, entity, value, parent) => told.push(["second written", entity, value, parent]),
});

describe("hooks are not told", () => {
  it("when something else about the entity changes", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Label("a"));
    told = [];

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
    told = [];

    add(world, one, ChildOf(ship), ...terms);

    expect(told).toEqual([]);
  });

  it("when the component is added that is there, without a value", () => {
    const world = createWorld();
    const one = spawn(world, Label("a"));
    told = [];

    add(world, one, Label, Frozen);

    expect(told).toEqual([]);
  });

  it("when another component with hooks is written", () => {
    const world = createWorld();
    const one = spawn(world, Label("a"));
    told = [];

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
