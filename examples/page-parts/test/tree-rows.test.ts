import { ChildOf, createWorld, type Entity, get, lookup, Name, spawn, type World } from "treeline";
import { beforeEach, describe, expect, it } from "vitest";
import { openRows, type Row, rowAfterKey } from "../src/tree-rows.ts";

let world: World;

const at = (path: string): Entity => lookup(world, path)!;
const drawn = (rows: readonly Row[]): string[] =>
  rows.map(({ entity, level, children, place, siblings }) => {
    return `${"  ".repeat(level - 1)}${get(world, entity, Name)} ${children} ${place}/${siblings}`;
  });

beforeEach(() => {
  world = createWorld();
  const ship = spawn(world, Name("Ship"));
  for (const name of ["Cockpit", "Wing"]) {
    const part = spawn(world, Name(name), ChildOf(ship));
    spawn(world, Name("Seat"), ChildOf(part));
  }
  spawn(world, Name("Station"));
});

describe("the rows of a tree", () => {
  it("are those below open entities, in the order of siblings", () => {
    expect(drawn(openRows(world, new Set()))).toEqual(["Ship 2 1/2", "Station 0 2/2"]);
    expect(drawn(openRows(world, new Set([at("Ship"), at("Ship::Wing")])))).toEqual([
      "Ship 2 1/2",
      "  Cockpit 1 1/2",
      "  Wing 1 2/2",
      "    Seat 0 1/1",
      "Station 0 2/2",
    ]);
  });

  it("do not depend on what is open below a closed entity", () => {
    expect(openRows(world, new Set([at("Ship::Wing")]))).toHaveLength(2);
  });

  it("are listed for a chain of 20,000", () => {
    const open = new Set<Entity>();
    let last = at("Station");
    for (let depth = 0; depth < 20_000; depth++) {
      open.add(last);
      last = spawn(world, ChildOf(last));
    }

    expect(openRows(world, open)).toHaveLength(20_002);
  });
});

describe("a key leads from a row", () => {
  const nameAfter = (from: string | undefined, key: string): string | undefined => {
    const rows = openRows(world, new Set([at("Ship"), at("Ship::Cockpit")]));
    const place = rows.findIndex(({ entity }) => from !== undefined && entity === at(from));
    const next = rowAfterKey(rows, place, key, 2);
    return next && get(world, next.entity, Name);
  };

  it.each([
    ["Ship", "ArrowDown", "Cockpit"],
    ["Ship", "ArrowUp", "Ship"],
    ["Station", "ArrowDown", "Station"],
    ["Station", "ArrowUp", "Wing"],
    ["Ship", "PageDown", "Seat"],
    ["Station", "PageUp", "Seat"],
    ["Ship::Wing", "Home", "Ship"],
    ["Ship", "End", "Station"],
    ["Ship", "ArrowRight", "Cockpit"],
    ["Station", "ArrowRight", "Station"],
    ["Ship::Cockpit::Seat", "ArrowLeft", "Cockpit"],
    ["Ship::Wing", "ArrowLeft", "Ship"],
    ["Ship", "ArrowLeft", "Ship"],
    [undefined, "ArrowDown", "Ship"],
    [undefined, "ArrowRight", undefined],
    ["Ship", "Enter", undefined],
  ])("%s by %s to %s", (from, key, to) => {
    expect(nameAfter(from, key)).toBe(to);
  });
});
