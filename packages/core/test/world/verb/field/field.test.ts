import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  array,
  bool,
  component,
  defer,
  entity,
  type FieldAccess,
  f32,
  f64,
  field,
  i8,
  i16,
  i32,
  observe,
  release,
  set,
  TreelineError,
  u8,
  u16,
  u32,
  withHooks,
} from "../../../../src/index.ts";
import { Frozen, Label, Likes, Position } from "../../../definitions.ts";
import { createWorld, dock, type Entity, setShipAndDock, ship, spawn, world } from "../../../fixture.ts";
import { codeOf, get, has } from "../../../reading.ts";
import { snapshot } from "../../snapshot.ts";

const Everything = component("Everything", { f32, f64, i8, u8, i16, u16, i32, u32, bool, entity });
const Matrix = component("Matrix", { scale: f32, cells: array(f32, 3), other: f64 });
const x = field(Position, "x");

beforeEach(setShipAndDock);

describe("reading a field", () => {
  it("returns the value of that entity", () => {
    set(world, ship, Position, { x: 3 });
    set(world, dock, Position, { x: 4 });

    expect([x.get(world, ship), x.get(world, dock)]).toEqual([3, 4]);
  });

  it("finds it in every table, before and after rows move", () => {
    const crates = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? spawn(world, Position({ x: at })) : spawn(world, Matrix, Frozen, Position({ x: at })),
    );
    set(world, crates[0]!, Label, "first");

    expect(crates.map((one) => x.get(world, one))).toEqual(crates.map((_, at) => at));
  });

  it("returns undefined if the entity does not have the component", () => {
    expect(x.get(world, ship)).toBeUndefined();
  });

  it("works in all worlds", () => {
    const other = createWorld();
    const crate = spawn(other, Frozen, Position({ x: 7 }));
    set(world, ship, Position, { x: 3 });

    expect([x.get(other, crate), x.get(world, ship), x.get(other, crate)]).toEqual([7, 3, 7]);
  });

  it("returns undefined for an entity that is not alive any more", () => {
    const at = field(Everything, "entity");
    at.set(world, ship, dock);
    const before = at.get(world, ship);
    release(world, dock);

    expect([before, at.get(world, ship)]).toEqual([dock, undefined]);
  });

  it("returns a copy of a list", () => {
    const cells = field(Matrix, "cells");
    set(world, ship, Matrix, { cells: [1, 2, 3] });

    cells.get(world, ship)![0] = 9;

    expect(cells.get(world, ship)).toEqual(Float32Array.of(1, 2, 3));
  });

  it("refuses an entity that is not alive", () => {
    release(world, ship);

    expect(codeOf(() => x.get(world, ship))).toBe("dead-entity");
  });
});

describe("writing a field", () => {
  it("changes that field alone", () => {
    set(world, ship, Matrix, { scale: 1, cells: [1, 2, 3], other: 4 });

    field(Matrix, "other").set(world, ship, 5);

    expect(get(world, ship, Matrix)).toEqual({ scale: 1, cells: Float32Array.of(1, 2, 3), other: 5 });
  });

  it.each([
    ["f32", 0.1, Math.fround(0.1)],
    ["f64", 0.1, 0.1],
    ["i8", -56, -56],
    ["u8", 255, 255],
    ["i16", -2, -2],
    ["u16", 65535, 65535],
    ["i32", -(2 ** 31), -(2 ** 31)],
    ["u32", 2 ** 32 - 1, 2 ** 32 - 1],
    ["bool", true, true],
  ] as const)("of kind %s stores what set stores", (name, given, stored) => {
    const own = field(Everything, name) as FieldAccess<unknown>;
    set(world, ship, Everything, { [name]: given });
    const bySet = own.get(world, ship);
    set(world, dock, Everything, {});

    own.set(world, dock, given);

    expect([bySet, own.get(world, dock)]).toEqual([stored, stored]);
  });

  it("stores an entity, and undefined for none", () => {
    const at = field(Everything, "entity");
    at.set(world, ship, dock);
    const before = get(world, ship, Everything)?.entity;

    at.set(world, ship, undefined);

    expect([before, get(world, ship, Everything)?.entity]).toEqual([dock, undefined]);
  });

  it("stores a whole list", () => {
    field(Matrix, "cells").set(world, ship, [4, 5, 6]);

    expect(get(world, ship, Matrix)?.cells).toEqual(Float32Array.of(4, 5, 6));
  });

  it("adds the component if the entity does not have it, with the defaults of other fields", () => {
    field(Matrix, "other").set(world, ship, 5);

    expect(get(world, ship, Matrix)).toEqual({ scale: 0, cells: new Float32Array(3), other: 5 });
  });

  it("notifies observers of the component, once each time", () => {
    set(world, ship, Position, { x: 1 });
    const seen: unknown[] = [];
    observe(world, { set: Position }, (event) => seen.push([event.entity, x.get(world, event.entity)]));

    x.set(world, ship, 2);
    x.set(world, ship, 3);

    expect(seen).toEqual([
      [ship, 2],
      [ship, 3],
    ]);
  });

  it("calls the hooks of the component with the whole value", () => {
    const checked: unknown[] = [];
    const Fuel = withHooks(component("Fuel", { tons: f32, grade: u8 }), {
      check: (_world, _entity, value) => {
        checked.push(value);
        if (value.tons < 0) throw new Error("less than nothing");
      },
    });
    const tons = field(Fuel, "tons");
    set(world, ship, Fuel, { tons: 1, grade: 2 });
    checked.length = 0;

    expect(() => tons.set(world, ship, -1)).toThrow("less than nothing");
    tons.set(world, ship, 3);

    expect([checked, get(world, ship, Fuel)]).toEqual([
      [
        { tons: -1, grade: 2 },
        { tons: 3, grade: 2 },
      ],
      { tons: 3, grade: 2 },
    ]);
  });

  it("is made at once inside an iteration, and deferred behind a deferred change of the entity", () => {
    set(world, ship, Position, { x: 1 });
    const seen: unknown[] = [];

    defer(world, () => {
      x.set(world, ship, 2);
      seen.push(x.get(world, ship));
      set(world, ship, Label, "late");
      x.set(world, ship, 3);
      seen.push(x.get(world, ship));
    });

    expect([...seen, x.get(world, ship)]).toEqual([2, 2, 3]);
  });

  it.each([
    ["a text", "5"],
    ["undefined", undefined],
    ["a list", [1]],
  ])("refuses %s for a number, and changes nothing", (_, value) => {
    set(world, ship, Position, { x: 1 });
    const before = snapshot(world);

    expect(codeOf(() => x.set(world, ship, value as never))).toBe("bad-value");
    expect(snapshot(world)).toEqual(before);
  });

  it.each([
    ["bool", 1],
    ["bool", undefined],
    ["entity", 1.5],
    ["entity", -1],
  ] as const)("of kind %s refuses %s", (name, value) => {
    set(world, ship, Everything, {});

    expect(codeOf(() => field(Everything, name).set(world, ship, value as never))).toBe("bad-value");
  });

  it("refuses an entity that is not alive", () => {
    release(world, ship);

    expect(codeOf(() => x.set(world, ship, 1))).toBe("dead-entity");
  });
});

