import type { Component, Definition, Entity, Tag, World, WorldEvent } from "@treeline/core";
import { ChildOf, defer, observe, TreelineError } from "@treeline/core";
import {
  ANY,
  type ArchetypeView,
  callListener,
  deferLast,
  entitiesIn,
  handleOf,
  indexOf,
  parseTerm,
  worldState,
} from "@treeline/core/internal";
import { archetypeHas, hasAt } from "../match/pairs.ts";
import { below } from "./walk.ts";

/** Something that happened above an entity. */
export interface AboveEvent {
  readonly kind: "added" | "removed" | "set";
  /** Who is told of it: somebody below the holder. Its own component does not count. */
  readonly entity: Entity;
  /** The nearest ancestor that has the component: from now on, no longer, or as before. */
  readonly source: Entity;
}

export interface ObserveAboveOptions {
  /**
   * `added` is told at once of everybody who has a holder now, and `removed`, when the listening ends, of everybody who
   * has one then. Default false.
   */
  readonly yieldExisting?: boolean;
}

interface Listener {
  readonly call: (event: AboveEvent) => void;
  isStopped: boolean;
}

/** What is known of one component in one world while somebody listens. */
interface Above {
  readonly world: World;
  readonly what: Definition;
  /** Everybody below somebody who has it -> the nearest such ancestor, as far as it was told. */
  readonly sources: Map<Entity, Entity>;
  /** In order of registration; replaced, never changed. */
  listeners: readonly Listener[];
  /** What ends the listening to the world. */
  readonly stops: readonly (() => void)[];
}

const indexesOf: (world: World) => Map<Definition, Above> = /* @__PURE__ */ worldState(() => new Map());

/**
 * Tells a listener what happens to a component above entities: `added` and `removed` when an entity gets or loses its holder,
 * the nearest ancestor that has it, in both storages; `set` when a verb gives the holder a value. What the entity itself has
 * does not count, so a fact reaches everybody below a holder down to the next one that has it, that one included. Who is
 * disabled counts like all others.
 *
 * Told within the verb, at the moments of `observe`; with another holder, `removed` of the old one comes first:
 *
 * - Loss comes before the change: the holder is alive and still has the component, and the entity is still below it. Of deaths
 *   children come before parents, each when its own turn comes.
 * - Gain and `set` come after the change: the holder has the component, and the entity is below it. Entities come before what
 *   is below them, siblings in order.
 * - When somebody between gets it, both are told after the change, entity by entity; when somebody between loses it, both are
 *   told before: so that either holder can be read both times.
 *
 * What a listener changes waits for the end of the verb; an error of one stops none of the others and is thrown in the end.
 * Whoever begins to listen inside a visit is told at its end what they missed of the change that was going on.
 *
 * Cost: everybody below a holder, once, and an entry for each while somebody listens; then those whose holder changes, or is
 * given a value. A destroy goes entity by entity.
 *
 * @throws TreelineError `bad-term` for what is no component or tag, or if nobody listens; and with `yieldExisting` the first
 *   error of who is told at once: then nobody listens.
 *
 * @example
 * const stop = observeAbove(world, Team, ({ kind, entity, holder }) => {
 *   if (kind !== "removed") paint(entity, get(world, holder, Team));
 * });
 */
export function observeAbove(
  world: World,
  what: Component | Tag,
  listener: (event: AboveEvent) => void,
  options: ObserveAboveOptions = {},
): () => void {
  const { definition } = parseTerm(world, what);
  if (definition.kind === "relation" || typeof listener !== "function")
    throw new TreelineError("bad-term", "observeAbove takes a component or tag, and a listener");
  const indexes = indexesOf(world);
  const above = indexes.get(definition) ?? begin(world, definition);
  indexes.set(definition, above);
  const own: Listener = { call: listener, isStopped: false };
  above.listeners = [...above.listeners, own];
  const yields = options.yieldExisting === true;
  const end = (): void => {
    own.isStopped = true;
    above.listeners = above.listeners.filter((one) => one !== own);
    if (above.listeners.length > 0) return;
    for (const stop of above.stops) stop();
    indexes.delete(definition);
  };
  try {
    if (yields) callForPresent(above, own, "added");
  } catch (error) {
    end();
    throw error;
  }
  return () => {
    if (own.isStopped) return;
    end();
    if (yields) callForPresent(above, { ...own, isStopped: false }, "removed");
  };
}

