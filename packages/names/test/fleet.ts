import { ChildOf, createWorld, type Entity, spawn, TreelineError, type World } from "@treeline/core";
import { dump, stats, verify } from "@treeline/core/debug";
import { expect } from "vitest";
import { Name } from "../src/index.ts";

export { createWorld, type Entity, type World };

/** The error of a refused change; the world must be as before. */
export function refusalOf(world: World, change: () => unknown): TreelineError {
  const before = [dump(world), stats(world).entities];
  let refusal: unknown;
  try {
    change();
  } catch (error) {
    refusal = error;
  }
  expect([dump(world), stats(world).entities]).toEqual(before);
  expect(verify(world)).toEqual([]);
  expect(refusal).toBeInstanceOf(TreelineError);
  return refusal as TreelineError;
}

/** The code of the error that a call throws; `undefined` if it throws none. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
}

/**
 *   Ship
 *     Cockpit
 *     Hold
 *   Station
 *     Cockpit
 *   Cockpit
 */
export function fleet(): {
  world: World;
  ship: Entity;
  cockpit: Entity;
  hold: Entity;
  station: Entity;
  dock: Entity;
  buoy: Entity;
} {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"));
  const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
  const hold = spawn(world, Name("Hold"), ChildOf(ship));
  const station = spawn(world, Name("Station"));
  const dock = spawn(world, Name("Cockpit"), ChildOf(station));
  const buoy = spawn(world, Name("Cockpit"));
  return { world, ship, cockpit, hold, station, dock, buoy };
}
