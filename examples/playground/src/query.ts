// Queries find entities by what they have, and by what is above them.
import {
  ChildOf,
  component,
  count,
  createWorld,
  each,
  get,
  Name,
  not,
  query,
  rows,
  spawn,
  tag,
  up,
} from "treeline";

const Health = component("Health", { points: 100 });
const Team = component("Team", { name: "" });
const Burning = tag("Burning");

const world = createWorld();
for (const name of ["Red", "Blue"]) {
  const fleet = spawn(world, Name(name), Team({ name }));
  for (let ship = 1; ship <= 3; ship++) {
    const entity = spawn(world, Name(`Ship ${ship}`), ChildOf(fleet), Health({ points: 40 * ship }));
    if (ship === 1) spawn(world, Name("Engine"), ChildOf(entity), Health({ points: 10 }), Burning);
  }
}

// All that burn lose points.
each(query(world, Health, Burning), (health) => {
  health.points -= 3;
});
console.log(count(query(world, Health, not(Burning))), "do not burn");

// up(Team) finds the team on the nearest ancestor that has one.
for (const [health, team, entity] of rows(query(world, Health, up(Team)))) {
  console.log(team.name, get(world, entity, Name), health.points);
}
