import { beforeEach, describe, expect, it } from "vitest";
import * as core from "../../src/index.ts";
import {
  add,
  component,
  createCommands,
  createWorld,
  defer,
  disposeWorld,
  entityOf,
  event,
  observe,
  record,
  spawnMany,
  type WorldEvent,
  withHooks,
} from "../../src/index.ts";
import { ChildOf, Frozen, Label, Likes, Owns, Parent, Position } from "../definitions.ts";
import { dock, type Entity, setShipAndDock, ship, spawn, type World, world } from "../fixture.ts";
import { codeOf, get, has, isAlive, parentOf } from "../reading.ts";
import { counting, memories } from "../storage/memory/memories.ts";

const Guards = core.relation("Guards", { onTargetDestroy: "refuse" });

let told: Entity[] = [];

beforeEach(setShipAndDock);
beforeEach(() => {
  told = [];
});

function tellRemoved(of: World): void {
  observe(of, { removed: Frozen }, ({ entity }) => told.push(entity));
}

describe("disposeWorld destroys every entity, and observers hear of each once", () => {
  it("children before their parents, siblings in order, in both storages", () => {
    const [one, two] = [spawn(world, ChildOf(ship), Frozen), spawn(world, Parent(ship), Frozen)];
    const below = spawn(world, ChildOf(one), Frozen);
    add(world, ship, Frozen);
    const parents: (Entity | undefined)[] = [];
    tellRemoved(world);
    observe(world, { removed: Frozen }, ({ entity }) => parents.push(parentOf(world, entity)));

    disposeWorld(world);

    expect(told).toEqual([below, one, two, ship]);
    expect(parents).toEqual([one, ship, ship, undefined]);
  });

  it("roots that nothing points at first, and trees with component entities last", () => {
    const plugin = spawn(world, Frozen);
    add(world, entityOf(world, Position), ChildOf(plugin), Frozen);
    const alone = spawn(world, Frozen, Position);
    add(world, ship, Frozen);
    spawn(world, ChildOf(ship));
    tellRemoved(world);

    disposeWorld(world);

    expect(told.length).toBe(4);
    expect([told[0], told[1], told[3]]).toEqual([alone, ship, plugin]);
  });

  it("also those that relations or policies would refuse, and those in cycles", () => {
    add(world, ship, Guards(dock), Owns(dock), Frozen);
    add(world, dock, Guards(ship), Owns(ship), Frozen);
    tellRemoved(world);

    disposeWorld(world);

    expect(told.toSorted()).toEqual([ship, dock].toSorted());
  });

  it("and calls onRemove with values that are still there", () => {
    const values: unknown[] = [];
    const Mesh = withHooks(component<string>("Mesh"), {
      onRemove: (inWorld, entity, value) => values.push(value, get(inWorld, entity, Position)?.x),
    });
    add(world, ship, Mesh("a"), Position({ x: 4 }));

    disposeWorld(world);

    expect(values).toEqual(["a", 4]);
  });

  it("and throws away what observers change, with the values of it", () => {
    const dropped: unknown[] = [];
    const Mesh = withHooks(component<string>("Mesh"), { onRemove: (_, __, value) => dropped.push(value) });
    add(world, ship, Frozen);
    observe(world, { removed: Frozen }, () => spawn(world, Mesh("late")));

    disposeWorld(world);

    expect(dropped).toEqual(["late"]);
  });

  it("and throws away command buffers, with the values in them", () => {
    const dropped: unknown[] = [];
    const Mesh = withHooks(component<string>("Mesh"), { onRemove: (_, __, value) => dropped.push(value) });
    const buffer = createCommands(world);
    record(buffer, () => spawn(world, Mesh("a")));

    disposeWorld(world);

    expect(dropped).toEqual(["a"]);
    expect(codeOf(() => core.applyCommands(buffer))).toBe("disposed");
  });

  it("and throws away command buffers that would spawn nothing", () => {
    const dropped: unknown[] = [];
    const Mesh = withHooks(component<string>("Mesh"), { onRemove: (_, __, value) => dropped.push(value) });
    record(createCommands(world), () => add(world, ship, Mesh("a")));

    disposeWorld(world);

    expect(dropped).toEqual(["a"]);
  });

  it("and throws the first error of an observer when the world has ended", () => {
    add(world, ship, Frozen);
    add(world, dock, Frozen);
    observe(world, { removed: Frozen }, () => {
      throw new RangeError("observer");
    });
    tellRemoved(world);

    expect(() => disposeWorld(world)).toThrow(RangeError);
    expect(told).toEqual([ship, dock]);
    expect(codeOf(() => isAlive(world, ship))).toBe("disposed");
  });
});

