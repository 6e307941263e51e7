// What a new user writes first, beside a library that imports the packages.
import {
  attach,
  ChildOf,
  children,
  component,
  createWorld,
  each,
  eachRun,
  f32,
  lookup,
  Name,
  pathOf,
  query,
  spawn,
  TreelineError,
} from "treeline";
import { dump, verify } from "treeline/debug";
import { toDocument } from "treeline/document/json";
import { canCompile, runKernel } from "treeline/kernels";
import { worldOf } from "treeline/transform/3d";
import { nameOf, spawnMoved } from "./library.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });

const world = createWorld();
const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Velocity({ x: 3 }));
const cockpit = spawn(world, Name("Cockpit"), Position, ChildOf(ship));
attach(world, spawn(world, Name("Seat")), cockpit);

const moving = query(world, Position, Velocity);
each(moving, (position, velocity) => {
  position.x += velocity.x;
});
if (canCompile()) {
  const step = runKernel([Position, Velocity], ([position, velocity]) => (first, end) => {
    for (let row = first; row < end; row++) position.x[row]! += velocity.x[row]!;
  });
  eachRun(moving, step);
}

const seat = lookup(world, "Ship::Cockpit::Seat");
if (seat === undefined) throw new Error("there is no seat");
let code: TreelineError["code"] | undefined;
try {
  attach(world, ship, seat);
} catch (error) {
  if (error instanceof TreelineError) code = error.code;
}
const x: number[] = [];
each(moving, (position) => {
  x.push(position.x);
});
console.log(
  pathOf(world, seat),
  children(world, ship).length,
  x,
  code,
  verify(world).length,
  dump(world).length > 0,
  nameOf(world, ship),
  [...(worldOf(world, spawnMoved(world, ship, 5)) ?? [])].slice(12, 15),
  JSON.stringify(toDocument(world, { root: cockpit, components: [] })).includes("Seat"),
);
