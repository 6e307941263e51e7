/** Shared by the parts of piecs: a world with components, filled as usual. */
import { type Archetype, buildQuery, createEntitySystem, type Query, World } from "piecs";
import { attach, type ChildList, createChildList } from "../../workloads/child-list.ts";
import { sumOfPlaces } from "../../workloads/inputs.ts";

/** A component: an id for the world, and values by entity, which piecs leaves to the program. */
export interface Fields {
  readonly id: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
}

export function fieldsOf(world: World, capacity: number): Fields {
  return { id: world.createComponentId(), x: new Float32Array(capacity), y: new Float32Array(capacity) };
}

export interface Stage {
  readonly world: World;
  readonly position: Fields;
  readonly velocity: Fields;
  /** With both. */
  readonly moving: Archetype;
  readonly list: ChildList;
}

export function createStage(capacity: number): Stage {
  const world = new World();
  const position = fieldsOf(world, capacity);
  const velocity = fieldsOf(world, capacity);
  const moving = world.prefabricate([position, velocity]);
  return { world, position, velocity, moving, list: createChildList(capacity) };
}

/** A filled stage, and the handles by number. */
export interface Settled {
  readonly stage: Stage;
  readonly handles: Int32Array;
  readonly homes: Int32Array;
}

/**
 * Entities as usual.
 *
 * @param parents how many; 0: none, and the entities are roots.
 * @param above entity -> number of its parent.
 */
export function settle(count: number, parents: number, above: Int32Array): Settled {
  return settleOn(createStage(count + parents), count, parents, above);
}

/** The same on an existing stage. */
export function settleOn(stage: Stage, count: number, parents: number, above: Int32Array): Settled {
  const { world, list } = stage;
  const homes = Int32Array.from({ length: parents }, () => world.createEntity());
  const handles = Int32Array.from({ length: count }, (_, at) => {
    const entity = createMoving(stage, at);
    if (parents > 0) attach(list, entity, homes[above[at]!]!);
    return entity;
  });
  return { stage, handles, homes };
}

/**
 * Entities as usual, two by two below a parent that is created just before them. New ids then continue those that the archetype
 * of empty entities has: a gap of thousands makes its index a slow dictionary.
 *
 * @param spare room for this many more entities.
 */
export function settleCouples(parents: number, spare: number): Settled {
  const stage = createStage(parents * 3 + spare);
  const handles = new Int32Array(parents * 2);
  const homes = Int32Array.from({ length: parents }, (_, at) => {
    const home = stage.world.createEntity();
    for (let child = at * 2; child < at * 2 + 2; child++) {
      handles[child] = createMoving(stage, child);
      attach(stage.list, handles[child]!, home);
    }
    return home;
  });
  return { stage, handles, homes };
}

function createMoving({ world, position, velocity, moving }: Stage, number: number): number {
  const entity = world.createEntity(moving);
  position.x[entity] = number % 1024;
  velocity.x[entity] = 1;
  velocity.y[entity] = 1 + (number % 3);
  return entity;
}

/** A query is live, kept up to date, once a system has it. */
export function goLive(world: World, components: readonly Fields[]): Query {
  const query = buildQuery((build) => build.every(...components));
  world.registerSystem(createEntitySystem(() => {}, query));
  return query;
}

/** `queries` live queries for one component. */
export function watch(world: World, component: Fields, queries: number): void {
  for (let at = 0; at < queries; at++) goLive(world, [component]);
  world.initialize();
}

export function placesOf({ x, y }: Fields, handles: Int32Array): number {
  return sumOfPlaces(
    handles.length,
    (at) => x[handles[at]!]!,
    (at) => y[handles[at]!]!,
  );
}