function begin(world: World, what: Definition): Above {
  const own = what as Tag;
  const stops = [
    observe(world, { added: own, removed: own, set: own }, (event) => onTermEvent(above, event)),
    observe(world, { added: ChildOf, removed: ChildOf }, (event) => onParentEvent(above, event)),
  ];
  const above: Above = { world, what, sources: sourcesNow(world, what), listeners: [], stops };
  // Begun in the midst of a change, it may have missed what was about to happen then.
  deferLast(world, () => {
    if (above.listeners.length === 0) return;
    const { sources } = above;
    const now = sourcesNow(world, what);
    defer(world, () => {
      for (const entity of new Set([...sources.keys(), ...now.keys()]))
        if (sources.get(entity) !== now.get(entity)) turn(above, [entity], now.get(entity));
    });
  });
  return above;
}

/** Somebody got it, loses it, or was given a value. */
function onTermEvent(above: Above, { kind, entity }: WorldEvent): void {
  const { sources } = above;
  const outer = sources.get(entity);
  if (kind === "added") turn(above, reached(above, entity, outer), entity);
  else if (kind === "removed") turn(above, reached(above, entity, entity), outer);
  else
    for (const one of reached(above, entity, entity))
      evaluateAll(above, { kind: "set", entity: one, source: entity });
}

/** Somebody has another parent, or is about to have. Of a retarget the loss comes before it, and the gain after it. */
function onParentEvent(above: Above, { kind, entity, newTarget }: WorldEvent): void {
  const before = above.sources.get(entity);
  const isSource = newTarget !== undefined && isSourceIn(above)(newTarget);
  const after = isSource ? newTarget : above.sources.get(newTarget as Entity);
  if (before === after || (kind === "removed" && before === undefined)) return;
  turn(above, [entity, ...reached(above, entity, before)], kind === "added" ? after : undefined);
}

/**
 * Those below an entity whose holder is the given one, each before what is below it, siblings in order. The way down
 * ends at those who have the component themselves.
 */
function reached(above: Above, top: Entity, source: Entity | undefined): Entity[] {
  return below(above.world, top, ChildOf, (at) => above.sources.get(at) === source, isSourceIn(above));
}

/** Everybody who has a holder as the tree stands; each before what is below it. */
function sourcesNow(world: World, what: Definition): Map<Entity, Entity> {
  const sources = new Map<Entity, Entity>();
  const isSource = isSourceIn({ world, what });
  const mayHave = (archetype: ArchetypeView): boolean =>
    what.storage === "bits" || archetypeHas(archetype, what);
  for (const index of entitiesIn(world, mayHave, (one) => hasAt(world, one, what, ANY))) {
    const source = handleOf(world, index);
    for (const entity of below(world, source, ChildOf, undefined, isSource)) sources.set(entity, source);
  }
  return sources;
}

/** Has an entity it itself? */
function isSourceIn({ world, what }: Pick<Above, "world" | "what">): (entity: Entity) => boolean {
  return (entity) => hasAt(world, indexOf(entity), what, ANY);
}

/** Gives entities another holder, or none: one by one, the loss before the gain. */
function turn(above: Above, entities: readonly Entity[], source: Entity | undefined): void {
  const { sources } = above;
  for (const entity of entities) {
    const before = sources.get(entity);
    sources.delete(entity);
    if (before !== undefined) evaluateAll(above, { kind: "removed", entity, source: before });
    if (source === undefined) continue;
    sources.set(entity, source);
    evaluateAll(above, { kind: "added", entity, source });
  }
}

function evaluateAll({ world, listeners }: Above, event: AboveEvent): void {
  for (const listener of listeners) if (!listener.isStopped) callListener(world, listener, event);
}

/** Tells one listener of all who have a holder. */
function callForPresent(above: Above, listener: Listener, kind: "added" | "removed"): void {
  const { world, what, sources } = above;
  defer(world, () => {
    for (const entity of new Set([...sourcesNow(world, what).keys(), ...sources.keys()])) {
      const source = sources.get(entity);
      if (source !== undefined) evaluateAll({ ...above, listeners: [listener] }, { kind, entity, source });
    }
  });
}
