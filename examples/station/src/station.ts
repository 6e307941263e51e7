import {
  add,
  ChildOf,
  component,
  createWorld,
  type Definition,
  type Entity,
  f32,
  relation,
  type SpawnTerm,
  spawn,
  tag,
  u32,
  type World,
} from "@treeline/core";
import { Name } from "@treeline/names";

/** One for each world: what the frames count, and the state of the dice, which must be rolled back with everything else. */
export const Station = component("Station", { frame: u32, dice: u32(1), shuttles: u32, stored: u32 });
/** What has happened. A list is replaced by a longer one: snapshots share JavaScript values. */
export const Log = component<readonly string[]>("Log");
export const Room = tag("Room");
/** Of a room, from 0 to 100. */
export const Air = component("Air", { level: f32(100) });
export const Crew = tag("Crew");
export const Crate = tag("Crate");
/** Frames until a shuttle leaves. */
export const Shuttle = component("Shuttle", { left: u32(150) });
/** The room from which crates are no longer carried. */
export const Store = tag("Store");

/** A door between two rooms. */
export const Door = relation("Door", { symmetric: true });
/** A plant, and the rooms that get its air. */
export const Feeds = relation("Feeds", { fields: { rate: f32 } });
/** A shuttle, and the room where it is. */
export const DockedTo = relation("DockedTo", { exclusive: true });

/** What files of this program name: a new world knows none of it. */
export const DEFINITIONS: readonly Definition[] = [
  Station,
  Log,
  Room,
  Air,
  Crew,
  Crate,
  Shuttle,
  Store,
  Door,
  Feeds,
  DockedTo,
];

/** Builds the station: sections, their rooms, and who and what is in these. */
export function buildStation(): World {
  const world = createWorld();
  const station = spawn(world, Name("Halcyon"), Station, Log([]));
  const section = (name: string): Entity => spawn(world, Name(name), ChildOf(station));
  const room = (name: string, parent: Entity, ...terms: readonly SpawnTerm[]): Entity =>
    spawn(world, Name(name), Room, Air, ChildOf(parent), ...terms);
  const inside = (parent: Entity, name: string, ...terms: readonly SpawnTerm[]): Entity =>
    spawn(world, Name(name), ChildOf(parent), ...terms);

  const core = section("Core");
  const bridge = room("Bridge", core);
  const galley = room("Galley", core);
  const cabins = room("Cabins", core);
  const ring = section("Ring");
  const garden = room("Garden", ring);
  const lab = room("Lab", ring);
  const stores = room("Stores", ring, Store);
  const dock = section("Dock");
  const airlock = room("Airlock", dock);
  const hangar = room("Hangar", dock);

  const doors: readonly (readonly [Entity, Entity])[] = [
    [bridge, galley],
    [galley, cabins],
    [galley, garden],
    [garden, lab],
    [lab, stores],
    [stores, hangar],
    [hangar, airlock],
    [airlock, bridge],
  ];
  for (const [one, other] of doors) add(world, one, Door(other));

  inside(
    garden,
    "Ferns",
    Feeds(garden, { rate: 0.4 }),
    Feeds(galley, { rate: 0.5 }),
    Feeds(lab, { rate: 0.1 }),
  );
  inside(
    lab,
    "Algae",
    Feeds(lab, { rate: 0.2 }),
    Feeds(stores, { rate: 0.3 }),
    Feeds(hangar, { rate: 0.15 }),
  );
  inside(
    bridge,
    "Ivy",
    Feeds(bridge, { rate: 0.25 }),
    Feeds(cabins, { rate: 0.2 }),
    Feeds(airlock, { rate: 0.1 }),
  );

  inside(bridge, "Ada", Crew);
  inside(galley, "Ben", Crew);
  inside(galley, "Cleo", Crew);
  inside(lab, "Dov", Crew);
  return world;
}
