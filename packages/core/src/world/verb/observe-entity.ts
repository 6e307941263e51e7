// `observeEntity`, `observeChildren`: observers by entity or target, fed by one observer of the world each (`passOn`, `forgetDestroyed`).
import { ChildOf } from "../../id/builtins.ts";
import { ANY } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import type { EmittedEvent, LifeEvent, Observer, WorldEvent } from "../state/event-list.ts";
import { defer, deferLast, isPending } from "../state/lock.ts";
import { callInTime } from "../state/notify.ts";
import { requireAlive } from "../state/require.ts";
import { orderedSubjects } from "../state/targets.ts";
import { type World, worldState } from "../state/world.ts";
import {
  type AnyObservation,
  addObservers,
  begin,
  type EmittedObservation,
  type LifeObservation,
  type MixedObservation,
  notifyOne,
  type Observation,
  type ObserveOptions,
  observersFor,
} from "./observe.ts";

/** Where a change event has the handle to which observers are limited. */
type Limit = "entity" | "target";

/** An observer of the world that passes its events on to the observers of one entity or target. */
interface Feed {
  readonly kind: Observer["kind"];
  readonly definition: Observer["definition"];
  readonly target: number;
  readonly by: Limit;
  /** How many observers it has. */
  users: number;
  readonly stop: () => void;
}

/** An observer of one entity or target. */
interface Limited {
  readonly observer: Observer;
  readonly feed: Feed;
}

interface LimitedObservers {
  /** In order of registration. */
  readonly byHandle: Map<Entity, Set<Limited>>;
  readonly feeds: Set<Feed>;
  /** With more handles, those of entities that are not alive are removed. */
  roomy: number;
}

const ROOMY = 64;

const limitedIn = /* @__PURE__ */ worldState(
  (): LimitedObservers => ({ byHandle: new Map(), feeds: new Set(), roomy: ROOMY }),
);

/**
 * Calls an observer for change events of one entity, as `observe` does for those of all: for an inspector, or for a view of one
 * entity. `{ added: Any, removed: Any, set: Any, destroyed: true }` observes everything. It ends by itself when the entity is
 * destroyed, after its last events; or when the returned function is called.
 *
 * The observers of one entity are called in the order of registration, among the observers of the world at the place of the
 * first one that observes the same.
 *
 * @cost as one observer of the world, however many entities have observers: an event looks up those of its entity.
 * @throws TreelineError `dead-entity` if the entity is not alive; and as `observe`.
 *
 * @example
 * const stop = observeEntity(world, ship, { set: Name, destroyed: true }, ({ kind }) => {
 *   if (kind === "destroyed") panel.close();
 *   else panel.title = get(world, ship, Name);
 * });
 */
