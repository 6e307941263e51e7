import { describe, expect, it } from "vitest";
import { defer, plainMemory, release, set, spawn, spawnMany, webAssemblyMemory } from "../../../src/index.ts";
import { ChildOf, Parent, Position } from "../../definitions.ts";
import { createWorld } from "../../fixture.ts";
import { codeOf, get, isAlive, verify } from "../../reading.ts";

describe("a new world", () => {
  it("is empty and healthy", () => {
    const world = createWorld();

    expect([world.entities.alive, verify(world)]).toEqual([0, []]);
  });

  it("uses the given memory", () => {
    const worlds = [
      createWorld(),
      createWorld({ memory: plainMemory() }),
      createWorld({ memory: webAssemblyMemory() }),
    ];

    expect(worlds.map(({ graph }) => graph.memory.kind)).toEqual(["plain", "plain", "wasm"]);
  });

  it("defers changes inside iterations, unless it is strict", () => {
    const [plain, strict] = [createWorld(), createWorld({ strict: true })];

    expect(codeOf(() => defer(plain, () => spawn(plain)))).toBeUndefined();
    expect(codeOf(() => defer(strict, () => spawn(strict)))).toBe("iterating");
    expect([plain.entities.alive, strict.entities.alive]).toEqual([1, 0]);
  });

  it("destroys pending entities whose parents were destroyed, unless it drops destroyed parents", () => {
    const alive = [
      createWorld(),
      createWorld({ ifParentDestroyed: "destroy" }),
      createWorld({ ifParentDestroyed: "drop" }),
    ].map((world) => {
      const [ship, dock] = [spawn(world), spawn(world)];
      const spawned = defer(world, () => {
        release(world, ship);
        release(world, dock);
        return [spawn(world, ChildOf(ship)), spawn(world, Parent(dock))];
      });
      return spawned.map((one) => isAlive(world, one));
    });

    expect(alive).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
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

  it("refuse each other's handles", () => {
    const [one, other] = [createWorld(), createWorld()];
    const handles = spawnMany(one, 10);
    spawnMany(other, 10);

    expect(handles.some((handle) => isAlive(other, handle))).toBe(false);
  });
});
