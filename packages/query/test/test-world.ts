/**
 * The set-up of tests, created by one of the functions below: `beforeEach(setShipAndStation)`. Each creates the world and the
 * entities that it names, in the order of the names, and nothing else.
 */
import { ChildOf, createWorld, type Entity, Parent, type SpawnTerm, spawn, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { expect } from "vitest";

export let world: World;
export let ship: Entity;
export let station: Entity;
export let root: Entity;
export let seat: Entity;

export function setWorld(): void {
  world = createWorld();
}

export function setShip(): void {
  setWorld();
  ship = spawn(world);
}

export function setShipAndStation(): void {
  setShip();
  station = spawn(world);
}

/** root > ship > seat, with the parent of the ship stored by value. @param rootTerms what the root has. */
export function setBranch(...rootTerms: SpawnTerm[]): void {
  setWorld();
  root = spawn(world, ...rootTerms);
  ship = spawn(world, Parent(root));
  seat = spawn(world, ChildOf(ship));
}

export function verifyWorld(): void {
  expect(verify(world)).toEqual([]);
}
