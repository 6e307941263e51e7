import { describe, expect, it } from "vitest";
import {
  array,
  bool,
  component,
  f32,
  f64,
  i16,
  relation,
  remove,
  set,
  sparse,
  u8,
  value,
} from "../../../src/index.ts";
import { createWorld, spawn } from "../../fixture.ts";
import { codeOf, get } from "../../reading.ts";

/** Twice: the first read of a component finds its reader, the second one uses it. */
function readTwice<Value>(read: () => Value): Value[] {
  return [read(), read()];
}

describe("get reads twice the same", () => {
  it.each([
    ["one number", { a: f32 }, { a: 1.5 }],
    ["two numbers", { a: f64, b: f64 }, { a: 0.1, b: 2 }],
    ["three numbers", { a: i16, b: i16, c: i16 }, { a: -1, b: 2, c: 3 }],
    ["four numbers", { a: f32, b: f32, c: f32, d: f32 }, { a: 1, b: 2, c: 3, d: 4 }],
    ["numbers of two kinds", { a: f32, b: u8, c: f64 }, { a: 1, b: 2, c: 3 }],
    ["a boolean", { a: bool }, { a: true }],
    ["a list", { a: array(f32, 2) }, { a: Float32Array.of(1, 2) }],
    ["a text", { a: value<string>("") }, { a: "text" }],
  ])("of %s", (_, schema, given) => {
    const What = component("What", schema as { a: typeof f32 });
    const world = createWorld();
    const others = [spawn(world, What), spawn(world, What(given as never)), spawn(world, What)];

    expect(readTwice(() => get(world, others[1]!, What))).toEqual([given, given]);
  });

  it("of components that share a reader's text, and of several worlds", () => {
    const all = Array.from({ length: 10 }, (_, at) =>
      component(`C${at}`, { [`x${at}`]: f32, [`y${at}`]: f32 }),
    );
    const worlds = [createWorld(), createWorld()];

    const read = worlds.map((world, side) => {
      const one = spawn(world, ...all.map((what, at) => what({ [`x${at}`]: at, [`y${at}`]: side })));
      return readTwice(() => all.map((what) => get(world, one, what)));
    });

    const wanted = (side: number): unknown => all.map((_, at) => ({ [`x${at}`]: at, [`y${at}`]: side }));
    expect(read).toEqual([
      [wanted(0), wanted(0)],
      [wanted(1), wanted(1)],
    ]);
  });

  it("of a sparse component, and of what an entity does not have", () => {
    const Apart = component("Apart", { x: f32 }, { storage: sparse });
    const Own = component("Own", { x: f32 });
    const world = createWorld();
    const one = spawn(world, Apart({ x: 3 }), Own({ x: 4 }));
    expect(readTwice(() => [get(world, one, Apart), get(world, one, Own)])[1]).toEqual([{ x: 3 }, { x: 4 }]);

    remove(world, one, Apart);
    remove(world, one, Own);

    expect(readTwice(() => [get(world, one, Apart), get(world, one, Own)])[1]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("and gives a new object each time", () => {
    const Own = component("Own", { x: f32 });
    const world = createWorld();
    const one = spawn(world, Own({ x: 4 }));
    get(world, one, Own);

    get(world, one, Own)!.x = 9;
    const before = get(world, one, Own);
    set(world, one, Own, { x: 5 });

    expect([before, get(world, one, Own)]).toEqual([{ x: 4 }, { x: 5 }]);
  });

  it("but refuses a relation without its target, also after it has read a pair", () => {
    const Damage = relation("Damage", { fields: { amount: f32 } });
    const world = createWorld();
    const target = spawn(world);
    const one = spawn(world, Damage(target, { amount: 2 }));
    expect(readTwice(() => get(world, one, Damage(target)))).toEqual([{ amount: 2 }, { amount: 2 }]);

    expect(readTwice(() => codeOf(() => get(world, one, Damage as never)))).toEqual(["bad-term", "bad-term"]);
  });
});
