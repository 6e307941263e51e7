import { ComponentEntity, DisabledFromAbove, isInternal, Life, Parent } from "../../id/builtins.ts";
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

/** One kind of fact that somebody wants to hear, or one event of the program's own. */
export interface Listener {
  readonly kind: EventKind | "emitted";
  /** What is heard; `Any` alone hears everything of its kind, with a target pairs only. */
  readonly definition: Definition | CustomEvent<unknown>;
  /** Handle, ANY, or 0: without pairs in mind. */
  readonly target: number;
  readonly call: (event: never) => void;
  isStopped: boolean;
}

/** Who listens in a world. */
export class Events {
  /** In order of registration; replaced, never changed, since listeners come and go while being told. */
  listeners: readonly Listener[] = [];
  /** Those of the listeners that may care for a definition or an event; made when asked for. */
  readonly byDefinition: Map<Listener["definition"], readonly Listener[]> = new Map();
  /** By number of a definition: OBSERVES bits of its observers; those of later definitions are `observesAny`. */
  observed: Uint8Array = new Uint8Array(0);
  /** What is observed of definitions that no observer names: `Any` hears of all of them. */
  observesAny = 0;
  /** Raised whenever observers come or go, or tracking begins or ends: needs of archetypes are kept under it. */
  epoch = 0;
}

/** The bit of each kind. */
export const OBSERVES: { readonly [Kind in EventKind]: number } = {
  added: 1,
  removed: 2,
  set: 4,
  reordered: 8,
};

/** What `Any` does not stand for. */
const NOT_ANY: readonly Definition[] = [DisabledFromAbove, Is, Life, Parent, ComponentEntity];

/** OBSERVES bits of what observers of a world may want to hear about a definition. */
export function observedOf({ observed, observesAny }: Events, { id }: Definition): number {
  return id < observed.length ? observed[id]! : observesAny;
}

function noteObserved(events: Events): void {
  const changes = events.listeners.filter(({ kind }) => kind !== "emitted");
  let end = changes.length === 0 ? 0 : Life.id + 1;
  events.observesAny = 0;
  for (const { definition, kind } of changes) {
    end = Math.max(end, (definition as Definition).id + 1);
    if (definition === Any) events.observesAny |= OBSERVES[kind as EventKind];
  }
  events.observed = new Uint8Array(end).fill(events.observesAny);
  if (end > 0) for (const { id } of NOT_ANY) events.observed[id] = 0;
  for (const { definition, kind } of changes)
    events.observed[(definition as Definition).id]! |= OBSERVES[kind as EventKind];
  events.epoch++;
}

/** @returns a function that ends the listening at once, also for facts that are being told. */
export function enroll(events: Events, listeners: readonly Listener[]): () => void {
  const tellsChanges = listeners.some(({ kind }) => kind !== "emitted");
  const change = (now: readonly Listener[]): void => {
    events.listeners = now;
    events.byDefinition.clear();
    if (tellsChanges) noteObserved(events);
  };
  change([...events.listeners, ...listeners]);
  return () => {
    for (const one of listeners) one.isStopped = true;
    change(events.listeners.filter(({ isStopped }) => !isStopped));
  };
}

/** Those who may care for a definition or an event, in order of registration. */
export function listenersOf(
  { listeners, byDefinition }: Events,
  what: Listener["definition"],
): readonly Listener[] {
  if (listeners.length === 0) return listeners;
  let found = byDefinition.get(what);
  if (found === undefined) byDefinition.set(what, (found = listeners.filter((one) => mayCare(one, what))));
  return found;
}

function mayCare({ kind, definition, target }: Listener, what: Listener["definition"]): boolean {
  if (definition !== Any) return definition === what;
  if (kind === "emitted" || what.kind === "event") return kind === "emitted" && what.kind === "event";
  if (what === Is || what === Parent || isInternal(what)) return false;
  return target === 0 || what.kind === "relation";
}
