// The first program, and a loop over entities with two components.
import { component, createWorld, f32, get, spawn } from "@treeline/core";
import { each, query } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });

const world = createWorld();
const ship = spawn(world, Position({ x: 1, y: 2 }), Velocity({ x: 3 }));
const rock = spawn(world, Position({ x: 5 }));
const moving = query(world, Position, Velocity);
each(moving, (position, velocity) => {
  position.x += velocity.x;
});
console.log(get(world, ship, Position), get(world, rock, Position));

//> { x: 4, y: 2 } { x: 5, y: 0 }
