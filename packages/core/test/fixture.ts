/**
 * What tests start with: the public functions that make worlds and entities, and a world with some entities, made again by one of
 * the functions below: `beforeEach(setShipAndDock)`. Each sets the world and the entities in its name, in that order, and
 * nothing else.
 */
import { createWorld, type Entity, spawn, spawnMany, type World } from "../src/index.ts";

export { createWorld, type Entity, spawn, spawnMany, type World };

export let world: World;
export let ship: Entity;
export let dock: Entity;
export let a: Entity;
export let b: Entity;
export let c: Entity;
export let d: Entity;

export function setWorld(): void {
  world = createWorld();
}

export function setShip(): void {
  setWorld();
  ship = spawn(world);
}

export function setShipAndDock(): void {
  setShip();
  dock = spawn(world);
}

export function setTwo(): void {
  setWorld();
  [a, b] = [spawn(world), spawn(world)];
}

export function setFour(): void {
  setTwo();
  [c, d] = [spawn(world), spawn(world)];
}
