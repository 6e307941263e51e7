// `observeAbove`: which entities get, lose or keep a source (`turn`, `reached`), and in which order observers are called.
import type { Component, Definition, Entity, Tag, World, WorldEvent } from "@treeline/core";
import { ChildOf, defer, observe, TreelineError } from "@treeline/core";
import {
  ANY,
  type ArchetypeView,
  addObservers,
  callObserver,
  deferLast,
  entitiesIn,
  handleOf,
  indexOf,
  inheritedOf,
  parseTerm,
  requireOptions,
  worldState,
} from "@treeline/core/internal";
import { archetypeHas, hasAt } from "../match/pairs.ts";
import { below } from "./walk.ts";

/** A change of a component above an entity. */
export interface AboveEvent {
  readonly kind: "added" | "removed" | "set";
  /** The entity that is below the source. Its own component does not count. */
  readonly entity: Entity;
  /** The source, the nearest ancestor that has the component: from now on, no longer, or as before. */
  readonly source: Entity;
}

export interface ObserveAboveOptions {
  /**
   * `added` is reported at once for each entity that has a source now, and `removed`, when the observer ends, for each entity
   * that has one then. Default false.
   */
  readonly yieldExisting?: boolean | undefined;
}

interface Observer {
  readonly call: (event: AboveEvent) => void;
  isStopped: boolean;
}

/** What is known of one component in one world while it has an observer. */
interface Above {
  readonly world: World;
  readonly what: Definition;
  /** Each entity below one that has the component -> the nearest such ancestor, as far as it was reported. */
  readonly sources: Map<Entity, Entity>;
  /** In order of registration; replaced, never changed. */
  observers: readonly Observer[];
  /** Stop the observers of the world. */
  readonly stops: readonly (() => void)[];
}

const indexesOf: (world: World) => Map<Definition, Above> = /* @__PURE__ */ worldState(() => new Map());

/**
 * Reports to an observer what happens to a component above entities: `added` and `removed` when an entity gets or loses its
 * source, the nearest ancestor that has the component, in both storages; `set` when a verb sets the value of the source. What the
 * entity itself has does not count, so a change event reaches every entity below a source down to the next one that has it, that
 * one included. Disabled entities count like all others.
 *
 * Reported within the verb, at the moments of `observe`; if the source changes, `removed` of the old one comes first:
 *
 * - Loss comes before the change: the source is alive and still has the component, and the entity is still below it. When
 *   entities are destroyed, children come before parents, each when its own turn comes.
 * - Gain and `set` come after the change: the source has the component, and the entity is below it. Entities come before what is
 *   below them, siblings in order.
 * - When an entity in between gets it, both are reported after the change, entity by entity; when an entity in between loses it,
 *   both are reported before: so both sources can be read both times.
 *
 * An instance of a prefab that inherits the component is a source too, and `set` is reported when the value of the prefab is set.
 *
 * What an observer changes is deferred until the verb ends; an error of one does not stop the others and is thrown in the end. An
 * observer that begins inside an iteration is notified at its end of what it missed of the change that was going on.
 *
 * @cost every entity below a source, once, and an entry for each while there is an observer; then the entities whose source
 *   changes, or whose source is given a value. A destroy goes entity by entity.
 * @throws TreelineError `bad-term` for anything that is not a component or tag, or if there is no observer; and with
 *   `yieldExisting` the first error of the observer when it is called at once: then the observer does not start.
 *
 * @example
 * const stop = observeAbove(world, Team, ({ kind, entity, source }) => {
 *   if (kind !== "removed") paint(entity, get(world, source, Team));
 * });
 */
