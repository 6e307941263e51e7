import { describe, expect, it } from "vitest";
import { createWorld, type Entity, release, set, spawn, spawnMany, type World } from "../../../src/index.ts";
import { array, component, f32, i32 } from "../../defining.ts";
import { Any, ChildOf, Damage, Frozen, Label, Likes } from "../../definitions.ts";
import { codeOf, get, has, locate, read } from "../../reading.ts";
import { snapshot } from "../snapshot.ts";

const Position = component("Position", { x: f32, y: f32 });
const Matrix = component("Matrix", { cells: array(f32, 4), age: i32 });
const Mesh = component<{ readonly name: string }>("Mesh");
const Empty = component("Empty", {});

function startDestroyed() {
  const world = createWorld();
  const [one, destroyed] = [spawn(world, Position({ x: 1 })), spawn(world, Position)];
  release(world, destroyed);
  return { world, one, destroyed };
}

describe("has", () => {
  it("works for components with and without values, tags and pairs", () => {
    const world = createWorld();
    const [ship, other] = [spawn(world), spawn(world)];
    const one = spawn(world, Position, Label("a"), Empty, Frozen, Likes(ship), Damage(ship));

    const yes = [Position, Label, Empty, Frozen, Likes(ship), Likes(Any), Damage(ship), Damage(Any)];
    const no = [Matrix, Mesh, Likes(other), Damage(other), ChildOf(ship), ChildOf(Any)];

    expect(yes.map((what) => has(world, one, what))).toEqual(yes.map(() => true));
    expect(no.map((what) => has(world, one, what))).toEqual(no.map(() => false));
  });

  it("returns false for a target that is not alive", () => {
    const { world, one, destroyed } = startDestroyed();

    expect([has(world, one, Likes(destroyed)), has(world, one, Damage(destroyed))]).toEqual([false, false]);
  });

  it("refuses an entity that is not alive as dead-entity", () => {
    const { world, destroyed } = startDestroyed();

    expect(codeOf(() => has(world, destroyed, Position))).toBe("dead-entity");
  });
});

describe("get", () => {
  it("returns a fresh copy of the fields", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 1, y: 2 }), Matrix({ cells: [1, 2, 3, 4], age: 7 }));

    const copy = get(world, one, Position)!;
    const matrix = get(world, one, Matrix)!;
    copy.x = 9;
    matrix.cells[0] = 9;

    expect(get(world, one, Position)).toEqual({ x: 1, y: 2 });
    expect(get(world, one, Matrix)).toEqual({ cells: Float32Array.of(1, 2, 3, 4), age: 7 });
    expect(get(world, one, Position)).not.toBe(copy);
  });

  it("returns the value itself of a component without schema", () => {
    const world = createWorld();
    const mesh = { name: "crate" };
    const one = spawn(world, Mesh(mesh));

    expect(get(world, one, Mesh)).toBe(mesh);
  });

  it("returns the values of a pair with data", () => {
    const world = createWorld();
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, Damage(a, { amount: 1.5 }), Damage(b, { amount: 2.5 }));

    expect([get(world, one, Damage(a)), get(world, one, Damage(b))]).toEqual([
      { amount: 1.5 },
      { amount: 2.5 },
    ]);
  });

  it("returns undefined for what the entity does not have", () => {
    const { world, one, destroyed } = startDestroyed();

    expect([get(world, one, Matrix), get(world, one, Label), get(world, one, Damage(one))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(get(world, one, Damage(destroyed))).toBeUndefined();
  });

  it("refuses an entity that is not alive as dead-entity", () => {
    const { world, destroyed } = startDestroyed();

    expect(codeOf(() => get(world, destroyed, Position))).toBe("dead-entity");
  });
});

describe("a value", () => {
  it.each<[string, (world: World, one: Entity) => unknown]>([
    ["get", (world, one) => get(world, one, Damage as never)],
    ["read", (world, one) => read(world, one, Damage as never, {} as never)],
    ["locate", (world, one) => locate(world, one, Damage as never)],
    ["set", (world, one) => set(world, one, Damage as never, {} as never)],
    ["get of a wildcard", (world, one) => get(world, one, Damage(Any) as never)],
    ["set of a wildcard", (world, one) => set(world, one, Damage(Any) as never, {} as never)],
    ["locate of any relation", (world, one) => locate(world, one, Any(one) as never)],
  ])("of a relation without target is refused as bad-term, by %s", (_, act) => {
    const world = createWorld();
    const one = spawn(world, Damage(spawn(world), { amount: 1 }));

    expect(codeOf(() => act(world, one))).toBe("bad-term");
  });

  it.each([Number.NaN, 0, -1, "x", undefined])("of a pair with %s is refused as dead-entity", (odd) => {
    const world = createWorld();
    const one = spawn(world);

    expect(codeOf(() => get(world, one, Damage(odd as Entity)))).toBe("dead-entity");
    expect(codeOf(() => set(world, one, Damage(odd as Entity), { amount: 1 }))).toBe("dead-entity");
  });

  it.each([null, undefined, 5, "x"])("is refused as bad-value when it is to be read into %s", (odd) => {
    const world = createWorld();

    expect(codeOf(() => read(world, spawn(world, Position), Position, odd as never))).toBe("bad-value");
  });
});

