import { ChildOf, set, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  Alias,
  childNamed,
  configureNames,
  ensurePath,
  findAll,
  Label,
  labelOf,
  lookup,
  Name,
  nameMany,
  path,
  pathOf,
  place,
  rename,
  withoutScope,
  withScope,
} from "../src/index.ts";
import { fleet, refusalOf } from "./fleet.ts";

type Fleet = ReturnType<typeof fleet>;

/** Each parameter and option of the package where an entity is due, with undefined in its place. */
const CALLS: [title: string, act: (all: Fleet) => unknown, advice?: RegExp][] = [
  // @ts-expect-error: search lists entities
  ["lookup in search scopes", ({ world }) => lookup(world, "Ship", { search: [undefined] }), /search/],
  // @ts-expect-error: nothing has no place
  ["place", ({ world }) => place(world, undefined, "Raft")],
  // @ts-expect-error: there is no path to nothing
  ["pathOf", ({ world }) => pathOf(world, undefined)],
  // @ts-expect-error: lookup finds roots by name
  ["childNamed", ({ world }) => childNamed(world, undefined, "Ship"), /call lookup\(world, \[name\]\)/],
  // @ts-expect-error: withoutScope leaves a scope
  ["withScope", ({ world }) => withScope(world, undefined, () => spawn(world)), /call withoutScope/],
  // @ts-expect-error: nothing has no name
  ["rename", ({ world }) => rename(world, undefined, "Raft")],
  // @ts-expect-error: nothing has no name
  ["nameMany", ({ world, ship }) => nameMany(world, [ship, undefined], ["Raft", "Boat"])],
  // @ts-expect-error: nothing has no label
  ["labelOf", ({ world }) => labelOf(world, undefined)],
  // @ts-expect-error: nothing has no name
  ["set of a name", ({ world }) => set(world, undefined, Name, "Raft")],
  // @ts-expect-error: nothing has no alias
  ["set of an alias", ({ world }) => set(world, undefined, Alias, "Raft")],
  // @ts-expect-error: nothing has no label
  ["set of a label", ({ world }) => set(world, undefined, Label, "Raft")],
  // @ts-expect-error: search lists entities
  ["configureNames", ({ world }) => configureNames(world, { search: [undefined] })],
];

describe("undefined in place of an entity", () => {
  it.each(CALLS)(
    "is refused as dead-entity by %s, and says what to do",
    (_, act, advice = /pass a handle/) => {
      const all = fleet();

      const { code, message } = refusalOf(all.world, () => act(all));

      expect(code).toBe("dead-entity");
      expect(message).toMatch(/undefined is not an entity; /);
      expect(message).toMatch(advice);
    },
  );

  it.each(CALLS)("is refused inside a scope and inside an iteration too, by %s", (_, act) => {
    const all = fleet();

    const refused = refusalOf(all.world, () => withScope(all.world, all.station, () => act(all)));

    expect(refused.code).toBe("dead-entity");
  });
});

it("undefined as `from` counts as not given", () => {
  const { world, ship, hold } = fleet();

  expect([
    lookup(world, "Ship", { from: undefined }) === ship,
    path(world, "Ship", { from: undefined }).entity === ship,
    findAll(world, "Ship", { from: undefined }),
    pathOf(world, hold, { from: undefined }) === pathOf(world, hold),
    withScope(world, ship, () => lookup(world, "Hold", { from: undefined })) ===
      childNamed(world, ship, "Hold"),
  ]).toEqual([true, true, [ship], true, true]);
});

describe("options that are not an object", () => {
  it.each<[title: string, act: (all: Fleet) => unknown]>([
    // @ts-expect-error: options are an object
    ["an entity for lookup", ({ world, ship }) => lookup(world, "Cockpit", ship)],
    // @ts-expect-error: options are an object
    ["an entity for path", ({ world, ship }) => path(world, "Cockpit", ship)],
    // @ts-expect-error: options are an object
    ["an entity for findAll", ({ world, ship }) => findAll(world, "Cockpit", ship)],
    // @ts-expect-error: options are an object
    ["an entity for pathOf", ({ world, ship, hold }) => pathOf(world, hold, ship)],
    // @ts-expect-error: options are an object
    ["an entity for ensurePath", ({ world, ship }) => ensurePath(world, "Raft", ship)],
    // @ts-expect-error: options are an object
    ["an entity for place", ({ world, ship, hold }) => place(world, hold, "Raft", ship)],
    // @ts-expect-error: options are an object
    ["null for ensurePath", ({ world }) => ensurePath(world, "Raft", null)],
    // @ts-expect-error: options are an object
    ["a separator for pathOf", ({ world, hold }) => pathOf(world, hold, "/")],
  ])("are refused as bad-value: %s", (_, act) => {
    const all = fleet();

    expect(refusalOf(all.world, () => act(all)).code).toBe("bad-value");
  });
});

describe("withoutScope", () => {
  it("leaves the scope of withScope until it returns", () => {
    const { world, ship, station } = fleet();

    const [inner, outer] = withScope(world, ship, () => [
      withoutScope(world, () => spawn(world, Name("Raft"))),
      spawn(world, Name("Raft")),
    ]);

    expect([lookup(world, "Raft"), lookup(world, "Ship::Raft")]).toEqual([inner, outer]);
    expect(spawn(world, ChildOf(station))).toBeDefined();
  });

  it("returns what the function returns, and throws what it throws", () => {
    const { world } = fleet();

    expect(withoutScope(world, () => 5)).toBe(5);
    expect(() =>
      withoutScope(world, () => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
  });
});
