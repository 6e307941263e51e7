// Observers are called when something changes, wherever that happens.
import {
  add,
  ChildOf,
  component,
  createWorld,
  destroy,
  Name,
  observe,
  pathOf,
  set,
  spawn,
  tag,
} from "treeline";

const Health = component("Health", { points: 100 });
const Enemy = tag("Enemy");

const world = createWorld();
let score = 0;
observe(world, { added: Enemy }, ({ entity }) => console.log("an enemy:", pathOf(world, entity)));
observe(world, { removed: Enemy }, () => {
  score += 10;
});
observe(world, { set: Health }, ({ entity }) => console.log(pathOf(world, entity), "has other health"));

const level = spawn(world, Name("Level"));
const camp = spawn(world, Name("Camp"), ChildOf(level));
for (const name of ["Wolf", "Bear"]) spawn(world, Name(name), ChildOf(camp), Enemy, Health);
const crow = spawn(world, Name("Crow"), ChildOf(level));
add(world, crow, Enemy);

set(world, crow, Health, { points: 5 });

// Destroying a subtree calls the observers for everything in it.
destroy(world, camp);
console.log(score, "points");
