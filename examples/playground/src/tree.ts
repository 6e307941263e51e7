// A tree of entities: names, paths, moving and destroying whole subtrees.
import {
  attach,
  ChildOf,
  children,
  component,
  createWorld,
  destroy,
  lookup,
  Name,
  pathOf,
  spawn,
} from "treeline";

const Position = component("Position", { x: 0, y: 0 });
const world = createWorld();

const ship = spawn(world, Name("Ship"), Position({ x: 10 }));
const deck = spawn(world, Name("Deck"), ChildOf(ship));
const crane = spawn(world, Name("Crane"), ChildOf(deck), Position({ y: 5 }));
spawn(world, Name("Hook"), ChildOf(crane), Position({ y: -3 }));
for (const name of ["North", "South", "East"]) spawn(world, Name(name), ChildOf(deck), Position);

console.log(children(world, deck).map((child) => pathOf(world, child)));

// Moving an entity moves everything below it.
attach(world, crane, ship);
console.log(pathOf(world, lookup(world, "Ship::Crane::Hook")!));

// So does destroying it. The tables on this page show what is left.
destroy(world, deck);
console.log(children(world, ship).map((child) => pathOf(world, child)));
