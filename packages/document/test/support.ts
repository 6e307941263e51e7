import {
  array,
  asTag,
  bits,
  bool,
  ChildOf,
  component,
  createWorld,
  type Definition,
  Disabled,
  DisabledTree,
  type Entity,
  entity,
  f32,
  f64,
  i32,
  OrderedChildren,
  Parent,
  relation,
  sparse,
  spawn,
  TreelineError,
  tag,
  u8,
  value,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { Alias, Label, Name } from "@treeline/names";
import { expect } from "vitest";
import { builtins } from "../src/index.ts";
import { type LoadOptions, toDocument, writeJson } from "../src/json.ts";

export const Position = component("Position", { x: f32, y: f32 });
export const Stats = component("Stats", {
  big: f64,
  small: u8,
  count: i32,
  on: bool,
  list: array(f32, 3),
  note: value<unknown>(),
});
export const Link = component("Link", { to: entity, weight: f64(1) });
export const Notes = component<unknown>("Notes");
export const Heat = component("Heat", { degrees: f32 }, { storage: sparse });
export const Mood = component<unknown>("Mood", undefined, { storage: sparse });
export const Marked = tag("Marked");
export const Chosen = tag("Chosen", { storage: bits });
export const Hot = tag("Hot", { storage: sparse });
export const Likes = relation("Likes");
export const Friend = relation("Friend", { symmetric: true });
export const Needs = relation("Needs", { acyclic: true });
export const Owes = relation("Owes", { fields: { sum: f64 }, storage: sparse });
export const Docked = relation("Docked", { exclusive: true, storage: sparse });

export const all: readonly Definition[] = [
  ...builtins,
  Position,
  Stats,
  Link,
  Notes,
  Heat,
  Mood,
  Marked,
  Chosen,
  Hot,
  Likes,
  Friend,
  Needs,
  Owes,
  Docked,
];

/** A world with a bit of everything. */
export function manifold(): { world: World; ship: Entity } {
  const world = createWorld();
  const fleet = spawn(world, Name("Fleet"));
  const dock = spawn(world, Name("Dock"), ChildOf(fleet));
  const ship = spawn(
    world,
    Name("Ship"),
    Alias("Flagship"),
    Label("The ship"),
    Position({ x: 0.1, y: -0 }),
    ChildOf(fleet),
    OrderedChildren,
    Docked(dock),
  );
  const first = spawn(
    world,
    Position({ x: Number.NaN, y: Number.POSITIVE_INFINITY }),
    Parent(ship),
    Marked,
    Chosen,
  );
  const second = spawn(
    world,
    Name('Second \ud800 "quoted"'),
    ChildOf(ship),
    Heat({ degrees: 36.6 }),
    Mood({ calm: [1, Number.NaN, undefined, -0], $odd: null }),
    Hot,
    Disabled,
  );
  const third = spawn(
    world,
    ChildOf(first),
    Link({ to: second, weight: 2 }),
    Notes({ __proto__: 1, list: [] }),
    DisabledTree,
    Likes(second),
    Likes(ship),
    Likes(first),
    Owes(ship, { sum: -0 }),
  );
  spawn(
    world,
    Parent(third),
    asTag(first),
    asTag(second),
    Friend(third),
    Friend(ship),
    Needs(third),
    Stats({ big: 1e300, small: 255, count: -5, on: true, list: [1, 2.5, Number.NaN], note: "text" }),
  );
  return { world, ship };
}

export function save(world: World, form: "nested" | "flat" = "nested"): string {
  return writeJson(toDocument(world, { all: true, form }));
}

/** Expects that a call is refused and changes nothing. @returns the error. */
export function refused(
  world: World,
  call: () => unknown,
): { code: string; message: string; place?: string } {
  const before = dump(world);
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Error);
  expect(dump(world)).toBe(before);
  expect(verify(world)).toEqual([]);
  return thrown as never;
}

/** How many random worlds are saved and loaded for each format; `TREELINE_WALKS` multiplies it. */
export const SAVED = 100 * Number(process.env.TREELINE_WALKS ?? 1);

/** How many documents are mutated for each format; `TREELINE_WALKS` multiplies it. */
export const MUTATED = 1_000 * Number(process.env.TREELINE_WALKS ?? 1);

/**
 * Loads a document that may be damaged below an entity of a new world: it is refused with a code, and nothing has changed, or the world is
 * sound. @returns whether it was loaded.
 */
export function loadsSoundly(load: (world: World, options: LoadOptions) => unknown): boolean {
  const world = createWorld();
  const parent = spawn(world, Name("Here"));
  const before = dump(world);
  let isLoaded = false;
  try {
    load(world, { definitions: all, parent });
    isLoaded = true;
  } catch (error) {
    if (!(error instanceof TreelineError) || error.code === "internal-error") throw error;
    expect(dump(world)).toBe(before);
  }
  expect(verify(world)).toEqual([]);
  return isLoaded;
}

/** As `toEqual` compares bytes, which takes it a microsecond for each. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
