import {
  array,
  bool,
  component,
  createWorld,
  type Entity,
  entity,
  f32,
  field,
  get,
  i32,
  patch,
  set,
  sparse,
  spawn,
  TreelineError,
  u8,
  type World,
} from "@treeline/core";
import { each, query, rows } from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";

/*
 * The one exception to "a wrong call is refused in every build": what a field cannot hold is refused by development builds. Shipped
 * ones store what a typed array makes of a number, and row views, which no verb checks, store any value.
 */

const isShipped = process.env.TREELINE_BUILD === "shipped";
const Body = component("Body", {
  n: u8,
  i: i32,
  f: f32,
  on: bool,
  list: array(u8, 2),
  text: "",
  who: entity,
});
const Apart = component("Apart", { n: u8, text: "" }, { storage: sparse });

let world: World;
let one: Entity;
beforeEach(() => {
  world = createWorld();
  one = spawn(world, Body({ n: 1, text: "old" }), Apart({ n: 1 }));
});

function refusalOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

type AnyRow = { [name: string]: unknown };

/** The ways in which loops pass rows. */
const LOOPS: [string, (write: (row: AnyRow) => void) => void][] = [
  ["each", (write) => each(query(world, Body), (row) => write(row as never))],
  [
    "rows",
    (write) => {
      for (const [row] of rows(query(world, Body))) write(row as never);
    },
  ],
];

describe.each(LOOPS)("a row of %s", (_, loop) => {
  it.each<[string, unknown, string]>([
    ["n", 300, "bad-value: Body.n cannot hold 300: u8 holds whole numbers 0 to 255"],
    ["n", -1, "bad-value: Body.n cannot hold -1: u8 holds whole numbers 0 to 255"],
    ["n", 1.5, "bad-value: Body.n cannot hold 1.5: u8 holds whole numbers 0 to 255"],
    ["n", Number.NaN, "bad-value: Body.n cannot hold NaN: u8 holds whole numbers 0 to 255"],
    ["i", 2 ** 40, "bad-value: Body.i cannot hold 1099511627776: i32 holds whole numbers"],
    ["f", 1e300, "bad-value: Body.f cannot hold 1e+300: f32 holds numbers up to 3.4e38"],
    ["n", "5", 'bad-value: Body.n expects a number, not the text "5"'],
    ["n", true, "bad-value: Body.n expects a number, not true"],
    ["n", undefined, "bad-value: Body.n expects a number, not undefined"],
    ["on", 1, "bad-value: Body.on expects true or false, not 1"],
    ["text", 5, "bad-value: Body.text expects a text, not 5"],
    ["text", undefined, "bad-value: Body.text expects a text, not undefined"],
    [
      "who",
      "ship",
      'bad-value: Body.who expects a handle that spawn returned, or undefined, not the text "ship"',
    ],
    ["who", 1.5, "bad-value: Body.who expects a handle that spawn returned, or undefined, not 1.5"],
    ["list", [1, 300], "bad-value: Body.list cannot hold 300: u8 holds whole numbers 0 to 255"],
    ["typo", 1, "bad-value: Body has no field typo; it has n, i, f, on, list, text, who"],
  ])("refuses %s = %s while you develop, and nothing has changed", (name, wrong, refusal) => {
    const before = get(world, one, Body);

    const refused = refusalOf(() => loop((row) => void (row[name] = wrong)));

    if (isShipped) expect(refused).toBeUndefined();
    else {
      expect(refused?.slice(0, refusal.length)).toBe(refusal);
      expect(get(world, one, Body)).toEqual(before);
    }
  });

  it("takes what its fields hold", () => {
    loop((row) => {
      Object.assign(row, { n: 255, i: -5, f: 0.5, on: true, list: [3, 4], text: "new", who: one });
      row.who = undefined;
    });

    const { list, ...rest } = get(world, one, Body)!;
    expect([[...list], rest]).toEqual([
      [3, 4],
      { n: 255, i: -5, f: 0.5, on: true, text: "new", who: undefined },
    ]);
  });
});

it("a row of a sparse component refuses the same", () => {
  const refused = ["n", "text"].map((name) =>
    refusalOf(() =>
      each(query(world, Apart), (row) => {
        (row as AnyRow)[name] = 300;
      }),
    ),
  );

  expect(refused).toEqual(
    isShipped
      ? [undefined, undefined]
      : [
          "bad-value: Apart.n cannot hold 300: u8 holds whole numbers 0 to 255",
          "bad-value: Apart.text expects a text, not 300",
        ],
  );
});

it.each<[string, (n: number) => void]>([
  ["set", (n) => set(world, one, Body, { n })],
  ["patch", (n) => patch(world, one, Body, (row) => void (row.n = n))],
  ["field", (n) => field(Body, "n").set(world, one, n)],
  ["each", (n) => each(query(world, Body), (row) => void (row.n = n))],
])("shipped, a number becomes what a typed array makes of it, by %s", (_, write) => {
  const seen = [300, -1, Number.NaN, 1.5].map((n) => [
    refusalOf(() => write(n))?.slice(0, 9),
    get(world, one, Body)!.n,
  ]);

  expect(seen).toEqual(
    isShipped
      ? [
          [undefined, 44],
          [undefined, 255],
          [undefined, 0],
          [undefined, 1],
        ]
      : [
          ["bad-value", 1],
          ["bad-value", 1],
          ["bad-value", 1],
          ["bad-value", 1],
        ],
  );
});

it("verbs refuse wrong kinds in every build", () => {
  for (const wrong of [{ n: "5" }, { text: 5 }, { on: 1 }, { who: "ship" }, { list: [1] }, { typo: 1 }])
    expect(refusalOf(() => set(world, one, Body, wrong as never))).toMatch(/^bad-value/);
  expect(refusalOf(() => component("Cell", { x: 0 }, { storage: "bits" as never }))).toMatch(
    /^bad-definition/,
  );
});
