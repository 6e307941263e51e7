// `observe`, `emit`, `yieldExisting`, observers of other packages (`addObservers`); throws `bad-term` for what cannot be observed.
import { shown, TreelineError } from "../../base/error.ts";
import { requireOptions } from "../../base/options.ts";
import { ChildOf, isInternal, Life, Parent } from "../../id/builtins.ts";
import type {
  AnyPair,
  AnyRelation,
  Component,
  Definition,
  EntityTag,
  Pair,
  Tag,
} from "../../id/definition.ts";
import { ANY, Any } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { type CustomEvent, isEvent } from "../../id/event.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { partsAt, targetOfPair } from "../change/events.ts";
import { installEvents } from "../change/install.ts";
import type { EmittedEvent, EventKind, LifeEvent, Observer, WorldEvent } from "../state/event-list.ts";
import { enroll, mayMatch, observersOf } from "../state/event-list.ts";
import { defer } from "../state/lock.ts";
import { callInTime, callObserver } from "../state/notify.ts";
import { definitionOf, parseTerm, type TermPattern } from "../state/read-entity.ts";
import { requireAlive } from "../state/require.ts";
import type { World } from "../state/world.ts";

/** What can be observed: the terms of queries; a bare relation means all its pairs, a bare `Any` means everything. */
export type Observed =
  | Component
  | Tag
  | (Definition & { readonly kind: "relation" })
  | Pair<unknown, unknown, unknown>
  | AnyPair
  | EntityTag;

/** The change events to observe, one or several. */
export interface Observation {
  /** An entity has got it. */
  readonly added?: Observed;
  /** An entity is about to lose it or to be destroyed: it still has it, and its ancestors are alive. */
  readonly removed?: Observed;
  /** A verb (`spawn`, `add`, `set`) wrote a value of it. Writes through views and columns are not reported. */
  readonly set?: Observed;
  /** The order of an entity's children has changed: `ChildOf`, `ChildOf(Any)` or `ChildOf(parent)`. */
  readonly reordered?: Observed;
  readonly spawned?: never;
  readonly destroyed?: never;
  readonly emitted?: never;
}

/** Spawns and destructions, whatever the entities have. One whose deferred spawn is dropped was never spawned. */
export interface LifeObservation {
  /** An entity was spawned: it has all that it was spawned with. Comes before the `added` events of the spawn. */
  readonly spawned?: true;
  /** An entity is about to be destroyed: it has all that it had. Comes after its `removed` events; children before parents. */
  readonly destroyed?: true;
  readonly added?: never;
  readonly removed?: never;
  readonly set?: never;
  readonly reordered?: never;
  readonly emitted?: never;
}

/** A custom event, sent by `emit`; `Any` for every custom event. */
export interface EmittedObservation<Value = unknown> {
  readonly emitted: CustomEvent<Value> | AnyRelation;
  readonly added?: never;
  readonly removed?: never;
  readonly set?: never;
  readonly reordered?: never;
  readonly spawned?: never;
  readonly destroyed?: never;
}

/** Change events and custom events together: `kind` distinguishes them. */
export interface MixedObservation {
  readonly added?: Observed;
  readonly removed?: Observed;
  readonly set?: Observed;
  readonly reordered?: Observed;
  readonly emitted?: CustomEvent<unknown> | AnyRelation;
  readonly spawned?: never;
  readonly destroyed?: never;
}

/** All events together: `kind` distinguishes them. */
export interface AnyObservation extends Omit<MixedObservation, "spawned" | "destroyed"> {
  readonly spawned?: true;
  readonly destroyed?: true;
}

export interface ObserveOptions {
  /**
   * Report existing entities too: `added`, `set` and `spawned` at once for every entity that has it now, and `removed` and
   * `destroyed`, when the observer is stopped, for every entity that has it then. Default false. It does not affect `emitted`.
   */
  readonly yieldExisting?: boolean | undefined;
  /**
   * Call the observer when all is done: at the end of the outermost verb or iteration, after the changes deferred until then.
   * There is one call for each event, in their order. A store that reads the world again reads the new state; what the event
   * is about may be gone: `entity` and `target` may not be alive, and a removed value cannot be read. An observer that was
   * stopped is not called for earlier events either. What it changes is changed before the next call. Default false: `removed`
   * and `destroyed` before the change, all others after it, within the verb.
   */
  readonly after?: boolean | undefined;
  /**
   * Report a `set` of a value that a prefab's instances inherit once for each of them too, after that of the prefab: its `entity` is
   * the instance. Default false. What a prefab gets or loses is `added` and `removed` for the prefab alone.
   */
  readonly inherited?: boolean | undefined;
}

