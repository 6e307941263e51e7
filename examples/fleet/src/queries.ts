// What the `report` shows: inherited light, joins by variables, order, groups, changes and `explain`.
import {
  bind,
  changed,
  collect,
  count,
  dispose,
  type Entity,
  each,
  entities,
  explain,
  group,
  groupBy,
  groupsOf,
  lookup,
  on,
  orderBy,
  page,
  patch,
  pathOf,
  query,
  rows,
  selfOrUp,
  set,
  variable,
  type World,
} from "treeline";
import { createFleet, DockedTo, Fuel, Light, MemberOf, Position, Room, Team } from "./fleet.ts";

const host = variable("host");
const team = variable("team");

/** The output of all functions below, as one text. */
export function report(): string {
  const world = createFleet();
  const hosted = hostedQuery(world);
  return [
    "Light in the rooms",
    ...lightOf(world),
    "Docked to a ship of the same team",
    ...alongside(world, hosted),
    "Ships of each team",
    ...sizesOf(world),
    "The least fuel",
    ...leastFuel(world),
    "Ships at each dock",
    ...perDock(world),
    "Ships that moved",
    ...movedShips(world),
    "Fuel for the emptiest",
    ...refuel(world, 8),
    "How a join is evaluated",
    ...explanation(hosted),
  ].join("\n");
}

function lightOf(world: World): string[] {
  const lines: string[] = [];
  each(query(world, Room, selfOrUp(Light)), (light, room) => {
    lines.push(`  ${pathOf(world, room)}: ${light.level}`);
  });
  return lines.sort();
}

/** A join: the host of a ship, and the team of both. */
function hostedQuery(world: World) {
  return query(world, DockedTo(host), MemberOf(team), on(host, MemberOf(team)), host, team);
}
type Hosted = ReturnType<typeof hostedQuery>;

function alongside(world: World, hosted: Hosted): string[] {
  return collect(hosted).map(([at, of, ship]) => {
    return `  ${pathOf(world, ship)} at ${pathOf(world, at)}, both ${pathOf(world, of)}`;
  });
}

function sizesOf(world: World): string[] {
  const members = query(world, Fuel, MemberOf(team));
  return entities(query(world, Team)).map((one) => {
    return `  ${pathOf(world, one)}: ${count(bind(members, team, one))}`;
  });
}

function leastFuel(world: World): string[] {
  const byFuel = query(world, Fuel, orderBy(Fuel, "tons"));
  return collect(page(byFuel, 0, 3)).map(([{ tons }, ship]) => `  ${pathOf(world, ship)}: ${tons} t`);
}

function perDock(world: World): string[] {
  const docked = query(world, Fuel, groupBy(DockedTo));
  return groupsOf(docked).map((dock) => {
    const name = dock === undefined ? "nowhere" : pathOf(world, dock);
    return `  ${name}: ${listed(world, entities(group(docked, dock)))}`;
  });
}

function movedShips(world: World): string[] {
  const moved = query(world, Fuel, changed(Position)); // used only here, so it is disposed of at the end
  const lines = [`  at first: ${count(moved)} ships, since the query was not read before`];
  entities(moved);

  set(world, lookup(world, "Comet")!, Position, { x: 4 });
  patch(world, lookup(world, "Ember")!, Position, (position) => {
    position.x -= 1;
  });
  lines.push(`  moved: ${listed(world, entities(moved))}`, `  since then: ${count(moved)}`);
  dispose(moved);
  return lines;
}

function refuel(world: World, stock: number): string[] {
  const lines: string[] = [];
  let left = stock;
  for (const [fuel, ship] of rows(query(world, Fuel, orderBy(Fuel, "tons")))) {
    const given = Math.min(left, 6);
    fuel.tons += given;
    left -= given;
    lines.push(`  ${pathOf(world, ship)} gets ${given} t and has ${fuel.tons} t`);
    if (left === 0) break;
  }
  return lines;
}

function explanation(hosted: Hosted): string[] {
  return explain(hosted)
    .split("\n")
    .map((line) => `  ${line}`);
}

function listed(world: World, found: readonly Entity[]): string {
  return found.map((entity) => pathOf(world, entity)).join(", ");
}
