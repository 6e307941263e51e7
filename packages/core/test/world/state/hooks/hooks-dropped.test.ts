import { beforeEach, describe, expect, it } from "vitest";
import type { Entity } from "../../../../src/index.ts";
import {
  add,
  applyCommands,
  clone,
  component,
  createCommands,
  defer,
  discardCommands,
  f32,
  isAlive,
  observe,
  record,
  release,
  set,
  withHooks,
} from "../../../../src/index.ts";
import { ChildOf, Frozen, Position } from "../../../definitions.ts";
import { dock, setShipAndDock, ship, spawn, spawnMany, world } from "../../../fixture.ts";
import { codeOf, get, has, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";

const removed: [entity: Entity, value: unknown, parent: Entity | undefined, isAlive: boolean][] = [];

const Mesh = withHooks(component<string>("Mesh"), {
  onRemove: (inWorld, entity, value, parent) => {
    removed.push([entity, value, parent, isAlive(inWorld, entity)]);
  },
});
const Body = withHooks(component("Body", { mass: f32, size: f32 }), {
  onRemove: (inWorld, entity, value, parent) => {
    removed.push([entity, { ...value }, parent, isAlive(inWorld, entity)]);
  },
});
const Guarded = withHooks(component<string>("Guarded"), {
  check: () => {
    throw new RangeError("refused");
  },
});
const Id = withHooks(component<string>("Id"), {
  identifies: "siblings",
  onRemove: (_, entity, value) => {
    removed.push([entity, value, undefined, false]);
  },
});

beforeEach(setShipAndDock);
beforeEach(() => {
  removed.length = 0;
});

describe("onRemove is called with values that deferred commands drop", () => {
  it.each<[string, () => void]>([
    ["add", () => add(world, dock, Mesh("a"))],
    ["set", () => set(world, dock, Mesh, "a")],
    ["add among others", () => add(world, dock, Frozen, Mesh("a"), Position({ x: 1 }))],
  ])("by %s to an entity that is not alive", (_, give) => {
    defer(world, () => {
      release(world, dock);
      give();
    });

    expect(removed).toEqual([[dock, "a", undefined, false]]);
  });

  it("whole, with defaults for fields that were not given", () => {
    defer(world, () => {
      release(world, dock);
      set(world, dock, Body, { mass: 2 });
    });

    expect(removed).toEqual([[dock, { mass: 2, size: 0 }, undefined, false]]);
  });

  it("by a spawn, a spawn of many and a clone below a parent that is not alive", () => {
    const spawned = defer(world, () => {
      destroy(world, dock);
      const one = spawn(world, Mesh("a"), ChildOf(dock));
      const many = spawnMany(world, 2, Mesh("b"), ChildOf(dock));
      return [one, ...many, clone(world, ship, { with: [Mesh("c"), ChildOf(dock)] })];
    });

    const [one, two, three, four] = spawned as [Entity, Entity, Entity, Entity];
    expect(removed).toEqual([
      [one, "a", undefined, false],
      [two, "b", undefined, false],
      [three, "b", undefined, false],
      [four, "c", undefined, false],
    ]);
  });

  it("by a clone whose original is not alive", () => {
    const copy = defer(world, () => {
      destroy(world, dock);
      return clone(world, dock, { with: [Mesh("a")] });
    });

    expect(removed).toEqual([[copy, "a", undefined, false]]);
  });

  it("after the entity went with the target of the pair, and after its own values", () => {
    add(world, ship, Body({ mass: 1 }));
    defer(world, () => {
      destroy(world, dock);
      add(world, ship, ChildOf(dock), Mesh("a"));
    });

    expect(removed).toEqual([
      [ship, { mass: 1, size: 0 }, undefined, true],
      [ship, "a", undefined, false],
    ]);
  });

  it("by a command that is refused", () => {
    let pod: Entity | undefined;
    const run = (): void =>
      defer(world, () => {
        pod = spawn(world, Mesh("a"), Guarded("b"));
        add(world, ship, Guarded("c"), Mesh("d"));
      });

    expect(run).toThrow(RangeError);
    expect(removed).toEqual([
      [pod, "a", undefined, false],
      [ship, "d", undefined, true],
    ]);
    expect(has(world, ship, Mesh)).toBe(false);
  });

  it("by a buffer that is thrown away", () => {
    const buffer = createCommands(world);
    const pod = record(buffer, () => {
      set(world, ship, Mesh, "a");
      return spawn(world, Body({ size: 3 }));
    });

    discardCommands(buffer);

    expect(removed).toEqual([
      [ship, "a", undefined, true],
      [pod, { mass: 0, size: 3 }, undefined, false],
    ]);
  });

  it("by a buffer that is applied after its entity was destroyed", () => {
    const buffer = createCommands(world);
    record(buffer, () => set(world, ship, Mesh, "a"));
    release(world, ship);

    applyCommands(buffer);

    expect(removed).toEqual([[ship, "a", undefined, false]]);
  });
});

describe("onRemove is not called", () => {
  it("for a value that was written, until it is removed", () => {
    defer(world, () => {
      set(world, ship, Mesh, "a");
      add(world, dock, Mesh("b"));
    });

    expect([get(world, ship, Mesh), get(world, dock, Mesh), removed]).toEqual(["a", "b", []]);
  });

  it("for a command without a value, and for what identifies", () => {
    defer(world, () => {
      release(world, dock);
      add(world, dock, Body, Id("a"));
    });

    expect(removed).toEqual([]);
  });

  it("for a value that a call refused at once, which its caller still has", () => {
    release(world, dock);

    expect(codeOf(() => add(world, dock, Mesh("a")))).toBe("dead-entity");
    expect(() => add(world, ship, Mesh("a"), Guarded("b"))).toThrow(RangeError);
    expect(removed).toEqual([]);
  });

  it("for a value that an entity has, because an observer of it throws", () => {
    observe(world, { added: Mesh }, () => {
      throw new RangeError("observer");
    });

    expect(() => defer(world, () => add(world, ship, Mesh("a")))).toThrow(RangeError);
    expect([get(world, ship, Mesh), removed]).toEqual(["a", []]);
  });
});

it("changes that onRemove makes for a dropped value are made at the end", () => {
  const Leaving = withHooks(component<string>("Leaving"), {
    onRemove: (inWorld) => add(inWorld, ship, Frozen),
  });

  defer(world, () => {
    release(world, dock);
    add(world, dock, Leaving("a"));
  });

  expect([has(world, ship, Frozen), verify(world)]).toEqual([true, []]);
});