export function observeEntity(
  world: World,
  entity: Entity,
  changes: Observation,
  observer: (event: WorldEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observeEntity<Value>(
  world: World,
  entity: Entity,
  changes: EmittedObservation<Value>,
  observer: (event: EmittedEvent<Value>) => void,
  options?: ObserveOptions,
): () => void;
export function observeEntity(
  world: World,
  entity: Entity,
  changes: LifeObservation,
  observer: (event: LifeEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observeEntity(
  world: World,
  entity: Entity,
  changes: MixedObservation,
  observer: (event: WorldEvent | EmittedEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observeEntity(
  world: World,
  entity: Entity,
  changes: AnyObservation,
  observer: (event: WorldEvent | EmittedEvent | LifeEvent) => void,
  options?: ObserveOptions,
): () => void;
export function observeEntity(
  world: World,
  entity: Entity,
  changes: AnyObservation,
  observer: (event: never) => void,
  options: ObserveOptions = {},
): () => void {
  let advice: string | undefined;
  CHECK: advice = "pass a handle that spawn returned, and then the changes; observe is for all entities";
  requireAlive(world, entity, advice);
  const mine = observersFor(world, changes, observer, options);
  return beginLimited(world, mine, entity, "entity", () => [entity], options);
}

/**
 * Calls an observer when the list of an entity's children changes, in both storages: `added` and `removed` for each child that is
 * attached, detached or destroyed (`entity` is the child; `oldTarget` and `newTarget` are its parents), `reordered` when the
 * order changes (`entity` is the parent). A verb that moves several children calls it once for each, and at most once more with
 * `reordered`. With `{ after: true }` a store can read `children` again in the observer. It ends when
 * the parent is destroyed, after its children; or when the returned function is called. With `yieldExisting`, siblings come in
 * order.
 *
 * @cost as one observer of ChildOf, however many parents have observers.
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` if there is no observer; and as `observe`.
 *
 * @example
 * const stop = observeChildren(world, folder, () => {
 *   list.show(isAlive(world, folder) ? children(world, folder) : []);
 * }, { after: true });
 */
export function observeChildren(
  world: World,
  parent: Entity,
  observer: (event: WorldEvent) => void,
  options: ObserveOptions = {},
): () => void {
  requireAlive(world, parent);
  const pair = ChildOf(parent);
  const mine = observersFor(world, { added: pair, removed: pair, reordered: pair }, observer, options);
  const childrenNow = (): Entity[] =>
    orderedSubjects(world, indexOf(parent), ChildOf).map((index) => handleAt(world.entities, index));
  return beginLimited(world, mine, parent, "target", childrenNow, options);
}

/** @param existing the entities that may be reported as existing, while the limiting entity is alive. */
function beginLimited(
  world: World,
  mine: readonly Observer[],
  handle: Entity,
  by: Limit,
  existing: () => readonly Entity[],
  options: ObserveOptions,
): () => void {
  const report = (_: World, observers: readonly Observer[]): void => {
    if (!isLiving(world.entities, handle) || isPending(world, indexOf(handle))) return;
    defer(world, () => {
      for (const observer of observers) for (const one of existing()) notifyOne(world, observer, one);
    });
  };
  return begin(world, mine, () => addLimited(world, mine, handle, by), report, options);
}

/** @returns a function that stops the observers. */
function addLimited(world: World, observers: readonly Observer[], handle: Entity, by: Limit): () => void {
  const limited = limitedIn(world);
  const { byHandle } = limited;
  world.slots.forgetDestroyed = forgetAllDestroyed;
  if (byHandle.size > limited.roomy) {
    forgetAllDestroyed(world);
    limited.roomy = 2 * byHandle.size + ROOMY;
  }
  const own = byHandle.get(handle) ?? new Set();
  byHandle.set(handle, own);
  const mine = observers.map((observer): Limited => ({ observer, feed: feedFor(world, observer, by) }));
  for (const one of mine) own.add(one);
  return () => {
    for (const one of mine) {
      one.observer.isStopped = true;
      if (own.delete(one)) leave(limited, one.feed);
    }
    if (own.size === 0 && byHandle.get(handle) === own) byHandle.delete(handle);
  };
}

/** The feed of an observer, which has one more user now. */
function feedFor(world: World, { kind, definition, target: own }: Observer, by: Limit): Feed {
  const { feeds } = limitedIn(world);
  const target = own > 0 ? ANY : own;
  for (const feed of feeds) {
    if (feed.kind !== kind || feed.definition !== definition || feed.target !== target || feed.by !== by)
      continue;
    feed.users++;
    return feed;
  }
  const call = (event: WorldEvent): void => passOn(world, feed, event);
  const stop = addObservers(world, [{ kind, definition, target, call, isStopped: false }]);
  const feed: Feed = { kind, definition, target, by, users: 1, stop };
  feeds.add(feed);
  return feed;
}

function leave({ feeds }: LimitedObservers, feed: Feed): void {
  feed.users--;
  if (feed.users > 0) return;
  feeds.delete(feed);
  feed.stop();
}

function passOn(world: World, feed: Feed, event: WorldEvent): void {
  const handle = event[feed.by];
  const own = limitedIn(world).byHandle.get(handle as Entity);
  if (own === undefined) return;
  for (const one of [...own]) {
    const { isStopped, target } = one.observer;
    if (one.feed === feed && !isStopped && (target <= 0 || target === event.target))
      callInTime(world, one.observer, event);
  }
  if (feed.kind === "removed") deferLast(world, () => forgetDestroyed(world, handle as Entity));
}

/** The same for all entities: after a snapshot was restored, handles of entities that were spawned since may come again. */
function forgetAllDestroyed(world: World): void {
  for (const handle of limitedIn(world).byHandle.keys()) forgetDestroyed(world, handle);
}

/** Removes the observers of an entity that is not alive any more: no event is about it from now on. */
function forgetDestroyed(world: World, handle: Entity): void {
  const limited = limitedIn(world);
  if (isLiving(world.entities, handle)) return;
  for (const { feed } of limited.byHandle.get(handle) ?? []) leave(limited, feed);
  limited.byHandle.delete(handle);
}
