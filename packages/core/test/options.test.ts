import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as core from "../src/index.ts";
import { pack } from "../src/index.ts";
import { ChildOf, Position } from "./definitions.ts";
import { stateOf } from "./world/refused.ts";

const { clone, component, createWorld, relation, spawn, tag } = core;
const { observe, observeChildren, observeEntity, observeRoots, webAssemblyMemory, withHooks } = core;

type World = core.World;

/** Each function that takes options, with a misspelt one. */
const MISSPELT: [
  name: string,
  code: string,
  unknown: string,
  act: (world: World, e: core.Entity) => unknown,
][] = [
  // @ts-expect-error: misspelt
  ["createWorld", "bad-value", "strickt", () => createWorld({ strickt: true })],
  // @ts-expect-error: misspelt
  ["webAssemblyMemory", "bad-value", "byte", () => webAssemblyMemory({ byte: 65_536 })],
  // @ts-expect-error: misspelt
  ["component", "bad-definition", "storag", () => component("Cell", { x: 0 }, { storag: core.sparse })],
  // @ts-expect-error: misspelt
  ["tag", "bad-definition", "storag", () => tag("Cell", { storag: core.bits })],
  // @ts-expect-error: misspelt
  ["relation", "bad-definition", "exlusive", () => relation("In", { exlusive: true })],
  [
    "withHooks",
    "bad-definition",
    "chek",
    () => withHooks(component("Cell", { x: 0 }), { chek() {} } as never),
  ],
  // @ts-expect-error: misspelt
  ["clone", "bad-value", "deap", (world, e) => clone(world, e, { deap: true })],
  // @ts-expect-error: misspelt
  ["pack", "bad-value", "buget", (world) => pack(world, { buget: 1 })],
  // @ts-expect-error: misspelt
  ["observe", "bad-value", "afer", (world) => observe(world, { added: Position }, called, { afer: true })],
  [
    "observeEntity",
    "bad-value",
    "afer",
    // @ts-expect-error: misspelt
    (world, e) => observeEntity(world, e, { added: Position }, called, { afer: true }),
  ],
  // @ts-expect-error: misspelt
  ["observeChildren", "bad-value", "afer", (world, e) => observeChildren(world, e, called, { afer: true })],
  // @ts-expect-error: misspelt
  ["observeRoots", "bad-value", "afer", (world) => observeRoots(world, called, { afer: true })],
];

function called(): void {}

/** Of a world with two entities: what a call throws, and whether the world is as before. */
function refusal(act: (world: World, e: core.Entity) => unknown) {
  const world = createWorld();
  const ship = spawn(world, Position({ x: 1 }));
  spawn(world, ChildOf(ship));
  const before = stateOf(world);
  try {
    act(world, ship);
  } catch (error) {
    expect(stateOf(world)).toEqual(before);
    return error as core.TreelineError;
  }
  throw new Error("not refused");
}

describe("options that nothing reads", () => {
  it.each(MISSPELT)("are refused by %s, as %s", (_, code, unknown, act) => {
    const error = refusal(act);

    expect(error.code).toBe(code);
    expect(error.message).toMatch(`does not know "${unknown}"; it takes `);
  });

  it("are refused by every public function that takes options", () => {
    const api = readFileSync(new URL("../../../tooling/api/core.d.txt", import.meta.url), "utf8");
    const takers = [...api.matchAll(/declare function (\w+)(?=[^;]*\w*[oO]ptions\b)/g)].map(
      ([, name]) => name,
    );

    const listed = MISSPELT.map(([name]) => name).filter((name) => name !== "withHooks");
    expect([...new Set(takers)].sort()).toEqual(listed.sort());
  });

  it("are told with those that there are", () => {
    expect(refusal((world) => pack(world, { buget: 1 } as never)).message).toBe(
      'pack does not know "buget"; it takes budget, now',
    );
  });

  it("are refused among the changes that observers are for", () => {
    const act = (world: World) => observe(world, { added: Position, removd: Position } as never, called);

    expect(refusal(act).message).toMatch(/^observe does not know "removd"; it takes emitted, added/);
    expect(refusal(act).code).toBe("bad-term");
  });
});

it("refuses what is no options object", () => {
  const error = refusal((world, ship) => clone(world, ship, true as never));

  expect(error.code).toBe("bad-value");
  expect(error.message).toBe("clone takes an object with deep, with, not true");
});

it("tells observeEntity without an entity what to call", () => {
  const error = refusal((world) =>
    observeEntity(world, { added: Position } as never, called as never, called),
  );

  expect(error.code).toBe("dead-entity");
  expect(error.message).toBe(
    "an object is not an entity; pass a handle that spawn returned, and then the changes; observe is for all entities",
  );
});