const KINDS = ["emitted", "added", "removed", "set", "reordered"] as const;

const LIFE = [
  ["spawned", "added"],
  ["destroyed", "removed"],
] as const;

/**
 * Calls an observer for change events of a world, until the returned function is called.
 *
 * Observers are called in the order of registration. For one entity, components and tags come in the order of their
 * definition, but behind what they require, then pairs: relations in the order of definition, targets of one relation in the order in which they were added. A retarget is one `removed` of the old pair, before the change, and one `added` of the new pair,
 * after it. When a subtree is destroyed, children come before parents, and siblings in order. A parent is reported as
 * ChildOf in both storages. Changes that an observer makes are deferred to the end of the verb. An error in one observer does
 * not stop the others; it is thrown in the end. Observers whose changes call observers without an end are refused with
 * `recursion` by the verb that began it, in checked builds.
 *
 * `spawned` and `destroyed` are about every entity. `emitted` observes the events of `emit`: one event, or every event with `Any`.
 * For one entity there is `observeEntity`; for lists of children and of roots, `observeChildren` and `observeRoots`.
 *
 * @cost definitions without observers cost one check per verb; an observed destroy goes entity by entity, as do all spawns with an
 *   observer of `spawned`, and all destructions with one of `destroyed`. Observers of `emitted` alone cost verbs next to nothing.
 * @throws TreelineError `bad-term` for what cannot be observed, or if no change is named; `dead-entity` for a target that
 *   is not alive; and with `yieldExisting` the first error that the observer throws for existing entities: the observer is
 *   not registered then.
 *
 * @example
 * const stop = observe(world, { added: ChildOf(Any), removed: ChildOf(Any) }, ({ kind, entity, oldTarget, newTarget }) => {
 *   outline.move(entity, oldTarget, newTarget);
 * });
 */
