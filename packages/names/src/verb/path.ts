// `pathOf`, with the prefix of paths from the roots; and `path`, which looks up again only after names changed (`CachedPath`).
import { type Entity, get, isAlive, type World } from "@treeline/core";
import {
  type EntityIndex,
  handleOf,
  indexOf,
  requireAlive,
  requireOptions,
  scopeOf,
  tableAt,
} from "@treeline/core/internal";
import {
  fromIn,
  indexFor,
  type Names,
  type PathOptions,
  separatorOf,
  stepAt,
  wayUp,
} from "../state/world-names.ts";
import { escaped, readSteps, type Separator, startOfSteps } from "../text/step.ts";
import { follow, isEmpty, type Path, requirePath } from "./lookup.ts";
import { Name, namesOf } from "./name.ts";

/** A path that can be looked up again and again. */
export interface PathHandle {
  /**
   * The entity at the path now. While no name in the world has changed, a read costs one comparison. With a step `#12`,
   * whose entity may move without a change of names, each read costs a look-up.
   */
  readonly entity: Entity | undefined;
}

/** Its fields are private, so that logging one does not print the world. */
class CachedPath implements PathHandle {
  readonly #world: World;
  readonly #names: Names;
  readonly #path: Path;
  readonly #from: Entity | undefined;
  readonly #separator: Separator;
  /** No step is an index: the entity changes only with names. */
  readonly #isNamed: boolean;
  #version = -1;
  #found: Entity | undefined = undefined;

  constructor(world: World, at: Path, options: PathOptions | undefined) {
    const names = namesOf(world);
    const separator = separatorOf(names, options);
    const given = fromIn(world, options) ?? scopeOf(world);
    if (given !== undefined) requireAlive(world, given);
    const isSelf = isEmpty(at) && options?.from !== undefined;
    if (!isSelf) requirePath(at);
    const isText = typeof at === "string";
    const start = isText ? startOfSteps(at, separator, given === undefined) : 0;
    const steps = isText && !isSelf ? readSteps(at, separator, start) : [];
    this.#world = world;
    this.#names = names;
    this.#path = isText ? at : [...at];
    this.#from = start === 0 ? given : undefined;
    this.#separator = separator;
    this.#isNamed = !isSelf && steps.every((step) => typeof step === "string");
  }

  get entity(): Entity | undefined {
    const { nameIndex, aliases } = this.#names;
    const version = nameIndex.version + (aliases?.version ?? 0);
    if (version !== this.#version || !this.#isNamed) this.#found = this.#find();
    this.#version = version;
    return this.#found;
  }

  #find(): Entity | undefined {
    const from = this.#from;
    if (from !== undefined && !isAlive(this.#world, from)) return undefined;
    if (this.#path.length === 0) return from;
    const index = follow(this.#world, this.#names, this.#path, indexFor(from), this.#separator);
    return index === 0 ? undefined : handleOf(this.#world, index);
  }
}

/**
 * Keeps a path for repeated look-ups: `gun.entity` is what `lookup` would return, also after renames, moves and destroys.
 *
 * @cost reading `entity` costs a comparison as long as no name and no parent of named entities has changed; then as `lookup`.
 * @param options as for `lookup`: `from`, `separator`; later changes of the world's separator do not matter. Once `from` is
 *   destroyed, nothing is found, unless the path has a leading separator.
 * @throws TreelineError `bad-path` and `dead-entity` as `lookup` does.
 *
 * @example
 * const gun = path(world, "Ship::Turret::Gun");
 * if (gun.entity !== undefined) fire(world, gun.entity);
 */
export function path(world: World, at: Path, options?: PathOptions): PathHandle {
  CHECK: requireOptions("path", options, ["from", "separator", "prefix"]);
  return new CachedPath(world, at, options);
}

/**
 * The path of an entity from its root, as `lookup` reads it: escaped names joined by the separator. An entity without a name
 * has the step `#` and its index, which leads back only while that entity is alive: do not store it.
 *
 * The path leads back to the entity, with two exceptions. Where the world allows siblings with one name, a path through a
 * later one leads to the first, and to what is below that. A path through a root that is named like an alias leads to the
 * entity with the alias.
 *
 * @cost one step per ancestor.
 * @param options `from`: the path from that entity, empty for itself; an entity that is not below it gets the path from the
 *   root with a leading separator. Paths inside `withScope` have the leading separator too. `separator`: the world's by
 *   default. `prefix`: each path from the roots begins with it; read the path with the same prefix.
 * @throws TreelineError `dead-entity` if the entity or `from` is not alive; `bad-path` for a separator that is not allowed;
 *   `bad-value` if the options are not an object.
 */
export function pathOf(world: World, entity: Entity, options?: PathOptions): string {
  CHECK: requireOptions("pathOf", options, ["from", "separator", "prefix"]);
  requireAlive(world, entity);
  const names = namesOf(world);
  const separator = separatorOf(names, options);
  const from = fromIn(world, options);
  const end = indexFor(from);
  const { text } = separator;
  const index = indexOf(entity);
  if (index === end) return "";
  const scopeAbove = wayUp(names);
  /** Pending entities are in no index yet. */
  const stepTo = (one: EntityIndex): string => {
    const given = tableAt(world, one) === 0 ? get(world, handleOf(world, one), Name) : undefined;
    return typeof given === "string" ? escaped(given, separator) : stepAt(names, one, separator);
  };
  let path = stepTo(index);
  let at = scopeAbove(world, names, index);
  while (at !== 0 && at !== end) {
    path = stepTo(at) + text + path;
    at = scopeAbove(world, names, at);
  }
  if (at === 0) path = names.along?.cutPath(world, names, index, separator, path) ?? path;
  const { prefix } = separator;
  const isRelative = at === end && (end !== 0 || (prefix === "" && scopeOf(world) === undefined));
  if (!isRelative) return (prefix || text) + path;
  // A name may begin like the prefix.
  return prefix !== "" && path.startsWith(prefix) ? `\\${path}` : path;
}
