/**
 * Observers of the real world. One observes everything and keeps the events; during each event it checks the state that is
 * guaranteed at that moment. Narrow observers observe one id only, and must receive all events of it.
 */
import type { Entity } from "@treeline/core";
import { Any, ChildOf, isAlive, parentOf } from "@treeline/core";
import type { AnyEvent } from "../base/entry-points.ts";
import { verbs } from "../base/entry-points.ts";
import type { Change } from "../step/events.ts";
import { changesOf, isAbout } from "../step/events.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, idOf, twinOf } from "../step/real-world.ts";
import { same, sameValue } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { carriesValue, definitionOf, nameOfDefinition, rules } from "../step/vocabulary.ts";
import type { NaiveId, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { has, nameOf, resolveId } from "../twin/world.ts";

/** One event, with twins instead of handles. */
export interface ObservedEvent extends Change {
  readonly kind: AnyEvent["kind"];
  readonly oldTarget: Twin | undefined;
  readonly newTarget: Twin | undefined;
}

interface NarrowObserver {
  readonly to: NaiveId;
  readonly yieldExisting: boolean;
  stop: () => void;
  observed: AnyEvent[];
}

export interface Observers {
  /** The events since the last `takeObserved`. */
  observed: AnyEvent[];
  /** Guarantees that did not hold during an event. */
  readonly broken: string[];
  readonly narrow: (NarrowObserver | undefined)[];
  /** The step is a single verb, so the twin knows the state before it; otherwise less is checked. */
  isPlain: boolean;
  /** The step is a destruction. */
  isDestruction: boolean;
  /** An observer has thrown, and no step has reported it yet. */
  hasThrown: boolean;
}

export function attachObservers(real: RealWorld, naive: NaiveWorld): Observers {
  const observers: Observers = {
    observed: [],
    broken: [],
    narrow: [],
    isPlain: false,
    isDestruction: false,
    hasThrown: false,
  };
  const everything = { added: Any, removed: Any, set: Any, reordered: ChildOf };
  verbs.observe(real.world, everything, (event) => {
    observers.observed.push(event);
    try {
      checkWorld(real, event);
      if (event.kind === "removed" && observers.isPlain)
        checkFormer(real, naive, observers.isDestruction, event);
    } catch (error) {
      observers.broken.push(`${eventText(real, event)}: ${String(error)}`);
    }
  });
  return observers;
}

/** The entity has what the event names, and all of its ancestors are alive. */
function checkWorld({ world }: RealWorld, event: AnyEvent): void {
  const { kind, entity, definition, target } = event;
  same(isAlive(world, entity), true, () => "is alive");
  if (kind !== "reordered") {
    const id = target === undefined ? definition : (definition as (target: Entity) => unknown)(target);
    same(verbs.has(world, entity, id), true, () => "has it");
  }
  for (let above = parentOf(world, entity); above !== undefined; above = parentOf(world, above)) {
    same(isAlive(world, above), true, () => "ancestors are alive");
  }
}

/**
 * The entity is still as it was before the step. During a destruction, the other entities lose one thing after the other: they
 * still have what they keep.
 */
function checkFormer(real: RealWorld, naive: NaiveWorld, isDestruction: boolean, { entity }: AnyEvent): void {
  const { world } = real;
  const twin = real.twins.get(entity);
  const former = twin === undefined ? undefined : naive.before.get(twin);
  if (twin === undefined || former === undefined)
    throw new Error("loses something, but the twin did not change it");
  const now = naive.living.get(twin);
  const isStill = (what: string): boolean => !isDestruction || now === undefined || has(naive, twin, what);
  same(parentOf(world, entity), former.parent && handleOf(real, former.parent), () => "parent");
  for (const what of [...former.tags].filter(isStill)) {
    same(verbs.has(world, entity, definitionOf(what)), true, () => what);
  }
  for (const [what, value] of former.objects) {
    if (!isStill(what)) continue;
    const seen = verbs.get(world, entity, definitionOf(what));
    // An entity that loses its scope in a destruction may get a number appended to its name before it loses other pairs.
    const isRenamed = isDestruction && what === "Name" && now !== undefined && seen === nameOf(naive, twin);
    if (!isRenamed) same(seen, value, () => what);
  }
  for (const [what, fields] of former.schemas) {
    // an entity field may name an entity that has been destroyed
    if (!isStill(what) || Object.values(rules.schemas[what]!).includes("entity")) continue;
    sameValue(real, what, verbs.get(world, entity, definitionOf(what)), fields, () => what);
  }
}

function eventText(real: RealWorld, { kind, entity, definition, target }: AnyEvent): string {
  const textOfHandle = (handle: Entity): string => `e${real.twins.get(handle) ?? "?"}`;
  const what = nameOfDefinition(definition) ?? "something unknown";
  return `${kind} ${target === undefined ? what : `(${what}, ${textOfHandle(target)})`} of ${textOfHandle(entity)}`;
}

/**
 * The events since the last call, of all observers; empties their lists.
 *
 * @throws Error if a guarantee did not hold, or if narrow observers have received other events.
 */
export function takeObserved(real: RealWorld, observers: Observers): ObservedEvent[] {
  const broken = observers.broken.splice(0);
  if (broken.length > 0) throw new Error(`broken guarantees: ${broken.join("; ")}`);
  const observed = observers.observed.map((event) => inNames(real, event));
  observers.observed = [];
  for (const narrow of observers.narrow) {
    if (narrow === undefined) continue;
    const actual = narrow.observed.map((event) => inNames(real, event));
    narrow.observed = [];
    if (narrow.to.what === "Is") continue; // the observer of everything does not receive these
    const about = observed.filter((one) => one.kind !== "reordered" && isAbout(narrow.to, one));
    same(textsOf(actual), textsOf(about), () => `events of the observer of ${textOf(narrow.to)}`);
  }
  return observed;
}

function textsOf(observed: readonly ObservedEvent[]): string[] {
  return observed.map((one) => changeText(one.kind, one));
}

function inNames(real: RealWorld, { kind, entity, definition, ...ends }: AnyEvent): ObservedEvent {
  const inName = (handle: Entity | undefined): Twin | undefined => handle && twinOf(real, handle);
  const what = nameOfDefinition(definition) ?? "Is"; // the only definition that walks do not know
  const [target, oldTarget, newTarget] = [ends.target, ends.oldTarget, ends.newTarget].map(inName);
  return { kind, entity: twinOf(real, entity), what, target, oldTarget, newTarget };
}

interface ObserveOrder {
  readonly slot: number;
  /** Nothing: the slot is empty from now on. */
  readonly to: NaiveId | undefined;
  readonly yieldExisting: boolean;
}

/** Replaces the narrow observer in a slot; with `yieldExisting` it receives all that exists already. */
export function observeNarrowly(
  real: RealWorld,
  naive: NaiveWorld,
  observers: Observers,
  order: ObserveOrder,
): void {
  stopObserving(real, naive, observers, order.slot);
  const { yieldExisting } = order;
  if (order.to === undefined || (typeof order.to.target === "number" && !naive.living.has(order.to.target)))
    return;
  const to = resolveId(naive, order.to);
  const observed: AnyEvent[] = [];
  const narrow: NarrowObserver = { to, yieldExisting, observed, stop: () => undefined };
  const id = idOf(real, order.to.what, order.to.target);
  const call = (event: AnyEvent): void => void narrow.observed.push(event);
  narrow.stop = verbs.observe(real.world, { added: id, removed: id, set: id }, call, { yieldExisting });
  if (yieldExisting)
    compareYield(real, narrow, [...existing(naive, to, "added"), ...existing(naive, to, "set")]);
  observers.narrow[order.slot] = narrow;
}

/** Stops the observer in a slot. If it received what existed, it now receives the removal of all that exists. */
function stopObserving(real: RealWorld, naive: NaiveWorld, observers: Observers, slot: number): void {
  const narrow = observers.narrow[slot];
  if (narrow === undefined) return;
  observers.narrow[slot] = undefined;
  narrow.stop();
  compareYield(real, narrow, narrow.yieldExisting ? existing(naive, narrow.to, "removed") : []);
}

function existing(naive: NaiveWorld, to: NaiveId, kind: ObservedEvent["kind"]): string[] {
  const found: string[] = [];
  for (const [entity, record] of naive.living) {
    const changes: Change[] = changesOf(entity, record);
    for (const target of record.pairs.get("Is")?.keys() ?? []) changes.push({ entity, what: "Is", target });
    for (const change of changes) {
      const isResolved = isAbout(to, change) && (to.what === "Is") === (change.what === "Is");
      if (isResolved && (kind !== "set" || carriesValue(change.what))) found.push(changeText(kind, change));
    }
  }
  return found;
}

function compareYield(real: RealWorld, narrow: NarrowObserver, expected: readonly string[]): void {
  const actual = narrow.observed.map((event) => inNames(real, event)).map((one) => changeText(one.kind, one));
  narrow.observed = [];
  same(actual.sort(), expected.toSorted(), () => `existing changes of ${textOf(narrow.to)}`);
}

function changeText(kind: string, { entity, what, target }: Change): string {
  return `${kind} ${what} ${target} ${entity}`;
}
