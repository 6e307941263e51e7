/**
 * Listeners to the real world. One hears everything and keeps what was told; while being told it looks whether the
 * world is as promised at that moment. Narrow ones hear only what they asked for, and must hear all of it.
 */
import type { Entity } from "@treeline/core";
import { Any, ChildOf, isAlive, parentOf } from "@treeline/core";
import type { AnyEvent } from "../base/entry-points.ts";
import { verbs } from "../base/entry-points.ts";
import type { Fact } from "../step/events.ts";
import { factsOf, isAbout } from "../step/events.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf, idOf, twinOf } from "../step/fast-world.ts";
import { same, sameValue } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { carriesValue, definitionOf, nameOfDefinition, rules } from "../step/vocabulary.ts";
import type { SlowId, Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { has, meantBy } from "../twin/world.ts";

/** One event, in the names of twins. */
export interface Heard extends Fact {
  readonly kind: AnyEvent["kind"];
  readonly oldTarget: Twin | undefined;
  readonly newTarget: Twin | undefined;
}

interface Narrow {
  readonly to: SlowId;
  readonly yieldExisting: boolean;
  stop: () => void;
  heard: AnyEvent[];
}

export interface Ears {
  /** What was told since somebody emptied it. */
  heard: AnyEvent[];
  /** What was not as promised, in the moments of telling. */
  readonly broken: string[];
  readonly narrow: (Narrow | undefined)[];
  /** The step is a single verb of which the twin knows what was before; else less is looked at. */
  isPlain: boolean;
  /** The step is a death. */
  isDeath: boolean;
  /** A listener has thrown, and no step has told so yet. */
  hasThrown: boolean;
}

export function attachEars(fast: FastWorld, slow: SlowWorld): Ears {
  const ears: Ears = { heard: [], broken: [], narrow: [], isPlain: false, isDeath: false, hasThrown: false };
  const everything = { added: Any, removed: Any, set: Any, reordered: ChildOf };
  verbs.observe(fast.world, everything, (event) => {
    ears.heard.push(event);
    try {
      lookAround(fast, event);
      if (event.kind === "removed" && ears.isPlain) lookBack(fast, slow, ears.isDeath, event);
    } catch (error) {
      ears.broken.push(`${eventText(fast, event)}: ${(error as Error).message}`);
    }
  });
  return ears;
}

/** The entity has what is told, and all above it live. */
function lookAround({ world }: FastWorld, event: AnyEvent): void {
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
function lookBack(fast: FastWorld, slow: SlowWorld, isDeath: boolean, { entity }: AnyEvent): void {
  const { world } = fast;
  const twin = fast.twins.get(entity);
  const former = twin === undefined ? undefined : slow.before.get(twin);
  if (twin === undefined || former === undefined) throw new Error("loses something and was not touched");
  const now = slow.living.get(twin);
  const isStill = (what: string): boolean => !isDeath || now === undefined || has(slow, twin, what);
  same(parentOf(world, entity), former.parent && handleOf(fast, former.parent), () => "parent");
  for (const what of [...former.tags].filter(isStill)) {
    same(verbs.has(world, entity, definitionOf(what)), true, () => what);
  }
  for (const [what, value] of former.objects) {
    if (isStill(what)) same(verbs.get(world, entity, definitionOf(what)), value, () => what);
  }
  for (const [what, fields] of former.schemas) {
    if (!isStill(what) || Object.values(rules.schemas[what]!).includes("entity")) continue; // whom it names may have died
    sameValue(fast, what, verbs.get(world, entity, definitionOf(what)), fields, () => what);
  }
}

function eventText(fast: FastWorld, { kind, entity, definition, target }: AnyEvent): string {
  const who = (handle: Entity): string => `e${fast.twins.get(handle) ?? "?"}`;
  const what = nameOfDefinition(definition) ?? "something unknown";
  return `${kind} ${target === undefined ? what : `(${what}, ${who(target)})`} of ${who(entity)}`;
}

/**
 * What was heard since the last time, by all ears; from now on they have heard nothing.
 *
 * @throws Error if something was not as promised, or narrow listeners have heard something else.
 */
export function takeHeard(fast: FastWorld, ears: Ears): Heard[] {
  const broken = ears.broken.splice(0);
  if (broken.length > 0) throw new Error(`broken promises: ${broken.join("; ")}`);
  const heard = ears.heard.map((event) => inNames(fast, event));
  ears.heard = [];
  for (const narrow of ears.narrow) {
    if (narrow === undefined) continue;
    const told = narrow.heard.map((event) => inNames(fast, event));
    narrow.heard = [];
    if (narrow.to.what === "Is") continue; // the one that hears everything does not hear of these
    const about = heard.filter((one) => one.kind !== "reordered" && isAbout(narrow.to, one));
    same(textsOf(told), textsOf(about), () => `heard by who listens to ${textOf(narrow.to)}`);
  }
  return heard;
}

function textsOf(heard: readonly Heard[]): string[] {
  return heard.map((one) => factText(one.kind, one));
}

function inNames(fast: FastWorld, { kind, entity, definition, ...ends }: AnyEvent): Heard {
  const inName = (handle: Entity | undefined): Twin | undefined => handle && twinOf(fast, handle);
  const what = nameOfDefinition(definition) ?? "Is"; // the only one that walks do not know
  const [target, oldTarget, newTarget] = [ends.target, ends.oldTarget, ends.newTarget].map(inName);
  return { kind, entity: twinOf(fast, entity), what, target, oldTarget, newTarget };
}

interface ListenOrder {
  readonly slot: number;
  /** Nothing: nobody listens in the slot from now on. */
  readonly to: SlowId | undefined;
  readonly yieldExisting: boolean;
}

/** Listens narrowly in a slot instead of who listened there; whoever wants it is told of all that is there. */
export function listenNarrowly(fast: FastWorld, slow: SlowWorld, ears: Ears, order: ListenOrder): void {
  stopListening(fast, slow, ears, order.slot);
  const { yieldExisting } = order;
  if (order.to === undefined || (typeof order.to.target === "number" && !slow.living.has(order.to.target)))
    return;
  const to = meantBy(slow, order.to);
  const heard: AnyEvent[] = [];
  const narrow: Narrow = { to, yieldExisting, heard, stop: () => undefined };
  const id = idOf(fast, order.to.what, order.to.target);
  const call = (event: AnyEvent): void => void narrow.heard.push(event);
  narrow.stop = verbs.observe(fast.world, { added: id, removed: id, set: id }, call, { yieldExisting });
  if (yieldExisting)
    compareYield(fast, narrow, [...existing(slow, to, "added"), ...existing(slow, to, "set")]);
  ears.narrow[order.slot] = narrow;
}

/** Who listens no more is told that all that is there is gone, if it was told of what was there. */
function stopListening(fast: FastWorld, slow: SlowWorld, ears: Ears, slot: number): void {
  const narrow = ears.narrow[slot];
  if (narrow === undefined) return;
  ears.narrow[slot] = undefined;
  narrow.stop();
  compareYield(fast, narrow, narrow.yieldExisting ? existing(slow, narrow.to, "removed") : []);
}

function existing(slow: SlowWorld, to: SlowId, kind: Heard["kind"]): string[] {
  const found: string[] = [];
  for (const [entity, being] of slow.living) {
    const facts: Fact[] = factsOf(entity, being);
    for (const target of being.pairs.get("Is")?.keys() ?? []) facts.push({ entity, what: "Is", target });
    for (const fact of facts) {
      const isMeant = isAbout(to, fact) && (to.what === "Is") === (fact.what === "Is");
      if (isMeant && (kind !== "set" || carriesValue(fact.what))) found.push(factText(kind, fact));
    }
  }
  return found;
}

function compareYield(fast: FastWorld, narrow: Narrow, expected: readonly string[]): void {
  const told = narrow.heard.map((event) => inNames(fast, event)).map((one) => factText(one.kind, one));
  narrow.heard = [];
  same(told.sort(), expected.toSorted(), () => `told of what is there of ${textOf(narrow.to)}`);
}

function factText(kind: string, { entity, what, target }: Fact): string {
  return `${kind} ${what} ${target} ${entity}`;
}
