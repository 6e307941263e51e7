// The program with a query, over a tree that is walked and partly destroyed.
import { ChildOf, component, createWorld, f32, get, isAlive, spawn } from "@treeline/core";
import { children, destroy, each, query } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });

const world = createWorld();
const ship = spawn(world, Position({ x: 1, y: 2 }), Velocity({ x: 3 }));
const cockpit = spawn(world, Position({ x: 10 }), Velocity({ x: 3 }), ChildOf(ship));
const seat = spawn(world, Position({ x: 20 }), ChildOf(cockpit));
spawn(world, Position({ x: 30 }), ChildOf(ship));
const moving = query(world, Position, Velocity);
each(moving, (position, velocity) => {
  position.x += velocity.x;
});
for (const child of children(world, ship)) console.log(get(world, child, Position));
destroy(world, cockpit);
console.log(isAlive(world, ship), isAlive(world, seat), [...children(world, ship)].length);

//> { x: 13, y: 0 }
//> { x: 30, y: 0 }
//> true false 1
