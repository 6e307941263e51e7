// The program with a tree, and a query for entities that are docked to an entity with the same parent.
import { ChildOf, component, createWorld, f32, get, relation, spawn } from "@treeline/core";
import { children, destroy, each, on, query, variable } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });
const DockedTo = relation("DockedTo");

const world = createWorld();
const planet = spawn(world, Position({ x: 1 }));
const moon = spawn(world, Position({ x: 2 }));
const station = spawn(world, Position({ x: 10 }), ChildOf(planet));
spawn(world, Position({ x: 20 }), ChildOf(planet), DockedTo(station));
spawn(world, Position({ x: 30 }), ChildOf(moon), DockedTo(station));

const dock = variable("dock");
const parent = variable("parent");
const docked = query(world, Position, DockedTo(dock), ChildOf(parent), on(dock, ChildOf(parent)));
each(docked, (position) => console.log(position.x));
for (const child of children(world, moon)) console.log(get(world, child, Position));
destroy(world, planet);
each(docked, (position) => console.log(position.x));

//> 20
//> { x: 30, y: 0 }
