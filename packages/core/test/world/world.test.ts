import { describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { nextNumber } from "../../src/id/definition.ts";
import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  isAlive,
  parentOf,
  plainMemory,
  release,
  set,
  spawn,
  spawnMany,
  type TreelineError,
  type World,
  webAssemblyMemory,
} from "../../src/index.ts";
import { textOf } from "../../src/world/require.ts";
import { stateOf } from "../../src/world/world.ts";

const Position = component("Position", { x: f32 });

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as TreelineError).message;
  }
  return "";
}

describe("a new world", () => {
  it("is empty and healthy", () => {
    const world = createWorld();

    expect([world.entities.alive, verify(world)]).toEqual([0, []]);
  });

  it("takes its memory from where it is told to", () => {
    const worlds = [
      createWorld(),
      createWorld({ memory: plainMemory() }),
      createWorld({ memory: webAssemblyMemory() }),
    ];

    expect(worlds.map(({ graph }) => graph.memory.kind)).toEqual(["plain", "plain", "wasm"]);
  });
});

describe("worlds side by side", () => {
  it("share definitions and nothing else", () => {
    const [one, other] = [createWorld(), createWorld({ memory: webAssemblyMemory() })];
    const first = spawn(one, Position({ x: 1 }));
    const second = spawn(other, Position({ x: 2 }));
    spawnMany(other, 100, Position, ChildOf(second));

    set(one, first, Position, { x: 10 });
    release(one, spawn(one));

    expect([get(one, first, Position)!.x, get(other, second, Position)!.x]).toEqual([10, 2]);
    expect([one.entities.alive, other.entities.alive]).toEqual([1, 101]);
  });

  it("do not take each other's handles", () => {
    const [one, other] = [createWorld(), createWorld()];
    const handles = spawnMany(one, 10);
    spawnMany(other, 10);

    expect(handles.some((handle) => isAlive(other, handle))).toBe(false);
  });
});

describe("the message about a handle that is not alive", () => {
  it.each<[string, (world: World, handle: Entity) => unknown]>([
    ["get", (world, handle) => get(world, handle, Position)],
    ["add", (world, handle) => add(world, handle, Position)],
    ["a parent", (world, handle) => spawn(world, ChildOf(handle))],
    ["parentOf", (world, handle) => parentOf(world, handle)],
  ])("says that it is of another world, in %s", (_, act) => {
    const [one, other] = [createWorld(), createWorld()];
    const foreign = spawn(one);
    spawn(other);

    expect(messageOf(() => act(other, foreign))).toMatch(/^dead-entity: .*another world/);
  });

  it("says so also in the world that was made first", () => {
    const [one, other] = [createWorld(), createWorld()];
    spawn(one);

    expect(messageOf(() => get(one, spawn(other), Position))).toContain("another world");
  });

  it("does not say so of a handle that this world gave, however often its index was reused", () => {
    const world = createWorld();
    const handles = spawnMany(world, 5000);
    for (const handle of handles) release(world, handle);
    for (const handle of spawnMany(world, 5000)) release(world, handle);

    const message = messageOf(() => get(world, handles[0]!, Position));

    expect(message).toMatch(/^dead-entity: /);
    expect(message).not.toContain("another world");
    expect(message).toContain("isAlive");
  });

  it.each([0, -1, 1.5, Number.NaN, undefined, null, "x"])("says that %s is no entity at all", (odd) => {
    const world = createWorld();

    expect(messageOf(() => get(world, odd as Entity, Position))).toContain("is no entity");
  });
});

describe("the state of an upper room", () => {
  it("is made once for each world, when first asked for", () => {
    const [one, other] = [createWorld(), createWorld()];
    const number = nextNumber();
    let made = 0;
    const create = (world: World) => ({ world, made: ++made });

    const states = [
      stateOf(one, number, create),
      stateOf(other, number, create),
      stateOf(one, number, create),
    ];

    expect(states.map((state) => [state.world === one, state.made])).toEqual([
      [true, 1],
      [false, 2],
      [true, 1],
    ]);
  });
});

describe("the text of an entity", () => {
  it("is its index, until somebody knows better", () => {
    const world = createWorld();
    const one = spawn(world);
    const before = textOf(world, one);

    world.textOf = () => "Ship";

    expect([before, textOf(world, one)]).toEqual(["e1", "Ship"]);
  });
});
