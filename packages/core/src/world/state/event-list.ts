import { Hidden, isInternal, Life, Parent, Stands } from "../../id/builtins.ts";
import { Any, type Definition, Is } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import type { CustomEvent } from "../../id/event.ts";

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

/** An event of the program's own, as `emit` tells it. */
export interface EmittedEvent<Value = unknown> {
  readonly kind: "emitted";
  readonly entity: Entity;
  readonly event: CustomEvent<Value>;
  readonly value: Value;
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

/** Somebody who wants to hear what `emit` tells: one event, or with `Any` every one. */
export interface EmittedListener {
  readonly event: CustomEvent<unknown> | typeof Any;
  readonly call: (event: EmittedEvent) => void;
  isStopped: boolean;
}

/** Who listens in a world. */
export class Events {
  /** In order of registration; replaced, never changed, since listeners come and go while being told. */
  listeners: readonly Listener[] = [];
  /** By number of a definition: those of the listeners that may care; made when asked for. */
  readonly byDefinition: Map<number, readonly Listener[]> = new Map();
  /** The same for events of the program's own. They stand apart, since verbs need not look at them. */
  emitted: readonly EmittedListener[] = [];
  readonly byEvent: Map<CustomEvent<unknown>, readonly EmittedListener[]> = new Map();
  /** By number of a definition: OBSERVES_ bits of its observers; those of later definitions are `observesAny`. */
  observed: Uint8Array = new Uint8Array(0);
  /** What is observed of definitions that no observer names: `Any` hears of all of them. */
  observesAny = 0;
  /** Raised whenever observers come or go, or tracking begins or ends: needs of archetypes are kept under it. */
  epoch = 0;
}

export const OBSERVES_ADDED = 1;
export const OBSERVES_REMOVED = 2;
export const OBSERVES_SET = 4;
export const OBSERVES_REORDERED = 8;

/** The bit of each kind. */
export const OBSERVES: { readonly [Kind in EventKind]: number } = {
  added: OBSERVES_ADDED,
  removed: OBSERVES_REMOVED,
  set: OBSERVES_SET,
  reordered: OBSERVES_REORDERED,
};

/** What `Any` does not stand for. */
const NOT_ANY: readonly Definition[] = [Hidden, Is, Life, Parent, Stands];

/** OBSERVES_ bits of what observers of a world may want to hear about a definition. */
export function observedOf({ observed, observesAny }: Events, { id }: Definition): number {
  return id < observed.length ? observed[id]! : observesAny;
}

function noteObserved(events: Events): void {
  const { listeners } = events;
  let last = -1;
  events.observesAny = 0;
  for (const { definition, kind } of listeners) {
    if (definition === Any) events.observesAny |= OBSERVES[kind];
    last = Math.max(last, definition.id, ...NOT_ANY.map(({ id }) => id));
  }
  const observed = new Uint8Array(last + 1).fill(events.observesAny);
  if (last >= 0) for (const { id } of NOT_ANY) observed[id] = 0;
  for (const { definition, kind } of listeners) observed[definition.id]! |= OBSERVES[kind];
  events.observed = observed;
  events.epoch++;
}

/** @returns a function that ends the listening at once, also for facts that are being told. */
export function enroll(
  events: Events,
  listeners: readonly Listener[],
  emitted: readonly EmittedListener[] = [],
): () => void {
  setListeners(events, [...events.listeners, ...listeners], [...events.emitted, ...emitted]);
  return () => {
    for (const one of [...listeners, ...emitted]) one.isStopped = true;
    const goesOn = (one: { readonly isStopped: boolean }): boolean => !one.isStopped;
    setListeners(events, events.listeners.filter(goesOn), events.emitted.filter(goesOn));
  };
}

function setListeners(
  events: Events,
  listeners: readonly Listener[],
  emitted: readonly EmittedListener[],
): void {
  const isHeardOtherwise = listeners.length !== events.listeners.length;
  events.listeners = listeners;
  events.emitted = emitted;
  events.byDefinition.clear();
  events.byEvent.clear();
  if (isHeardOtherwise) noteObserved(events);
}

/** Those who may care for a definition, in order of registration. */
export function listenersOf(
  { listeners, byDefinition }: Events,
  definition: Definition,
): readonly Listener[] {
  if (listeners.length === 0) return listeners;
  let found = byDefinition.get(definition.id);
  if (found === undefined) {
    found = listeners.filter((one) => mayCare(one, definition));
    byDefinition.set(definition.id, found);
  }
  return found;
}

function mayCare(listener: Listener, definition: Definition): boolean {
  if (listener.definition !== Any) return listener.definition === definition;
  if (definition === Is || definition === Parent || isInternal(definition)) return false;
  return listener.target === 0 || definition.kind === "relation";
}

/** Those who listen to an event of the program's own, in order of registration. */
export function emittedListenersOf(
  { emitted, byEvent }: Events,
  event: CustomEvent<unknown>,
): readonly EmittedListener[] {
  if (emitted.length === 0) return emitted;
  let found = byEvent.get(event);
  if (found === undefined) {
    found = emitted.filter((one) => one.event === event || one.event === Any);
    byEvent.set(event, found);
  }
  return found;
}