export function observe(
  world: World,
  changes: Observation,
  observer: (event: WorldEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observe<Value>(
  world: World,
  changes: EmittedObservation<Value>,
  observer: (event: EmittedEvent<Value>) => void,
  options?: ObserveOptions,
): () => void;
export function observe(
  world: World,
  changes: LifeObservation,
  observer: (event: LifeEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observe(
  world: World,
  changes: MixedObservation,
  observer: (event: WorldEvent | EmittedEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observe(
  world: World,
  changes: AnyObservation,
  observer: (event: WorldEvent | EmittedEvent | LifeEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observe(
  world: World,
  changes: AnyObservation,
  observer: (event: never) => void,
  options: ObserveOptions = {},
): () => void {
  const mine = observersFor(world, changes, observer, options);
  return begin(world, mine, addObservers, notifyExisting, options);
}

/**
 * Begins to observe, and reports what exists if that is requested.
 * @param add registers observers. @returns a function that ends it.
 */
export function begin(
  world: World,
  mine: readonly Observer[],
  add: (world: World, observers: readonly Observer[]) => () => void,
  report: (world: World, observers: readonly Observer[]) => void,
  { yieldExisting }: ObserveOptions,
): () => void {
  const stop = add(world, mine);
  const existing = yieldExisting === true ? mine : [];
  const first = existing.filter(({ kind }) => kind === "added" || kind === "set");
  const last = existing.filter(({ kind }) => kind === "removed");
  try {
    report(world, first);
  } catch (error) {
    stop();
    throw error;
  }
  return () => {
    if (mine[0]!.isStopped) return;
    stop();
    const again = last.map((one) => ({ ...one, isStopped: false }));
    report(world, again);
  };
}

/** For other packages: registers observers with parsed terms. @returns a function that stops them at once. */
export function addObservers(world: World, observers: readonly Observer[]): () => void {
  if (observers.some(({ kind }) => kind !== "emitted")) installEvents(world.slots);
  return enroll(world.events, observers);
}

/** @throws TreelineError `bad-term`, `dead-entity`, as `observe`. */
export function observersFor(
  world: World,
  changes: AnyObservation,
  call: (event: never) => void,
  options: ObserveOptions,
): Observer[] {
  CHECK: {
    requireOptions("the options of observe", options, ["yieldExisting", "after", "inherited"]);
    requireOptions("observe", changes, [...KINDS, "spawned", "destroyed"], "bad-term");
  }
  const mine: Observer[] = [];
  const given: AnyObservation = Object(changes);
  const state = { isAfter: options.after === true, isStopped: false };
  for (const kind of KINDS) {
    if (!(kind in given)) continue;
    const observed =
      kind === "emitted" ? observedEvent(given[kind]!) : observedTerm(world, kind, given[kind]!);
    const isWide = options.inherited === true && kind === "set";
    mine.push({ kind, ...observed, call: isWide ? forInheritors(world, call) : call, ...state });
  }
  for (const [name, kind] of LIFE) {
    if (given[name] === undefined) continue;
    if (given[name] !== true) throw new TreelineError("bad-term", `\`${name}\` takes true`);
    const callFor = ({ entity }: WorldEvent): void => call({ kind: name, entity } as never);
    mine.push({ kind, definition: Life, target: 0, call: callFor, ...state });
  }
  if (mine.length > 0 && typeof call === "function") return mine;
  throw new TreelineError("bad-term", "observe takes changes, such as { added: Position }, and an observer");
}

/** A call for the entity of an event, and one for each that inherits the value. */
function forInheritors(world: World, call: (event: never) => void): (event: never) => void {
  return (event: WorldEvent) => {
    const { entity, definition } = event;
    call(event as never);
    if (!isLiving(world.entities, entity)) return;
    for (const index of world.slots.templates?.inheritorsOf(world, indexOf(entity), definition) ?? [])
      call({ ...event, entity: handleAt(world.entities, index) } as never);
  };
}

type ObservedTerm = Pick<Observer, "definition" | "target">;

function observedEvent(definition: CustomEvent<unknown> | AnyRelation): ObservedTerm {
  if (definition === Any || isEvent(definition)) return { definition, target: 0 };
  throw new TreelineError("bad-term", "`emitted` takes an event from `event()`, or Any for every event");
}

function observedTerm(world: World, kind: EventKind, what: Observed): ObservedTerm {
  const isBare = typeof what === "function" && definitionOf(world, what as Definition).kind === "relation";
  const { definition, target } = isBare
    ? { definition: what as Definition, target: what === Any ? 0 : ANY }
    : parseTerm(world, what as TermPattern);
  if (definition === Parent || isInternal(definition)) {
    throw new TreelineError("bad-term", "observe ChildOf instead: it covers parents in both storages");
  }
  if (definition.kind === "relation" && target > 0) requireAlive(world, target as Entity);
  if (kind === "reordered" && definition !== ChildOf) {
    throw new TreelineError("bad-term", "reordered takes ChildOf, ChildOf(Any) or ChildOf(parent)");
  }
  return { definition, target };
}

/** Calls observers for all entities that have what they observe, in the order of archetypes and rows. */
function notifyExisting(world: World, observers: readonly Observer[]): void {
  if (observers.length === 0) return;
  const { graph, entities } = world;
  defer(world, () => {
    for (const observer of observers) {
      for (const archetype of [...graph.founded]) {
        for (let row = 0; row < archetype.rows; row++) {
          const entity = handleAt(entities, archetype.lanes.i32[row]!);
          if (isLiving(entities, entity)) notifyOne(world, observer, entity);
        }
      }
    }
  });
}

/** Calls an observer for what it observes of an entity. */
export function notifyOne(world: World, observer: Observer, entity: Entity): void {
  const { kind, target } = observer;
  for (const { definition, pair } of partsAt(world, indexOf(entity))) {
    const own = targetOfPair(world, pair);
    if (observer.isStopped || !mayMatch(observer, definition) || (target > 0 && target !== own)) continue;
    if (kind === "set" && definition.holds === "nothing") continue;
    const end = definition.exclusive ? own : undefined;
    const [oldTarget, newTarget] = kind === "removed" ? [end, undefined] : [undefined, end];
    callObserver(world, observer, { kind, entity, definition, target: own, oldTarget, newTarget });
  }
}

/**
 * Sends a custom event about an entity, with its value. Observers are called before `emit` returns, in the order of
 * registration. Changes that they make are deferred to the end of `emit`, or of the outermost iteration around it.
 *
 * `emit` itself changes nothing and is never deferred: inside an iteration too, observers are called at once and see the
 * world as it is then. An entity that was spawned inside the same iteration has nothing yet.
 *
 * @cost the observers of this event; nothing if it has none.
 * @param value what observers get; may be left out if the event has none. Passed as it is, not copied.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `event` is not an event; and the first error
 *   of an observer, or of a deferred change, once all observers have been called.
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
    throw new TreelineError("bad-term", `${shown(event)} is not an event; define one: event<Value>("Hit")`);
  }
  const observers = observersOf(world.events, event);
  if (observers.length === 0) return;
  const emitted: EmittedEvent = { kind: "emitted", entity, event, value: value[0] };
  defer(world, () => {
    for (const observer of observers) if (!observer.isStopped) callInTime(world, observer, emitted);
  });
}
