import { createWorld, type Entity, spawn, type World } from "../../../src/index.ts";
import { ChildOf, Parent, Position } from "../../definitions.ts";
import { isDisabled } from "../../reading.ts";

/** The world that tests of disabling start with; set by `setFixture`. */
export let world: World;
export let ship: Entity;
export let deck: Entity;
export let seat: Entity;
export let belt: Entity;

//  ship
//    deck      typed
//      seat    as a value
//        belt  typed
export function setFixture(): void {
  world = createWorld();
  ship = spawn(world);
  deck = spawn(world, ChildOf(ship), Position({ x: 1 }));
  seat = spawn(world, Parent(deck), Position({ x: 2 }));
  belt = spawn(world, ChildOf(seat));
}

/** Which of them are disabled. */
export function disabled(...entities: Entity[]): boolean[] {
  return entities.map((one) => isDisabled(world, one));
}
