// The components and relations of a station, `DEFINITIONS` of its files, and its entities (`buildStation`).
import {
  add,
  ChildOf,
  component,
  createWorld,
  type Definition,
  type Entity,
  f32,
  lookup,
  Name,
  relation,
  type SpawnTerm,
  set,
  spawn,
  TreelineError,
  tag,
  u32,
  value,
  type World,
} from "treeline";
import { instantiate } from "treeline/prefab";
import { loadPrefabs } from "treeline/prefab/document";

/** One for each world: what the frames count, and the state of the dice, which must be rolled back with everything else. */
export const Station = component("Station", { frame: u32, dice: u32(1), shuttles: u32, stored: u32 });
/** What has happened. A list is replaced by a longer one: snapshots share JavaScript values. */
export const Log = component<readonly string[]>("Log");
/** What a room is like: how many ordinary rooms it is as large as, and what its bar is drawn with. Large, shared, seldom changed: inherited. */
export const Room = component("Room", { volume: f32(1), fill: value("█") }, { onInstantiate: "inherit" });
/** Of a room, from 0 to 100. Each room changes its own in each frame: copied. */
export const Air = component("Air", { level: f32(100) });
/** What it gives to the room that it is in, in a frame. */
export const Plant = component("Plant", { oxygen: f32 }, { onInstantiate: "inherit" });
/** For those who edit a module. The station has none of it. */
export const Note = component("Note", value(""), { onInstantiate: "skip" });
export const Crew = tag("Crew");
export const Crate = tag("Crate");
/** Frames until a shuttle leaves. */
export const Shuttle = component("Shuttle", { left: u32(150) });
/** The room from which crates are no longer carried. */
export const Store = tag("Store");
/** The room where shuttles dock. */
export const Port = tag("Port");

/** A door between two rooms. */
export const Door = relation("Door", { symmetric: true });
/** A plant, and the other rooms that get air of it, in a frame. */
export const Feeds = relation("Feeds", { fields: { rate: f32 } });
/** A shuttle, and the room where it is. */
export const DockedTo = relation("DockedTo", { exclusive: true });

/** What files of this program name: a new world knows none of it. */
export const DEFINITIONS: readonly Definition[] = [
  Station,
  Log,
  Room,
  Air,
  Plant,
  Note,
  Crew,
  Crate,
  Shuttle,
  Store,
  Port,
  Door,
  Feeds,
  DockedTo,
];

/**
 * Builds the station from modules: instances of them, and what the station has of its own.
 *
 * @param modules documents of prefabs by key.
 */
export function buildStation(modules: ReadonlyMap<string, string>): World {
  const world = createWorld();
  const library = loadPrefabs(world, modules, { definitions: DEFINITIONS });
  const station = spawn(world, Name("Halcyon"), Station, Log([]));
  const place = (key: string, name: string, parent: Entity): Entity => {
    const module = library.get(key);
    if (module === undefined) throw new TreelineError("bad-value", `the library has no module ${key}.json`);
    return instantiate(world, module, { parent, with: [Name(name)] });
  };
  const at = (path: string): Entity => {
    const found = lookup(world, path, { from: station });
    if (found === undefined) throw new TreelineError("bad-value", `the modules have no ${path}`);
    return found;
  };
  const inside = (parent: Entity, name: string, ...terms: readonly SpawnTerm[]): Entity =>
    spawn(world, Name(name), ChildOf(parent), ...terms);

  const core = inside(station, "Core");
  const bridge = place("room", "Bridge", core);
  const galley = place("room", "Galley", core);
  const cabins = place("room", "Cabins", core);
  place("ring", "Ring", station);
  place("dock", "Dock", station);
  const [garden, lab, stores] = [at("Ring::Garden"), at("Ring::Lab"), at("Ring::Stores")];
  const [airlock, hangar] = [at("Dock::Airlock"), at("Dock::Hangar")];

  // Overrides: what the modules say otherwise.
  set(world, garden, Name, "Greenhouse");
  set(world, cabins, Room, { volume: 0.8 });
  set(world, hangar, Air, { level: 80 });
  add(world, at("Ring::Greenhouse::Ferns"), Feeds(galley, { rate: 0.5 }), Feeds(lab, { rate: 0.1 }));
  add(world, at("Ring::Lab::Algae"), Feeds(stores, { rate: 0.3 }), Feeds(hangar, { rate: 0.3 }));
  const doors: readonly (readonly [Entity, Entity])[] = [
    [bridge, galley],
    [galley, cabins],
    [galley, garden],
    [stores, hangar],
    [airlock, bridge],
  ];
  for (const [one, other] of doors) add(world, one, Door(other));

  // Attached: what is in no module.
  const ivy = inside(bridge, "Ivy", Plant({ oxygen: 0.25 }));
  add(world, ivy, Feeds(cabins, { rate: 0.2 }), Feeds(airlock, { rate: 0.1 }));
  inside(bridge, "Ada", Crew);
  inside(galley, "Ben", Crew);
  inside(galley, "Cleo", Crew);
  inside(lab, "Dov", Crew);
  return world;
}
