// A tree with transforms in 3D.
import { ChildOf, createWorld, get, set, spawn } from "@treeline/core";
import { Local3D, propagate, World3D, worldOf } from "@treeline/transform/3d";

const world = createWorld();
const tank = spawn(world, Local3D({ position: [10, 0, 0] }), World3D);
const turret = spawn(world, Local3D({ position: [0, 2, 0] }), World3D, ChildOf(tank));
console.log(propagate(world), get(world, turret, World3D).matrix[12]);
set(world, tank, Local3D, { position: [20, 0, 0] });
console.log(propagate(world), propagate(world), worldOf(world, turret)[12]);

//> 2 10
//> 2 0 20
