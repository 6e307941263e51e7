// A tree with transforms in 3D, and boxes of subtrees.
import { ChildOf, createWorld, get, set, spawn } from "@treeline/core";
import { Bounds3D, Local3D, propagate, updateBounds, World3D, WorldBounds3D } from "@treeline/transform/3d";

const world = createWorld();
const tank = spawn(world, Local3D({ position: [10, 0, 0] }), World3D, WorldBounds3D);
const hull = Bounds3D({ min: [-1, -1, -1], max: [1, 1, 1] });
const turret = spawn(world, Local3D({ position: [0, 2, 0] }), World3D, hull, ChildOf(tank));
propagate(world);
console.log(updateBounds(world), get(world, tank, WorldBounds3D).max.join(" "));
set(world, turret, Local3D, { position: [0, 3, 0] });
propagate(world);
console.log(updateBounds(world), updateBounds(world), get(world, tank, WorldBounds3D).max.join(" "));

//> 1 11 3 1
//> 1 0 11 4 1
