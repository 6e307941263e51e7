// Node 20.19 and newer can require ES modules.
const { component, createWorld, f32, get, spawn } = require("@treeline/core");
const { Name, lookup } = require("@treeline/names");
const { count, query } = require("@treeline/query");

const Position = component("Position", { x: f32 });
const world = createWorld();
spawn(world, Name("Ship"), Position({ x: 1 }));
console.log(count(query(world, Position)), get(world, lookup(world, "Ship"), Position));
