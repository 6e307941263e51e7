import { bool, component, createWorld, f32, get, i32, spawn, u8, value } from "@treeline/core";
import { type Query, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { type Case, caseOf } from "./same/same.ts";
import type { Surroundings } from "./same/scene.ts";

const isShipped = process.env.TREELINE_BUILD === "shipped";
const Kinds = component("Kinds", { small: u8, whole: i32, float: f32, yes: bool, text: value("none") });
const BEFORE = { small: 7, whole: 7, float: 7, yes: false, text: "seven" };

/** Goes through one row. @returns what it holds afterwards, or the error. */
function outcomeOf(run: Case["written"]): unknown {
  const world = createWorld();
  const entity = spawn(world, Kinds(BEFORE));
  try {
    run(query(world, Kinds) as Query, {} as Surroundings);
  } catch (error) {
    expect(get(world, entity, Kinds)).toEqual(BEFORE);
    return error;
  }
  return get(world, entity, Kinds);
}

const BAD_VALUE = expect.objectContaining({ code: "bad-value" });

describe("what a field cannot hold", () => {
  it.each([
    ["small", "= 300", 44],
    ["small", "= -1", 255],
    ["small", "-= 8", 255],
    ["small", "= 1.5", 1],
    ["small", "= undefined", 0],
    ["whole", "= NaN", 0],
    ["whole", "= 2 ** 40", 0],
    ["float", "= 1e39", Number.POSITIVE_INFINITY],
    ["float", '= "12"', 12],
    ["float", '= "twelve"', Number.NaN],
    ["float", "= true", 1],
    ["float", "= { valueOf: () => 5 }", 5],
    ["text", "= 5", 5],
  ] as const)(
    "is written by compiled loops as typed arrays do it, and refused by each in development builds: %s %s",
    (field, text, held) => {
      const { written, compiled, isCompiled } = caseOf(`(a) => { a.${field} ${text}; }`);
      const after = { ...BEFORE, [field]: held };

      expect(isCompiled).toBe(true);
      expect(outcomeOf(compiled)).toEqual(after);
      expect(outcomeOf(written)).toEqual(isShipped ? after : BAD_VALUE);
    },
  );

  it.each(["1n", "Symbol.iterator"])(
    "is an error of typed arrays if it is no number for them: %s",
    (text) => {
      const { written, compiled } = caseOf(`(a) => { a.small = ${text}; }`);

      expect(outcomeOf(compiled)).toBeInstanceOf(TypeError);
      expect(outcomeOf(written)).toEqual(isShipped ? expect.any(TypeError) : BAD_VALUE);
    },
  );

  it("is refused as by each where the callback is not compiled for the field: bool", () => {
    const { written, compiled } = caseOf("(a) => { a.yes = 2; }");

    for (const run of [written, compiled])
      expect(outcomeOf(run)).toEqual(isShipped ? { ...BEFORE, yes: true } : BAD_VALUE);
  });
});
