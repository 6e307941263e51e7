import { GENERATIONS_PER_WORLD, WORLD_BLOCKS } from "../../base/limits.ts";
import { Graph } from "../../graph/graph.ts";
import { type Definition, nextNumber, type PlainTerm, type SpawnTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { EntityIndex } from "../../records/entity-index.ts";
import type { PairOrders } from "../../records/pair-records.ts";
import type { Archetype } from "../../storage/archetype.ts";
import type { setBits } from "../../storage/bits.ts";
import type { Lanes } from "../../storage/lanes.ts";
import { type Memory, plainMemory } from "../../storage/memory.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { CollectedValues } from "./collected-values.ts";
import { Events, type WorldEvent } from "./event-list.ts";
import type { Change, ChangeEvents, Effects, Goal, Group, SpawnPlan, TypeChange } from "./plans.ts";
import { createGoal } from "./plans.ts";

/** Columns and absolute row of one entity's value. */
export interface Location<Columns = unknown> {
  columns: Columns;
  row: number;
}

/** Structural changes that wait for the outermost visit to end. */
export class Commands {
  /** In order of issue; those before `next` are done. */
  readonly list: (() => void)[] = [];
  /** Of each command: the scope for births in which it was put there. */
  readonly scopes: (Entity | undefined)[] = [];
  next = 0;
  /** What comes when no command waits any more. */
  readonly last: (() => void)[] = [];
  isFlushing = false;
  /** Refused commands and listeners that threw, in order. */
  readonly errors: unknown[] = [];
  /** Indexes of the entities that commands name, so that a write to one of them waits as well. */
  readonly touched: Set<number> = new Set();
  /** A command may touch anybody. */
  isWide = false;
}

declare const worldBrand: unique symbol;

/** All state of one simulation. Several worlds live side by side; nothing is shared but definitions. */
export interface World {
  readonly [worldBrand]: true;
}

/** What core sees of it: left out of the declarations that others are compiled against. @internal */
export interface World extends WorldState {}

/** The state itself. */
export class WorldState {
  readonly slots: Slots = new Slots();
  readonly graph: Graph;
  readonly entities: EntityIndex;
  /** Orders of adding, where pair numbers do not tell them. */
  readonly orders: PairOrders = new Map();
  /** How many visits are running, one inside the other. */
  deferDepth = 0;
  /** Some of them are `check` hooks, which may not even queue. */
  checks = 0;
  /** How many changes are being made that `check` hooks have let through: writes of components with hooks wait for the end. */
  changes = 0;
  /** The parent of those who are born without one of their own; see `insideScope`. */
  scope: Entity | undefined;
  commands: Commands = new Commands();
  /** The queue holds commands or errors. */
  hasCommands = false;
  /** Structural changes inside visits throw. */
  readonly isStrict: boolean;
  /** A queued pair with a dead parent is dropped; else its entity dies. */
  readonly dropsOrphans: boolean;
  readonly events: Events = new Events();
  /** The table without rows of entities that were spawned inside a visit; 0 until there is one. */
  pendingTable: TableNumber = 0;
  /** Where values are gathered on their way into a row. */
  readonly collected: CollectedValues = new CollectedValues();
  /** What the entity that changes is to become. */
  readonly goal: Goal;
  /** What was spawned before, for spawning it again. */
  readonly plans: SpawnPlan[] = [];
  /** Number of a definition -> the entity that stands for it; and back, by entity index. */
  readonly componentEntities: Map<number, Entity> = new Map();
  readonly definitionsByEntity: Map<number, Definition> = new Map();
  /** State of upper rooms and packages, by a number of their own. */
  readonly states: unknown[] = [];
  /** What `locate` answers with. */
  readonly location: Location = { columns: undefined, row: 0 };
  /** Of its last answer: columns are looked up once for many entities of one archetype, and of one layout of its lanes. */
  readonly located: { lanes: Lanes | undefined; version: number; what: unknown } = {
    lanes: undefined,
    version: 0,
    what: undefined,
  };
  /** What `verify` asks besides core's own invariants: upper packages add theirs in checked builds. */
  readonly invariants: ((world: World) => string[])[] = [];
  /** How messages call an entity; names puts paths in its place. */
  textOf: (world: World, entity: Entity) => string = (_, entity) => `e${indexOf(entity)}`;

  constructor({ memory, strict, ifParentDestroyed }: WorldOptions) {
    let firstGeneration = 1;
    CHECK: firstGeneration += (nextNumber() % WORLD_BLOCKS) * GENERATIONS_PER_WORLD;
    this.graph = new Graph(memory ?? plainMemory(), this.slots);
    this.goal = createGoal(this.graph.root);
    this.entities = new EntityIndex(firstGeneration);
    this.isStrict = strict === true;
    this.dropsOrphans = ifParentDestroyed === "drop";
  }
}

/**
 * Functions of features that a world has begun to use: `undefined`, or always the same one, filled in by what the feature
 * begins with. So programs ship no more than what they use, and lower folders can call higher ones.
 */
export class Slots {
  /** `destroyAll`, and `spareTableFor`: filled in when something is destroyed. */
  destroy?: (world: World, indexes: readonly number[]) => number;
  spareTable?: (world: World, archetype: Archetype, target: number) => TableNumber;
  /** For changes that need more than a row: filled in by definitions, observers and verbs that make them need that. */
  changes?: ChangeWork;
  /** For pairs of symmetric relations: filled in by relations. */
  symmetric?: SymmetricWork;
  /** The order in which an entity got pairs: filled in by relations, since nobody asks for that of entities as tags. */
  keepAddingOrder?: (world: World, index: number, terms: readonly PlainTerm[]) => void;
  /** For observers: filled in with the first one. */
  events?: EventWork;
  /** Death where observers and hooks are told of it: filled in by them. */
  destroyInOrder?: (world: World, indexes: readonly number[], leavesTree: boolean) => number;
  /** For definitions whose entities are destroyed: filled in with the first entity that stands for one. */
  componentEntities?: {
    requireDestroyable(definition: Definition): void;
    usersOf(world: World, definition: Definition): number[];
    removeFromUsers(world: World, index: number, definition: Definition): void;
  };
  /** The places of pairs in the tree: filled in by relations that keep depths. */
  hangPair?: (world: World, relation: Definition, pair: PairNumber, target: number) => void;
  leaveTree?: (graph: Graph, pair: PairNumber) => void;
  followTargets?: (world: World, archetype: Archetype, index: number) => void;
  /** Filled in by `Parent`. */
  linkLast?: (world: World, pair: PairNumber, index: number) => void;
  /** Filled in when there is a scope. */
  termsInScope?: (world: World, terms: readonly SpawnTerm[]) => readonly SpawnTerm[];
  /** Tags that are stored as bits, and being disabled: filled in by `Disabled` and `DisabledTree`. */
  setBits?: typeof setBits;
  settleDisabled?: (world: World, index: number, pair: PairNumber) => void;
  disableBelow?: (world: World, index: number) => void;
}

/** Of hooks and observers, lists of siblings, builtins, being disabled; `insert` is `insertOne`. */
export interface ChangeWork {
  insert(world: World, plan: SpawnPlan, terms: readonly PlainTerm[], pending: number): Entity;
  checkParent(world: World, index: number, parent: Entity | undefined): readonly Change[];
  losePair(world: World, index: number, pair: PairNumber): void;
  callRemoved(world: World, index: number, definitions: readonly Definition[]): void;
}

/** What else a change moves: the other sides of symmetric pairs. See `effects.ts`, and `insertGroups`. */
export interface SymmetricWork {
  insert(world: World, groups: readonly Group[]): Entity[];
  plan(world: World, changes: readonly TypeChange[]): Effects | undefined;
  withRows(world: World, groups: readonly Group[], commit: (effects?: Effects) => void): void;
  /** @returns false, and nothing has changed, if no symmetric pair comes or goes. */
  change(
    world: World,
    index: number,
    goal: Goal,
    terms: readonly PlainTerm[],
    calls: readonly Change[],
  ): boolean;
}

/** What observers are told, and how. */
export interface EventWork {
  /**
   * Lists what becomes different for an entity between table `from` (0: it is about to be spawned) and table `to` (0: destroyed), as far
   * as it is observed; `valuePair` is the pair of its parent after that, if stored by value, and `tags` those it will have as bits,
   * unless they stay. Storages of the parent are not told apart. Components and tags come in order of definition, then pairs.
   */
  list(
    world: World,
    events: ChangeEvents,
    index: number,
    from: TableNumber,
    to: TableNumber,
    valuePair: PairNumber,
    tags?: readonly Definition[],
  ): void;
  notify(world: World, event: WorldEvent): void;
}

/** How a world is made. */
export interface WorldOptions {
  /** Where columns get their bytes: `plainMemory()` by default. A `webAssemblyMemory()` serves one world. */
  readonly memory?: Memory;
  /** Structural changes inside visits throw `iterating` instead of waiting for their end. Default false. */
  readonly strict?: boolean;
  /**
   * What becomes of an entity that was given a parent inside a visit, when that parent dies before the visit ends: it
   * dies as well (default), or `"drop"`: it stays where it was.
   */
  readonly ifParentDestroyed?: "destroy" | "drop";
}

/** Begins an empty world. Nothing has to be registered: definitions are known to all worlds. */
export function createWorld(options: WorldOptions = {}): World {
  return new WorldState(options) as World;
}

let states = 0;

/** A state that each world has besides: the function that gives it, made when first asked for: `const deskOf = worldState(createDesk)`. */
export function worldState<State>(
  create: (world: World, extension: Pick<WorldState, "invariants" | "textOf">) => State,
): (world: World) => State {
  const number = states++;
  return (world) => {
    world.states[number] ??= create(world, world);
    return world.states[number] as State;
  };
}
