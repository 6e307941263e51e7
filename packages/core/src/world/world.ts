import { GENERATIONS_PER_WORLD, WORLD_BLOCKS } from "../base/limits.ts";
import { createGraph, type Graph } from "../graph/graph.ts";
import { nextNumber } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { createEntityIndex, type EntityIndex } from "../records/entity-index.ts";
import { type Memory, plainMemory } from "../storage/memory.ts";
import type { Rows } from "../storage/rows.ts";

/** Columns and absolute row of one entity's value. */
export interface Location<Columns = unknown> {
  columns: Columns;
  row: number;
}

declare const worldBrand: unique symbol;

/** All state of one simulation. Several worlds live side by side; nothing is shared but definitions. */
export interface World {
  readonly [worldBrand]?: true;
  readonly graph: Graph;
  readonly entities: EntityIndex;
  readonly rows: Rows;
  /** How many visits are running, one inside the other. */
  visits: number;
  /** State of upper rooms and packages, by a number of their own. */
  readonly states: Map<number, unknown>;
  /** What `locate` answers with. */
  readonly location: Location;
  /** What `verify` asks besides core's own laws: upper packages add theirs in checked builds. */
  readonly laws: ((world: World) => string[])[];
  /** How messages call an entity; names puts paths in its place. */
  textOf: (world: World, entity: Entity) => string;
}

/** How a world is made. */
export interface WorldOptions {
  /** Where columns get their bytes: `plainMemory()` by default. */
  readonly memory?: Memory;
}

export function createWorld(options: WorldOptions = {}): World {
  let firstGeneration = 1;
  CHECK: firstGeneration += (nextNumber() % WORLD_BLOCKS) * GENERATIONS_PER_WORLD;
  const graph = createGraph(options.memory ?? plainMemory());
  return {
    graph,
    entities: createEntityIndex(firstGeneration),
    rows: { tables: graph.tables, journal: graph.journal },
    visits: 0,
    states: new Map(),
    location: { columns: undefined, row: 0 },
    laws: [],
    textOf: (_, entity) => `e${indexOf(entity)}`,
  };
}

/** The state that an upper room keeps in a world under its own number, made when first asked for. */
export function stateOf<State>(world: World, number: number, create: (world: World) => State): State {
  let state = world.states.get(number) as State | undefined;
  if (state === undefined) {
    state = create(world);
    world.states.set(number, state);
  }
  return state;
}
