// The program with a tree, and an observer of what is added and removed.
import { Any, ChildOf, component, createWorld, f32, get, observe, spawn } from "@treeline/core";
import { children, destroy, each, query } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });

const world = createWorld();
const stop = observe(world, { added: Position, removed: ChildOf(Any) }, ({ kind, entity }) => {
  console.log(kind, get(world, entity, Position));
});
const ship = spawn(world, Position({ x: 1 }));
const cockpit = spawn(world, Position({ x: 10 }), ChildOf(ship));
each(query(world, Position), (position) => {
  position.x += 1;
});
destroy(world, cockpit);
stop();
console.log(children(world, ship).length);
destroy(world, ship);

//> added { x: 1, y: 0 }
//> added { x: 10, y: 0 }
//> removed { x: 11, y: 0 }
//> 0
