// A tree with transforms in 2D.
import { ChildOf, createWorld, get, set, spawn } from "@treeline/core";
import { Local2D, propagate, World2D, worldOf } from "@treeline/transform/2d";

const world = createWorld();
const tank = spawn(world, Local2D({ position: [10, 0] }), World2D);
const turret = spawn(world, Local2D({ position: [0, 2] }), World2D, ChildOf(tank));
console.log(propagate(world), get(world, turret, World2D).matrix[4]);
set(world, tank, Local2D, { position: [20, 0] });
console.log(propagate(world), propagate(world), worldOf(world, turret)[4]);

//> 2 10
//> 2 0 20
