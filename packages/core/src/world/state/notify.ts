// Calls observers in the order of registration (`notify`); defers their changes, keeps their errors (`callObserver`).
import { invariant } from "../../base/error.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import {
  type EventKind,
  OBSERVES,
  type Observer,
  observedOf,
  observersOf,
  type WorldEvent,
} from "./event-list.ts";
import { beginDeferred, deferLast, endDeferred, keepError } from "./lock.ts";
import { mayCall, noteFailure } from "./recursion.ts";
import type { World } from "./world.ts";

/** In development builds, the events of writes so far, in all worlds. */
let writes = 0;

/** For development builds: a number that grows when observers are notified of writes; -1 if none observes those of a component. */
export function notifiedWrites(world: World, definition: Definition): number {
  return (observedOf(world.events, definition) & OBSERVES.set) === 0 ? -1 : writes;
}

/**
 * Calls the observers of a change event, in order of registration. Their structural changes are deferred; an error of one
 * observer does not stop the others.
 */
export function notify(world: World, event: WorldEvent): void {
  const { kind, definition, target } = event;
  CHECK: if (kind === "set") writes++;
  for (const observer of observersOf(world.events, definition)) {
    if (observer.kind !== kind || observer.isStopped) continue;
    if (observer.target > 0 && observer.target !== target) continue;
    callInTime(world, observer, event);
  }
}

/** Calls an observer: now, or when all is done. Must be called inside an iteration. */
export function callInTime(world: World, observer: Observer, event: object): void {
  if (observer.isAfter === true) callLater(world, observer, event);
  else callObserver(world, observer, event);
}

/** Apart from `callInTime`, which would allocate the context of the closure in every call. */
function callLater(world: World, observer: Observer, event: object): void {
  deferLast(world, () => {
    if (!observer.isStopped) callObserver(world, observer, event);
  });
}

export function callObserver(
  world: World,
  { call }: { readonly call: (event: never) => void },
  event: unknown,
): void {
  CHECK: if (!mayCall(world, event)) return;
  beginDeferred(world);
  const { scope, deferDepth } = world;
  world.scope = undefined; // the scope of the change does not apply to observers
  try {
    call(event as never);
  } catch (error) {
    CHECK: noteFailure(world);
    keepError(world, error);
  } finally {
    world.scope = scope;
    world.deferDepth = deferDepth; // a stack that overflows may leave iterations open
    endDeferred(world, true);
  }
}

export function notifyAll(world: World, events: readonly WorldEvent[]): void {
  for (let at = 0; at < events.length; at++) world.slots.events!.notify(world, events[at]!);
}

/** Notifies observers, if there are any, of one change event of an entity that has no other target than the given one. */
export function notifyChange(
  world: World,
  kind: EventKind,
  index: number,
  definition: Definition,
  target?: Entity,
): void {
  if ((observedOf(world.events, definition) & OBSERVES[kind]) === 0) return;
  CHECK: invariant(world.deferDepth > 0, () => `${definition.name} is notified outside of an iteration`);
  const entity = handleAt(world.entities, index);
  const event: WorldEvent = { kind, entity, definition, target, oldTarget: undefined, newTarget: undefined };
  world.slots.events!.notify(world, event);
}
