import type { Graph } from "../graph/graph.ts";
import type { Definition } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import type { EntityIndex } from "../records/entity-index.ts";
import type { PairOrders } from "../records/pair-orders.ts";
import type { Column } from "../storage/lane-plan.ts";
import type { Lanes } from "../storage/lanes.ts";
import type { Memory } from "../storage/memory.ts";
import type { Rows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import type { Gathered } from "./check-value.ts";
import type { Events, Listener } from "./event-list.ts";

/** Columns and absolute row of one entity's value. */
export interface Location<Columns = unknown> {
  columns: Columns;
  row: number;
}

/** Of what `locate` answered last: columns are looked up once for many entities of one shape. */
export interface LastLocated {
  /** Number of the shape, and its layout; -1 before the first time. */
  shape: number;
  version: number;
  lanes: Lanes | undefined;
  what: unknown;
}

/** Structural changes that wait for the outermost visit to end. */
export interface Queue {
  /** In order of issue; those before `next` are done. */
  commands: (() => void)[];
  next: number;
  /** What comes when no command waits any more. */
  readonly last: (() => void)[];
  isFlushing: boolean;
  /** Refused commands and listeners that threw, in order. */
  errors: unknown[];
  /** Indexes of the entities that commands name, so that a write to one of them waits as well. */
  readonly touched: Set<number>;
  /** A command may touch anybody. */
  isWide: boolean;
}

/**
 * What a list of definitions leads to, in their order: programs spawn the same kinds of entities again and again. Only of
 * lists that lead to a row and nothing else: components and tags, and at most one pair, without values.
 */
export interface BirthPlan {
  readonly definitions: readonly Definition[];
  readonly shape: Shape;
  /** By term: where its value goes. */
  readonly columns: readonly (Column | undefined)[];
  /** Some of them have hooks. */
  readonly isHooked: boolean;
  /** Place of the term that is a pair, or -1. */
  readonly pairAt: number;
  /** The pair that was asked for last, and its table; the table may be gone. */
  lastPair: PairNumber;
  /** Lanes of all fields in the order of the terms, if all are f32 and every column has a term; else none. */
  readonly flatLanes: Int32Array;
  lastTable: TableNumber;
  /** The listeners there were when it was last asked whether they care for such births, and the answer. */
  listeners: readonly Listener[];
  isHeard: boolean;
}

declare const worldBrand: unique symbol;

/** All state of one simulation. Several worlds live side by side; nothing is shared but definitions. */
export interface World {
  readonly [worldBrand]: true;
}

/** What core sees of it: left out of the declarations that others are compiled against. @internal */
export interface World extends WorldState {}

/** The state itself. */
export interface WorldState {
  readonly graph: Graph;
  readonly entities: EntityIndex;
  readonly rows: Rows;
  /** Orders of adding, where pair numbers do not tell them. */
  readonly orders: PairOrders;
  /** How many visits are running, one inside the other. */
  visits: number;
  /** Some of them are `check` hooks, which may not even queue. */
  checks: number;
  /**
   * How many changes are being made that `check` hooks have let through: until `written` was told, writes of components
   * with hooks wait.
   */
  changes: number;
  /** The parent of those who are born without one of their own; see `insideScope`. */
  scope: Entity | undefined;
  readonly queue: Queue;
  /** The queue holds commands or errors. */
  hasQueued: boolean;
  /** Structural changes inside visits throw. */
  readonly isStrict: boolean;
  /** A queued pair with a dead parent is dropped; else its entity dies. */
  readonly dropsDeadParents: boolean;
  readonly events: Events;
  /** There has been a DisabledTree. */
  hiding: boolean;
  /** The table without rows of entities that were spawned inside a visit; 0 until there is one. */
  limbo: TableNumber;
  /** Where values are gathered on their way into a row. */
  readonly gathered: Gathered;
  /** What was spawned before, for spawning it again. */
  readonly plans: BirthPlan[];
  lastPlan: BirthPlan | undefined;
  /** Number of a definition -> the entity that stands for it; and back, by entity index. */
  readonly standing: Map<number, Entity>;
  readonly standsFor: Map<number, Definition>;
  /** State of upper rooms and packages, by a number of their own. */
  readonly states: unknown[];
  /** What `locate` answers with. */
  readonly location: Location;
  readonly located: LastLocated;
  /** What `verify` asks besides core's own laws: upper packages add theirs in checked builds. */
  readonly laws: ((world: World) => string[])[];
  /** How messages call an entity; names puts paths in its place. */
  textOf: (world: World, entity: Entity) => string;
  /** What lower rooms ask the room of deaths for: the death of entities with all that dies with them. */
  readonly destroyAll: (world: World, indexes: readonly number[]) => number;
}

/** How a world is made. */
export interface WorldOptions {
  /** Where columns get their bytes: `plainMemory()` by default. A `webAssemblyMemory()` serves one world. */
  readonly memory?: Memory;
  /** Structural changes inside visits throw `visiting` instead of waiting for their end. Default false. */
  readonly strict?: boolean;
  /**
   * What becomes of an entity that was given a parent inside a visit, when that parent dies before the visit ends: it
   * dies as well (default), or `"drop"`: it stays where it was.
   */
  readonly deadParent?: "destroy" | "drop";
}

let lastStateNumber = -1;

/** A number for a state that an upper room keeps in every world. */
export function nextStateNumber(): number {
  return ++lastStateNumber;
}

/** The state that an upper room keeps in a world under its own number, made when first asked for. */
export function stateOf<State>(world: World, number: number, create: (world: World) => State): State {
  let state = world.states[number] as State | undefined;
  if (state === undefined) {
    state = create(world);
    world.states[number] = state;
  }
  return state;
}
