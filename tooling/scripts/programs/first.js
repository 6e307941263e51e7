// The smallest program that stores something.
import { component, createWorld, f32, get, spawn } from "@treeline/core";

const Position = component("Position", { x: f32, y: f32 });

const world = createWorld();
const ship = spawn(world, Position({ x: 1, y: 2 }));
console.log(get(world, ship, Position));

//> { x: 1, y: 2 }
