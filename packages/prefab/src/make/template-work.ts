import { type Definition, type Entity, isAlive, targetOf, type World } from "@treeline/core";
import {
  type ArchetypeView,
  addHidden,
  archetypeViewAt,
  deferCommand,
  destroyAll,
  handleOf,
  hasDefinition,
  indexOf,
  inheritedOf,
  installPrefabs,
  Prefab,
  removeMatching,
  slotsOf,
  type TemplateWork,
} from "@treeline/core/internal";
import { children } from "@treeline/query";
import { installInherited } from "@treeline/query/internal";
import { BareIsA, Link } from "../base/definitions.ts";
import { publishedOf } from "../publish/published.ts";
import { requireNoLoop, requireNoLoopBelow } from "../spawn/contained.ts";
import { partsBelow } from "../spawn/copy-rows.ts";
import { copyBelow } from "../spawn/instantiate.ts";
import { partTerms } from "../spawn/part-terms.ts";
import { inheritorsOf, linkedTo, ownerOf, ownersOf, partAt, shares } from "../state/owners.ts";
import { ensureNumber, linkAt, noteEdit, numberOf, recordsOf, setLink } from "../state/part-records.ts";

const templateWork: TemplateWork = {
  link: Link,
  ownersOf,
  ownerOf,
  partAt,
  inheritorsOf,
  shares,
  reacted,
  destroyed,
  requireAttachable(world, index, parent) {
    if (parent !== 0) requireNoLoopBelow(world, handleOf(world, index), handleOf(world, parent));
  },
  reordered: noteEdit,
};

/** Installs prefabs in a world. */
export function installTemplates(slots: object): void {
  (slots as { templates?: TemplateWork }).templates ??= templateWork;
  installPrefabs(slots);
  installInherited();
}

/** The same for a world. */
export function usePrefabs(world: World): void {
  if (slotsOf(world).templates === undefined) installTemplates(slotsOf(world));
}

function reacted(world: World, index: number, was: ArchetypeView | undefined, is: ArchetypeView): void {
  const isPart = hasDefinition(is, Prefab);
  if (isPart || (was !== undefined && hasDefinition(was, Prefab))) {
    noteEdit(world);
    if (was !== undefined && numberOf(world, index) !== 0) shareAgain(world, index, was, is);
  }
  if (hasDefinition(is, BareIsA) || (was !== undefined && hasDefinition(was, BareIsA)))
    follow(world, index, was === undefined);
}

/** A part has got or lost components: instances without values of their own inherit them, or do not any more. */
function shareAgain(world: World, index: number, was: ArchetypeView, is: ArchetypeView): void {
  const all = new Set([...was.definitions, ...is.definitions].map((one) => one.standsFor ?? one));
  const changed = [...all].filter(
    (one) => one.onInstantiate === "inherit" && hasDefinition(was, one) !== hasDefinition(is, one),
  );
  if (changed.length === 0) return;
  for (const entity of linkedTo(world, handleOf(world, index))) {
    for (const definition of changed) {
      if (hasDefinition(is, definition)) inherit(world, entity, definition);
      else removeMatching(world, indexOf(entity), { definition: inheritedOf(definition), target: 0 });
    }
  }
}

function inherit(world: World, entity: Entity, definition: Definition): void {
  if (hasDefinition(archetypeViewAt(world, indexOf(entity)), definition)) return;
  addHidden(world, entity, [inheritedOf(definition) as never]);
}

/** Makes an entity an instance of the target of its `IsA`, or of nothing any more. */
function follow(world: World, index: number, isSpawned: boolean): void {
  const entity = handleOf(world, index);
  const base = targetOf(world, entity, BareIsA);
  const number = linkAt(world, index);
  if (number !== 0) {
    const published = publishedOf(world, number);
    const isInner = published !== undefined && published.part !== published.root;
    // An inner part of an instance is linked to that of the prefab, also if it is an instance of another prefab as well.
    if (isInner ? base === undefined || base === published.base : base === recordsOf(world).handles[number])
      return;
    unlink(world, entity);
  }
  if (base === undefined) return;
  let isDone = false;
  try {
    become(world, entity, base);
    isDone = true;
  } finally {
    if (!isDone) {
      if (isSpawned) destroyAll(world, [index]);
      else removeMatching(world, index, { definition: BareIsA, target: base });
    }
  }
}

/** Links an entity to a prefab, gives it what it lacks, and spawns the parts below it: all or nothing. */
function become(world: World, entity: Entity, base: Entity): void {
  requireNoLoop(world, entity, base);
  const root = indexOf(base);
  const isPrefab = hasDefinition(archetypeViewAt(world, root), Prefab);
  let made: Entity[] = [];
  if (isPrefab) {
    partsBelow(world, root);
    made = copyBelow(world, root, entity);
  }
  const inInstance = (target: Entity): Entity | undefined => {
    if (target === base) return entity;
    return made.find((one) => recordsOf(world).handles[linkAt(world, indexOf(one))] === target);
  };
  let isDone = false;
  try {
    const number = isPrefab ? numberOf(world, root) : ensureNumber(world, root);
    addHidden(world, entity, partTerms(world, root, number, true, inInstance, entity) as never);
    isDone = true;
  } finally {
    if (!isDone) destroyAll(world, made.filter((one) => isAlive(world, one)).map(indexOf));
  }
}

/**
 * An entity is not an instance any more: it and its parts lose their links, and what they inherit. Parts that are instances of other prefabs
 * are linked to these.
 */
function unlink(world: World, entity: Entity): void {
  const stack = [{ entity, isInner: false }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const index = indexOf(step.entity);
    const isInner =
      step.isInner || (step.entity !== entity && targetOf(world, step.entity, BareIsA) !== undefined);
    for (const child of children(world, step.entity)) stack.push({ entity: child, isInner });
    const number = linkAt(world, index);
    if (number === 0) continue;
    const next = isInner ? linkOfPart(world, number) : 0;
    if (next === 0) dropLink(world, index);
    else setLink(world, index, next);
  }
  noteEdit(world);
}

/** The number by which the part with a number was linked itself; 0 if it was not. */
function linkOfPart(world: World, number: number): number {
  const { handles, newest } = recordsOf(world);
  const { from, link } = publishedOf(world, number) ?? { from: 0 as Entity, link: 0 };
  return handles[link] === from ? link : (newest.get(from) ?? 0);
}

/** An entity follows nothing any more. */
export function dropLink(world: World, index: number): void {
  dropInherited(world, index);
  removeMatching(world, index, { definition: Link, target: 0 });
}

/** Removes what an entity inherits. */
function dropInherited(world: World, index: number): void {
  for (const definition of archetypeViewAt(world, index).definitions)
    if (definition.standsFor !== undefined) removeMatching(world, index, { definition, target: 0 });
}

/** A part is destroyed: its instances stay, without what they inherit from it. */
function destroyed(world: World, index: number): void {
  if (numberOf(world, index) === 0) return;
  const part = handleOf(world, index);
  noteEdit(world);
  deferCommand(world, 0, () => {
    noteEdit(world);
    for (const entity of linkedTo(world, part)) dropInherited(world, indexOf(entity));
  });
}