describe("read", () => {
  it("writes the fields into the given object, lists into the existing lists", () => {
    const world = createWorld();
    const one = spawn(world, Matrix({ cells: [1, 2, 3, 4], age: 7 }));
    const cells = new Float32Array(4);
    const into = { cells, age: 0 };

    expect(read(world, one, Matrix, into)).toBe(true);

    expect(into.cells).toBe(cells);
    expect(into).toEqual({ cells: Float32Array.of(1, 2, 3, 4), age: 7 });
  });

  it("creates a copy of a list where there is none", () => {
    const world = createWorld();
    const one = spawn(world, Matrix({ cells: [1, 2, 3, 4] }));
    const into = {} as { cells: Float32Array; age: number };

    read(world, one, Matrix, into);
    into.cells[0] = 99;

    expect(get(world, one, Matrix)!.cells[0]).toBe(1);
  });

  it("reads the values of a pair", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Damage(ship, { amount: 2 }));
    const into = { amount: 0 };

    expect([read(world, one, Damage(ship), into), into.amount]).toEqual([true, 2]);
  });

  it("leaves the object as it was where there is nothing", () => {
    const { world, one } = startDestroyed();
    const into = { cells: Float32Array.of(5, 5, 5, 5), age: 5 };

    expect(read(world, one, Matrix, into)).toBe(false);

    expect(into).toEqual({ cells: Float32Array.of(5, 5, 5, 5), age: 5 });
  });

  it("refuses an entity that is not alive as dead-entity, and a component without fields as bad-value", () => {
    const { world, one, destroyed } = startDestroyed();

    expect(codeOf(() => read(world, destroyed, Position, { x: 0, y: 0 }))).toBe("dead-entity");
    expect(codeOf(() => read(world, one, Mesh, { name: "" }))).toBe("bad-value");
  });
});

describe("set", () => {
  it("writes the given fields and leaves the others", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 1, y: 2 }));

    set(world, one, Position, { y: 5 });

    expect(get(world, one, Position)).toEqual({ x: 1, y: 5 });
  });

  it("adds a missing component; fields that are not given get their defaults", () => {
    const world = createWorld();
    spawn(world, Position({ x: 8, y: 8 }));
    const one = spawn(world);

    set(world, one, Position, { y: 5 });
    set(world, one, Label, "Seat");

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 0, y: 5 }, "Seat"]);
  });

  it("is not a structural change where the component is there", () => {
    const world = createWorld();
    const one = spawn(world, Position, Label("a"));
    const before = { ...snapshot(world), archetypes: [] };

    set(world, one, Position, { x: 3 });
    set(world, one, Label, "b");

    expect({ ...snapshot(world), archetypes: [] }).toEqual(before);
  });

  it("writes and adds the values of pairs", () => {
    const world = createWorld();
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, Damage(a, { amount: 1 }));

    set(world, one, Damage(a), { amount: 10 });
    set(world, one, Damage(b), { amount: 20 });

    expect([get(world, one, Damage(a)), get(world, one, Damage(b))]).toEqual([
      { amount: 10 },
      { amount: 20 },
    ]);
  });

  it("changes no other entity", () => {
    const world = createWorld();
    const crowd = spawnMany(world, 20, Position({ x: 1, y: 1 }), Label("a"));

    set(world, crowd[7]!, Position, { x: 2, y: 2 });
    set(world, crowd[7]!, Label, "b");

    const others = crowd.filter((_, at) => at !== 7);
    expect(others.every((one) => get(world, one, Position)!.x === 1 && get(world, one, Label) === "a")).toBe(
      true,
    );
  });

  it("replaces a value of a component without schema, also by undefined", () => {
    const world = createWorld();
    const Maybe = component<string | undefined>("Maybe");
    const one = spawn(world, Maybe("a"));

    set(world, one, Maybe, undefined);

    expect([has(world, one, Maybe), get(world, one, Maybe)]).toEqual([true, undefined]);
  });

  it.each<[string, string, (world: ReturnType<typeof startDestroyed>) => void]>([
    [
      "dead-entity",
      "an entity that is not alive",
      ({ world, destroyed }) => set(world, destroyed, Position, { x: 1 }),
    ],
    [
      "dead-entity",
      "a target that is not alive",
      ({ world, one, destroyed }) => set(world, one, Damage(destroyed), { amount: 1 }),
    ],
    ["bad-value", "a tag", ({ world, one }) => set(world, one, Frozen as never, {} as never)],
    ["bad-value", "a component without values", ({ world, one }) => set(world, one, Empty, {})],
    [
      "bad-value",
      "a pair without values",
      ({ world, one }) => set(world, one, Likes(one) as never, {} as never),
    ],
    ["bad-value", "a number for an object", ({ world, one }) => set(world, one, Position, 5 as never)],
    ["bad-value", "a text for a number", ({ world, one }) => set(world, one, Position, { x: "1" as never })],
    ["bad-value", "a list for a number", ({ world, one }) => set(world, one, Position, { x: [1] as never })],
    ["bad-value", "too long a list", ({ world, one }) => set(world, one, Matrix, { cells: [1, 2, 3, 4, 5] })],
    ["bad-value", "null for a list", ({ world, one }) => set(world, one, Matrix, { cells: null as never })],
  ])("refuses with %s: %s, and changes nothing", (code, _, act) => {
    const start = startDestroyed();
    const before = snapshot(start.world);

    expect(codeOf(() => act(start))).toBe(code);

    expect(snapshot(start.world)).toEqual(before);
  });

  it("refuses a bad value also where the component is there, and writes no part of it", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 1, y: 2 }));

    expect(codeOf(() => set(world, one, Position, { x: 9, y: "2" as never }))).toBe("bad-value");

    expect(get(world, one, Position)).toEqual({ x: 1, y: 2 });
  });
});
