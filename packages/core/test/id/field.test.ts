import { describe, expect, it } from "vitest";
import { fieldFrom } from "../../src/id/field.ts";
import type { NumberKind, Numbers } from "../../src/index.ts";
import { array, bool, entity, f32, f64, i8, i16, i32, u8, u16, u32, value } from "../defining.ts";

describe("field kinds", () => {
  it.each([
    [f32, "f32", 4],
    [f64, "f64", 8],
    [i8, "i8", 1],
    [u8, "u8", 1],
    [i16, "i16", 2],
    [u16, "u16", 2],
    [i32, "i32", 4],
    [u32, "u32", 4],
  ] as const)("%o hold one number of known width, 0 or what they are called with", (of, kind, width) => {
    expect(of.field).toMatchObject({ kind, width, length: 1, isList: false, initial: 0 });
    expect(of(7)).toMatchObject({ kind, width, length: 1, isList: false, initial: 7 });
  });

  it("bool holds one byte, and entity a handle", () => {
    expect(bool.field).toMatchObject({ kind: "bool", width: 1, length: 1, isList: false, initial: false });
    expect(bool(true)).toMatchObject({ kind: "bool", width: 1, initial: true });
    expect(entity).toMatchObject({ kind: "entity", width: 8, length: 1, isList: false });
  });

  it("value holds anything, undefined by default", () => {
    expect(value()).toMatchObject({ kind: "value", width: 0, length: 1, isList: false, initial: undefined });
    expect(value(Object.freeze([1]))).toMatchObject({ kind: "value", initial: [1] });
  });

  it("value refuses a default that all rows would share and could change, as bad-definition", () => {
    expect(() => value([])).toThrow(expect.objectContaining({ code: "bad-definition" }));
    expect(() => value({ x: 1 })).toThrow(expect.objectContaining({ code: "bad-definition" }));
  });
});

describe("array", () => {
  it("is a field of several numbers of one kind", () => {
    expect(array(f32, 16)).toMatchObject({ kind: "f32", width: 4, length: 16, isList: true });
  });

  it("has zeros by default, or the given numbers as a column stores them", () => {
    expect(array(f32, 2).initial).toEqual(Float32Array.of(0, 0));
    expect(array(u8, 3, [1, 2, 3]).initial).toEqual(Uint8Array.of(1, 2, 3));
  });

  it.each([[[1]], [[1, 2, 3]], [["a", 2]], [7], [null], ["ab"]])(
    "refuses %j as the default of two numbers",
    (list) => {
      expect(() => array(f32, 2, list as never)).toThrow(expect.objectContaining({ code: "bad-definition" }));
    },
  );

  it("is a list even with one number", () => {
    expect(array(u8, 1)).toMatchObject({ kind: "u8", width: 1, length: 1, isList: true });
  });

  it.each([
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "3" as never,
    Symbol("3") as never,
    Object.create(null),
  ])("refuses %o numbers as bad-definition", (length) => {
    expect(() => array(f32, length)).toThrow(expect.objectContaining({ code: "bad-definition" }));
  });

  it.each([
    ["bool", bool],
    ["entity", entity],
    ["array", array(u8, 2)],
    ["a word", "f32"],
    ["an object", {}],
    ["a number", 5],
    ["null", null],
    ["undefined", undefined],
  ])("refuses %s as the kind of its numbers, as bad-definition", (_, kind) => {
    expect(() => array(kind as unknown as NumberKind<number, Numbers>, 2)).toThrow(
      expect.objectContaining({ code: "bad-definition" }),
    );
  });
});

describe("an entry of a schema", () => {
  it("is a field, a kind, or a default", () => {
    const entries = [f32, f32(1), array(u8, 2), entity, value<unknown>(), 0, true, "text"];
    expect(entries.map((entry) => fieldFrom(entry)?.kind)).toEqual([
      "f32",
      "f32",
      "u8",
      "entity",
      "value",
      "f64",
      "bool",
      "value",
    ]);
  });

  it.each([undefined, null, [], {}, { kind: "f32", width: 4 }, () => 1, Symbol("f32"), 1n])(
    "is not anything else",
    (entry) => {
      expect(fieldFrom(entry)).toBeUndefined();
    },
  );

  it.each([f32, i8, bool])("is nothing when a kind is called with what it cannot hold", (kind) => {
    expect(fieldFrom(kind("1" as never))).toBeUndefined();
    expect(fieldFrom(kind(undefined as never))).toBeUndefined();
  });
});
