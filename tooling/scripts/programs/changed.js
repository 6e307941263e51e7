// The program with a tree, reading only what was written since the last read.
import { Any, ChildOf, component, createWorld, f32, get, spawn } from "@treeline/core";
import { changed, children, destroy, each, query } from "@treeline/query";

const Position = component("Position", { x: f32, y: f32 });

const world = createWorld();
const ship = spawn(world, Position({ x: 1 }));
spawn(world, Position({ x: 10 }), ChildOf(ship));
const moved = query(world, Position, changed(Position));
const read = () => {
  const values = [];
  each(moved, (position) => {
    values.push(position.x);
  });
  return values;
};
console.log(read(), read());
each(query(world, Position, ChildOf(Any)), (position) => {
  position.x = 12;
});
console.log(read(), read());
for (const child of children(world, ship)) console.log(get(world, child, Position));
destroy(world, ship);
console.log(read());

//> [ 1, 10 ] []
//> [ 12 ] []
//> { x: 12, y: 0 }
//> []
