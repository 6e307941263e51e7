import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  createWorld,
  type Entity,
  release,
  spawn,
  spawnMany,
  type TreelineError,
  type World,
} from "../../../src/index.ts";
import { ChildOf, Position } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { requireAlive, textOf } from "../../internal.ts";
import { codeOf, get, parentOf } from "../../reading.ts";

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect((error as TreelineError).code).toBe("dead-entity");
    return (error as TreelineError).message;
  }
  return "";
}

beforeEach(setWorld);

describe("a valid argument", () => {
  it("is not refused", () => {
    const one = spawn(world);

    expect(codeOf(() => requireAlive(world, one))).toBeUndefined();
  });
});

describe("the message about a handle that is not alive", () => {
  it.each<[string, (world: World, handle: Entity) => unknown]>([
    ["get", (world, handle) => get(world, handle, Position)],
    ["add", (world, handle) => add(world, handle, Position)],
    ["a parent", (world, handle) => spawn(world, ChildOf(handle))],
    ["parentOf", (world, handle) => parentOf(world, handle)],
  ])("says that it belongs to another world, in %s", (_, act) => {
    const [one, other] = [createWorld(), createWorld()];
    const foreign = spawn(one);
    spawn(other);

    expect(messageOf(() => act(other, foreign))).toContain("another world");
  });

  it("says so also in the world that was created first", () => {
    const [one, other] = [createWorld(), createWorld()];
    spawn(one);

    expect(messageOf(() => get(one, spawn(other), Position))).toContain("another world");
  });

  it("does not say so of a handle of this world, however often its index was reused", () => {
    const handles = spawnMany(world, 5000);
    for (const handle of handles) release(world, handle);
    for (const handle of spawnMany(world, 5000)) release(world, handle);

    const message = messageOf(() => get(world, handles[0]!, Position));

    expect(message).not.toContain("another world");
    expect(message).toContain("isAlive");
  });

  it("calls a definition by its name, where an entity is expected", () => {
    expect(messageOf(() => get(world, Position as never, Position))).toBe(
      "Position is not an entity; pass a handle that spawn returned",
    );
  });

  it.each([0, -1, 1.5, Number.NaN, undefined, null, "x", 5n, Symbol("s"), Object.create(null), [1]])(
    "says that %o is not an entity",
    (odd) => {
      const world = createWorld();

      expect(messageOf(() => get(world, odd as Entity, Position))).toContain("is not an entity");
    },
  );
});

describe("the text of an entity", () => {
  it("is its index, unless the world has a better text", () => {
    const one = spawn(world);
    const before = textOf(world, one);

    world.textOf = () => "Ship";

    expect([before, textOf(world, one)]).toEqual(["#1", "Ship"]);
  });
});
