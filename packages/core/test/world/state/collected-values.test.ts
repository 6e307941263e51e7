import { describe, expect, it } from "vitest";
import type { Definition } from "../../../src/index.ts";
import { CollectedValues, collectValue } from "../../../src/world/state/collected-values.ts";
import {
  array,
  bool,
  component,
  entity,
  f32,
  f64,
  i8,
  i16,
  i32,
  relation,
  u8,
  u16,
  u32,
} from "../../defining.ts";
import { Frozen, Likes } from "../../definitions.ts";
import { codeOf } from "../../reading.ts";

const Position = component("Position", { x: f32, y: f32 });
const Numbers = component("Numbers", { f32, f64, i8, u8, i16, u16, i32, u32 });
const Aim = component("Aim", { at: entity, sure: bool });
const Matrix = component("Matrix", { cells: array(f32, 4) });
const Title = component<string>("Title");
const Marker = component("Marker", {});
const Damage = relation("Damage", { fields: { amount: f32, marks: array(u8, 3) } });

function checkValue(definition: Definition, value: unknown): void {
  collectValue(new CollectedValues(), definition, value);
}

/** The code and the message with which a value is refused; `undefined` if it is not. */
function refusal(definition: Definition, value: unknown): string | undefined {
  try {
    checkValue(definition, value);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** The rows that an iteration passes inherit their fields from an object like this: accessors, which a loop meets. */
const VIEW = Object.defineProperties(
  {},
  { x: { get: () => 1, enumerable: true }, y: { get: () => 2, enumerable: true } },
);

describe("a value with fields", () => {
  it("may have all of its fields, some, in any order, or none", () => {
    const values = [{ x: 1, y: 2 }, { y: 2, x: 1 }, { y: 2 }, {}, undefined, { x: undefined, y: 2 }];

    expect(values.map((value) => refusal(Position, value))).toEqual(values.map(() => undefined));
  });

  it("may be an object without prototype, a frozen one, an instance of a class", () => {
    class Point {
      x = 1;
      y = 2;
      length(): number {
        return Math.hypot(this.x, this.y);
      }
    }
    class Sized {
      readonly #size = 3;
      get x(): number {
        return this.#size;
      }
    }
    const bare = Object.assign(Object.create(null), { x: 1, y: 2 });

    const values = [bare, Object.freeze({ x: 1, y: 2 }), new Point(), new Sized()];

    expect(values.map((value) => refusal(Position, value))).toEqual(values.map(() => undefined));
  });

  it("may be a view with its fields on the prototype", () => {
    const view = Object.create(VIEW);

    expect(refusal(Position, view)).toBeUndefined();
    expect(refusal(component("Width", { x: f32 }), view)).toBe("Width has no field y; it has x");
  });

  it("lacks no field because all objects were extended", () => {
    Object.defineProperty(Object.prototype, "extended", { value: 1, enumerable: true, configurable: true });

    const refused = refusal(Position, { x: 1, y: 2 });
    // biome-ignore lint/suspicious/noExplicitAny: undoes what the line above did.
    delete (Object.prototype as any).extended;

    expect(refused).toBeUndefined();
  });

  it("has no field that it only shares with all objects", () => {
    const Named = component("Named", { valueOf: f32, x: f32 });

    expect(refusal(Named, { x: 1 })).toBeUndefined();
    expect(refusal(Named, { valueOf: 1 })).toBeUndefined();
  });

  it("is refused with a field that the definition does not have", () => {
    expect(refusal(Position, { x: 1, y: 2, z: 3 })).toBe("Position has no field z; it has x, y");
    expect(refusal(Position, { X: 1 })).toBe("Position has no field X; it has x, y");
    expect(refusal(Position, { z: undefined })).toBe("Position has no field z; it has x, y");
    expect(refusal(Damage, { damage: 1 })).toBe("Damage has no field damage; it has amount, marks");
  });

  it.each([
    ["5", 5],
    ["NaN", Number.NaN],
    ["true", true],
    ['the text "1, 2"', "1, 2"],
    [`the text "${"1".repeat(40)}..."`, "1".repeat(100)],
    ["null", null],
    ["a list", [1, 2]],
    ["a function", () => ({ x: 1 })],
    ["a symbol", Symbol("x")],
    ["a bigint", 5n],
  ])("is refused as %s", (shown, value) => {
    expect(refusal(Position, value)).toBe(`Position expects an object with x, y, not ${shown}`);
  });

  it("is not a typed array either", () => {
    expect(refusal(Position, Float32Array.of(1, 2))).toBe("Position has no field 0; it has x, y");
  });

  it("is refused for its first wrong field, in the order given", () => {
    expect(refusal(Position, { y: "a", x: "b", z: 1 })).toBe('Position.y expects a number, not the text "a"');
    expect(refusal(Position, { z: 1, y: "a" })).toBe("Position has no field z; it has x, y");
  });

  it("is read also where a class hides its fields behind accessors", () => {
    class Wrong {
      get y(): string {
        return "2";
      }
    }

    expect(refusal(Position, new Wrong())).toBe('Position.y expects a number, not the text "2"');
  });
});

describe("a number field", () => {
  it.each([
    ["f32", [0, -0, -1.5, 2 ** 40, Number.NaN, Number.POSITIVE_INFINITY]],
    ["f64", [1e300, Number.NaN, Number.NEGATIVE_INFINITY]],
    ["i32", [0, -0, -(2 ** 31)]],
  ])("accepts every number that it can hold: %s", (kind, numbers) => {
    for (const number of numbers) expect(refusal(Numbers, { [kind]: number })).toBeUndefined();
  });

  it.each(["f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32"])("%s accepts nothing else", (kind) => {
    const others = [true, "1", null, {}, [1], 1n, Symbol("one"), () => 1, new Number(1), new Date()];

    expect(others.map((other) => codeOf(() => checkValue(Numbers, { [kind]: other })))).toEqual(
      others.map(() => "bad-value"),
    );
    expect(refusal(Numbers, { [kind]: null })).toBe(`Numbers.${kind} expects a number, not null`);
  });
});

describe("a bool field", () => {
  it("accepts true and false", () => {
    expect([true, false].map((sure) => refusal(Aim, { sure }))).toEqual([undefined, undefined]);
  });

  it("accepts nothing else, not even 1 and 0", () => {
    const others = [1, 0, "true", null, {}, []];

    expect(others.map((sure) => codeOf(() => checkValue(Aim, { sure })))).toEqual(
      others.map(() => "bad-value"),
    );
    expect(refusal(Aim, { sure: 1 })).toBe("Aim.sure expects true or false, not 1");
  });
});

describe("an entity field", () => {
  it("accepts handles and undefined", () => {
    const handles = [2 ** 24 + 1, 2 ** 53 - 1, undefined];

    expect(handles.map((at) => refusal(Aim, { at }))).toEqual(handles.map(() => undefined));
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["-1", -1],
    ["0", 0],
    ["1.5", 1.5],
    ["9007199254740992", 2 ** 53],
    ['the text "16777217"', "16777217"],
    ["null", null],
    ["true", true],
    ["an object", { entity: 1 }],
    ["a bigint", 16_777_217n],
  ])("refuses %s", (shown, at) => {
    expect(refusal(Aim, { at })).toBe(
      `Aim.at expects a handle that spawn returned, or undefined, not ${shown}`,
    );
  });
});

describe("a list field", () => {
  it("accepts lists and typed arrays of its length", () => {
    const lists = [
      [1, 2, 3, 4],
      Float32Array.of(1, 2, 3, 4),
      Float64Array.of(1, 2, 3, 4),
      Uint8Array.of(1, 2, 3, 4),
      Float32Array.of(0, 1, 2, 3, 4, 5).subarray(1, 5),
      { length: 4, 0: 1, 1: 2, 2: 3, 3: Number.NaN },
    ];

    expect(lists.map((cells) => refusal(Matrix, { cells }))).toEqual(lists.map(() => undefined));
  });

  it.each([
    ["a list of 3", [1, 2, 3]],
    ["a list of 0", []],
    ["a list of 5", Float32Array.of(1, 2, 3, 4, 5)],
    ['the text "3" at place 2', [1, 2, "3", "4"]],
    ["undefined at place 1", [1, undefined, 3, 4]],
    ["null at place 3", [1, 2, 3, null]],
    ["a list at place 0", [[1, 2, 3, 4], 2, 3, 4]],
    ["a bigint at place 0", BigInt64Array.of(1n, 2n, 3n, 4n)],
    ["undefined at place 0", new Array(4)],
    ['the text "1234"', "1234"],
    ["4", 4],
    ["null", null],
    ["an object", { 0: 1 }],
    ["an object", new DataView(new ArrayBuffer(4))],
  ])("refuses %s", (shown, cells) => {
    expect(refusal(Matrix, { cells })).toBe(`Matrix.cells expects a list of 4 numbers, not ${shown}`);
  });

  it("of one number says so", () => {
    const Single = component("Single", { list: array(u8, 1) });

    expect(refusal(Single, { list: 255 })).toBe("Single.list expects a list of 1 number, not 255");
  });

  it("of a pair does the same", () => {
    expect(refusal(Damage, { amount: 1, marks: [1, 2, 3] })).toBeUndefined();
    expect(refusal(Damage, { amount: 1, marks: [1, 2] })).toBe(
      "Damage.marks expects a list of 3 numbers, not a list of 2",
    );
  });
});

describe("a definition without values", () => {
  it("accepts none, whatever it is", () => {
    const values = [{}, { x: 1 }, 1, true, null, "text", []];

    for (const definition of [Frozen, Marker, Likes]) {
      expect(values.map((value) => codeOf(() => checkValue(definition, value)))).toEqual(
        values.map(() => "bad-value"),
      );
      expect(refusal(definition, undefined)).toBeUndefined();
    }
  });

  it("says in the message how it is used", () => {
    expect(refusal(Frozen, {})).toBe("Frozen carries no values; pass it without");
    expect(refusal(Likes, {})).toBe("Likes carries no values; pass it without");
  });
});

it("a component that holds JavaScript values accepts anything", () => {
  const values = ["text", 1, null, undefined, [1], { z: 1 }, () => 1];

  expect(values.map((value) => refusal(Title, value))).toEqual(values.map(() => undefined));
});
