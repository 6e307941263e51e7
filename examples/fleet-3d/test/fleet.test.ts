import {
  children,
  count,
  createWorld,
  descendants,
  type Entity,
  entities,
  get,
  has,
  isAlive,
  lookup,
  parentOf,
  pathOf,
  query,
  type World,
} from "treeline";
import { verify } from "treeline/debug";
import { propagate, worldOf } from "treeline/transform/3d";
import { beforeEach, describe, expect, it } from "vitest";
import { dock, explode, hit, leave, shipOf } from "../src/model/battle.ts";
import { Debris, Docked, Health, Ship } from "../src/model/definitions.ts";
import { partsOf, shipPlan } from "../src/model/ship-plan.ts";
import { SHIPS, spawnFleet } from "../src/model/spawn.ts";
import { Battle } from "../src/model/step.ts";

let world: World;
let battle: Battle;

beforeEach(() => {
  world = createWorld();
  spawnFleet(world);
  battle = new Battle(world);
  battle.step(0.1);
});

const at = (path: string): Entity => lookup(world, path)!;

/** Where entities are, rounded to a tenth of a millimetre: local transforms are in 32 bits. */
const placesOf = (parts: readonly Entity[]): number[][] =>
  parts.map((part) => [...worldOf(world, part)].map((one) => Math.round(one * 1e4) / 1e4 + 0));

function expectSamePlaces(parts: readonly Entity[], before: readonly number[][]): void {
  for (const [index, place] of placesOf(parts).entries())
    for (const [number, value] of place.entries()) expect(value).toBeCloseTo(before[index]![number]!, 3);
}

describe("the fleet", () => {
  it("has 200 ships of 50 parts", () => {
    expect(partsOf(shipPlan)).toBe(50);
    const ships = [...entities(query(world, Ship))];
    expect(ships).toHaveLength(SHIPS);
    for (const ship of ships) expect([...descendants(world, ship)]).toHaveLength(50);
    expect(count(query(world, Health))).toBe(10_000);
  });

  it("finds a part by its path, and the ship of a part", () => {
    const nozzle = at("Ship 3::Hull::Left wing::Engine::Nozzle");
    expect(pathOf(world, nozzle)).toBe("Ship 3::Hull::Left wing::Engine::Nozzle");
    expect(shipOf(world, nozzle)).toBe(at("Ship 3"));
  });

  it("moves parts with their ships, though only the transforms of ships and turrets are written", () => {
    propagate(world);
    const [before] = placesOf([at("Ship 3::Hull::Left wing")]);
    battle.step(1);
    const [after] = placesOf([at("Ship 3::Hull::Left wing")]);
    expect(after).not.toEqual(before);
  });

  it("is the same after the same steps", () => {
    const other = createWorld();
    spawnFleet(other);
    const twin = new Battle(other);
    twin.step(0.1);
    for (let step = 0; step < 20; step++) {
      battle.step(0.3);
      twin.step(0.3);
    }
    const paths = [...entities(query(world, Ship))].map((ship) => pathOf(world, ship));
    expect([...entities(query(other, Ship))].map((ship) => pathOf(other, ship))).toEqual(paths);
    for (const path of paths) expect(worldOf(other, lookup(other, path)!)).toEqual(worldOf(world, at(path)));
  });
});

describe("a ship that docks", () => {
  it("stays where it is in the world, becomes a child of the dock, and then comes to it", () => {
    const ship = at("Ship 7");
    const parts = [...descendants(world, ship)];
    const before = placesOf(parts);
    dock(world, ship, at("Station::Arm 2::Dock"));

    expectSamePlaces(parts, before);
    expect(pathOf(world, ship)).toBe("Station::Arm 2::Dock::Ship 7");
    battle.step(10);
    const [place] = placesOf([ship]);
    const [wanted] = placesOf([at("Station::Arm 2::Dock")]);
    for (const number of [12, 13, 14]) expect(place![number]).toBeCloseTo(wanted![number]!, 2);
  });

  it("leaves from where it is", () => {
    const ship = at("Ship 7");
    dock(world, ship, at("Station::Arm 2::Dock"));
    battle.step(1);
    const before = placesOf([ship]);
    leave(world, ship);

    expectSamePlaces([ship], before);
    expect(parentOf(world, ship)).toBeUndefined();
    expect(has(world, ship, Docked)).toBe(false);
  });
});

describe("a part that is hit", () => {
  it("has fewer points, and stays where it is", () => {
    const wing = at("Ship 9::Hull::Left wing");
    hit(world, wing, 60);
    expect(get(world, wing, Health)!.points).toBe(40);
    expect(shipOf(world, wing)).toBe(at("Ship 9"));
  });

  it("breaks off with what is below it at 0 points, and keeps its place", () => {
    const wing = at("Ship 9::Hull::Left wing");
    const pieces = [wing, ...descendants(world, wing)];
    const before = placesOf(pieces);
    hit(world, wing, 100);

    expectSamePlaces(pieces, before);
    expect(parentOf(world, wing)).toBeUndefined();
    expect(pieces.map((piece) => has(world, piece, Debris))).toEqual(pieces.map((_, index) => index === 0));
    expect([...children(world, at("Ship 9::Hull"))]).toHaveLength(18);
  });

  it("bursts its ship if it is the hull", () => {
    const ship = at("Ship 9");
    hit(world, at("Ship 9::Hull"), 100);
    expect(isAlive(world, ship)).toBe(false);
    expect(count(query(world, Debris))).toBe(50);
  });
});

describe("a ship that explodes", () => {
  it("leaves 50 pieces of debris where its parts were, which fly off and are gone in the end", () => {
    const ship = at("Ship 5");
    const parts = [...descendants(world, ship)];
    const before = placesOf(parts);
    explode(world, ship);

    expectSamePlaces(parts, before);
    expect(count(query(world, Ship))).toBe(SHIPS - 1);
    battle.step(0.1);
    expect(placesOf(parts)).not.toEqual(before);
    for (let step = 0; step < 31; step++) battle.step(1);
    expect(parts.some((part) => isAlive(world, part))).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it("explodes at a dock, too, which is free again", () => {
    const ship = at("Ship 5");
    dock(world, ship, at("Station::Arm 1::Dock"));
    battle.step(3);
    const parts = [...descendants(world, ship)];
    const before = placesOf(parts);
    explode(world, ship);

    expectSamePlaces(parts, before);
    expect([...children(world, at("Station::Arm 1::Dock"))]).toEqual([]);
  });
});
