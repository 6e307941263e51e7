import { ChildOf, isInternal } from "../id/builtins.ts";
import type { Definition, Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import type { Shape } from "../storage/shape.ts";
import { orderedPairsAt } from "./adding-order.ts";
import { bitTagsAt, withBitTags } from "./bit-tags.ts";
import { bearOthers, copyOriginals } from "./copy-originals.ts";
import {
  checkTerm,
  definitionOfTerm,
  isParental,
  type PlainTerm,
  plainTerms,
  type SpawnTerm,
  shapeOfTerms,
  targetOfTerm,
} from "./destination.ts";
import { withRoomForBirths } from "./followers.ts";
import { hooksOf } from "./hooks.ts";
import { keptTerms, settledTerms } from "./kept-terms.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { requireRoomAt } from "./limits.ts";
import { enqueue, insideVisit, mustQueue, whileChanging } from "./lock.ts";
import { isUnheard, placeOf, quietOriginals } from "./originals.ts";
import { orderedSources } from "./relation.ts";
import { requireAlive } from "./require.ts";
import { insideScope, termsInScope } from "./scope.ts";
import { askForBirth, bear, bearAsked, requireRoomForEntities } from "./spawn.ts";
import { liveTerms } from "./term-deaths.ts";
import { columnAt, copyValue, rowAt, shapeAt } from "./values.ts";
import type { World } from "./world.ts";

export interface CloneOptions {
  /** With everything below it, in both storages, siblings in order. Default false. */
  readonly deep?: boolean;
  /** What the clone gets besides, or instead: `[ChildOf(other), Name("Copy")]`. */
  readonly with?: readonly SpawnTerm[];
}

/**
 * Makes another entity with the same values, tags, pairs and parent, as the last of its siblings. Fields are copied,
 * JavaScript values are shared unless their component has a `copy` hook. What identifies an entity among its siblings,
 * as names do, or in the world, the clone does not get.
 *
 * A deep clone has a copy of everything below, names included, but nothing that identifies in the world; pairs and
 * `entity` fields that point at something inside point at its copy, others where they did. A pair of an exclusive
 * symmetric relation with somebody outside is not copied: it would be taken from the original.
 *
 * Inside `withScope` of names the clone is a child of the scope, by ChildOf, unless `with` gives a parent.
 *
 * Inside a visit the clone is alive at once, and gets what the original has when the visit ends.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; and as `spawn` for what `with` gives and for what
 *   cannot be had twice. Nothing has changed then.
 *
 * @example
 * const copy = clone(world, turret, { deep: true, with: [ChildOf(otherShip), Name("Turret")] });
 */
export function clone(world: World, entity: Entity, options: CloneOptions = {}): Entity {
  requireAlive(world, entity);
  const terms = plainTerms(world, termsInScope(world, options.with ?? []));
  for (const term of terms) checkTerm(world, term);
  shapeOfTerms(world, terms);
  const isDeep = options.deep === true;
  requireRoomForEntities(world, 1);
  if (world.visits !== 0 && mustQueue(world)) {
    const unborn = enterLimbo(world);
    const kept = keptTerms(terms);
    enqueue(world, 0, () => cloneLater(world, entity, kept, isDeep, unborn));
    return handleAt(world.entities, unborn);
  }
  // Values are read now: a getter may clone as well, or destroy what is copied here.
  const settled = settledTerms(world, terms);
  requireAlive(world, entity);
  const copy = cloneQuietly(world, indexOf(entity), settled, isDeep);
  return copy !== 0
    ? handleAt(world.entities, copy)
    : cloneOutside(world, indexOf(entity), settled, isDeep, 0);
}

/** The short way where nobody is told and rows say everything. @returns the index of the clone, or 0: not so here. */
function cloneQuietly(world: World, root: number, terms: readonly PlainTerm[], isDeep: boolean): number {
  const originals = quietOriginals(world, root, isDeep);
  if (originals === undefined) return 0;
  requireRoomForEntities(world, originals.length);
  if (terms.length === 0) return copyOriginals(world, originals);
  const isBelowItself = terms.some(
    (term) => isParental(definitionOfTerm(term)) && placeOf(originals, indexOf(targetOfTerm(term))) >= 0,
  );
  const top = isBelowItself ? 0 : bearGiven(world, root, terms);
  if (top !== 0) bearOthers(world, originals, top);
  return top;
}

/** The same for a clone that is given something. @returns its index, or 0. */
function bearGiven(world: World, root: number, terms: readonly PlainTerm[]): number {
  const own = termsOf(world, root, true, new Map(), new Set());
  const all = [...own.filter((one) => !isReplaced(one, terms)), ...terms];
  const shape = shapeOfTerms(world, all);
  const isQuiet = isUnheard(world, shape) && shapeAt(world, root).lanes.plan.entities.length === 0;
  return isQuiet ? indexOf(bear(world, shape, all, 0)) : 0;
}

/** Hooks that copy stand outside any scope, as all hooks do. */
function cloneOutside(
  world: World,
  root: number,
  terms: readonly PlainTerm[],
  isDeep: boolean,
  unborn: number,
): Entity {
  return insideScope(world, undefined, () =>
    insideVisit(world, () => cloneNow(world, root, terms, isDeep, unborn)),
  );
}

function cloneLater(
  world: World,
  entity: Entity,
  terms: readonly PlainTerm[],
  isDeep: boolean,
  unborn: number,
): void {
  const live = liveTerms(world, terms);
  try {
    if (live === undefined || !isLiving(world.entities, entity)) return;
    cloneOutside(world, indexOf(entity), live, isDeep, unborn);
  } finally {
    if (isInLimbo(world, unborn)) leaveLimbo(world, unborn);
  }
}

/** Original -> clone, by index. Those that are not born yet are in limbo. */
type Clones = ReadonlyMap<number, number>;

function cloneNow(
  world: World,
  root: number,
  terms: readonly PlainTerm[],
  isDeep: boolean,
  unborn: number,
): Entity {
  const originals = isDeep ? withAllBelow(world, root) : [root];
  requireRoomForEntities(world, originals.length);
  const clones: Clones = new Map(
    originals.map((index) => [index, index === root && unborn !== 0 ? unborn : enterLimbo(world)]),
  );
  try {
    const earlier = new Set<number>();
    const unborns = originals.map((original): Unborn => {
      const isRoot = original === root;
      const own = termsOf(world, original, isRoot, clones, earlier);
      earlier.add(original);
      const all = isRoot
        ? [...own.filter((one) => !isReplaced(one, terms)), ...terms]
        : own.filter((one) => !isBondReplaced(one, handleAt(world.entities, clones.get(root)!), terms));
      const shape = shapeOfTerms(world, all);
      return { index: clones.get(original)!, shape, terms: all };
    });
    requireRoomForClones(world, unborns); // before hooks are asked, as spawn does
    const asked = unborns.map(({ shape, terms: own }) => askForBirth(world, shape, own));
    const births = unborns.map((one) => ({ ...one, unborn: [one.index] }));
    withRoomForBirths(world, births, () =>
      whileChanging(world, () => {
        for (let at = 0; at < unborns.length; at++) {
          const { index, shape, terms: own } = unborns[at]!;
          bearAsked(world, shape, own, index, asked[at]!);
        }
      }),
    );
  } finally {
    for (const clone of clones.values()) if (isInLimbo(world, clone)) leaveLimbo(world, clone);
  }
  return handleAt(world.entities, clones.get(root)!);
}

/** One of the clones that are about to be born. */
interface Unborn {
  readonly index: number;
  readonly shape: Shape;
  readonly terms: readonly PlainTerm[];
}

/** @throws TreelineError `full` if a target takes not as many sources as there are clones that want it. */
function requireRoomForClones(world: World, births: readonly Unborn[]): void {
  const wanted = new Map<string, { relation: Definition; target: number; count: number }>();
  for (const { shape, terms } of births) {
    for (const term of shape.isLimited ? terms : []) {
      const relation = definitionOfTerm(term);
      if (relation.maxSources === 0) continue;
      const target = indexOf(targetOfTerm(term));
      const key = `${relation.id} ${target}`;
      const known = wanted.get(key) ?? { relation, target, count: 0 };
      wanted.set(key, { relation, target, count: known.count + 1 });
    }
  }
  for (const { relation, target, count } of wanted.values()) requireRoomAt(world, relation, 0, target, count);
}

/** An entity and everything below it, each before what is below it, siblings in order. */
function withAllBelow(world: World, root: number): number[] {
  const found: number[] = [];
  const waiting = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    found.push(at);
    for (const child of orderedSources(world, at, ChildOf).reverse()) waiting.push(child);
  }
  return found;
}

