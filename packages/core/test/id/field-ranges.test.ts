import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  addMany,
  applyCommands,
  array,
  bool,
  component,
  createCommands,
  createWorld,
  defer,
  discardCommands,
  type Entity,
  entity,
  f32,
  f64,
  field,
  get,
  i8,
  i16,
  i32,
  type ObjectComponent,
  patch,
  record,
  relation,
  set,
  sparse,
  spawn,
  spawnMany,
  spawnRows,
  TreelineError,
  u8,
  u16,
  u32,
  value,
  type World,
  withHooks,
} from "../../src/index.ts";
import { stateOf } from "../world/refused.ts";

const KINDS = { i8, u8, i16, u16, i32, u32, f32, f64 };
const Numbers = component("Numbers", KINDS);
const Small = component("Small", { n: u8, list: array(u8, 2), on: bool, text: "", who: entity });
const Apart = component("Apart", { n: u8, list: array(i16, 2) }, { storage: sparse });
const Hooked = withHooks(component("Hooked", { n: u8 }), { onSet() {} });
const Weighs = relation("Weighs", { fields: { n: u8 } });
const Title = component("Title", value<string>("none"));

let world: World;
let one: Entity;
let bare: Entity;
beforeEach(() => {
  world = createWorld();
  one = spawn(world, Small, Apart, Hooked, Numbers);
  add(world, one, Weighs(one));
  bare = spawn(world);
});

/** What a call is refused with; nothing has changed then. */
function refusalOf(act: () => unknown): string {
  const before = stateOf(world);
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TreelineError);
    expect(stateOf(world)).toEqual(before);
    return `${(error as TreelineError).code}: ${(error as TreelineError).message}`;
  }
  return "not refused";
}

describe("development builds refuse a number that a field cannot hold", () => {
  it.each([
    ["i8", [-129, 128, 0.5, Number.NaN, Number.POSITIVE_INFINITY], "i8 holds whole numbers -128 to 127"],
    ["u8", [300, 256, -1, 1.5, Number.NaN], "u8 holds whole numbers 0 to 255"],
    ["i16", [-32_769, 32_768, Number.NaN], "i16 holds whole numbers -32768 to 32767"],
    ["u16", [-1, 65_536, Number.NEGATIVE_INFINITY], "u16 holds whole numbers 0 to 65535"],
    ["i32", [2 ** 40, 2 ** 31, -(2 ** 31) - 1, 0.1], "i32 holds whole numbers -2147483648 to 2147483647"],
    ["u32", [2 ** 32, -1, Number.NaN], "u32 holds whole numbers 0 to 4294967295"],
    ["f32", [1e300, -1e39], "f32 holds numbers up to 3.4e38; use f64"],
  ])("%s, with its range", (kind, numbers, holds) => {
    for (const number of numbers)
      expect(refusalOf(() => set(world, one, Numbers, { [kind]: number }))).toBe(
        `bad-value: Numbers.${kind} cannot hold ${number}: ${holds}`,
      );
  });

  it.each([
    ["i8", [-128, 127, -0]],
    ["u8", [0, 255]],
    ["i16", [-32_768, 32_767]],
    ["u16", [65_535]],
    ["i32", [-(2 ** 31), 2 ** 31 - 1]],
    ["u32", [2 ** 32 - 1]],
    ["f32", [3.4e38, Number.NaN, Number.POSITIVE_INFINITY, 1e-300, 0.1]],
    ["f64", [1e300, Number.NaN, Number.NEGATIVE_INFINITY]],
  ] as const)("and accept the others: %s", (kind, numbers) => {
    for (const number of numbers) {
      set(world, one, Numbers, { [kind]: number });
      expect(get(world, one, Numbers)![kind]).toBe(kind === "f32" ? Math.fround(number) : number + 0);
    }
  });

  const big = { n: 300 };
  it.each<[string, () => unknown]>([
    ["spawn", () => spawn(world, Small(big))],
    ["spawn of an element of a list", () => spawn(world, Small({ list: [1, 300] }))],
    ["spawnMany", () => spawnMany(world, 2, Small(big))],
    ["spawnRows", () => spawnRows(world, 2, [Small(big)])],
    ["a pair", () => spawn(world, Weighs(one, big))],
    ["add", () => add(world, bare, Small(big))],
    ["add of a sparse one", () => add(world, one, Apart(big))],
    ["add to a list", () => addMany(world, [one], Small(big))],
    ["set", () => set(world, one, Small, big)],
    ["set of a sparse one", () => set(world, one, Apart, big)],
    ["set of one with hooks", () => set(world, one, Hooked, big)],
    ["set of a pair", () => set(world, one, Weighs(one), big)],
    ["set of a typed array", () => set(world, one, Apart, { list: new Float64Array([1, 1e6]) })],
    ["patch", () => patch(world, one, Small, (row) => void (row.n = 300))],
    ["field", () => field(Small, "n").set(world, one, 300)],
    ["field, of an element", () => field(Small, "list", 1).set(world, one, -1)],
    ["field, of a whole list", () => field(Small, "list").set(world, one, [1, 0.5])],
    ["field of a sparse one", () => field(Apart, "n").set(world, one, 300)],
    ["field of f32", () => field(Numbers, "f32").set(world, one, 1e300)],
    ["defer", () => defer(world, () => set(world, one, Small, big))],
    ["record", () => record(createCommands(world), () => set(world, one, Small, big))],
  ])("by every way of writing: %s", (_, act) => {
    expect(refusalOf(act)).toMatch(/^bad-value: \w+\.\w+ cannot hold /);
  });

  it("also among commands, of which those before it stay", () => {
    const commands = createCommands(world);
    record(commands, () => set(world, one, Small, { n: 7 }));
    expect(() => record(commands, () => spawn(world, Small({ n: -1 })))).toThrow(TreelineError);
    applyCommands(commands);
    discardCommands(commands);

    expect(get(world, one, Small)!.n).toBe(7);
  });

  it("as a default, too, as bad-definition", () => {
    expect(refusalOf(() => component("Cell", { n: u8(300) }))).toBe(
      "bad-definition: the default of Cell.n cannot be 300: u8 holds whole numbers 0 to 255",
    );
    expect(refusalOf(() => component("Cell", { n: array(u8, 2, [1, 300]) }))).toMatch(
      /^bad-definition: array\(kind, length, initial\) cannot hold 300: u8 holds/,
    );
  });
});

