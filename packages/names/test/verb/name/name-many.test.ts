import { ChildOf, createWorld, type Entity, get, Parent, spawn, spawnRows, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { configureNames, lookup, Name, nameMany, pathOf } from "../../../src/index.ts";
import { refusalOf } from "../../fleet.ts";

let world: World;
let ship: Entity;
let dock: Entity;

beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world, Name("Ship")), spawn(world, Name("Dock"))];
});

describe("nameMany", () => {
  it("names entities in the order of the list", () => {
    const [one, other] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

    nameMany(world, [one, other], ["Mast", "Sail"]);

    expect([lookup(world, "Ship::Mast"), lookup(world, "Ship::Sail"), verify(world)]).toEqual([
      one,
      other,
      [],
    ]);
  });

  it("lets entities exchange their names", () => {
    nameMany(world, [ship, dock], ["Dock", "Ship"]);

    expect([lookup(world, "Dock"), lookup(world, "Ship"), verify(world)]).toEqual([ship, dock, []]);
  });

  it("gives an entity that is listed twice its first name", () => {
    nameMany(world, [ship, ship], ["Raft", "Boat"]);

    expect(pathOf(world, ship)).toBe("Raft");
  });

  it("adds suffixes where the world does so", () => {
    configureNames(world, { collisions: "suffix" });
    const crates = [1, 2, 3].map(() => spawn(world, ChildOf(dock)));

    nameMany(world, crates, ["Crate", "Crate", "Crate"]);

    expect(new Set(crates.map((crate) => get(world, crate, Name))).size).toBe(3);
  });

  it.each<[string, string, () => void]>([
    ["a name is taken", "name-taken", () => nameMany(world, [ship], ["Dock"])],
    ["two would get one name", "name-taken", () => nameMany(world, [ship, dock], ["Raft", "Raft"])],
    ["a name is empty", "bad-name", () => nameMany(world, [ship, dock], ["Raft", ""])],
    ["a name is missing", "bad-value", () => nameMany(world, [ship, dock], ["Raft"])],
    ["names are no list", "bad-value", () => nameMany(world, [ship], "Raft" as never)],
    ["entities are no list", "bad-value", () => nameMany(world, ship as never, ["Raft"])],
  ])("changes nothing if %s", (_, code, call) => {
    expect(refusalOf(world, call).code).toBe(code);
    expect([lookup(world, "Ship"), lookup(world, "Dock")]).toEqual([ship, dock]);
  });
});

describe("Name.each", () => {
  it("names what spawnRows spawns", () => {
    const crates = spawnRows(world, 2, [Name.each(["A", "B"]), ChildOf.each([ship, dock])]);

    expect([lookup(world, "Ship::A"), lookup(world, "Dock::B"), verify(world)]).toEqual([...crates, []]);
  });

  it.each<[string, string, () => void]>([
    ["a sibling has the name", "name-taken", () => spawnRows(world, 2, [Name.each(["A", "Dock"])])],
    [
      "two siblings would have it",
      "name-taken",
      () => spawnRows(world, 2, [Name.each(["A", "A"]), ChildOf(ship)]),
    ],
    ["a name is empty", "bad-name", () => spawnRows(world, 2, [Name.each(["A", ""])])],
  ])("changes nothing if %s", (_, code, call) => {
    expect(refusalOf(world, call).code).toBe(code);
  });

  it("adds suffixes where the world does so", () => {
    configureNames(world, { collisions: "suffix" });

    const crates = spawnRows(world, 3, [Name.each(["Crate", "Crate", "Crate"]), ChildOf(dock)]);

    expect(new Set(crates.map((crate) => get(world, crate, Name))).size).toBe(3);
    expect(verify(world)).toEqual([]);
  });
});
