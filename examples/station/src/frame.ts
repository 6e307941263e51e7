// What a frame does (`playFrame`): air, shuttles, people who carry crates; the dice are in the world (`roll`).
import {
  add,
  ChildOf,
  children,
  destroy,
  type Entity,
  entities,
  first,
  get,
  has,
  inOrder,
  Name,
  pairsOf,
  parentOf,
  type Query,
  query,
  set,
  spawn,
  targetOf,
  targetsOf,
  type World,
} from "treeline";
import {
  Air,
  Crate,
  Crew,
  DockedTo,
  Door,
  Feeds,
  Log,
  Plant,
  Port,
  Room,
  Shuttle,
  Station,
  Store,
} from "./station.ts";

/** Frames between two arrivals, and the crates of a shuttle. */
const SHUTTLE_EVERY = 100;
const CRATES = 3;
/** Frames between two steps of a person. */
const STEP_EVERY = 5;
/** What one person breathes in a frame, and at which level people leave. */
const BREATH = 0.6;
const THIN = 30;

/** A station that is played: its world, and the queries of its frames. */
export interface Game {
  readonly world: World;
  readonly station: Entity;
  readonly ports: Query;
  readonly plants: Query;
  readonly crew: Query;
  readonly shuttles: Query;
}

export function gameOf(world: World): Game {
  return {
    world,
    station: first(query(world, Station))!,
    ports: query(world, Port),
    plants: query(world, Plant, inOrder()),
    crew: query(world, Crew, inOrder()),
    shuttles: query(world, Shuttle, inOrder()),
  };
}

/** Plays one frame. The same state leads to the same state: the dice are in the world, too. */
export function playFrame(game: Game): void {
  const { world, station } = game;
  const { frame } = get(world, station, Station)!;
  set(world, station, Station, { frame: frame + 1 });
  airOf(game);
  if (frame % SHUTTLE_EVERY === 0) arrive(game);
  for (const shuttle of entities(game.shuttles)) wait(game, shuttle);
  for (const [at, person] of entities(game.crew).entries())
    if ((frame + at) % STEP_EVERY === 0) act(game, person);
}

function airOf({ world, plants, crew }: Game): void {
  for (const plant of entities(plants)) {
    breathe(world, parentOf(world, plant)!, get(world, plant, Plant)!.oxygen);
    for (const { target, value } of pairsOf(world, plant, Feeds)) breathe(world, target, value!.rate);
  }
  for (const person of entities(crew)) breathe(world, parentOf(world, person)!, -BREATH);
}

/** The larger a room, the less it notices. */
function breathe(world: World, room: Entity, amount: number): void {
  const { level } = get(world, room, Air)!;
  const { volume } = get(world, room, Room)!;
  set(world, room, Air, { level: Math.min(Math.max(level + amount / volume, 0), 100) });
}

/** A shuttle docks at the port, with its crates inside. */
function arrive({ world, station, ports }: Game): void {
  const { shuttles } = get(world, station, Station)!;
  const name = `Shuttle ${shuttles + 1}`;
  const shuttle = spawn(world, Name(name), Shuttle, DockedTo(first(ports)!));
  for (let at = 1; at <= CRATES; at++)
    spawn(world, Name(`Crate ${shuttles * CRATES + at}`), Crate, ChildOf(shuttle));
  set(world, station, Station, { shuttles: shuttles + 1 });
  tell(world, station, `${name} docks with ${CRATES} crates`);
}

/** A shuttle unloads, waits, and leaves. */
function wait({ world, station }: Game, shuttle: Entity): void {
  const { left } = get(world, shuttle, Shuttle)!;
  const [crate] = children(world, shuttle);
  if (crate !== undefined && left % 10 === 0) add(world, crate, ChildOf(targetOf(world, shuttle, DockedTo)!));
  if (left > 0) {
    set(world, shuttle, Shuttle, { left: left - 1 });
    return;
  }
  tell(world, station, `${get(world, shuttle, Name)} leaves`);
  destroy(world, shuttle);
}

/** A person flees from thin air, carries a crate to the stores, or takes a walk. */
function act(game: Game, person: Entity): void {
  const { world, station } = game;
  const room = parentOf(world, person)!;
  const doors = targetsOf(world, room, Door);
  if (get(world, room, Air)!.level < THIN) {
    const best = doors.reduce((one, other) => (levelOf(world, other) > levelOf(world, one) ? other : one));
    add(world, person, ChildOf(best));
    return;
  }
  const [crate] = children(world, person);
  if (has(world, room, Store)) {
    if (crate !== undefined) {
      add(world, crate, ChildOf(room));
      const stored = get(world, station, Station)!.stored + 1;
      set(world, station, Station, { stored });
      tell(world, station, `${get(world, person, Name)} stores ${get(world, crate, Name)}`);
      return;
    }
  } else if (crate === undefined) {
    const found = children(world, room).find((one) => has(world, one, Crate));
    if (found !== undefined) {
      add(world, found, ChildOf(person));
      return;
    }
  }
  add(world, person, ChildOf(doors[roll(game, doors.length)]!));
}

function levelOf(world: World, room: Entity): number {
  return get(world, room, Air)!.level;
}

/** A whole number below `sides`. */
function roll({ world, station }: Game, sides: number): number {
  const dice = (Math.imul(get(world, station, Station)!.dice, 1_664_525) + 1_013_904_223) >>> 0;
  set(world, station, Station, { dice });
  return Math.floor((dice / 2 ** 32) * sides);
}

function tell(world: World, station: Entity, what: string): void {
  const { frame } = get(world, station, Station)!;
  set(world, station, Log, [...get(world, station, Log)!, `${frame}: ${what}`]);
}
