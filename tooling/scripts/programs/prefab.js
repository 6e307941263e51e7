// The program with names, and with a prefab whose instances follow it.
import { ChildOf, component, createWorld, f32, get, set, spawn } from "@treeline/core";
import { lookup, Name, pathOf } from "@treeline/names";
import { instantiate, overridesOf, prefab, refreshInstances } from "@treeline/prefab";
import { children, destroy, each, query } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });
const Mesh = component("Mesh", { id: f32(7) }, { onInstantiate: "inherit" });

const world = createWorld();
const ship = prefab(world, Name("Ship"), Position({ x: 1, y: 2 }), Mesh);
const cockpit = spawn(world, Name("Cockpit"), Position({ x: 10 }), ChildOf(ship));
const first = instantiate(world, ship, { with: [Name("First")] });
each(query(world, Position, Mesh), (position, mesh) => {
  position.x += mesh.id;
});
set(world, cockpit, Position, { x: 20 });
refreshInstances(world, ship);
console.log(pathOf(world, children(world, first)[0]), get(world, lookup(world, "First::Cockpit"), Position));
console.log(overridesOf(world, first).map(({ fields }) => fields));
destroy(world, first);

//> First::Cockpit { x: 20, y: 0 }
//> [ [ 'x' ] ]
