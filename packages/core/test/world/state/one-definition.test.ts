import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  component,
  Disabled,
  defer,
  definitions,
  entityOf,
  f32,
  relation,
  set,
  spawnMany,
  TreelineError,
  tag,
} from "../../../src/index.ts";
import { Frozen, Likes, Position } from "../../definitions.ts";
import { createWorld, dock, setShipAndDock, ship, spawn, world } from "../../fixture.ts";
import { asTag, has, verify } from "../../reading.ts";
import { livingTables } from "../snapshot.ts";

const SecondPosition = component("Position", { x: f32 });
const SecondFrozen = tag("Frozen");
const SecondLikes = relation("Likes");
const SecondDisabled = tag("Disabled");

beforeEach(() => {
  setShipAndDock();
  add(world, ship, Position, Frozen, Likes(dock));
});

function errorOf(act: () => unknown): TreelineError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TreelineError);
    return error as TreelineError;
  }
  throw new Error("not refused");
}

describe("a second definition of a name in one world", () => {
  it.each<[string, () => unknown]>([
    ["spawn", () => spawn(world, SecondPosition)],
    ["spawnMany", () => spawnMany(world, 3, SecondFrozen)],
    ["add", () => add(world, dock, SecondFrozen)],
    ["add, with a value", () => add(world, dock, SecondPosition({ x: 1 }))],
    ["add, of a pair", () => add(world, dock, SecondLikes(ship))],
    ["set", () => set(world, dock, SecondPosition, { x: 1 })],
    ["entityOf", () => entityOf(world, SecondFrozen)],
  ])("is refused at its first use, and nothing has changed: %s", (_, act) => {
    const before = [livingTables(world), definitions(world)];

    expect(errorOf(act).code).toBe("bad-definition");

    expect([livingTables(world), definitions(world)]).toEqual(before);
    expect(verify(world)).toEqual([]);
  });

  it("is refused in the same call as the first one", () => {
    const other = createWorld();

    expect(errorOf(() => spawn(other, Frozen, SecondFrozen)).code).toBe("bad-definition");

    spawn(other, SecondFrozen);
    expect(definitions(other)).toEqual([SecondFrozen]);
  });

  it("is refused beside a builtin that the world has used", () => {
    add(world, ship, Disabled);

    expect(errorOf(() => add(world, dock, SecondDisabled)).code).toBe("bad-definition");
  });

  it("is refused beside one that has only a component entity", () => {
    const other = createWorld();
    entityOf(other, Frozen);

    expect(errorOf(() => spawn(other, SecondFrozen)).code).toBe("bad-definition");
  });

  it("is refused when deferred changes are made; the others are made", () => {
    const other = createWorld();
    const [one, two] = [spawn(other), spawn(other)];

    const { code } = errorOf(() =>
      defer(other, () => {
        add(other, one, Frozen);
        add(other, one, SecondFrozen);
        add(other, two, Frozen);
      }),
    );

    expect([code, has(other, one, SecondFrozen), has(other, two, Frozen)]).toEqual([
      "bad-definition",
      false,
      true,
    ]);
  });

  it("is told what to do", () => {
    const { message } = errorOf(() => add(world, dock, SecondFrozen));

    expect(message).toMatch(/another definition named Frozen: make each tag once, at module level/);
    expect(message).toMatch(/copies of a package/);
    expect(message).toMatch(/hot reload .* a new world works/);
  });

  it("is used in another world", () => {
    const other = createWorld();
    const one = spawn(other, SecondPosition({ x: 1 }), SecondFrozen);

    expect([has(other, one, SecondFrozen), has(other, one, Frozen)]).toEqual([true, false]);
  });

  it("is accepted if the name is that of something internal", () => {
    const named = ["Is", "Root", "Life", "ComponentEntity"].map((name) => tag(name));
    const one = spawn(world, ...named, asTag(ship));
    entityOf(world, Likes);

    expect(named.every((own) => has(world, one, own))).toBe(true);
  });
});
