// `lookup`, `childNamed`: one probe per step (`followText`), upwards and search scopes; throws `bad-path` for empty paths.
import { type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import {
  type EntityIndex,
  handleOf,
  indexOf,
  requireAlive,
  requireOptions,
  scopeOf,
  shown,
} from "@treeline/core/internal";
import { findName, findPart } from "../state/name-index.ts";
import {
  fromIn,
  indexFor,
  type Names,
  type PathOptions,
  scopeInWorld,
  separatorOf,
  wayUp,
} from "../state/world-names.ts";
import {
  indexInStep,
  leadOf,
  readStep,
  requireText,
  type Separator,
  startOfSteps,
  unescapedStep,
} from "../text/step.ts";
import { namesOf } from "./name.ts";

/** Names joined by a separator, or a list of names, in which no character has a special meaning. */
export type Path = string | readonly string[];

export interface LookupOptions extends PathOptions {
  /** If nothing is found, begin the path one level higher, up to the roots, and then in the world's search scopes. */
  readonly upwards?: boolean | undefined;
  /**
   * Search scopes instead of the world's, the last one first; entities that are not alive are skipped. Without `upwards`
   * they are searched right after `from`.
   */
  readonly search?: readonly Entity[] | undefined;
}

/**
 * Finds the entity at `path`, without creating anything.
 *
 * A path is names joined by `::`, or by another separator, read from the roots or from the children of `from`; a leading
 * separator always means the roots. Within a step a backslash makes the next character literal; `escapeName` adds the
 * backslashes. A step `#12` is the entity with that index, as `pathOf` writes an entity without a name: the first step from
 * the roots means any such entity, a later step only a child of the entity at the step before. A list contains names
 * unescaped.
 *
 * A path from the roots may begin with an alias. The empty path is `from` itself.
 *
 * @cost one probe per step; children are never scanned.
 * @returns the entity, or `undefined` if any step is missing.
 * @throws TreelineError `bad-path` if a step is empty or not a string, for a lone backslash at the end, and for a separator
 *   that is not allowed; `dead-entity` if `from` is not alive; `bad-value` if `search` is not a list, or the
 *   options are not an object.
 *
 * @example
 * const seat = lookup(world, "Ship::Cockpit::Seat");
 * const same = lookup(world, "Seat", { from: cockpit });
 * const near = lookup(world, "Settings::Volume", { from: cockpit, upwards: true });
 */
export function lookup(world: World, path: Path, options?: LookupOptions): Entity | undefined {
  CHECK: requireOptions("lookup", options, ["from", "separator", "prefix", "upwards", "search"]);
  const names = namesOf(world);
  const isPlain = options === undefined && typeof path === "string" && scopeOf(world) === undefined;
  const index = isPlain
    ? followText(world, names, path, 0, names.separator)
    : find(world, names, path, options ?? {});
  return index === 0 ? undefined : handleOf(world, index);
}

function find(world: World, names: Names, path: Path, options: LookupOptions): EntityIndex {
  const separator = separatorOf(names, options);
  const top = startScope(world, options);
  if (options.search !== undefined) requireSearch(world, options.search);
  if (isEmpty(path) && options.from !== undefined) return top;
  requirePath(path);
  if (typeof path === "string" && leadOf(path, separator) > 0) {
    return followText(world, names, path, 0, separator);
  }
  let scope = top;
  const scopeAbove = wayUp(names);
  let found = follow(world, names, path, scope, separator);
  while (options.upwards === true && found === 0 && scope !== 0) {
    scope = scopeAbove(world, names, scope);
    found = follow(world, names, path, scope, separator);
  }
  if (found !== 0 || (options.upwards !== true && options.search === undefined)) return found;
  const search = options.search ?? names.search;
  for (let at = search.length - 1; at >= 0 && found === 0; at--) {
    const other = search[at]!;
    if (isAlive(world, other)) found = follow(world, names, path, indexOf(other), separator);
  }
  return found;
}

/** @throws TreelineError `bad-value` unless it is a list; `dead-entity` if it contains `undefined`. */
export function requireSearch(world: World, search: readonly Entity[]): void {
  if (!Array.isArray(search)) {
    throw new TreelineError("bad-value", `search is a list of entities, not ${shown(search)}`);
  }
  if (search.includes(undefined)) requireAlive(world, undefined as never, "leave it out of search");
}

/**
 * The scope in which a path begins: 0 for the roots.
 *
 * @throws TreelineError `dead-entity`; `bad-value` as `fromIn`.
 */
export function startScope(world: World, options: PathOptions | undefined): EntityIndex {
  const start = fromIn(world, options) ?? scopeOf(world);
  if (start !== undefined) requireAlive(world, start);
  return indexFor(start);
}

/** Is it a path without steps? Accepts any value. */
export function isEmpty(path: unknown): boolean {
  return path === "" || (Array.isArray(path) && path.length === 0);
}

/** @throws TreelineError `bad-path` unless it is a string, or a list of names that is not empty. */
export function requirePath(path: unknown): asserts path is Path {
  if (!Array.isArray(path)) {
    requireText(path);
    return;
  }
  if (path.length === 0) throw new TreelineError("bad-path", "the path is empty; name at least one step");
  const at = path.findIndex((name) => typeof name !== "string" || name === "");
  if (at < 0) return;
  const what = path[at] === "" ? "empty" : shown(path[at]);
  throw new TreelineError("bad-path", `step ${at} (from 0) of the path is ${what}; a step is a name`);
}

/** @returns the entity at a path that has been checked, or 0. */
export function follow(
  world: World,
  names: Names,
  path: Path,
  scope: EntityIndex,
  separator: Separator,
): EntityIndex {
  if (typeof path === "string") return followText(world, names, path, scope, separator);
  let index = scope;
  for (let at = 0; at < path.length; at++) {
    index = findStep(names, index, path[at]!, at === 0);
    if (index === 0) return 0;
  }
  return index;
}

/** @returns the entity with the name in the scope, or 0; among the roots the first step may be an alias. */
export function findStep(
  { nameIndex, aliases }: Names,
  scope: EntityIndex,
  name: string,
  isFirst: boolean,
): EntityIndex {
  const known = isFirst && scope === 0 && aliases !== undefined ? findName(aliases, 0, name) : 0;
  return known === 0 ? findName(nameIndex, scope, name) : known;
}

/** @throws TreelineError `bad-path`. */
function followText(
  world: World,
  names: Names,
  path: string,
  scope: EntityIndex,
  separator: Separator,
): EntityIndex {
  requireText(path);
  const { nameIndex, step, aliases } = names;
  const first = startOfSteps(path, separator, scope === 0);
  let index = first === 0 ? scope : 0;
  names.reached = index;
  names.rest = first;
  if (first > path.length) return 0; // the roots themselves
  for (let start = first; ; start = step.end + separator.length) {
    readStep(path, start, separator, step);
    const { end, hash } = step;
    const above = index;
    const isFirst = start === first;
    index = 0;
    if (step.isSpecial) index = findSpecial(world, names, above, path.slice(start, end), isFirst);
    else {
      const isAliased = aliases !== undefined && above === 0 && isFirst;
      if (isAliased) index = findPart(aliases, 0, path, start, end, hash);
      if (index === 0) index = findPart(nameIndex, above, path, start, end, hash);
    }
    if (index === 0) {
      names.reached = above;
      names.rest = start;
    }
    if (end === path.length) return index;
    if (index === 0) break;
  }
  // A bad path is refused whatever the world contains: the steps after a missing one are read as well.
  while (step.end !== path.length) readStep(path, step.end + separator.length, separator, step);
  return 0;
}

function findSpecial(
  world: World,
  names: Names,
  scope: EntityIndex,
  step: string,
  isFirst: boolean,
): EntityIndex {
  const index = indexInStep(step, 0, step.length);
  if (index >= 0) return findIndexed(world, names, scope, index, isFirst);
  return findStep(names, scope, unescapedStep(step, 0, step.length), isFirst);
}

/** @returns the index itself if a living entity has it that `#index` means in a scope, else 0. */
export function findIndexed(
  world: World,
  names: Names,
  scope: EntityIndex,
  index: EntityIndex,
  isFirst: boolean,
): EntityIndex {
  if (!isAlive(world, handleOf(world, index))) return 0;
  return (isFirst && scope === 0) || scopeInWorld(world, names, index) === scope ? index : 0;
}

/**
 * The child with a name. The name is used as it is: no character separates or escapes, and aliases are not read. Of several
 * children with the name, the first to get it. For a root call `lookup(world, [name])`.
 *
 * @cost one probe.
 * @returns the child, or `undefined` if there is none.
 * @throws TreelineError `dead-entity` if the parent is not alive or is `undefined`; `bad-name` unless the name is a string.
 *
 * @example
 * const gun = childNamed(world, turret, "Gun::left");
 */
export function childNamed(world: World, parent: Entity, name: string): Entity | undefined {
  if (typeof name !== "string") {
    throw new TreelineError("bad-name", `a name is a string, not ${shown(name)}; give the name of a child`);
  }
  requireAlive(world, parent, "pass a parent, or call lookup(world, [name]) for a root");
  const index = findName(namesOf(world).nameIndex, indexOf(parent), name);
  return index === 0 ? undefined : handleOf(world, index);
}
