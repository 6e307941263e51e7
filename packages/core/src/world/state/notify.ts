import { invariant } from "../../base/error.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { type EventKind, listenersOf, OBSERVES, observedOf, type WorldEvent } from "./event-list.ts";
import { beginDeferred, endDeferred, keepError } from "./lock.ts";
import type { World } from "./world.ts";

/** Tells a fact, in order of registration. What listeners change waits; an error of one stops none of the others. */
export function notify(world: World, event: WorldEvent): void {
  const { kind, definition, target } = event;
  for (const listener of listenersOf(world.events, definition)) {
    if (listener.kind !== kind || listener.isStopped) continue;
    if (listener.target > 0 && listener.target !== target) continue;
    callListener(world, listener, event);
  }
}

export function callListener(
  world: World,
  { call }: { readonly call: (event: never) => void },
  event: unknown,
): void {
  const { scope } = world;
  beginDeferred(world);
  world.scope = undefined; // whoever listens does not stand where the change was called
  try {
    call(event as never);
  } catch (error) {
    keepError(world, error);
  } finally {
    world.scope = scope;
    endDeferred(world, true);
  }
}

export function notifyAll(world: World, events: readonly WorldEvent[]): void {
  for (let at = 0; at < events.length; at++) world.slots.events!.notify(world, events[at]!);
}

/** Tells one fact of an entity that concerns no other target than it names, if anybody observes it. */
export function notifyChange(
  world: World,
  kind: EventKind,
  index: number,
  definition: Definition,
  target?: Entity,
): void {
  if ((observedOf(world.events, definition) & OBSERVES[kind]) === 0) return;
  CHECK: invariant(world.deferDepth > 0, () => `${definition.name} is told outside of a visit`);
  const entity = handleAt(world.entities, index);
  const event: WorldEvent = { kind, entity, definition, target, oldTarget: undefined, newTarget: undefined };
  world.slots.events!.notify(world, event);
}
