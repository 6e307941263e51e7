/** Shared by the parts of oecs: a world with components, filled as usual. */
import { type ComponentDef, ECS, type EntityID } from "@oasys/oecs";
import { attach, type ChildList, createChildList } from "../../workloads/child-list.ts";
import { sumOfPlaces } from "../../workloads/inputs.ts";

const PLANE = { x: "f32", y: "f32" } as const;

/** What loops read. The declarations import files without their endings, so that strict programs do not get the types of queries. */
export interface Archetype {
  readonly entity_count: number;
  readonly entity_ids: ArrayLike<number>;
  readonly get_column: (of: ComponentDef, field: string) => ArrayLike<number>;
  readonly get_column_mut: (of: ComponentDef, field: string, tick: number) => Float32Array;
}

export type Plane = ComponentDef<typeof PLANE>;
export type Tag = ComponentDef<Record<string, never>>;

export function planeIn(world: ECS): Plane {
  return world.register_component(PLANE);
}

/** Handles are a slot's number in 20 bits, and its generation. */
const SLOT = 2 ** 20 - 1;

/** The number of an entity, by which lists and arrays beside the world are kept. */
export function slotOf(entity: EntityID): number {
  return entity & SLOT;
}

export interface Stage {
  readonly world: ECS;
  readonly position: Plane;
  readonly velocity: Plane;
  readonly list: ChildList;
}

/** @param room is given to each archetype, as its documentation advises where the number is known. */
export function createStage(entities: number, room?: number): Stage {
  const world = new ECS(room === undefined ? {} : { initial_capacity: room });
  return {
    world,
    position: planeIn(world),
    velocity: planeIn(world),
    list: createChildList(entities),
  };
}

/** Live ones for Position. Equal ones would be shared: each names another tag that no entity has. */
export function makeQueries({ world, position }: Stage, count: number): void {
  if (count === 1) world.query(position);
  if (count !== 50) return;
  for (let at = 0; at < count / 2; at++) {
    const absent = world.register_tag();
    world.query(position).not(absent);
    world.query(position).any_of(position, absent);
  }
}

/** Spawns entities as usual, one by one: the entries are kept, their values written each time. */
export function spawnerOf({ world, position, velocity }: Stage): (at: number) => EntityID {
  const place = { x: 0, y: 0 };
  const speed = { x: 1, y: 0 };
  const entries = [
    { def: position, values: place },
    { def: velocity, values: speed },
  ];
  return (at) => {
    const entity = world.create_entity();
    place.x = at % 1024;
    speed.y = 1 + (at % 3);
    world.add_components(entity, entries);
    return entity;
  };
}

/** The handles by number. */
export interface Settled {
  readonly handles: readonly EntityID[];
  readonly homes: readonly EntityID[];
}

/**
 * Parents, then entities as usual.
 *
 * @param above entity -> number of its parent.
 */
export function settle(stage: Stage, count: number, parents: number, above: Int32Array): Settled {
  const homes = Array.from({ length: parents }, () => stage.world.create_entity());
  const spawn = spawnerOf(stage);
  const handles = Array.from({ length: count }, (_, at) => {
    const entity = spawn(at);
    if (parents > 0) attach(stage.list, slotOf(entity), slotOf(homes[above[at]!]!));
    return entity;
  });
  return { handles, homes };
}

/** Slot -> the number of its entity among these. */
export function numbersOf(entities: readonly EntityID[]): (slot: number) => number {
  const numbers = new Map(entities.map((entity, at) => [slotOf(entity), at]));
  return (slot) => numbers.get(slot) ?? -1;
}

export function placesOf(world: ECS, plane: Plane, handles: readonly EntityID[]): number {
  return sumOfPlaces(
    handles.length,
    (at) => world.get_field(handles[at]!, plane, "x"),
    (at) => world.get_field(handles[at]!, plane, "y"),
  );
}
