// What follows when an entity gets or loses `IsA` (`follow`), and when a part gets or loses components (`shareAgain`).
import {
  type Definition,
  type Entity,
  has,
  isAlive,
  parentOf,
  type SpawnTerm,
  type Tag,
  TreelineError,
  targetOf,
  type World,
} from "@treeline/core";
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
  textOf,
  worldState,
} from "@treeline/core/internal";
import { children } from "@treeline/query";
import { installInherited } from "@treeline/query/internal";
import { BareIsA, Base, Link, OwnCopies } from "../base/definitions.ts";
import { requireNoPart } from "../base/require.ts";
import { factOf, ownDefinitions, pointedValue } from "../publish/facts.ts";
import { madeAs, publishedOf } from "../publish/published.ts";
import { rebase } from "../publish/rebase.ts";
import { requireNoLoop, requireNoLoopBelow } from "../spawn/contained.ts";
import { partsBelow } from "../spawn/copy-rows.ts";
import { linkedPart } from "../spawn/find-part.ts";
import { copyBelow, definitionIn } from "../spawn/instantiate.ts";
import { partTerms } from "../spawn/part-terms.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { eachLinked, inheritorsOf, linkedTo, ownerOf, ownersOf, partAt, shares } from "../state/owners.ts";
import { ensureNumber, linkAt, noteEdit, numberOf, recordsOf, setLink } from "../state/part-records.ts";