describe("values of a wrong kind", () => {
  it.each<[string, object]>([
    ["a text in a field of numbers", { n: "5" }],
    ["a boolean in a field of numbers", { n: true }],
    ["null in a field of numbers", { n: null }],
    ["a number in a field of texts", { text: 5 }],
    ["a number in a bool", { on: 1 }],
    ["a text as an entity", { who: "ship" }],
    ["a broken number as an entity", { who: 1.5 }],
    ["a number as a list", { list: 5 }],
    ["a list of another length", { list: [1] }],
    ["a list with a text", { list: [1, "2"] }],
    ["an unknown field", { typo: 1 }],
  ])("are refused in every build: %s", (_, wrong) => {
    for (const act of [
      () => set(world, one, Small, wrong as never),
      () => spawn(world, Small(wrong as never)),
      () => add(world, one, Small(wrong as never)),
      () => patch(world, one, Small, (row) => void Object.assign(row, wrong)),
    ])
      expect(refusalOf(act)).toMatch(/^bad-value/);
  });

  it("are refused in lists and columns of spawnRows", () => {
    expect(
      refusalOf(() => spawnRows(world, 2, [(Title as unknown as ObjectComponent<unknown>).each(["a", 5])])),
    ).toBe("bad-value: Title expects a text, not 5");
    const fill = () => spawnRows(world, 2, [Small], (columns) => void (columns(Small).text[1] = 5 as never));
    expect(refusalOf(fill)).toBe("bad-value: Small.text expects a text, not 5");
  });
});

it.each([
  ["component", (storage: never) => component("Cell", { x: 0 }, { storage })],
  ["relation", (storage: never) => relation("In", { storage })],
])("a storage that is no storage is refused, by %s", (_, define) => {
  for (const wrong of ["bits", "sparse", 1, null, {}, true])
    expect(refusalOf(() => define(wrong as never))).toMatch(/^bad-definition/);
});
