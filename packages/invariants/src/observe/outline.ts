/**
 * Observers as an outline in an editor has them: of all spawns and destructions, of the roots, of some entities and their
 * children, and one that is called when everything is done. What they are notified of must add up to what there is.
 */
import type { Entity, WorldEvent } from "@treeline/core";
import {
  Any,
  ChildOf,
  isAlive,
  observe,
  observeChildren,
  observeEntity,
  observeRoots,
  parentOf,
} from "@treeline/core";
import type { AnyEvent } from "../base/entry-points.ts";
import { queryVerbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { twinOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";

export interface Outline {
  readonly living: Set<Entity>;
  readonly roots: Set<Entity>;
  /** The children of some entities, all of which have observers of their own. */
  readonly children: Map<Entity, Set<Entity>>;
  /** The events that these observers got since the last comparison. */
  readonly own: WorldEvent[];
  /** Those that the observer with `after` got. */
  readonly later: WorldEvent[];
  /** Guarantees that did not hold during an event. */
  readonly broken: string[];
}

/** One in so many entities has observers of its own. */
const WATCHED = 3;

const EVERYTHING = { added: Any, removed: Any, set: Any, reordered: ChildOf };

export function attachOutline(real: RealWorld): Outline {
  const { world } = real;
  const outline: Outline = {
    living: new Set(),
    roots: new Set(),
    children: new Map(),
    own: [],
    later: [],
    broken: [],
  };
  const { living, roots, broken } = outline;
  observe(world, EVERYTHING, (event) => outline.later.push(event), { after: true });
  observe(world, { spawned: true, destroyed: true }, ({ kind, entity }) => {
    turn(outline, living, kind === "spawned", entity);
    if (kind === "spawned") watch(real, outline, entity);
    else if (!isLastOfItsTree(real, entity)) broken.push(`${entity} is destroyed before its children`);
  });
  const call = ({ kind, entity }: { kind: string; entity: Entity }): void =>
    turn(outline, roots, kind === "added", entity);
  observeRoots(world, call, { after: true, yieldExisting: true });
  return outline;
}

/** Adds an entity to a set or removes it; each must be a change. */
function turn({ broken }: Outline, entities: Set<Entity>, isAdded: boolean, entity: Entity): void {
  if (entities.has(entity) === isAdded) broken.push(`${entity} is ${isAdded ? "added" : "removed"} twice`);
  if (isAdded) entities.add(entity);
  else entities.delete(entity);
}

/** Its children are gone, and its ancestors are alive. */
function isLastOfItsTree({ world }: RealWorld, entity: Entity): boolean {
  for (let at: Entity | undefined = entity; at !== undefined; at = parentOf(world, at))
    if (!isAlive(world, at)) return false;
  return queryVerbs.children(world, entity).length === 0;
}

/** For an entity that was just spawned: what is below it by now is still to be reported. */
function watch({ world }: RealWorld, outline: Outline, entity: Entity): void {
  if (outline.living.size % WATCHED !== 0) return;
  const children = new Set<Entity>();
  outline.children.set(entity, children);
  observeEntity(world, entity, EVERYTHING, (event) => outline.own.push(event));
  observeChildren(
    world,
    entity,
    ({ kind, entity: child }) => {
      if (kind !== "reordered") turn(outline, children, kind === "added", child);
    },
    { after: true },
  );
}

/** @param observed all events since the last comparison. @throws Error if the outline differs from the twin, or from them. */
export function compareOutline(
  real: RealWorld,
  naive: NaiveWorld,
  observed: readonly AnyEvent[],
  { living, roots, children, own, later, broken }: Outline,
): void {
  if (broken.length > 0) throw new Error(`broken guarantees: ${broken.join("; ")}`);
  // What an observer sets is reported to the observers after it before what it was notified of.
  const inOrder = (texts: string[]): string[] => (real.hasReactions ? texts.sort() : texts);
  const textsOf = (events: readonly (AnyEvent | WorldEvent)[]): string[] => inOrder(events.map(textOfEvent));
  same(textsOf(later.splice(0)), textsOf(observed), () => "events of the observer with after");
  const watched = observed.filter(({ entity }) => children.has(entity));
  same(textsOf(own.splice(0)), textsOf(watched), () => "events of the observers of single entities");
  const twinsIn = (entities: Iterable<Entity>): Twin[] =>
    [...entities].map((entity) => twinOf(real, entity)).sort((one, other) => one - other);
  const sorted = (twins: Iterable<Twin>): Twin[] => [...twins].sort((one, other) => one - other);
  same(twinsIn(living), sorted(naive.living.keys()), () => "spawned and not destroyed");
  same(twinsIn(roots), sorted(naive.roots), () => "the roots, as reported");
  for (const [entity, found] of children) {
    const record = naive.living.get(twinOf(real, entity));
    same(twinsIn(found), sorted(record?.children ?? []), () => `the children of ${entity}, as reported`);
    if (record === undefined) children.delete(entity);
  }
}

function textOfEvent({
  kind,
  entity,
  definition,
  target,
  oldTarget,
  newTarget,
}: AnyEvent | WorldEvent): string {
  return [kind, entity, (definition as { name: string }).name, target, oldTarget, newTarget].join(" ");
}
