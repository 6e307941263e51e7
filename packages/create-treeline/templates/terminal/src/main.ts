import { attach, ChildOf, destroy, each, lookup, pathOf, query, roots, TreelineError } from "treeline";
import { add, draw, Mass, world } from "./tree.ts";

const dock = add("Dock", 5000);
const ship = add("Ship", 900);
const hold = add("Hold", 100, ChildOf(ship));
add("Crate", 20, ChildOf(hold));
add("Barrel", 30, ChildOf(hold));
draw(ship);

console.log("\nThe barrel is unloaded:");
attach(world, lookup(world, "Ship::Hold::Barrel")!, dock);
each(query(world, Mass), (mass, entity) => console.log(`${pathOf(world, entity)}: ${mass.kg} kg`));

console.log("\nThe ship cannot be put into its own hold:");
try {
  attach(world, ship, hold);
} catch (error) {
  if (!(error instanceof TreelineError)) throw error;
  console.log(error.code);
}

console.log("\nThe ship goes, with all that is in it:");
destroy(world, ship);
for (const root of roots(world)) draw(root);
