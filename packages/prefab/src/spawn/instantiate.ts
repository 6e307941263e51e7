// `instantiate`; spawns copies of a tree by their terms (`copyTree`).
import {
  type Entity,
  parentOf,
  type Relation,
  type SpawnTerm,
  spawn,
  TreelineError,
  type World,
} from "@treeline/core";
import {
  ChildOf,
  handleOf,
  indexOf,
  mustDefer,
  Parent,
  readSpawnTerms,
  requireOptions,
  scopeOf,
  shown,
  spawnTogether,
  worldState,
} from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { requirePrefab } from "../base/require.ts";
import type { InInstance } from "../publish/facts.ts";
import { requireNoLoop } from "./contained.ts";
import { copyRows, partsBelow } from "./copy-rows.ts";
import { partTerms } from "./part-terms.ts";
import { storageOf } from "./storage-of.ts";

export interface InstanceOptions {
  /** The parent of the root. Default: the scope of `withScope`, or none. */
  readonly parent?: Entity | undefined;
  /** Terms that the root gets in addition to, or instead of, those of the prefab: `[Name("Second"), Position({ x: 5 })]`. */
  readonly with?: readonly SpawnTerm[] | undefined;
  /** How many instances; then a list is returned. Default: one. */
  readonly count?: number | undefined;
  /** How parents are stored, `ChildOf` or `Parent`. Default: as in the prefab, and `ChildOf` for the root. */
  readonly storage?: Relation | undefined;
}

/**
 * Makes instances of a prefab: entities with the same components, tags, pairs and children, siblings in order. Of each
 * component they get what its `onInstantiate` says. Pairs and `entity` fields that point inside the prefab point inside the
 * instance; parts keep their names, the root gets one from `with`. Values are those that the prefab has now.
 *
 * The root gets the pair `IsA(prefab)`. Inside `withScope` of names it is a child of the scope. Below a prefab, the instance is
 * part of that prefab. Observers are called entity by entity, parents before children, as by `clone`. Inside an iteration the roots
 * are alive at once, and get everything when it ends.
 *
 * @cost for each entity somewhat less than `spawn`, and with a `count` a fraction of that, see docs/decisions/0086; the first
 *   instance after an edit of the prefab lists its parts.
 * @returns the root; a list of roots if there is a `count`.
 * @throws TreelineError `dead-entity` if the prefab or a target is not alive; `bad-term` for an entity that is no prefab, for a
 *   part of one, and for bad terms; `bad-value` for a `count` that is not a whole number of 0 or more, for `with` that is no list
 *   and another `storage`; `cycle` if a prefab would contain itself; `full` if a target already has `maxSubjects` subjects;
 *   `capacity`; `iterating` in a strict world inside an iteration; and what a `check` hook throws, such as `name-taken`. Nothing
 *   has changed then.
 *
 * @example
 * const first = instantiate(world, tank, { parent: army, with: [Name("First")] });
 */
export function instantiate(
  world: World,
  prefab: Entity,
  options?: InstanceOptions & { readonly count?: undefined },
): Entity;
export function instantiate(
  world: World,
  prefab: Entity,
  options: InstanceOptions & { readonly count: number },
): Entity[];
export function instantiate(world: World, prefab: Entity, options: InstanceOptions = {}): Entity | Entity[] {
  requirePrefab(world, prefab);
  const terms = rootTerms(world, options);
  const { count, storage } = options;
  const many = count ?? 1;
  if (!Number.isInteger(many) || many < 0)
    throw new TreelineError("bad-value", `count is a whole number of 0 or more, not ${shown(count)}`);
  const roots = mustDefer(world)
    ? Array.from({ length: many }, () => spawnLater(world, prefab, terms, storage))
    : copyTree(world, indexOf(prefab), many, readSpawnTerms(world, terms), storage);
  return count === undefined ? roots[0]! : roots;
}

/** How instances store the parents of their parts that will be made when an iteration ends, where that was asked for. */
const storagesOf = /* @__PURE__ */ worldState((): Map<Entity, Relation> => new Map());

function spawnLater(
  world: World,
  prefab: Entity,
  terms: readonly SpawnTerm[],
  storage: Relation | undefined,
): Entity {
  const root = spawn(world, ...terms, BareIsA(prefab));
  if (storage !== undefined) storagesOf(world).set(root, storage);
  return root;
}

