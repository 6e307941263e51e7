import { ChildOf, type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import {
  deferLast,
  type EntityIndex,
  handleOf,
  indexOf,
  Parent,
  spawnBelow,
  tableAt,
} from "@treeline/core/internal";
import { type Names, type PathOptions, separatorOf } from "../state/world-names.ts";
import { isAbsolute, readSteps } from "../text/step.ts";
import { ownCopy } from "../text/text.ts";
import { findIndexed, findStep, follow, isEmpty, type Path, requirePath, startScope } from "./lookup.ts";
import { Name, namesOf } from "./name.ts";

export interface EnsureOptions extends PathOptions {
  /** Which storage those that are created get for their parents: `ChildOf` (default) or `Parent`. */
  readonly storage?: typeof ChildOf | typeof Parent | undefined;
}

/**
 * Finds the entity at a path and creates what is missing on the way: entities with a name and a parent, and nothing
 * else.
 *
 * Everything is checked before the first of them is born; if one is refused, those that were born are destroyed again.
 * Inside a visit they get their names and places when it ends, as with `spawn`; asked for the same path again, it gives
 * the same entity. It knows of what waits only what it has promised itself: not of others that are spawned, moved or
 * renamed there.
 *
 * Cost: `lookup`, and a `spawn` for each missing step.
 *
 * @param options as for `lookup`: `from`, `separator`; and `storage`.
 * @throws TreelineError as `lookup` does; `bad-path` if a step `#12` is nobody's; `bad-term` for a storage that is neither;
 *   `capacity` when the world is full; `iterating` in a strict world inside a visit, if something is missing. Nothing has
 *   changed then.
 *
 * @example
 * const gun = ensurePath(world, "Ship::Turret::Gun");
 */
export function ensurePath(world: World, path: Path, options: EnsureOptions = {}): Entity {
  const names = namesOf(world);
  const separator = separatorOf(names, options.separator);
  const { storage = ChildOf, from } = options;
  const start = startScope(world, from);
  if (isEmpty(path) && from !== undefined) return from;
  requirePath(path);
  if (storage !== ChildOf && storage !== Parent) {
    throw new TreelineError("bad-term", "parents are stored by ChildOf or by Parent; give one of these");
  }
  const isText = typeof path === "string";
  const scope = isText && isAbsolute(path, separator) ? 0 : start;
  const known = follow(world, names, path, scope, separator);
  if (known !== 0) return handleOf(world, known);
  const steps = isText ? readSteps(path, separator, names.rest) : path;
  if (steps.length === 0) throw new TreelineError("bad-path", "#0 are the roots, and no entity; name one");
  return create(world, names, steps, isText ? names.reached : scope, storage);
}

/** Goes as far as somebody is found, along what is promised too, and creates the rest. */
function create(
  world: World,
  names: Names,
  steps: readonly (string | number)[],
  scope: EntityIndex,
  storage: typeof ChildOf | typeof Parent,
): Entity {
  let index = scope;
  let at = 0;
  for (; at < steps.length; at++) {
    const next = findNext(world, names, index, steps[at]!, at === 0);
    if (next === 0) break;
    index = next;
  }
  const missing = steps.slice(at).map(requireNamed);
  const above = index === 0 ? undefined : handleOf(world, index);
  const terms = missing.map((name) => Name(ownCopy(name)));
  const spawned = spawnBelow(world, above, storage, terms);
  const last = spawned.at(-1) ?? (above as Entity);
  if (spawned.length > 0 && isPending(world, last)) promise(world, names, index, missing, spawned);
  return last;
}

/** @throws TreelineError `bad-path`. */
function requireNamed(step: string | number): string {
  if (typeof step === "string") return step;
  throw new TreelineError(
    "bad-path",
    `the step #${step} is nobody's there, and who is created needs a name; nothing was created`,
  );
}

/** Who is at a step, born or promised. */
function findNext(
  world: World,
  names: Names,
  scope: EntityIndex,
  step: string | number,
  isFirst: boolean,
): EntityIndex {
  if (typeof step === "number") return findIndexed(world, scope, step, isFirst);
  const index = findStep(names, scope, step, isFirst);
  if (index !== 0) return index;
  const promised = names.promised.get(`${scope} ${step}`);
  return promised !== undefined && isPending(world, promised) ? indexOf(promised) : 0;
}

/** Was it spawned inside a visit that has not ended? */
function isPending(world: World, entity: Entity): boolean {
  return isAlive(world, entity) && tableAt(world, indexOf(entity)) === 0;
}

/** Until the visit ends, the next one who asks for these steps gets the same entities. */
function promise(
  world: World,
  { promised }: Names,
  scope: EntityIndex,
  missing: readonly string[],
  spawned: readonly Entity[],
): void {
  if (promised.size === 0) deferLast(world, () => promised.clear());
  let above = scope;
  for (let at = 0; at < spawned.length; at++) {
    promised.set(`${above} ${missing[at]!}`, spawned[at]!);
    above = indexOf(spawned[at]!);
  }
}
