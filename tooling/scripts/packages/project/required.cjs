// Node 20.19 and newer can require ES modules.
const { component, count, createWorld, f32, get, lookup, query, spawn } = require("treeline");
const { Name } = require("@treeline/names");

const Position = component("Position", { x: f32 });
const world = createWorld();
spawn(world, Name("Ship"), Position({ x: 1 }));
console.log(count(query(world, Position)), get(world, lookup(world, "Ship"), Position));
