import { Any, type Definition, Is } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";

export type EventKind = "added" | "removed" | "set" | "reordered";

/** One fact that listeners are told. */
export interface WorldEvent {
  readonly kind: EventKind;
  /** Who has it; of `reordered`, the parent. */
  readonly entity: Entity;
  readonly definition: Definition;
  /** Of a pair. */
  readonly target: Entity | undefined;
  /** Of an exclusive relation: the target before and after; `undefined` for none. */
  readonly oldTarget: Entity | undefined;
  readonly newTarget: Entity | undefined;
}

/** One kind of fact that somebody wants to hear. */
export interface Listener {
  readonly kind: EventKind;
  /** What is heard; `Any` alone hears everything, with a target pairs only. */
  readonly definition: Definition;
  /** Handle, ANY, or 0: without pairs in mind. */
  readonly target: number;
  readonly call: (event: WorldEvent) => void;
  isStopped: boolean;
}

/** Who listens in a world. */
export interface Events {
  /** In order of registration; replaced, never changed, since listeners come and go while being told. */
  listeners: readonly Listener[];
  /** By number of a definition: those of the listeners that may care; made when asked for. */
  readonly byDefinition: Map<number, readonly Listener[]>;
}

export function createEvents(): Events {
  return { listeners: [], byDefinition: new Map() };
}

export function setListeners(events: Events, listeners: readonly Listener[]): void {
  events.listeners = listeners;
  events.byDefinition.clear();
}

const NOBODY_LISTENS: readonly Listener[] = [];

/** Those who may care for a definition, in order of registration. */
export function listenersOf(
  { listeners, byDefinition }: Events,
  definition: Definition,
): readonly Listener[] {
  if (listeners.length === 0) return NOBODY_LISTENS;
  let found = byDefinition.get(definition.id);
  if (found === undefined) {
    found = listeners.filter((one) => mayCare(one, definition));
    byDefinition.set(definition.id, found);
  }
  return found;
}

function mayCare(listener: Listener, definition: Definition): boolean {
  if (listener.definition !== Any) return listener.definition === definition;
  return definition !== Is && (listener.target === 0 || definition.kind === "relation");
}

/** Does somebody want to hear this kind of fact about a definition? */
export function isHeard(events: Events, kind: EventKind, definition: Definition): boolean {
  return listenersOf(events, definition).some((listener) => listener.kind === kind);
}
