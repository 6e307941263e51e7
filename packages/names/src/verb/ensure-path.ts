// `ensurePath`: which steps are missing and are spawned; remembers pending entities (`addPending`); throws `bad-path` for an unknown #index.
import { ChildOf, type Entity, isAlive, type Relation, TreelineError, type World } from "@treeline/core";
import {
  deferLast,
  type EntityIndex,
  handleOf,
  indexOf,
  Parent,
  requireOptions,
  spawnBelow,
  tableAt,
} from "@treeline/core/internal";
import { type Names, type PathOptions, separatorOf } from "../state/world-names.ts";
import { leadOf, readSteps } from "../text/step.ts";
import { ownCopy } from "../text/text.ts";
import { findIndexed, findStep, follow, isEmpty, type Path, requirePath, startScope } from "./lookup.ts";
import { Name, namesOf } from "./name.ts";

export interface EnsureOptions extends PathOptions {
  /**
   * The storage by which created entities have their parents: `ChildOf` (default) or `Parent`; or a relation along which names have
   * scopes (`along` of `configureNames`): then the entity above contains them.
   */
  readonly storage?: Relation | undefined;
}

/**
 * Finds the entity at a path and creates missing entities on the way, with a name and a parent, and nothing else.
 *
 * Everything is checked before the first entity is spawned; if one is refused, those already spawned are destroyed again.
 * Inside an iteration they get their names and parents when it ends, as with `spawn`; until then the same path returns the
 * same entity. Of deferred changes, `ensurePath` finds only its own: not entities that other calls spawn, move or rename.
 *
 * @cost `lookup`, and a `spawn` for each missing step.
 * @param options as for `lookup`: `from`, `separator`; and `storage`.
 * @throws TreelineError as `lookup` does; `bad-path` if no entity is at a step `#12`; `bad-term` for another storage;
 *   `capacity` when the world is full; `iterating` in a strict world inside an iteration, if an entity is missing. Nothing
 *   has changed then.
 *
 * @example
 * const gun = ensurePath(world, "Ship::Turret::Gun");
 */
export function ensurePath(world: World, path: Path, options: EnsureOptions = {}): Entity {
  CHECK: requireOptions("ensurePath", options, ["from", "separator", "prefix", "storage"]);
  const names = namesOf(world);
  const separator = separatorOf(names, options);
  const start = startScope(world, options);
  const { storage = ChildOf, from } = options;
  if (isEmpty(path) && from !== undefined) return from;
  requirePath(path);
  requireStorage(names, storage);
  const isText = typeof path === "string";
  const scope = isText && leadOf(path, separator) > 0 ? 0 : start;
  const known = follow(world, names, path, scope, separator);
  if (known !== 0) return handleOf(world, known);
  const steps = isText ? readSteps(path, separator, names.rest) : path;
  if (steps.length === 0) throw new TreelineError("bad-path", "#0 means the roots, not an entity; name one");
  return create(world, names, steps, isText ? names.reached : scope, storage);
}

/** @throws TreelineError `bad-term`. */
export function requireStorage({ along }: Names, storage: Relation): void {
  if (storage === ChildOf || storage === Parent || along?.relations.includes(storage)) return;
  const others = along?.relations.map(({ name }) => `, ${name}`).join("") ?? "";
  throw new TreelineError(
    "bad-term",
    `parents are stored by ChildOf or by Parent${others}; give one of these`,
  );
}

/**
 * Follows steps as far as entities are found, pending ones included.
 *
 * @returns the last entity found, and the names of the other steps.
 * @throws TreelineError `bad-path` if no entity is at a step `#12`.
 */
export function followFar(
  world: World,
  names: Names,
  steps: readonly (string | number)[],
  scope: EntityIndex,
): { readonly index: EntityIndex; readonly missing: readonly string[] } {
  let index = scope;
  let at = 0;
  for (; at < steps.length; at++) {
    const next = findNext(world, names, index, steps[at]!, at === 0);
    if (next === 0) break;
    index = next;
  }
  return { index, missing: steps.slice(at).map(requireNamed) };
}

/** Finds entities as far as they are there, and creates the rest. */
function create(
  world: World,
  names: Names,
  steps: readonly (string | number)[],
  scope: EntityIndex,
  storage: typeof ChildOf | typeof Parent,
): Entity {
  const { index, missing } = followFar(world, names, steps, scope);
  const above = index === 0 ? undefined : handleOf(world, index);
  const terms = missing.map((name) => Name(ownCopy(name)));
  const spawned = spawnBelow(world, above, storage, terms);
  const last = spawned.at(-1) ?? (above as Entity);
  if (spawned.length > 0 && isPending(world, last)) addPending(world, names, index, missing, spawned);
  return last;
}

/** @throws TreelineError `bad-path`. */
function requireNamed(step: string | number): string {
  if (typeof step === "string") return step;
  throw new TreelineError(
    "bad-path",
    `no entity is at the step #${step}, and one without a name cannot be created; nothing was created`,
  );
}

/** The entity at a step, pending or not; 0 if there is none. */
function findNext(
  world: World,
  names: Names,
  scope: EntityIndex,
  step: string | number,
  isFirst: boolean,
): EntityIndex {
  if (typeof step === "number") return findIndexed(world, names, scope, step, isFirst);
  const index = findStep(names, scope, step, isFirst);
  if (index !== 0) return index;
  const pending = names.pending.get(`${scope} ${step}`);
  return pending !== undefined && isPending(world, pending) ? indexOf(pending) : 0;
}

/** Was it spawned inside an iteration that has not ended? */
function isPending(world: World, entity: Entity): boolean {
  return isAlive(world, entity) && tableAt(world, indexOf(entity)) === 0;
}

/** Until the iteration ends, further calls with these steps return the same entities. */
function addPending(
  world: World,
  { pending }: Names,
  scope: EntityIndex,
  missing: readonly string[],
  spawned: readonly Entity[],
): void {
  if (pending.size === 0) deferLast(world, () => pending.clear());
  let above = scope;
  for (let at = 0; at < spawned.length; at++) {
    pending.set(`${above} ${missing[at]!}`, spawned[at]!);
    above = indexOf(spawned[at]!);
  }
}
