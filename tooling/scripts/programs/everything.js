// Everything in three packages, kept by importing whole modules.
import * as core from "@treeline/core";
import * as names from "@treeline/names";
import * as queries from "@treeline/query";

const { component, createWorld, destroy, each, f32, lookup, Name, query, spawn } = {
  ...core,
  ...names,
  ...queries,
};

const Position = component("Position", { x: f32 });

const world = createWorld();
spawn(world, Name("Ship"), Position({ x: 1 }));
each(query(world, Name, Position), (name, position) => console.log(name, position.x));
destroy(world, lookup(world, "Ship"));
console.log(lookup(world, "Ship"));

//> Ship 1
//> undefined