/** The terms that the options give to the root. @throws TreelineError `bad-value`. */
function rootTerms(world: World, options: InstanceOptions): readonly SpawnTerm[] {
  CHECK: requireOptions("instantiate", options, ["parent", "with", "count", "storage"]);
  const { with: added = [], storage } = options;
  if (!Array.isArray(added))
    throw new TreelineError("bad-value", '`with` of instantiate is a list: [Name("Copy")]');
  if (storage !== undefined && storage.id !== ChildOf.id && storage.id !== Parent.id)
    throw new TreelineError("bad-value", `storage is ChildOf or Parent, not ${shown(storage)}`);
  const hasParent = added.some((term) => {
    const definition = definitionIn(term);
    return definition === ChildOf || definition === Parent;
  });
  const parent = options.parent ?? (hasParent ? undefined : scopeOf(world));
  return parent === undefined ? added : [...added, (storage ?? ChildOf)(parent)];
}

interface Term {
  readonly definition: unknown;
}

export function definitionIn(term: SpawnTerm | undefined | null): unknown {
  return typeof term === "object" && term !== null ? (term as unknown as Term).definition : term;
}

/** Spawns instances by their terms, all of them or none. @param given terms of the root. */
function copyTree(
  world: World,
  root: number,
  count: number,
  given: readonly SpawnTerm[],
  storage: Relation | undefined,
): Entity[] {
  for (const term of given) {
    const definition = definitionIn(term);
    if (definition === ChildOf || definition === Parent)
      requireNoLoop(world, (term as unknown as { readonly target: Entity }).target, handleOf(world, root));
  }
  if (count === 0) return [];
  const made = copyRows(world, root, count, given, storage);
  if (made !== undefined) return made;
  const parts = partsBelow(world, root);
  const { length } = parts;
  const places = placesOf(world, parts);
  const replaced = new Set(given.map(definitionIn));
  const isKept = (term: SpawnTerm): boolean => !replaced.has(definitionIn(term)) || isManyTargets(term);
  const spawned = spawnAll(world, length * count, (at, all) => {
    const place = at % length;
    const inInstance = (target: Entity): Entity | undefined => {
      const other = places.get(target);
      return other === undefined ? undefined : all[at - place + other];
    };
    if (place > 0) return termsBelow(world, parts[place]!, storage, inInstance);
    return [
      ...partTerms(world, root, true, inInstance).filter(isKept),
      BareIsA(handleOf(world, root)),
      ...given,
    ];
  });
  return spawned.filter((_, at) => at % length === 0);
}

function spawnAll(
  world: World,
  count: number,
  termsAt: (at: number, all: readonly Entity[]) => readonly SpawnTerm[],
): Entity[] {
  return spawnTogether(world, count, termsAt as never, undefined, true);
}

/** The terms of a part below the root, with its parent. */
function termsBelow(
  world: World,
  part: number,
  storage: Relation | undefined,
  inInstance: InInstance,
): SpawnTerm[] {
  const parent = inInstance(parentOf(world, handleOf(world, part))!)!;
  return [...partTerms(world, part, false, inInstance), storageOf(world, part, storage)(parent)];
}

function placesOf(world: World, parts: readonly number[]): Map<Entity, number> {
  return new Map(parts.map((part, place) => [handleOf(world, part), place]));
}

/** Another pair of the same relation does not replace it. */
function isManyTargets(term: SpawnTerm): boolean {
  const definition = definitionIn(term) as
    | { readonly kind?: string; readonly exclusive?: boolean }
    | undefined;
  return definition?.kind === "relation" && definition.exclusive !== true;
}

/** Spawns the parts below the root of a prefab below an entity that becomes an instance. @returns them. */
export function copyBelow(world: World, root: number, instance: Entity): Entity[] {
  const parts = partsBelow(world, root).slice(1);
  const storage = storagesOf(world).get(instance);
  storagesOf(world).delete(instance);
  const places = placesOf(world, parts);
  return spawnAll(world, parts.length, (place, all) =>
    termsBelow(world, parts[place]!, storage, (target) =>
      indexOf(target) === root ? instance : all[places.get(target) ?? -1],
    ),
  );
}
