// The program with a tree, parents before children, each with the row of its parent.
import { ChildOf, component, createWorld, f32, get, spawn } from "@treeline/core";
import { cascade, children, destroy, each, query } from "@treeline/query";

const Local = component("Local", { x: f32 });
const World = component("World", { x: f32 });

const world = createWorld();
const ship = spawn(world, Local({ x: 1 }), World);
const cockpit = spawn(world, Local({ x: 10 }), World, ChildOf(ship));
const seat = spawn(world, Local({ x: 100 }), World, ChildOf(cockpit));
each(query(world, Local, World, cascade(World)), (local, placed, above) => {
  placed.x = local.x + (above?.x ?? 0);
});
for (const child of children(world, cockpit)) console.log(child === seat, get(world, child, World));
destroy(world, ship);

//> true { x: 111 }