const templateWork: TemplateWork = {
  link: Link,
  cloned: [Link, OwnCopies],
  completes: (definitions) => definitions.includes(BareIsA) && !definitions.includes(Link),
  ownersOf,
  ownerOf,
  baseIn: (world, terms) => {
    const term = terms.find((one) => definitionIn(one as SpawnTerm) === BareIsA);
    const { target } = (term ?? {}) as { readonly target?: Entity };
    return target !== undefined && isAlive(world, target) && has(world, target, Prefab as Tag)
      ? indexOf(target)
      : 0;
  },
  partAt,
  inheritorsOf,
  overriding,
  shares,
  reacted,
  destroyed,
  requireAttachable(world, index, parent) {
    if (parent !== 0) requireNoLoopBelow(world, handleOf(world, index), handleOf(world, parent));
  },
  requireBase(world, index, relation, target) {
    if (relation === BareIsA) requireBase(world, handleOf(world, index), handleOf(world, target));
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

/** See `TemplateWork`. What is given as it is inherited counts as not given. */
function overriding(world: World, index: number, definition: Definition, given: unknown): unknown {
  const entity = handleOf(world, index);
  const fact = factOf(world, entity, definition);
  const seen = fact.value;
  const value = pointedValue(definition, seen, toInstance(world, entity));
  rebase(world, index, fact, undefined, fact);
  if (definition.holds !== "fields") return given ?? value;
  const whole = { ...(value as Values) };
  for (const name in given as Values)
    if ((given as Values)[name] !== (seen as Values)[name]) whole[name] = (given as Values)[name];
  return whole;
}

interface Values {
  [field: string]: unknown;
}

function reacted(world: World, index: number, was: ArchetypeView | undefined, is: ArchetypeView): void {
  const isLinkedTo = was !== undefined && numberOf(world, index) !== 0;
  if (isLinkedTo || hasDefinition(is, Prefab) || (was !== undefined && hasDefinition(was, Prefab)))
    noteEdit(world);
  if (isLinkedTo) {
    shareAgain(world, index, was, is);
    if (!hasDefinition(is, Prefab)) watchBase(world, index);
  }
  if (hasDefinition(is, BareIsA) || (was !== undefined && hasDefinition(was, BareIsA)))
    follow(world, index, was === undefined);
}

/** Makes an entity without `Prefab` tell of what it gets and loses. */
function watchBase(world: World, index: number): void {
  if (!hasDefinition(archetypeViewAt(world, index), Base)) addHidden(world, handleOf(world, index), [Base]);
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

/** Entities whose links are being changed, and the prefab of which the last one that got another was an instance. */
interface Following {
  depth: number;
  former: { readonly entity: Entity; readonly base: Entity | undefined } | undefined;
}

const followingOf = /* @__PURE__ */ worldState((): Following => ({ depth: 0, former: undefined }));

/** @throws TreelineError `bad-term` or `cycle` if an entity cannot be an instance of another one. */
function requireBase(world: World, entity: Entity, base: Entity): void {
  const former = targetOf(world, entity, BareIsA);
  const following = followingOf(world);
  const isFollowing = following.depth > 0;
  const isPutBack = isFollowing && following.former?.entity === entity && following.former.base === base;
  if (former === base || isPutBack) return;
  requireNoLink(world, entity, base);
  requireNoLoop(world, entity, base);
  requireNoPart(world, base);
  if (!isFollowing) following.former = { entity, base: former };
}

/** @throws TreelineError `cycle` if what an entity would be an instance of was made from it, in turn. */
function requireNoLink(world: World, entity: Entity, base: Entity): void {
  const own = indexOf(entity);
  for (let at = partAt(world, indexOf(base)); at !== 0; at = partAt(world, at))
    if (at === own)
      throw new TreelineError("cycle", `${textOf(world, base)} was made from ${textOf(world, entity)}`);
}

/** Makes an entity an instance of the target of its `IsA`, or of nothing any more. */
function follow(world: World, index: number, isSpawned: boolean): void {
  const following = followingOf(world);
  if (following.depth > 0) return;
  const entity = handleOf(world, index);
  const base = targetOf(world, entity, BareIsA);
  const number = linkAt(world, index);
  if (number !== 0) {
    const published = publishedOf(world, number);
    const isInner = published !== undefined && published.part !== published.root;
    // An inner part of an instance is linked to that of the prefab, also if it is an instance of another prefab as well.
    if (isInner ? base === undefined || base === published.base : base === recordsOf(world).handles[number])
      return;
  }
  let isDone = false;
  following.depth++;
  try {
    if (base !== undefined) become(world, entity, base);
    else if (number !== 0) unlink(world, entity);
    isDone = true;
  } finally {
    if (!isDone) undo(world, index, base!, isSpawned);
    following.depth--;
  }
}

/** An entity cannot become an instance: it keeps what it was. */
function undo(world: World, index: number, base: Entity, isSpawned: boolean): void {
  const { former } = followingOf(world);
  if (isSpawned) destroyAll(world, [index]);
  else if (former?.base !== undefined && former.entity === handleOf(world, index))
    addHidden(world, former.entity, [BareIsA(former.base)]);
  else removeMatching(world, index, { definition: BareIsA, target: base });
}

/** Links an entity to a prefab, gives it what it lacks, and spawns the parts below it: all or nothing. */
function become(world: World, entity: Entity, base: Entity): void {
  requireNoLoop(world, entity, base);
  requireNoPart(world, base);
  const root = indexOf(base);
  const isPrefab = hasDefinition(archetypeViewAt(world, root), Prefab);
  let made: Entity[] = [];
  if (isPrefab) {
    partsBelow(world, root);
    made = copyBelow(world, root, entity);
  }
  const inInstance = (target: Entity): Entity | undefined => {
    if (target === base) return entity;
    return made.find((one) => linkedPart(world, one) === target);
  };
  let isDone = false;
  try {
    const terms = (): SpawnTerm[] => partTerms(world, root, true, inInstance, entity);
    if (linkAt(world, indexOf(entity)) !== 0) {
      // What may be refused comes first: the former link is there then.
      addHidden(
        world,
        entity,
        terms().filter((term) => !isOfLink(term)),
      );
      unlink(world, entity);
    }
    if (!isPrefab) {
      ensureNumber(world, root);
      watchBase(world, root);
    }
    addHidden(world, entity, withRequired(world, entity, terms()), indexOf(entity));
    isDone = true;
  } finally {
    if (!isDone) destroyAll(world, made.filter((one) => isAlive(world, one)).map(indexOf));
  }
}

/** With what an entity that becomes an instance lacks of what it and terms require. */
function withRequired(world: World, entity: Entity, terms: readonly SpawnTerm[]): readonly SpawnTerm[] {
  const given = terms.map((term) => definitionIn(term) as Definition);
  const all = [...given, ...ownDefinitions(world, entity)] as Definition[];
  const count = all.length;
  for (const one of all) one.requires?.(all);
  const required = all.slice(count) as readonly Definition[] as readonly Tag[];
  return [...terms, ...required.filter((one) => !has(world, entity, one))];
}

/** Is a term the link to a prefab, or something that is inherited by it? */
function isOfLink(term: SpawnTerm): boolean {
  const definition = definitionIn(term) as Definition;
  return definition === Link || definition.standsFor !== undefined;
}

/**
 * An entity is not an instance any more: it and its parts lose their links, and what they inherit. Parts that are instances of other prefabs
 * are linked to these. Of an inner part only its own link is lost.
 */
function unlink(world: World, entity: Entity): void {
  const own = madeAs(world, indexOf(entity));
  dropLink(world, indexOf(entity));
  noteEdit(world);
  if (own === undefined || own.part !== own.root) return;
  const stack: { entity: Entity; base: Entity | undefined }[] = [{ entity, base: undefined }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    for (const child of children(world, step.entity)) {
      const index = indexOf(child);
      const number = linkAt(world, index);
      const published = publishedOf(world, number);
      if (published !== undefined && published.part === own.root) continue; // another instance
      const isPart = published !== undefined && published.root === own.root;
      const base = step.base ?? (isPart ? targetOf(world, child, BareIsA) : undefined);
      stack.push({ entity: child, base });
      if (!isPart) continue;
      linkAnew(world, child, base === undefined ? 0 : linkTo(world, number, base));
    }
  }
}

/** The part of an entity of an instance is gone: it is not linked to that any more. What is in an inner instance is linked to its prefab. */
export function outlivePart(world: World, entity: Entity, instance: Entity): void {
  const index = indexOf(entity);
  let base: Entity | undefined;
  for (let at: Entity | undefined = entity; at !== undefined && at !== instance; at = parentOf(world, at))
    base = targetOf(world, at, BareIsA) ?? base;
  const next = base === undefined ? 0 : linkTo(world, linkAt(world, index), base);
  const following = followingOf(world);
  following.depth++;
  try {
    linkAnew(world, entity, next);
  } finally {
    following.depth--;
  }
}

/** Links an entity by another number, or by none: 0. */
function linkAnew(world: World, entity: Entity, number: number): void {
  if (number === 0) {
    dropLink(world, indexOf(entity));
    return;
  }
  setLink(world, indexOf(entity), number);
  noteEdit(world);
  shareOther(world, entity);
}

/** After an entity was linked to another part: it inherits what that has. */
function shareOther(world: World, entity: Entity): void {
  const index = indexOf(entity);
  for (const definition of [...archetypeViewAt(world, index).inherited])
    if (!shares(world, index, definition))
      removeMatching(world, index, { definition: inheritedOf(definition), target: 0 });
  const part = partAt(world, index);
  if (part === 0) return;
  const { definitions, inherited } = archetypeViewAt(world, part);
  for (const definition of [...definitions, ...inherited])
    if (definition.onInstantiate === "inherit") inherit(world, entity, definition);
}

/** The number by which the part with a number was linked itself, or what it was linked to in turn, in a prefab; 0 if it was not. */
function linkTo(world: World, number: number, root: Entity): number {
  const { handles, newest } = recordsOf(world);
  let next = number;
  do {
    const { from, link } = publishedOf(world, next) ?? { from: 0 as Entity, link: 0 };
    next = handles[link] === from ? link : (newest.get(from) ?? 0);
  } while (next !== 0 && publishedOf(world, next)?.root !== root);
  return next;
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

/** Parts that are being destroyed, until what their instances inherit from them is taken away. */
const destroyedOf = /* @__PURE__ */ worldState((): Set<Entity> => new Set());

/** A part is destroyed: its instances stay, without what they inherit from it. Cost of many parts at once: one pass over all links. */
function destroyed(world: World, index: number): void {
  if (numberOf(world, index) === 0) return;
  noteEdit(world);
  const parts = destroyedOf(world);
  parts.add(handleOf(world, index));
  if (parts.size > 1) return;
  deferCommand(world, 0, () => {
    noteEdit(world);
    const { handles } = recordsOf(world);
    const found: number[] = [];
    eachLinked(world, (own, number) => {
      if (parts.has(handles[number]!)) found.push(own);
    });
    parts.clear();
    for (const own of found) dropInherited(world, own);
  });
}
