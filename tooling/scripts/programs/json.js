// The program with names, with documents as JSON.
import { ChildOf, component, createWorld, f32, get, spawn } from "@treeline/core";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
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
const text = writeJson(toDocument(world, { root: ship }));
console.log(pathOf(world, seat), lookup(world, "Ship::Cockpit") === cockpit);
for (const child of children(world, ship)) console.log(get(world, child, Name), get(world, child, Position));
destroy(world, ship);
try {
  fromDocument(world, text.replace("21", "x"));
} catch ({ code }) {
  console.log(code);
}
fromDocument(world, text);
console.log(get(world, lookup(world, "Ship::Cockpit::Seat"), Position));

//> Ship::Cockpit::Seat true
//> Cockpit { x: 11, y: 0 }
//> bad-document
//> { x: 21, y: 0 }