export function observeAbove(
  world: World,
  what: Component | Tag,
  observer: (event: AboveEvent) => void,
  options: ObserveAboveOptions = {},
): () => void {
  CHECK: requireOptions("observeAbove", options, ["yieldExisting"]);
  const { definition } = parseTerm(world, what);
  if (definition.kind === "relation" || typeof observer !== "function")
    throw new TreelineError("bad-term", "observeAbove takes a component or tag, and an observer");
  const indexes = indexesOf(world);
  const above = indexes.get(definition) ?? begin(world, definition);
  indexes.set(definition, above);
  const own: Observer = { call: observer, isStopped: false };
  above.observers = [...above.observers, own];
  const yields = options.yieldExisting === true;
  const end = (): void => {
    own.isStopped = true;
    above.observers = above.observers.filter((one) => one !== own);
    if (above.observers.length > 0) return;
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
  /** Nothing is reported: the sources are those of another moment. */
  const readAgain = (): void => {
    above.sources.clear();
    for (const [entity, source] of sourcesNow(world, what)) above.sources.set(entity, source);
  };
  const stops = [
    observe(world, { added: own, removed: own, set: own }, (event) => onTermEvent(above, event), {
      inherited: true,
    }),
    observe(world, { added: ChildOf, removed: ChildOf }, (event) => onParentEvent(above, event)),
    addObservers(world, [
      { kind: "restored", definition: what, target: 0, call: readAgain, isStopped: false },
      ...(what.onInstantiate === "inherit" ? inheritanceOf(what, (event) => onTermEvent(above, event)) : []),
    ]),
  ];
  const above: Above = { world, what, sources: sourcesNow(world, what), observers: [], stops };
  // An observer that begins during a change may have missed what was about to happen then.
  deferLast(world, () => {
    if (above.observers.length === 0) return;
    const { sources } = above;
    const now = sourcesNow(world, what);
    defer(world, () => {
      for (const entity of new Set([...sources.keys(), ...now.keys()]))
        if (sources.get(entity) !== now.get(entity)) turn(above, [entity], now.get(entity));
    });
  });
  return above;
}

type InternalObserver = Parameters<typeof addObservers>[1][number];

/** Observers of instances of prefabs that begin or cease to inherit it: those are sources as well. */
function inheritanceOf(what: Definition, call: (event: WorldEvent) => void): InternalObserver[] {
  const kinds = ["added", "removed"] as const;
  return kinds.map((kind) => ({
    kind,
    definition: inheritedOf(what),
    target: 0,
    call: call as InternalObserver["call"],
    isStopped: false,
  }));
}

/** An entity gets or loses it, or its value is set. */
function onTermEvent(above: Above, { kind, entity }: WorldEvent): void {
  const { sources } = above;
  const outer = sources.get(entity);
  if (kind === "added") turn(above, reached(above, entity, outer), entity);
  else if (kind === "removed") turn(above, reached(above, entity, entity), outer);
  else
    for (const one of reached(above, entity, entity))
      notifyAll(above, { kind: "set", entity: one, source: entity });
}

/** An entity gets another parent, or is about to. For a retarget the loss comes before it, and the gain after it. */
function onParentEvent(above: Above, { kind, entity, newTarget }: WorldEvent): void {
  const before = above.sources.get(entity);
  const isSource = newTarget !== undefined && isSourceIn(above)(newTarget);
  const after = isSource ? newTarget : above.sources.get(newTarget as Entity);
  if (before === after || (kind === "removed" && before === undefined)) return;
  turn(above, [entity, ...reached(above, entity, before)], kind === "added" ? after : undefined);
}

/**
 * The entities below another one whose source is the given one, each before what is below it, siblings in order. The way down
 * ends at those that have the component themselves.
 */
function reached(above: Above, top: Entity, source: Entity | undefined): Entity[] {
  return below(above.world, top, ChildOf, (at) => above.sources.get(at) === source, isSourceIn(above));
}

/** The present source of each entity that has one; each entity before what is below it. */
function sourcesNow(world: World, what: Definition): Map<Entity, Entity> {
  const sources = new Map<Entity, Entity>();
  const isSource = isSourceIn({ world, what });
  const mayHave = (archetype: ArchetypeView): boolean =>
    what.storage !== "table" || archetypeHas(archetype, what);
  for (const index of entitiesIn(world, mayHave, (one) => hasAt(world, one, what, ANY))) {
    const source = handleOf(world, index);
    for (const entity of below(world, source, ChildOf, undefined, isSource)) sources.set(entity, source);
  }
  return sources;
}

/** Whether an entity has it itself. */
function isSourceIn({ world, what }: Pick<Above, "world" | "what">): (entity: Entity) => boolean {
  return (entity) => hasAt(world, indexOf(entity), what, ANY);
}

/** Changes or removes the source of entities: one by one, the loss before the gain. */
function turn(above: Above, entities: readonly Entity[], source: Entity | undefined): void {
  const { sources } = above;
  for (const entity of entities) {
    const before = sources.get(entity);
    sources.delete(entity);
    if (before !== undefined) notifyAll(above, { kind: "removed", entity, source: before });
    if (source === undefined) continue;
    sources.set(entity, source);
    notifyAll(above, { kind: "added", entity, source });
  }
}

function notifyAll({ world, observers }: Above, event: AboveEvent): void {
  for (const observer of observers) if (!observer.isStopped) callObserver(world, observer, event);
}

/** Reports each entity that has a source to one observer. */
function callForPresent(above: Above, observer: Observer, kind: "added" | "removed"): void {
  const { world, what, sources } = above;
  defer(world, () => {
    for (const entity of new Set([...sourcesNow(world, what).keys(), ...sources.keys()])) {
      const source = sources.get(entity);
      if (source !== undefined) notifyAll({ ...above, observers: [observer] }, { kind, entity, source });
    }
  });
}
