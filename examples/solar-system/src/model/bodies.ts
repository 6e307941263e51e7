// The components and tags of bodies, and the tree of all of them (`buildSolarSystem`).
import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f64,
  Name,
  type SpawnTerm,
  spawn,
  tag,
  u32,
  type World,
} from "treeline";
import { Local3D, World3D } from "treeline/transform/3d-f64";
import { BELTS, type Belt, elementsIn } from "./belts.ts";
import { AU, type Elements, orbitOf } from "./orbits.ts";
import { type MoonData, PLANETS, type PlanetData, SUN_RADIUS } from "./planets.ts";
import { randomFrom } from "./random.ts";

/** All that is in the sky by nature. In metres. */
export const Body = component("Body", { radius: f64 });
/** As 0xrrggbb. */
export const Look = component("Look", { color: u32 });
/** Has a label, a path, and an object that is seen from nearby. */
export const Landmark = tag("Landmark");
/** The Sun and its planets: a large dot from afar. */
export const Major = tag("Major");
/** Moons, and what people have built: a smaller one. */
export const Minor = tag("Minor");
/** The smallest dot, and nothing else. */
export const Asteroid = tag("Asteroid");
/** In metres, from the centre. */
export const Rings = component("Rings", { inner: f64, outer: f64 });
/** What people have built, as a box: its sides in metres. */
export const Hull = component("Hull", { x: f64, y: f64, z: f64 });

const KM = 1_000;
const MOON_COLOR = 0xb9b4ac;

export interface SolarSystem {
  readonly world: World;
  readonly sun: Entity;
}

/**
 * The Sun and all that goes round it, as a tree: `Sun::Earth::Moon`. 3,000 bodies, of which most are made up, always the same ones for a
 * seed; and a station near Neptune with a tug at its dock.
 */
export function buildSolarSystem(seed: number): SolarSystem {
  const world = createWorld();
  const sun = spawn(
    world,
    Name("Sun"),
    Local3D,
    World3D,
    Landmark,
    Major,
    Body({ radius: SUN_RADIUS * KM }),
    Look({ color: 0xffd479 }),
  );
  for (const data of PLANETS) {
    const planet = spawnPlanet(world, sun, data);
    for (const [at, moon] of data.moons.entries()) spawnMoon(world, planet, moon, at);
    if (data.name === "Saturn") spawnRings(world, planet);
    if (data.name === "Neptune") spawnStation(world, planet);
  }
  const random = randomFrom(seed);
  for (const belt of BELTS) spawnBelt(world, sun, belt, random);
  return { world, sun };
}

function spawnPlanet(world: World, sun: Entity, data: PlanetData): Entity {
  return spawn(
    world,
    ...landmark(sun, data.name, data.radius, data.color),
    Major,
    Local3D({ rotation: tiltedBy(data.tilt) }),
    orbitOf({ ...data, axis: data.axis * AU, period: (360 * 36_525) / data.motion }),
  );
}

/** Where moons were in 2000 is not in the tables: they begin in different directions. */
function spawnMoon(world: World, planet: Entity, moon: MoonData, at: number): void {
  const [name, radius, axis, eccentricity, inclination, period] = moon;
  const elements: Elements = {
    axis: axis * KM,
    eccentricity,
    inclination,
    ascendingNode: at * 50,
    longitudeOfPerihelion: at * 80,
    meanLongitude: at * 137.5,
    period,
  };
  spawn(world, ...landmark(planet, name, radius, MOON_COLOR), Minor, Local3D, orbitOf(elements));
}

/** All but the place. */
function landmark(parent: Entity, name: string, radius: number, color: number): SpawnTerm[] {
  return [Name(name), ChildOf(parent), World3D, Landmark, Body({ radius: radius * KM }), Look({ color })];
}

function spawnRings(world: World, planet: Entity): void {
  add(world, planet, Rings({ inner: 74_500 * KM, outer: 140_220 * KM }));
}

/** A station 40,000 km from Neptune. The tug at its dock is 10 m long, and its middle 10 m from that of the station. */
function spawnStation(world: World, planet: Entity): void {
  const station = spawn(
    world,
    Name("Station"),
    ChildOf(planet),
    Local3D,
    World3D,
    Landmark,
    Minor,
    Hull({ x: 8, y: 8, z: 8 }),
    Look({ color: 0x8fd3ff }),
    orbitOf({
      axis: 40_000 * KM,
      eccentricity: 0,
      inclination: 0,
      ascendingNode: 0,
      longitudeOfPerihelion: 0,
      meanLongitude: 200,
      period: 0.222,
    }),
  );
  spawn(
    world,
    Name("Tug"),
    ChildOf(station),
    Local3D({ position: [10, 0, 0] }),
    World3D,
    Landmark,
    Minor,
    Hull({ x: 4, y: 4, z: 10 }),
    Look({ color: 0xff7a1a }),
  );
}

function spawnBelt(world: World, sun: Entity, belt: Belt, random: () => number): void {
  const group = spawn(world, Name(belt.name), ChildOf(sun), Local3D, World3D);
  for (let at = 1; at <= belt.count; at++) {
    spawn(
      world,
      Name(`${belt.name} ${at}`),
      ChildOf(group),
      Local3D,
      World3D,
      Asteroid,
      Body({ radius: 1_000 + 50_000 * random() ** 4 }),
      Look({ color: belt.color }),
      orbitOf(elementsIn(belt, random)),
    );
  }
}

/** A turn about the x axis, as a quaternion. */
function tiltedBy(degrees: number): number[] {
  const half = (degrees * Math.PI) / 360;
  return [Math.sin(half), 0, 0, Math.cos(half)];
}
