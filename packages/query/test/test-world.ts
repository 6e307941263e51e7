/**
 * What tests begin with, set anew by one of the functions below: `beforeEach(setShipAndStation)`. Each sets the world and what
 * it is called after, in the order of the names, and nothing else.
 */
import { createWorld, type Entity, spawn, type World } from "@treeline/core";

export let world: World;
export let ship: Entity;
export let station: Entity;

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
