/** Javelin's worlds and components, for `subjects.ts`. */
import {
  type ComponentType,
  createComponentType,
  createWorld,
  number,
  type Query,
  query,
  type World,
} from "@javelin/ecs";
import { attach, type ChildList, createChildList } from "../../workloads/child-list.ts";
import { sumOfPlaces } from "../../workloads/inputs.ts";
import { PARTS } from "../../workloads/workloads.ts";

interface Pair {
  x: number;
  y: number;
}

const schema = { x: number, y: number };
const initialize = (pair: Pair, x: number, y: number): void => {
  pair.x = x;
  pair.y = y;
};
export const Position = createComponentType({ type: 0, schema, initialize });
export const Velocity = createComponentType({ type: 1, schema, initialize });
export const Local = createComponentType({ type: 2, schema, initialize });
export const Global = createComponentType({ type: 3, schema, initialize });
export const Mass = createComponentType({
  type: 4,
  schema: { value: number },
  initialize: (mass: { value: number }, value: number): void => {
    mass.value = value;
  },
});
export const Tag = createComponentType({ type: 5, schema: {} });
export const Aim = createComponentType({ type: 6, schema, initialize });
export const partTags = Array.from({ length: PARTS }, (_, part) => {
  return createComponentType({ type: 7 + part, schema: {} });
});

/** Empty. The library never frees worlds, so the one before is reset; pools are made again, and filled at once. */
export function emptyWorld(
  old: World<void> | undefined,
  poolSize: number,
  types: readonly ComponentType[] = [Position, Velocity],
): World<void> {
  old?.reset();
  const world = old ?? createWorld<void>({ componentPoolSize: poolSize });
  for (const type of types) world.component(type, 0, 0);
  return world;
}

/** `count` entities, as usual; they are alive from the next tick on. */
export function spawnMovers(world: World<void>, count: number): void {
  for (let at = 0; at < count; at++) {
    world.spawn(world.component(Position, at % 1024, 0), world.component(Velocity, 1, 1 + (at % 3)));
  }
}

/** Parents are created after their children, and are alive after this. */
export function addParents(world: World<void>, above: Int32Array, parents: number, spare = 0): ChildList {
  const list = createChildList(above.length + parents + spare);
  for (let parent = 0; parent < parents; parent++) world.spawn();
  above.forEach((parent, at) => {
    attach(list, at, above.length + parent);
  });
  world.tick();
  return list;
}

export function placesFrom(world: World<void>, first: number, count: number): number {
  return sumOfPlaces(
    count,
    (at) => world.get(first + at, Position).x,
    (at) => world.get(first + at, Position).y,
  );
}

/** An entity that is not alive cannot be queried. */
function isAlive(world: World<void>, entity: number): boolean {
  try {
    world.has(entity, Position);
    return true;
  } catch {
    return false;
  }
}

export function aliveIn(world: World<void>, entities: number): number {
  let alive = 0;
  for (let entity = 0; entity < entities; entity++) if (isAlive(world, entity)) alive++;
  return alive;
}

/** A query is kept up to date in a world in which it has been iterated. */
export function connectQueries(world: World<void>, count: number): void {
  const queries: Query[] = Array.from({ length: count }, () => query(Position));
  const iterate = (): void => {
    for (const one of queries) for (const _ of one);
  };
  world.addSystem(iterate);
  world.tick();
  world.removeSystem(iterate);
}
