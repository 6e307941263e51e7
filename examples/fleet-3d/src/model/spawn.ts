// The entities of the station and of the `SHIPS` around it (`spawnFleet`).
import { type Entity, Name, Parent, type SpawnTerm, spawn, type World } from "treeline";
import { Local3D, World3D } from "treeline/transform/3d";
import { Course, Dock, Health, kinds, Ship, Tint, Turning } from "./definitions.ts";
import { turnAround } from "./places.ts";
import { randomOf } from "./random.ts";
import { type PartPlan, shipPlan } from "./ship-plan.ts";

export const SHIPS = 200;
export const DOCKS = 12;

type Color = readonly [red: number, green: number, blue: number];
const TEAMS: readonly Color[] = [
  [0.45, 0.6, 0.85],
  [0.85, 0.55, 0.4],
];

/** Spawns the station with its docks in the middle, and the ships on circles around it. */
export function spawnFleet(world: World, seed = 1): void {
  spawnStation(world);
  const random = randomOf(seed);
  for (let at = 0; at < SHIPS; at++) {
    const course = {
      radius: 60 + 180 * random(),
      height: 80 * random() - 40,
      angle: 2 * Math.PI * random(),
      speed: 3 + 6 * random(),
    };
    spawnShip(world, `Ship ${at + 1}`, course, TEAMS[at % TEAMS.length]!);
  }
}

function spawnShip(world: World, name: string, course: object, color: Color): void {
  const ship = spawn(world, Ship, Name(name), Course(course), Local3D, World3D);
  spawnPart(world, ship, shipPlan, color);
}

/** Parts have few children each, so they are below `Parent`: all ships share the tables of their parts. */
function spawnPart(world: World, above: Entity, plan: PartPlan, color: Color): void {
  const terms: SpawnTerm[] = [
    kinds[plan.kind],
    Name(plan.name),
    Parent(above),
    Local3D({ position: plan.at }),
    World3D,
    Health,
    Tint({ color: colorOf(plan, color) }),
  ];
  if (plan.turning !== undefined) terms.push(Turning({ speed: plan.turning }));
  const part = spawn(world, ...terms);
  for (const below of plan.parts ?? []) spawnPart(world, part, below, color);
}

function colorOf({ kind }: PartPlan, color: Color): Color {
  if (kind === "Nozzle") return [1, 0.7, 0.3];
  if (kind === "Window") return [0.7, 0.9, 1];
  const share = kind === "Hull" || kind === "Section" || kind === "Wing" ? 1 : 0.7;
  const [red, green, blue] = color;
  return [red * share, green * share, blue * share];
}

function spawnStation(world: World): void {
  const station = spawn(world, kinds.Ring, Name("Station"), Local3D, World3D, Tint, Turning({ speed: 0.05 }));
  for (let at = 0; at < DOCKS; at++) {
    const angle = (2 * Math.PI * at) / DOCKS;
    const arm = spawn(
      world,
      kinds.Arm,
      Name(`Arm ${at + 1}`),
      Parent(station),
      Local3D({
        position: [34 * Math.sin(angle), 0, 34 * Math.cos(angle)],
        rotation: turnAround(angle),
      }),
      World3D,
      Tint({ color: [0.6, 0.65, 0.7] }),
    );
    spawn(world, Dock, Name("Dock"), Parent(arm), Local3D({ position: [0, 0, 10] }), World3D);
  }
}
