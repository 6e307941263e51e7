// The record of a world (`WorldState`), its options and optional features (`Slots`); state of upper layers (`worldState`).
import { TreelineError } from "../../base/error.ts";
import { GENERATIONS_PER_WORLD, WORLD_BLOCKS } from "../../base/limits.ts";
import { requireOptions } from "../../base/options.ts";
import { Graph } from "../../graph/graph.ts";
import { type Definition, nextNumber, type PlainTerm, type SpawnTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { EntityIndex } from "../../records/entity-index.ts";
import type { PairOrders } from "../../records/pair-records.ts";
import type { Archetype } from "../../storage/archetype.ts";
import type { Cut, setBits } from "../../storage/bits.ts";
import type { CutIntervals, Intervals, Lists } from "../../storage/cut-intervals.ts";
import type { HandedField } from "../../storage/handed.ts";
import type { Lanes, ValuePlace } from "../../storage/lanes.ts";
import { type Memory, plainMemory } from "../../storage/memory.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { CollectedValues } from "./collected-values.ts";
import { Events, type WorldEvent } from "./event-list.ts";
import type { Change, ChangeEvents, Effects, Goal, Group, SpawnPlan, Turn, TypeChange } from "./plans.ts";
import { createGoal } from "./plans.ts";

/** Columns and absolute row of one entity's value. */
export interface Location<Columns = unknown> {
  columns: Columns;
  row: number;
}

/** A structural change that is deferred. */
export interface Command {
  readonly run: () => void;
  /** The spawn scope in which it was deferred. */
  readonly scope: Entity | undefined;
  /** The entities that it spawns, or gives `terms`; `undefined` if it does neither. */
  readonly entities: readonly Entity[] | undefined;
  /** What it gives them; values are plain. */
  readonly terms: readonly PlainTerm[] | undefined;
}

/** Structural changes that are deferred until the outermost iteration ends, or until a command buffer is applied. */
export class Commands {
  /** In order of issue; those before `next` have run. */
  readonly list: Command[] = [];
  /** Not a place in the list, but -1, while a command buffer is recorded: then every write is deferred. */
  next = 0;
  /** Functions that run when no deferred command is left. */
  readonly last: (() => void)[] = [];
  nextLast = 0;
  isFlushing = false;
  /** Errors of refused commands and of observers that threw, in order. */
  readonly errors: unknown[] = [];
  /** Indexes of the entities that commands change, so that a write to one of them is deferred as well. */
  readonly touched: Set<number> = new Set();
  /** A command may change any entity. */
  isWide = false;
}

declare const worldBrand: unique symbol;

/** All state of one simulation. Several worlds can exist side by side; they share only definitions. */
export interface World {
  readonly [worldBrand]: true;
}

/** What core sees of a world: not part of the declarations that other packages are compiled against. @internal */
export interface World extends WorldState {}

/** The state of a world. */
export class WorldState {
  readonly slots: Slots = new Slots();
  readonly graph: Graph;
  readonly entities: EntityIndex;
  /** The orders in which pairs were added, where pair numbers do not determine them. */
  readonly orders: PairOrders = new Map();
  /** How many nested iterations are running; each of them defers structural changes. */
  deferDepth = 0;
  /** How many of them are `check` hooks, which refuse structural changes. */
  checks = 0;
  /**
   * How many changes that `check` hooks have accepted are being made: writes of components with hooks are deferred until they
   * end.
   */
  changes = 0;
  /** The parent of entities that are spawned without a parent of their own; see `insideScope`. */
  scope: Entity | undefined;
  commands: Commands = new Commands();
  /** There are deferred commands or errors. */
  hasCommands = false;
  /** Structural changes inside iterations throw. False while a command buffer is recorded. */
  isStrict: boolean;
  /** If true, a deferred pair with a destroyed parent is dropped; if false, its entity is destroyed. */
  readonly dropsOrphans: boolean;
  readonly events: Events = new Events();
  /** The table, without rows, of entities that were spawned inside an iteration; 0 until there is one. */
  pendingTable: TableNumber = 0;
  /** Collects values before they are written to a row. */
  readonly collected: CollectedValues = new CollectedValues();
  /** What the entity that is being changed will become. */
  readonly goal: Goal;
  /** Plans of earlier spawns, for spawning the same terms again. */
  readonly plans: SpawnPlan[] = [];
  /** Number of a definition -> its component entity; and the reverse, by entity index. */
  readonly componentEntities: Map<number, Entity> = new Map();
  readonly definitionsByEntity: Map<number, Definition> = new Map();
  /** State of upper folders and packages, by the number of the state. */
  readonly states: unknown[] = [];
  /** The object that `locate` returns. */
  readonly location: Location = { columns: undefined, row: 0 };
  /** The key of its last result: columns are looked up once for many entities of one archetype and one layout of its lanes. */
  readonly located: {
    lanes: Lanes | undefined;
    version: number;
    what: unknown;
    /** Fields that are tracked, at an epoch of `events`. */
    fields: readonly HandedField[];
    epoch: number;
  } = { lanes: undefined, version: 0, what: undefined, fields: [], epoch: -1 };
  /** Invariants that `verify` checks in addition to those of core: upper packages add theirs in checked builds. */
  readonly invariants: ((world: World) => string[])[] = [];
  /** Called by `pack` with the number of entity indexes that are left: lists by index forget what is behind them. */
  readonly packed: ((indexes: number) => void)[] = [];
  /** Records of packages above that of snapshots that are state, and what puts them in order after a restore. */
  readonly records: UpperRecord[] = [];
  /** In checked builds, once there was a query: what queries have named, for `advise`. Otherwise the property is absent. */
  declare namedByQueries?: Set<Definition>;
  /** The text for an entity in messages; the names package replaces it with paths. */
  textOf: (world: World, entity: Entity) => string = (_, entity) => `#${indexOf(entity)}`;

  constructor({ memory, strict, ifParentDestroyed }: WorldOptions) {
    let firstGeneration = 1;
    CHECK: firstGeneration += (nextNumber() % WORLD_BLOCKS) * GENERATIONS_PER_WORLD;
    this.entities = new EntityIndex(firstGeneration);
    this.graph = new Graph(memory ?? plainMemory(), this.slots, this.entities);
    this.goal = createGoal(this.graph.root);
    this.isStrict = strict === true;
    this.dropsOrphans = ifParentDestroyed === "drop";
  }
}

/**
 * Functions of features that a world uses: `undefined` until the feature is first used, then always the same function. So
 * programs ship only the features that they use, and lower folders can call higher ones.
 */
export class Slots {
  /** For pairs that are in no type: filled in by sparse relations. */
  sparsePairs?: SparsePairWork;
  /** `destroyAll`: filled in when an entity is destroyed. */
  destroy?: (world: World, indexes: readonly number[]) => number;
  /** For changes that need more than moving a row: filled in by the definitions, observers and verbs that make this necessary. */
  changes?: ChangeWork;
  /** For pairs of symmetric relations: filled in by relations. */
  symmetric?: SymmetricWork;
  /** `markTargets`: filled in when targets are tracked. */
  markTargets?: (world: World, index: number, from: TableNumber) => void;
  /**
   * Remembers the order in which an entity got pairs: filled in by relations, since that order is not available for entities used
   * as tags.
   */
  keepAddingOrder?: (world: World, index: number, terms: readonly PlainTerm[]) => void;
  /** For observers: filled in with the first one. */
  events?: EventWork;
  /** Filled in by hooks and observers. */
  calls?: CallWork;
  /** The changes of hooked components when an entity is spawned with terms: filled in by components with hooks. */
  changesOfSpawn?: (world: World, terms: readonly PlainTerm[]) => readonly Change[];
  /** For the destruction of component entities: filled in with the first component entity. */
  componentEntities?: {
    requireDestroyable(definition: Definition): void;
    usersOf(world: World, definition: Definition): number[];
    removeFromUsers(world: World, index: number, definition: Definition): void;
  };
  /** The places of pairs in the tree: filled in by relations that record depths. */
  hangPair?: (world: World, relation: Definition, pair: PairNumber, target: number) => void;
  leaveTree?: (graph: Graph, pair: PairNumber) => void;
  followTargets?: (world: World, archetype: Archetype, index: number) => void;
  /** Filled in when the first iteration begins. */
  spawnDeferred?: (
    world: World,
    count: number,
    isWide: boolean,
    terms: readonly PlainTerm[],
    create: (world: World, live: readonly PlainTerm[], indexes: number[]) => void,
  ) => Entity[];
  /** What pending entities were given: filled in when the first iteration begins. */
  pending?: PendingWork;
  /** Filled in when there is a scope. */
  termsInScope?: (world: World, terms: readonly SpawnTerm[]) => readonly SpawnTerm[];
  /** Filled in, for one world, when names have scopes along relations; see `containAlong`. */
  scopes?: ContainerWork | undefined;
  /** Tags that are stored as bits, and the disabled state: filled in by `Disabled` and `DisabledTree`. */
  setBits?: typeof setBits;
  bits?: BitWork;
  /** Removes rows that a cut leaves out from the intervals of an iteration. */
  cutRows?: (world: World, plan: CutPlan, intervals: Intervals, state: CutState) => void;
  turnTag?: (world: World, entity: Entity, what: unknown, on: boolean) => boolean;
  /** Filled in, for one world, when an observer is about one entity: removes those of entities that are not alive. */
  forgetDestroyed?: (world: World) => void;
  /** What queries for changes need about disabled entities. */
  disabledReads?: DisabledReadWork;
  settleDisabled?: (world: World, index: number, pair: PairNumber) => void;
  disableBelow?: (world: World, index: number) => void;
  /** For what is below prefabs, and for values that are inherited: filled in by `Prefab`. */
  prefabs?: PrefabWork;
  /** For prefabs and their instances: filled in by the package `prefab`. */
  templates?: TemplateWork;
  /** The relations other than ChildOf that `DisabledTree` follows, name by number; refuses cycles across them: `withDisabledTree`. */
  disabling?: Map<number, string>;
  requireNotAbove?: (
    world: World,
    relation: Definition,
    source: number,
    target: number,
    moved?: ReadonlyMap<number, number>,
  ) => void;
}

/**
 * What pending entities were given, so that it can be read before they have rows: what reads an entity looks here when it has found
 * nothing.
 */
export interface PendingWork {
  /** By index: the terms with which it is spawned, and those of deferred commands that name it, in their order; values add up. */
  readonly given: Map<number, readonly PlainTerm[]>;
  /** Those that give a definition, or a pair of it with a target that is alive; `undefined` if there are none. */
  termsOf(
    world: WorldState,
    index: number,
    definition: Definition,
    target?: number,
  ): readonly PlainTerm[] | undefined;
  /** A copy of a value that was given. */
  placeOf(world: World, index: number, definition: Definition, target: number): ValuePlace | undefined;
  /** Deferred: entities lose what matches a term, and get terms. */
  give(
    world: World,
    entities: readonly Entity[],
    added: readonly PlainTerm[],
    lost?: { readonly definition: Definition; readonly target: number },
  ): void;
}

/** How prefabs spread, and how values override inherited ones. See `prefab.ts`. */
export interface PrefabWork {
  gain(world: World, goal: Goal, before: PairNumber, after: PairNumber): void;
  enter(world: World, index: number): void;
  reacted(world: World, index: number, was: Archetype | undefined, is: Archetype): void;
  /** The archetype of an entity that was of `archetype` and loses a definition. */
  left(world: World, index: number, archetype: Archetype, definition: Definition): Archetype;
  inheritedAt(world: World, index: number, definition: Definition): ValuePlace | undefined;
  complete(world: World, index: number, terms: readonly PlainTerm[]): readonly PlainTerm[] | undefined;
  /** Adds what a pending instance gets from its prefab to what it was given; after it became one by `added` all, else what it inherits. */
  given(world: World, index: number, added: readonly PlainTerm[]): void;
}

/** What core and queries ask of the package `prefab`. */
export interface TemplateWork {
  /** The component of entities that inherit. Its field `part` is a number, which means what they are instances of. */
  readonly link: Definition;
  /** The internal components that a clone gets as well: the link, and what the package keeps at parts of prefabs. */
  readonly cloned: readonly Definition[];
  /** Does an entity with these definitions become an instance when it has them? Then the package completes what they require. */
  completes(definitions: readonly Definition[]): boolean;
  /** By that number, the index of the entity with the value of a component that they inherit; 0 if there is none. */
  ownersOf(world: World, definition: Definition): Int32Array;
  /** The index of the entity with the value of a component that the entity at an index inherits; 0 if it is gone. */
  ownerOf(world: World, index: number, definition: Definition): number;
  /** The index of the prefab of which terms make an entity an instance; 0 for none. */
  baseIn(world: World, terms: readonly PlainTerm[]): number;
  /** The index of the part that the entity at an index is linked to; 0 if it is not, or that is gone. */
  partAt(world: World, index: number): number;
  /** The indexes of the entities that inherit the own value of the entity at an index, each once. A new list. */
  inheritorsOf(world: World, index: number, definition: Definition): number[];
  /** The value that the entity at an index is about to get as its own instead of one that it inherits. @param given some fields of it, or the value. */
  overriding(world: World, index: number, definition: Definition, given: unknown): unknown;
  /** Would the entity inherit a component if it had no value of its own? */
  shares(world: World, index: number, definition: Definition): boolean;
  /** After an entity whose old or new archetype has NEEDS_BUILTIN got that archetype, or other pairs; `was` is undefined for a spawn. */
  reacted(world: World, index: number, was: Archetype | undefined, is: Archetype): void;
  /** Before an entity whose archetype has NEEDS_BUILTIN is freed. */
  destroyed(world: World, index: number): void;
  /** @throws TreelineError `cycle` if a prefab would contain itself once an entity has a parent; 0 for none. */
  requireAttachable(world: World, index: number, parent: number): void;
  /** Before an entity gets a pair of an acyclic relation. @throws TreelineError `cycle` or `bad-term` if it cannot be an instance of its target. */
  requireBase(world: World, index: number, relation: Definition, target: number): void;
  /** The children of an entity with `Prefab` were put into another order. */
  reordered(world: World, index: number): void;
}

/** Changes of tags that are stored as bits, and of sparse definitions. See `turn-bit.ts`. */
export interface BitWork {
  /** Gives them to the entity at an index, or removes them. Does not notify observers; the row does not move. Room has been reserved. */
  turn(world: World, index: number, turned: readonly Turn[]): void;
  /** Gives them to adjacent new rows of one archetype. Room has been reserved. */
  turnNew(
    world: World,
    archetype: Archetype,
    definitions: readonly Definition[],
    first: number,
    end: number,
    terms: readonly PlainTerm[],
  ): void;
  /** Copies those of a row to a row of another archetype, which has none so far. */
  copyTo(origin: Archetype, destination: Archetype, from: number, to: number): void;
  /** Copies the values of sparse definitions from the first one of such rows to the others. */
  repeat(
    world: World,
    archetype: Archetype,
    definitions: readonly Definition[],
    first: number,
    end: number,
  ): void;
  /**
   * The start of an addition: makes room in the stores of the sparse ones among terms. If that is all that is needed for a tag in
   * bits, it is added.
   *
   * @param needs of the terms.
   * @returns whether nothing is left to do.
   */
  add(world: World, index: number, terms: readonly PlainTerm[], needs: number): boolean;
  /** Makes room in the stores of the sparse ones among terms, for `count` more entities each. @throws what the memory throws. */
  reserve(world: World, terms: readonly PlainTerm[], count: number): void;
  /** The same for groups of new entities. @returns the NEEDS_ bits of hooks, observers and limits. */
  prepare(world: World, groups: readonly Group[]): number;
}

/** What an iteration leaves out by bits. */
export interface CutPlan {
  readonly cut: Cut;
  /** Intervals are in a cached order, which refers to positions in the lists of batches. */
  readonly isSorted: boolean;
}

/** The lists to which intervals of an iteration refer, if it reads batches; and intervals without rows that are cut out, as last made. */
export interface CutState {
  readonly batches: Lists | undefined;
  lists: Lists["rowLists"] | undefined;
  cuts?: CutIntervals;
}

/** A reader of changes, which leaves out disabled entities: their changes stay unread. */
export interface ChangesReader {
  /** The entities that were disabled at the last read; undefined before the first, and in worlds that disable none. */
  disabled?: DisabledReads;
}

/** By entity index, the tick up to which its changes are read. */
interface DisabledReads {
  readonly byBit: ReadonlyMap<number, number>;
  /** Those that have `DisabledTree` themselves. */
  readonly byTree: ReadonlyMap<number, number>;
  /** The `disabledEdition` of that read. */
  readonly edition: number;
}

/** How readers of changes leave out disabled entities without missing their changes. */
export interface DisabledReadWork {
  findEnabled(world: World, reader: ChangesReader): ReadonlyMap<number, number> | undefined;
  keepUnread(world: World, reader: ChangesReader, lastRead: number): void;
}

/** Changes that concern hooks, observers, builtins or the disabled state; `insert` is `insertOne`. */
export interface ChangeWork {
  insert(world: World, plan: SpawnPlan, terms: readonly PlainTerm[], pending: number): Entity;
  checkParent(
    world: World,
    index: number,
    parent: Entity | undefined,
    lost?: readonly Definition[],
  ): readonly Change[];
  losePair(world: World, index: number, pair: PairNumber): void;
  callRemoved(world: World, index: number, definitions?: readonly Definition[]): void;
}

/** What calls hooks and observers apart from changes. */
export interface CallWork {
  /** Destruction that notifies observers and hooks. */
  destroyInOrder(world: World, indexes: readonly number[], leavesTree: boolean): number;
  /** See `hook-calls.ts`. */
  requiredFirst(terms: readonly PlainTerm[]): readonly PlainTerm[];
  /** Calls `onRemove` with the values that a deferred command drops. */
  dropValues(world: World, command: Command, isWhole: boolean): void;
}

/** Scopes along relations: what contains an entity that has no parent. */
export interface ContainerWork {
  /** In order: the first one along which an entity has a target says what contains it. */
  readonly along: readonly Definition[];
  /** Sets the present scopes of entities whose changes are checked, where no other function of this has set them. */
  fill(world: World, changes: readonly Change[]): void;
  /**
   * Sets the scope that an entity (0: one that is about to be spawned) will have when it gets terms. If only its scope changes, adds
   * the changes for components that it keeps and that identify siblings.
   */
  extend(world: World, index: number, changes: Change[], terms: readonly PlainTerm[]): void;
  /** Sets the scope, and adds such changes if the scope was another one. */
  enter(world: World, index: number, changes: Change[], scope: Entity | undefined): void;
  /** Calls the `check` hooks of entities that lose pairs, as `requireMoves`. @param left components that they lose as well. */
  checkLosses(
    world: World,
    indexes: readonly number[],
    lostBy: (index: number) => readonly PairNumber[],
    left?: readonly Definition[],
  ): ReadonlyMap<number, readonly Change[]>;
  /** Is an entity destroyed by the change that is being checked? */
  isDestroyed(world: World, index: number): boolean;
  /**
   * Removes entities that remain from what contains them and is destroyed.
   * @throws what a `check` hook throws; nothing has changed then.
   */
  leave(world: World, set: object): void;
}

/** The other entities that a change moves: the other sides of symmetric pairs. See `effects.ts`, and `insertGroups`. */
export interface SymmetricWork {
  insert(world: World, groups: readonly Group[]): Entity[];
  plan(world: World, changes: readonly TypeChange[]): Effects | undefined;
  withRows(world: World, groups: readonly Group[], commit: (effects?: Effects) => void): void;
  /** @returns false, with nothing changed, if no symmetric pair is added or removed. */
  change(
    world: World,
    index: number,
    goal: Goal,
    terms: readonly PlainTerm[],
    calls: readonly Change[],
  ): boolean;
}

/** An observed part of an entity: a component or tag, or one pair. */
export interface ObservedPart {
  readonly definition: Definition;
  /** 0 if it is not a pair. */
  readonly pair: PairNumber;
}

/** Reads the pairs of sparse relations, which are in no type. Lists of `found` are returned with what is appended. */
export interface SparsePairWork {
  /** The first pair of the relation with a number that the entity at an index has, or 0. */
  first(graph: Graph, relation: number, index: number): PairNumber;
  /** Its pairs of a relation, or of all (0) in the order of definition, in the order of adding; only that with a target, if given. */
  pairsAt(graph: Graph, index: number, relation: number, found: PairNumber[], target?: number): PairNumber[];
  has(graph: Graph, index: number, pair: PairNumber): boolean;
  /** The indexes of the targets of a relation that an entity has, in the order of adding. A new list. */
  targetsAt(world: World, index: number, relation: Definition): readonly number[];
  /** The same as handles. */
  handlesAt(world: World, index: number, relation: Definition): Entity[];
  /** Has the entity a pair of a relation, or for `Any` of any, with the target at an index? */
  hasWith(world: World, index: number, relation: Definition, target: number): boolean;
  /**
   * The indexes of the entities that have a pair, in the order of adding; with `isAny` those that are not listed for their parent, or
   * for another such pair with the same target.
   */
  subjects(graph: Graph, pair: PairNumber, found: number[], isAny?: boolean): number[];
  /** Adds such pairs to the parts of an entity that can be observed, which are sorted then. @returns that list. */
  addParts(graph: Graph, index: number, parts: ObservedPart[]): ObservedPart[];
  /** The short way of `remove`, from living entities: see `addAlone`. @returns false, with nothing changed, if it is not enough. */
  removeAlone(world: World, indexes: readonly number[], what: unknown): boolean;
  /** Adds the events of such pairs to those of a change: see `EventWork`. */
  list(
    world: World,
    events: ChangeEvents,
    index: number,
    isSpawned: boolean,
    isDestroyed: boolean,
    turned: readonly Turn[],
  ): void;
}

/** What tables do not tell of a change. */
export interface ListedChange {
  /** Tags stored as bits, and pairs in no type. */
  readonly turned?: readonly Turn[] | undefined;
  /** Pairs of relations that allow many targets, in the order of adding. */
  readonly added?: readonly PairNumber[];
}

/** Lists change events, and notifies observers of them. */
export interface EventWork {
  /**
   * Lists the observed differences of an entity between table `from` (0: it is about to be spawned) and table `to` (0:
   * destroyed). `parentPair` is the pair of its parent after the change, or 0. `change` has the tags that it gets and
   * loses as bits, and new pairs. Both storages of the parent count as one. Components and tags come first, in order of
   * definition, then pairs; new ones have the order of `added`.
   */
  list(
    world: World,
    events: ChangeEvents,
    index: number,
    from: TableNumber,
    to: TableNumber,
    parentPair: PairNumber,
    change?: ListedChange,
  ): void;
  /** Notifies observers of the values that terms have given to an entity, and of those that hooks have returned instead. */
  set(world: World, index: number, changes: readonly Change[], terms?: readonly PlainTerm[]): void;
  notify(world: World, event: WorldEvent): void;
}

/** A record that snapshots copy. */
export interface UpperRecord {
  readonly record: object;
  /** Is called after a restore. @param isRestored false if the record was made after the snapshot: then it must be emptied. */
  readonly settle: (isRestored: boolean) => void;
}

/** Options of a world. */
export interface WorldOptions {
  /** Where columns get their bytes: `plainMemory()` by default. A `webAssemblyMemory()` can be used for one world only. */
  readonly memory?: Memory | undefined;
  /** Structural changes inside iterations throw `iterating` instead of being deferred. Default false. */
  readonly strict?: boolean | undefined;
  /**
   * What happens to an entity that was given a parent inside an iteration, if that parent is destroyed before the iteration ends:
   * the entity is destroyed as well (default), or, with `"drop"`, stays where it was.
   */
  readonly ifParentDestroyed?: "destroy" | "drop" | undefined;
}

/** Creates an empty world. Nothing needs to be registered: definitions are valid in all worlds. */
export function createWorld(options: WorldOptions = {}): World {
  CHECK: requireOptions("createWorld", options, ["memory", "strict", "ifParentDestroyed"]);
  return new WorldState(options) as World;
}

/** Each copy of this module has its own numbers for definitions and states. @throws TreelineError `bad-value`. */
function requireOwnWorld(world: unknown): void {
  if (world instanceof WorldState) return;
  throw new TreelineError(
    "bad-value",
    "this is no world of the @treeline/core that is asked; pass what createWorld returned, and install that package only once",
  );
}

let states = 0;

/**
 * An additional state of each world. Returns the function that gets it; the state is created on first use: `const slotOf =
 * worldState(createSlot)`.
 */
export function worldState<State>(
  create: (
    world: World,
    extension: Pick<WorldState, "invariants" | "namedByQueries" | "packed" | "records" | "textOf">,
  ) => State,
): (world: World) => State {
  const number = states++;
  return (world) => {
    CHECK: requireOwnWorld(world);
    world.states[number] ??= create(world, world);
    return world.states[number] as State;
  };
}