function isReplaced(own: PlainTerm, terms: readonly PlainTerm[]): boolean {
  const definition = definitionOfTerm(own);
  return terms.some((term) => {
    const other = definitionOfTerm(term);
    if (isParental(definition)) return isParental(other);
    if (other !== definition) return false;
    return definition.kind !== "relation" || definition.exclusive || targetOfTerm(own) === targetOfTerm(term);
  });
}

/** Would it tie the clone's root by an exclusive bond, although what is given ties that one elsewhere? */
function isBondReplaced(own: PlainTerm, root: Entity, terms: readonly PlainTerm[]): boolean {
  const definition = definitionOfTerm(own);
  if (!definition.symmetric || !definition.exclusive || targetOfTerm(own) !== root) return false;
  return terms.some((term) => definitionOfTerm(term) === definition);
}

/**
 * What the clone of an entity is born with.
 *
 * @param earlier the originals whose clones are born before this one.
 */
function termsOf(
  world: World,
  index: number,
  isRoot: boolean,
  clones: Clones,
  earlier: ReadonlySet<number>,
): PlainTerm[] {
  const terms: PlainTerm[] = [];
  for (const definition of new Set(withBitTags(shapeAt(world, index), bitTagsAt(world, index)))) {
    if (isInternal(definition) || isOwn(definition, isRoot)) continue;
    const targets = definition.kind === "relation" ? targetsAt(world, index, definition) : [0];
    for (const target of targets) {
      if (definition.symmetric && target !== index) {
        // Of a pair inside, whoever is born last ties it; nothing is taken from the original.
        if (clones.has(target) ? !earlier.has(target) : definition.exclusive) continue;
      }
      const { entities } = world;
      const copy = target === 0 ? 0 : handleAt(entities, clones.get(target) ?? target);
      const own = target === 0 ? 0 : handleAt(entities, target);
      const value = copiedValue(world, index, definition, own, clones);
      terms.push({ definition, target: copy, value } as Term as PlainTerm);
    }
  }
  return terms;
}

/** Is its value for the original alone? */
function isOwn(definition: Definition, isRoot: boolean): boolean {
  const { identifies } = hooksOf(definition);
  return identifies === "world" || (isRoot && identifies === "siblings");
}

function targetsAt(world: World, index: number, relation: Definition): number[] {
  return orderedPairsAt(world, index, relation).map((pair) => world.graph.pairs.target[pair]!);
}

/** A copy of a value, in which what points inside points at copies. */
function copiedValue(
  world: World,
  index: number,
  definition: Definition,
  target: number,
  clones: Clones,
): unknown {
  if (definition.holds === "nothing") return undefined;
  const column = columnAt(world, index, definition, target)!;
  const value = copyValue(world, shapeAt(world, index).lanes, column, rowAt(world, index));
  const { copy } = hooksOf(definition);
  const copied = copy === undefined ? value : copy(value);
  if (definition.holds !== "fields") return copied;
  const fields = copied as { [name: string]: unknown };
  for (const [name, { kind }] of definition.fields) {
    const clone =
      kind === "entity" ? clones.get(indexOf((fields[name] as Entity | undefined) ?? 0)) : undefined;
    if (clone !== undefined) fields[name] = handleAt(world.entities, clone);
  }
  return fields;
}