describe("one number of a list", () => {
  const second = field(Matrix, "cells", 1);

  it("is read and written alone", () => {
    set(world, ship, Matrix, { cells: [1, 2, 3] });
    const before = second.get(world, ship);

    second.set(world, ship, 9);

    expect([before, get(world, ship, Matrix)?.cells]).toEqual([2, Float32Array.of(1, 9, 3)]);
  });

  it("is found in every row", () => {
    const all = Array.from({ length: 5 }, (_, at) => spawn(world, Matrix({ cells: [at, at + 10, at + 20] })));

    expect(all.map((one) => second.get(world, one))).toEqual([10, 11, 12, 13, 14]);
  });

  it("adds the component if the entity does not have it", () => {
    second.set(world, ship, 9);

    expect(get(world, ship, Matrix)?.cells).toEqual(Float32Array.of(0, 9, 0));
  });

  it("keeps the others that deferred writes before it change", () => {
    set(world, ship, Matrix, { cells: [1, 2, 3] });

    defer(world, () => {
      set(world, ship, Label, "late");
      field(Matrix, "cells", 0).set(world, ship, 7);
      second.set(world, ship, 8);
    });

    expect(get(world, ship, Matrix)?.cells).toEqual(Float32Array.of(7, 8, 3));
  });

  it("notifies observers of the component", () => {
    set(world, ship, Matrix, {});
    const seen: Entity[] = [];
    observe(world, { set: Matrix }, (event) => seen.push(event.entity));

    second.set(world, ship, 8);

    expect([seen, second.get(world, ship)]).toEqual([[ship], 8]);
  });

  it("refuses what is not a number", () => {
    expect(codeOf(() => second.set(world, ship, [1] as never))).toBe("bad-value");
    expect(has(world, ship, Matrix)).toBe(false);
  });

  it.each([3, -1, 0.5])("has no place %s", (place) => {
    expect(codeOf(() => field(Matrix, "cells", place))).toBe("bad-value");
  });

  it("is not in a field that is no list", () => {
    expect(codeOf(() => field(Matrix, "scale" as never, 0))).toBe("bad-value");
  });
});

describe("a field", () => {
  it.each([
    ["a tag", Frozen],
    ["a component without fields", Label],
    ["a relation", Likes],
    ["nothing", undefined],
  ])("cannot be that of %s", (_, what) => {
    expect(codeOf(() => field(what as never, "x" as never))).toBe("bad-term");
  });

  it("that the component does not have is refused with those that it has", () => {
    expect(() => field(Matrix, "size" as never)).toThrow(
      new TreelineError("bad-value", "Matrix has no field size; it has scale, cells, other"),
    );
  });

  it("has the types of its component", () => {
    expectTypeOf(x).toEqualTypeOf<FieldAccess<number, number>>();
    expectTypeOf(field(Everything, "bool")).toEqualTypeOf<FieldAccess<boolean, boolean>>();
    expectTypeOf(field(Everything, "entity")).toEqualTypeOf<
      FieldAccess<Entity | undefined, Entity | undefined>
    >();
    expectTypeOf(field(Matrix, "cells")).toEqualTypeOf<FieldAccess<Float32Array, ArrayLike<number>>>();
    expectTypeOf(field(Matrix, "cells", 2)).toEqualTypeOf<FieldAccess<number, number>>();
    // @ts-expect-error Position has no field z
    expect(codeOf(() => field(Position, "z"))).toBe("bad-value");
    // @ts-expect-error a number has no places
    expect(codeOf(() => field(Position, "x", 0))).toBe("bad-value");
    // @ts-expect-error x is a number
    expect(codeOf(() => x.set(world, ship, "1"))).toBe("bad-value");
  });
});
