// The program with a tree, with names and paths.
import { ChildOf, component, createWorld, f32, get, spawn } from "@treeline/core";
import { lookup, Name, pathOf } from "@treeline/names";
import { children, destroy, each, query } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });

const world = createWorld();
const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }));
const cockpit = spawn(world, Name("Cockpit"), Position({ x: 10 }), ChildOf(ship));
const seat = spawn(world, Name("Seat"), Position({ x: 20 }), ChildOf(cockpit));
each(query(world, Position), (position) => {
  position.x += 1;
});
console.log(pathOf(world, seat), lookup(world, "Ship::Cockpit") === cockpit);
for (const child of children(world, ship)) console.log(get(world, child, Name), get(world, child, Position));
destroy(world, cockpit);
console.log(lookup(world, "Ship::Cockpit"));
try {
  spawn(world, Name("Ship"));
} catch ({ code }) {
  console.log(code);
}

//> Ship::Cockpit::Seat true
//> Cockpit { x: 11, y: 0 }
//> undefined
//> name-taken
