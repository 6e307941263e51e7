// The first program, changing components of entities.
import {
  add,
  component,
  createWorld,
  f32,
  get,
  has,
  relation,
  remove,
  set,
  spawn,
  tag,
} from "@treeline/core";

const Position = component("Position", { x: f32, y: f32 });
const Visible = tag("Visible");
const Likes = relation("Likes");

const world = createWorld();
const ship = spawn(world, Position({ x: 1, y: 2 }));
const rock = spawn(world, Position);
add(world, ship, Visible);
add(world, ship, Likes(rock));
set(world, ship, Position, { y: 3 });
console.log(get(world, ship, Position), has(world, ship, Visible), has(world, ship, Likes(rock)));
remove(world, ship, Visible);
remove(world, ship, Likes(rock));
console.log(has(world, ship, Visible), has(world, ship, Likes(rock)));

//> { x: 1, y: 3 } true true
//> false false
