import { describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { nextNumber } from "../../src/id/definition.ts";
import {
  ChildOf,
  component,
  createWorld,
  f32,
  get,
  isAlive,
  plainMemory,
  release,
  set,
  spawn,
  spawnMany,
  type World,
  webAssemblyMemory,
} from "../../src/index.ts";
import { stateOf } from "../../src/world/world.ts";

const Position = component("Position", { x: f32 });

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
