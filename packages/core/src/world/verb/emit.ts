import { shown, TreelineError } from "../../base/error.ts";
import type { Entity } from "../../id/entity.ts";
import { type CustomEvent, isEvent } from "../../id/event.ts";
import { type EmittedEvent, emittedListenersOf } from "../state/event-list.ts";
import { insideVisit } from "../state/lock.ts";
import { requireAlive } from "../state/require.ts";
import { callListener } from "../state/tell.ts";
import type { World } from "../state/world.ts";

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
  const listeners = emittedListenersOf(world.events, event);
  if (listeners.length === 0) return;
  const told: EmittedEvent = { kind: "emitted", entity, event, value: value[0] };
  insideVisit(world, () => {
    for (const listener of listeners) if (!listener.isStopped) callListener(world, listener, told);
  });
}
