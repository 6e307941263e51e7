/** Worlds of koota, their traits, and their entities. */
import {
  createQuery,
  createWorld,
  type Entity,
  getStore,
  Not,
  Or,
  ordered,
  type Query,
  relation,
  trait,
  universe,
  type World,
} from "koota";
import { sumOfPlaces } from "../../workloads/inputs.ts";

export const Position = trait({ x: 0, y: 0 });
export const Velocity = trait({ x: 0, y: 0 });
export const ChildOf = relation({ exclusive: true, autoDestroy: "orphan" });
/** Costs time for every child that is added or removed: for programs that iterate the children repeatedly. */
export const Children = ordered(ChildOf);

const ABSENT = Array.from({ length: 25 }, () => trait());
const PLACED = createQuery(Position);
const PLACED_IN_FIFTY_WAYS: readonly Query[] = ABSENT.flatMap((absent) => [
  createQuery(Position, Not(absent)),
  createQuery(Position, Or(Position, absent)),
]);

/** Live queries for Position. Equal ones would be shared: each names another trait that no entity has. */
export function makeQueries(world: World, queries: number): void {
  if (queries === 1) world.query(PLACED);
  if (queries === 50) for (const one of PLACED_IN_FIFTY_WAYS) world.query(one);
}

/** Drops all other worlds: there may be sixteen at once. */
export function createOnlyWorld(): World {
  universe.reset();
  return createWorld();
}

/** Position and Velocity as usual. */
export function spawnMoving(world: World, at: number): Entity {
  return world.spawn(Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }));
}

/** Parents, then their children. */
export interface Crowd {
  readonly world: World;
  readonly parents: readonly Entity[];
  readonly children: readonly Entity[];
}

/**
 * @param above child -> number of its parent.
 * @param isOrdered whether parents keep lists of their children.
 * @param prepare is called before any entity is spawned.
 */
export function gather(
  parentCount: number,
  above: Int32Array,
  isOrdered: boolean = false,
  prepare?: (world: World) => void,
): Crowd {
  const world = createOnlyWorld();
  prepare?.(world);
  const parents = Array.from({ length: parentCount }, () => {
    return isOrdered ? world.spawn(Children) : world.spawn();
  });
  const children = Array.from(above, (parent, at) => {
    const child = spawnMoving(world, at);
    child.add(ChildOf(parents[parent]!));
    return child;
  });
  return { world, parents, children };
}

export function placesOf(world: World, entities: readonly Entity[]): number {
  const { x, y } = getStore(world, Position);
  return sumOfPlaces(
    entities.length,
    (at) => x[entities[at]!.id()]!,
    (at) => y[entities[at]!.id()]!,
  );
}

/** Counted from 0, -1 if there is none. */
export function parentNumbers(parents: readonly Entity[]): (child: Entity) => number {
  const numbers = new Map<Entity | undefined, number>(parents.map((parent, at) => [parent, at]));
  return (child) => numbers.get(child.targetFor(ChildOf)) ?? -1;
}
