import { shown, TreelineError } from "../../base/error.ts";
import { ChildOf, isInternal, Parent } from "../../id/builtins.ts";
import type { AnyPair, AnyRelation, Component, Definition, Pair, Tag } from "../../id/definition.ts";
import { ANY, Any } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { type CustomEvent, isEvent } from "../../id/event.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { isUsed } from "../../storage/bits.ts";
import { installEvents } from "../change/install.ts";
import type { EmittedEvent, EventKind, Listener, WorldEvent } from "../state/event-list.ts";
import { enroll, listenersOf } from "../state/event-list.ts";
import { defer } from "../state/lock.ts";
import { callListener } from "../state/notify.ts";
import { definitionOf, matchingPairsAt, parseTerm, type TermPattern } from "../state/read-entity.ts";
import { requireAlive } from "../state/require.ts";
import { archetypeAt, bitTagsAt, withBitTags } from "../state/values.ts";
import type { World } from "../state/world.ts";

/** What can be listened to: as in questions; a relation alone stands for all its pairs, `Any` alone for everything. */
export type Observed =
  | Component
  | Tag
  | (Definition & { readonly kind: "relation" })
  | Pair<unknown, unknown, unknown>
  | AnyPair
  | Entity;

/** The facts to be told, one or several. */
export interface Observation {
  /** An entity has it from now on. */
  readonly added?: Observed | undefined;
  /** An entity is about to lose it, or to die: it still has it, and its ancestors are alive. */
  readonly removed?: Observed | undefined;
  /** A verb (`spawn`, `add`, `set`) gave an entity a value of it. Writes through views and columns are not told. */
  readonly set?: Observed | undefined;
  /** The children of an entity stand in another order: `ChildOf`, `ChildOf(Any)` or `ChildOf(parent)`. */
  readonly reordered?: Observed | undefined;
  readonly emitted?: undefined;
}

/** An event of the program's own, told by `emit`; `Any` for every one. */
export interface EmittedObservation<Value = unknown> {
  readonly emitted: CustomEvent<Value> | AnyRelation;
  readonly added?: undefined;
  readonly removed?: undefined;
  readonly set?: undefined;
  readonly reordered?: undefined;
}

/** Facts and events of the program's own together: `kind` tells them apart. */
export interface MixedObservation {
  readonly added?: Observed | undefined;
  readonly removed?: Observed | undefined;
  readonly set?: Observed | undefined;
  readonly reordered?: Observed | undefined;
  readonly emitted?: CustomEvent<unknown> | AnyRelation | undefined;
}

export interface ObserveOptions {
  /**
   * `added` and `set` are told at once of everybody who has it now, and `removed`, when the listening ends, of everybody
   * who has it then. Default false. Nothing of the kind is there for `emitted`.
   */
  readonly yieldExisting?: boolean;
}

const KINDS = ["emitted", "added", "removed", "set", "reordered"] as const;

/**
 * Tells a listener facts of a world, until the function that is returned is called.
 *
 * Listeners are called in the order of registration. Of one entity, components and tags come in the order of their
 * definition, then pairs. A retarget is one `removed` of the old pair, before, and one `added` of the new one, after. Of a
 * death children come before parents, siblings in order. Parents are told as ChildOf in both storages. What a listener
 * changes waits for the end of the verb; an error of one stops none of the others and is thrown in the end.
 *
 * `emitted` hears what `emit` tells: one event, or with `Any` every one.
 *
 * Cost: none for definitions nobody listens to, apart from one look per verb; a destroy that somebody hears goes
 * entity by entity. Who listens to `emitted` alone costs verbs next to nothing.
 *
 * @throws TreelineError `bad-term` for what cannot be listened to, or if no fact is named; `dead-entity` for a dead
 *   target; and with `yieldExisting` the first error of who is told at once: then nobody listens.
 *
 * @example
 * const stop = observe(world, { added: ChildOf(Any), removed: ChildOf(Any) }, ({ kind, entity, oldTarget, newTarget }) => {
 *   outline.move(entity, oldTarget, newTarget);
 * });
 */
