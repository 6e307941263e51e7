/**
 * Listeners to the real world. One hears everything and keeps what was told; while being told it looks whether the
 * world is as promised at that moment. Narrow ones hear only what they asked for, and must hear all of it.
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
import { has, resolveId } from "../twin/world.ts";

/** One event, in the names of twins. */
export interface ObservedEvent extends Change {
  readonly kind: AnyEvent["kind"];
  readonly oldTarget: Twin | undefined;
  readonly newTarget: Twin | undefined;
}

interface Narrow {
  readonly to: NaiveId;
  readonly yieldExisting: boolean;
  stop: () => void;
  observed: AnyEvent[];
}

export interface Observers {
  /** What was told since somebody emptied it. */
  observed: AnyEvent[];
  /** What was not as promised, in the moments of telling. */
  readonly broken: string[];
  readonly narrow: (Narrow | undefined)[];
  /** The step is a single verb of which the twin knows what was before; else less is looked at. */
  isPlain: boolean;
  /** The step is a death. */
  isDestruction: boolean;
  /** A listener has thrown, and no step has told so yet. */
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
      observers.broken.push(`${eventText(real, event)}: ${(error as Error).message}`);
    }
  });
  return observers;
}

/** The entity has what is told, and all above it live. */
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
 * The entity is still what it was before the step. Of a death, survivors lose one thing after the other: they still have
 * what they keep.
 */
function checkFormer(real: RealWorld, naive: NaiveWorld, isDestruction: boolean, { entity }: AnyEvent): void {
  const { world } = real;
  const twin = real.twins.get(entity);
  const former = twin === undefined ? undefined : naive.before.get(twin);
  if (twin === undefined || former === undefined) throw new Error("loses something and was not touched");
  const now = naive.living.get(twin);
  const isStill = (what: string): boolean => !isDestruction || now === undefined || has(naive, twin, what);
  same(parentOf(world, entity), former.parent && handleOf(real, former.parent), () => "parent");
  for (const what of [...former.tags].filter(isStill)) {
    same(verbs.has(world, entity, definitionOf(what)), true, () => what);
  }
  for (const [what, value] of former.objects) {
    if (isStill(what)) same(verbs.get(world, entity, definitionOf(what)), value, () => what);
  }
  for (const [what, fields] of former.schemas) {
    if (!isStill(what) || Object.values(rules.schemas[what]!).includes("entity")) continue; // whom it names may have died
    sameValue(real, what, verbs.get(world, entity, definitionOf(what)), fields, () => what);
  }
}

function eventText(real: RealWorld, { kind, entity, definition, target }: AnyEvent): string {
  const textOfHandle = (handle: Entity): string => `e${real.twins.get(handle) ?? "?"}`;
  const what = nameOfDefinition(definition) ?? "something unknown";
  return `${kind} ${target === undefined ? what : `(${what}, ${textOfHandle(target)})`} of ${textOfHandle(entity)}`;
}

/**
 * What was heard since the last time, by all ears; from now on they have heard nothing.
 *
 * @throws Error if something was not as promised, or narrow listeners have heard something else.
 */
export function takeObserved(real: RealWorld, observers: Observers): ObservedEvent[] {
  const broken = observers.broken.splice(0);
  if (broken.length > 0) throw new Error(`broken promises: ${broken.join("; ")}`);
  const observed = observers.observed.map((event) => inNames(real, event));
  observers.observed = [];
  for (const narrow of observers.narrow) {
    if (narrow === undefined) continue;
    const actual = narrow.observed.map((event) => inNames(real, event));
    narrow.observed = [];
    if (narrow.to.what === "Is") continue; // the one that hears everything does not hear of these
    const about = observed.filter((one) => one.kind !== "reordered" && isAbout(narrow.to, one));
    same(textsOf(actual), textsOf(about), () => `heard by who listens to ${textOf(narrow.to)}`);
  }
  return observed;
}

function textsOf(observed: readonly ObservedEvent[]): string[] {
  return observed.map((one) => changeText(one.kind, one));
}

function inNames(real: RealWorld, { kind, entity, definition, ...ends }: AnyEvent): ObservedEvent {
  const inName = (handle: Entity | undefined): Twin | undefined => handle && twinOf(real, handle);
  const what = nameOfDefinition(definition) ?? "Is"; // the only one that walks do not know
  const [target, oldTarget, newTarget] = [ends.target, ends.oldTarget, ends.newTarget].map(inName);
  return { kind, entity: twinOf(real, entity), what, target, oldTarget, newTarget };
}

interface ListenOrder {
  readonly slot: number;
  /** Nothing: nobody listens in the slot from now on. */
  readonly to: NaiveId | undefined;
  readonly yieldExisting: boolean;
}

/** Listens narrowly in a slot instead of who listened there; whoever wants it is told of all that is there. */
export function listenNarrowly(
  real: RealWorld,
  naive: NaiveWorld,
  observers: Observers,
  order: ListenOrder,
): void {
  stopListening(real, naive, observers, order.slot);
  const { yieldExisting } = order;
  if (order.to === undefined || (typeof order.to.target === "number" && !naive.living.has(order.to.target)))
    return;
  const to = resolveId(naive, order.to);
  const observed: AnyEvent[] = [];
  const narrow: Narrow = { to, yieldExisting, observed, stop: () => undefined };
  const id = idOf(real, order.to.what, order.to.target);
  const call = (event: AnyEvent): void => void narrow.observed.push(event);
  narrow.stop = verbs.observe(real.world, { added: id, removed: id, set: id }, call, { yieldExisting });
  if (yieldExisting)
    compareYield(real, narrow, [...existing(naive, to, "added"), ...existing(naive, to, "set")]);
  observers.narrow[order.slot] = narrow;
}

/** Who listens no more is told that all that is there is gone, if it was told of what was there. */
function stopListening(real: RealWorld, naive: NaiveWorld, observers: Observers, slot: number): void {
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

function compareYield(real: RealWorld, narrow: Narrow, expected: readonly string[]): void {
  const actual = narrow.observed.map((event) => inNames(real, event)).map((one) => changeText(one.kind, one));
  narrow.observed = [];
  same(actual.sort(), expected.toSorted(), () => `told of what is there of ${textOf(narrow.to)}`);
}

function changeText(kind: string, { entity, what, target }: Change): string {
  return `${kind} ${what} ${target} ${entity}`;
}
