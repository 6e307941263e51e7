// Prefabs: trees that are made once, and instantiated many times.
import { ChildOf, children, component, createWorld, get, Name, pathOf, set, spawn } from "treeline";
import { instantiate, prefab, refreshInstances } from "treeline/prefab";

const Health = component("Health", { points: 100 });
const Mesh = component("Mesh", { file: "" }, { onInstantiate: "inherit" }); // instances share it

const world = createWorld();
const tank = prefab(world, Name("Tank"), Health, Mesh({ file: "tank.glb" }));
spawn(world, Name("Turret"), ChildOf(tank), Mesh({ file: "gun.glb" }));

const one = instantiate(world, tank, { with: [Name("One")] });
const two = instantiate(world, tank, { with: [Name("Two"), Health({ points: 250 })] });
console.log(children(world, one).map((part) => pathOf(world, part)));

// What the prefab changes reaches the instances, except what they have set themselves.
set(world, tank, Health, { points: 120 });
refreshInstances(world, tank);
console.log(get(world, one, Health), get(world, two, Health));
console.log(get(world, two, Mesh));
