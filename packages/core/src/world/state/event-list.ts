// Which definitions are observed, for which events (`observedOf`); caches the observers of a definition (`observersOf`).
import { ComponentEntity, DisabledFromAbove, isInternal, Life, Parent } from "../../id/builtins.ts";
import { Any, type Definition, Is, type Tag, tag } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import type { CustomEvent } from "../../id/event.ts";

export type EventKind = "added" | "removed" | "set" | "reordered";

/** A change event that is passed to observers. */
export interface WorldEvent {
  readonly kind: EventKind;
  /** The entity that changed; for `reordered`, the parent. With `after` it may not be alive any more. */
  readonly entity: Entity;
  readonly definition: Definition;
  /** The target of a pair. */
  readonly target: Entity | undefined;
  /** For an exclusive relation: the target before and after; `undefined` for none. */
  readonly oldTarget: Entity | undefined;
  readonly newTarget: Entity | undefined;
}

export interface SpawnedEvent {
  readonly kind: "spawned";
  /** With `after` it may have been destroyed meanwhile. */
  readonly entity: Entity;
}

export interface DestroyedEvent {
  readonly kind: "destroyed";
  /** With `after` it is not alive any more. */
  readonly entity: Entity;
}

/** An entity was spawned, or is destroyed. */
export type LifeEvent = SpawnedEvent | DestroyedEvent;

/** A custom event of the program, as `emit` passes it to observers. */
export interface EmittedEvent<Value = unknown> {
  readonly kind: "emitted";
  readonly entity: Entity;
  readonly event: CustomEvent<Value>;
  readonly value: Value;
}

/** An observer for one kind of change event, or for one custom event. */
export interface Observer {
  readonly kind: EventKind | "emitted" | "restored";
  /** What is observed; `Any` observes everything of its kind, `Any` with a target only pairs. */
  readonly definition: Definition | CustomEvent<unknown>;
  /** Handle, ANY, or 0: not about pairs. */
  readonly target: number;
  /** It is called when all is done. Default: during the change. */
  readonly isAfter?: boolean;
  readonly call: (event: never) => void;
  isStopped: boolean;
}

/** The observers of a world. */
export class Events {
  /** In order of registration; replaced, never mutated, since observers can be added and removed while they are called. */
  observers: readonly Observer[] = [];
  /** The observers that may match a definition or an event; computed when first needed. */
  readonly byDefinition: Map<Observer["definition"], readonly Observer[]> = new Map();
  /** By number of a definition: OBSERVES bits of its observers; for definitions beyond its end, `observesAny`. */
  observed: Uint8Array = new Uint8Array(0);
  /** OBSERVES bits for definitions that no observer names: those of observers of `Any`. */
  observesAny = 0;
  /**
   * Incremented when observers are added or removed, or tracking starts or ends: the cached needs of archetypes are valid for one
   * epoch.
   */
  epoch = 0;
}

/** The bit of each kind of event. */
export const OBSERVES: { readonly [Kind in EventKind]: number } = {
  added: 1,
  removed: 2,
  set: 4,
  reordered: 8,
};

/** In no type: every entity without a parent has it, for observers of the roots. */
export const Root: Tag = /* @__PURE__ */ tag("Root");

/** Definitions that `Any` does not match. */
const NOT_ANY: readonly Definition[] = [DisabledFromAbove, Is, Life, Parent, ComponentEntity, Root];

/** OBSERVES bits of the events of a definition that a world's observers may observe. */
export function observedOf(
  { observed, observesAny }: { readonly observed: ArrayLike<number>; readonly observesAny: number },
  { id }: Definition,
): number {
  return id < observed.length ? observed[id]! : observesAny;
}

function noteObserved(events: Events): void {
  const changes = events.observers.filter(({ kind }) => kind !== "emitted");
  let end = changes.length === 0 ? 0 : Root.id + 1;
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

/** @returns a function that removes the observers at once, also for change events that are being reported. */
export function enroll(events: Events, observers: readonly Observer[]): () => void {
  const observesChanges = observers.some(({ kind }) => kind !== "emitted");
  const change = (now: readonly Observer[]): void => {
    events.observers = now;
    events.byDefinition.clear();
    if (observesChanges) noteObserved(events);
  };
  change([...events.observers, ...observers]);
  return () => {
    for (const one of observers) one.isStopped = true;
    change(events.observers.filter(({ isStopped }) => !isStopped));
  };
}

/** The observers that may match a definition or an event, in order of registration. */
export function observersOf(
  { observers, byDefinition }: Events,
  what: Observer["definition"],
): readonly Observer[] {
  if (observers.length === 0) return observers;
  let found = byDefinition.get(what);
  if (found === undefined) byDefinition.set(what, (found = observers.filter((one) => mayMatch(one, what))));
  return found;
}

/** May an observer match events of a definition, or an event? Its target is not looked at. */
export function mayMatch({ kind, definition, target }: Observer, what: Observer["definition"]): boolean {
  if (definition !== Any) return definition === what;
  if (kind === "emitted" || what.kind === "event") return kind === "emitted" && what.kind === "event";
  if (what === Root || what === Is || what === Parent || isInternal(what)) return false;
  return target === 0 || what.kind === "relation";
}