export function observe(
  world: World,
  changes: Observation,
  listener: (event: WorldEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observe<Value>(
  world: World,
  changes: EmittedObservation<Value>,
  listener: (event: EmittedEvent<Value>) => void,
  options?: ObserveOptions,
): () => void;
export function observe(
  world: World,
  changes: MixedObservation,
  listener: (event: WorldEvent | EmittedEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observe(
  world: World,
  changes: MixedObservation,
  listener: (event: never) => void,
  options: ObserveOptions = {},
): () => void {
  const mine = listenersFor(world, changes, listener);
  if (mine.length === 0 || typeof listener !== "function") {
    throw new TreelineError("bad-term", "observe takes facts, such as { added: Position }, and a listener");
  }
  if (mine.some(({ kind }) => kind !== "emitted")) installEvents(world.slots);
  const stop = enroll(world.events, mine);
  const existing = options.yieldExisting === true ? mine : [];
  const first = existing.filter(({ kind }) => kind === "added" || kind === "set");
  const last = existing.filter(({ kind }) => kind === "removed");
  try {
    notifyExisting(world, first);
  } catch (error) {
    stop();
    throw error;
  }
  return () => {
    if (mine[0]!.isStopped) return;
    stop();
    const again = last.map((one) => ({ ...one, isStopped: false }));
    notifyExisting(world, again);
  };
}

/** For other packages: listens to facts that they have read. @returns a function that ends the listening at once. */
export function addListeners(world: World, listeners: readonly Listener[]): () => void {
  installEvents(world.slots);
  return enroll(world.events, listeners);
}

function listenersFor(world: World, changes: MixedObservation, call: Listener["call"]): Listener[] {
  const mine: Listener[] = [];
  for (const kind of typeof changes === "object" && changes !== null ? KINDS : []) {
    if (changes[kind] === undefined) continue;
    const observed =
      kind === "emitted" ? observedEvent(changes[kind]) : observedTerm(world, kind, changes[kind]);
    mine.push({ kind, ...observed, call, isStopped: false });
  }
  return mine;
}

type ObservedTerm = Pick<Listener, "definition" | "target">;

function observedEvent(definition: CustomEvent<unknown> | AnyRelation): ObservedTerm {
  if (definition === Any || isEvent(definition)) return { definition, target: 0 };
  throw new TreelineError("bad-term", "`emitted` takes what `event` gave, or Any for every event");
}

function observedTerm(world: World, kind: EventKind, what: Observed): ObservedTerm {
  const isBare = typeof what === "function" && definitionOf(what as Definition).kind === "relation";
  const { definition, target } = isBare
    ? { definition: what as Definition, target: what === Any ? 0 : ANY }
    : parseTerm(world, what as TermPattern);
  if (definition === Parent || isInternal(definition)) {
    throw new TreelineError("bad-term", "observe ChildOf: it is told of parents in both storages");
  }
  if (definition.kind === "relation" && target > 0) requireAlive(world, target as Entity);
  if (kind === "reordered" && definition !== ChildOf) {
    throw new TreelineError("bad-term", "reordered is told of ChildOf, ChildOf(Any) or ChildOf(parent)");
  }
  return { definition, target };
}

/** Tells listeners of all who have what they listen to, in the order of archetypes and rows. */
function notifyExisting(world: World, listeners: readonly Listener[]): void {
  if (listeners.length === 0) return;
  const { graph, entities } = world;
  defer(world, () => {
    for (const listener of listeners) {
      for (const archetype of [...graph.founded]) {
        for (let row = 0; row < archetype.end; row++) {
          if (!isUsed(archetype.used, row)) continue;
          const entity = handleAt(entities, archetype.lanes.i32[row]!);
          if (isLiving(entities, entity)) notifyOne(world, listener, entity);
        }
      }
    }
  });
}

function notifyOne(world: World, listener: Listener, entity: Entity): void {
  const { kind, definition, target } = listener;
  const { pairs } = world.graph;
  const index = indexOf(entity);
  const notifyPart = (what: Definition, own: Entity | undefined): void => {
    if (listener.isStopped || (kind === "set" && what.holds === "nothing")) return;
    const end = what.exclusive ? own : undefined;
    const [oldTarget, newTarget] = kind === "removed" ? [end, undefined] : [undefined, end];
    callListener(world, listener, { kind, entity, definition: what, target: own, oldTarget, newTarget });
  };
  const definitions = withBitTags(archetypeAt(world, index), bitTagsAt(world, index));
  for (const one of definitions) {
    if (one.kind === "relation" || isInternal(one)) continue;
    if (one === definition || (definition === Any && target === 0)) notifyPart(one, undefined);
  }
  if (definition.kind !== "relation") return;
  for (const pair of matchingPairsAt(world, index, { definition, target: target === 0 ? ANY : target })) {
    const id = pairs.relation[pair]!;
    const relation = id === ChildOf.id ? ChildOf : definitions.find((one) => one.id === id)!;
    notifyPart(relation, handleAt(world.entities, pairs.target[pair]!));
  }
}

/**
 * Tells an event of the program's own about an entity, with its value. Who listens is called before `emit` returns, in
 * the order of registration; what listeners change waits for the end of `emit`, or of the outermost visit around it.
 *
 * It changes nothing by itself: inside a visit too it is told at once, not queued, so listeners find the world as it is
 * then. An entity that was spawned inside the same visit has nothing yet.
 *
 * Cost: those who listen to this event; nothing if nobody does.
 *
 * @param value what listeners get; may be left out if the event has none. Given as it is, not copied.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for what is no event; and the first error of
 *   a listener, or of a change that waited, once all have been called.
 *
 * @example
 * const Hit = event<{ amount: number }>("Hit");
 * emit(world, ship, Hit, { amount: 3 });
 */
export function emit<Value>(
  world: World,
  entity: Entity,
  event: CustomEvent<Value>,
  ...value: undefined extends Value ? [value?: NoInfer<Value>] : [value: NoInfer<Value>]
): void {
  requireAlive(world, entity);
  if (!isEvent(event)) {
    throw new TreelineError("bad-term", `${shown(event)} is no event; define one: event<Value>("Hit")`);
  }
  const listeners = listenersOf(world.events, event);
  if (listeners.length === 0) return;
  const emitted: EmittedEvent = { kind: "emitted", entity, event, value: value[0] };
  defer(world, () => {
    for (const listener of listeners) if (!listener.isStopped) callListener(world, listener, emitted);
  });
}
