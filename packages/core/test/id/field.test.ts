import { describe, expect, it } from "vitest";
import { isField } from "../../src/id/field.ts";
import type { Field, Numbers } from "../../src/index.ts";
import { array, bool, entity, f32, f64, i8, i16, i32, u8, u16, u32 } from "../defining.ts";

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
    [bool, "bool", 1],
    [entity, "entity", 8],
  ] as const)("%o hold one number of known width", (field, kind, width) => {
    expect(field).toEqual({ kind, width, length: 1, isList: false });
  });
});

describe("array", () => {
  it("is a field of several numbers of one kind", () => {
    expect(array(f32, 16)).toEqual({ kind: "f32", width: 4, length: 16, isList: true });
  });

  it("is a list even with one number", () => {
    expect(array(u8, 1)).toEqual({ kind: "u8", width: 1, length: 1, isList: true });
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
    expect(() => array(kind as unknown as Field<number, Numbers, number>, 2)).toThrow(
      expect.objectContaining({ code: "bad-definition" }),
    );
  });
});

describe("a field kind", () => {
  it("is distinguished from every other value", () => {
    expect([f32, array(u8, 2), entity].map(isField)).toEqual([true, true, true]);
    expect([undefined, null, "f32", 5, {}, { kind: "f32", width: 4 }].map(isField)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });
});