describe("a disposed world", () => {
  it("refuses every function that takes a world as disposed", () => {
    const buffer = createCommands(world);
    const calls: { readonly [name: string]: () => unknown } = {
      add: () => add(world, ship, Frozen),
      applyCommands: () => core.applyCommands(buffer),
      clear: () => core.clear(world, ship),
      clone: () => core.clone(world, ship),
      createCommands: () => createCommands(world),
      defer: () => defer(world, () => 1),
      definitionAt: () => core.definitionAt(world, ship),
      discardCommands: () => core.discardCommands(buffer),
      emit: () => core.emit(world, ship, event<undefined>("Hit")),
      entityAt: () => core.entityAt(world, 1),
      entityOf: () => entityOf(world, Position),
      get: () => get(world, ship, Position),
      has: () => has(world, ship, Frozen),
      isAlive: () => isAlive(world, ship),
      isDisabled: () => core.isDisabled(world, ship),
      locate: () => core.locate(world, ship, Position),
      markChanged: () => core.markChanged(world, ship, Position),
      observe: () => observe(world, { added: Frozen }, () => undefined),
      pack: () => core.pack(world),
      parentOf: () => parentOf(world, ship),
      patch: () => core.patch(world, ship, Position, () => undefined),
      read: () => core.read(world, ship, Position, { x: 0 }),
      record: () => record(buffer, () => 1),
      release: () => core.release(world, ship),
      remove: () => core.remove(world, ship, Frozen),
      reserve: () => core.reserve(world, 1),
      set: () => core.set(world, ship, Position, { x: 1 }),
      spawn: () => spawn(world),
      spawnMany: () => spawnMany(world, 2, Position),
      subjectsOf: () => core.subjectsOf(world, ship, Likes),
      targetOf: () => core.targetOf(world, ship, Likes),
      targetsOf: () => core.targetsOf(world, ship, Likes),
    };

    disposeWorld(world);

    const codes = Object.entries(calls).map(([name, call]) => [name, codeOf(call)]);
    expect(codes).toEqual(Object.keys(calls).map((name) => [name, "disposed"]));
  });

  it("can be disposed of again, which does nothing", () => {
    disposeWorld(world);

    expect(() => disposeWorld(world)).not.toThrow();
  });

  it("lets observers be stopped", () => {
    const stop = observe(world, { removed: Frozen }, () => undefined, { yieldExisting: true });

    disposeWorld(world);

    expect(stop).not.toThrow();
  });

  it("leaves other worlds alone", () => {
    const other = createWorld();
    const one = spawn(other, Position({ x: 1 }));

    disposeWorld(world);

    expect(get(other, one, Position)?.x).toBe(1);
  });

  it("is refused while the world is read or changed, and then stays as it is", () => {
    const buffer = createCommands(world);
    const codes: unknown[] = [];
    observe(world, { added: Frozen }, () => codes.push(codeOf(() => disposeWorld(world))));

    codes.push(codeOf(() => defer(world, () => disposeWorld(world))));
    codes.push(codeOf(() => record(buffer, () => disposeWorld(world))));
    add(world, ship, Frozen);

    expect(codes).toEqual(["iterating", "iterating", "iterating"]);
    expect(has(world, ship, Frozen)).toBe(true);
  });
});

describe.each(memories)("the memory of a disposed world, %s,", (_, createMemory) => {
  it("is given back, and nothing can be reached from the world", () => {
    const memory = counting(createMemory());
    const large = createWorld({ memory });
    const parent = spawn(large);
    spawnMany(large, 10_000, Position, Label("a"), ChildOf(parent));
    const { graph, entities } = large;

    disposeWorld(large);

    expect(memory.bytes).toBe(0);
    expect([graph.archetypes.length, entities.handles.length, graph.families.pool.length]).toEqual([0, 0, 0]);
    const properties = Object.values(Object.getOwnPropertyDescriptors(large));
    expect(properties.every(({ value }) => value === undefined)).toBe(true);
  });

  it("can be used for the next world", () => {
    const memory = createMemory();
    const first = createWorld({ memory });
    spawnMany(first, 10_000, Position);
    disposeWorld(first);

    const second = createWorld({ memory });
    const one = spawn(second, Position({ x: 2 }));

    expect(get(second, one, Position)?.x).toBe(2);
  });
});

it("what observers were told of a destruction is the whole event", () => {
  const events: WorldEvent[] = [];
  add(world, ship, ChildOf(dock));
  observe(world, { removed: ChildOf }, (one) => events.push(one));

  disposeWorld(world);

  expect(events.map(({ entity, target }) => [entity, target])).toEqual([[ship, dock]]);
});
