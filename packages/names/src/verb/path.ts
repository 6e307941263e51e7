import { type Entity, isAlive, type World } from "@treeline/core";
import { handleOf, indexOf, requireAlive, scopeOf } from "@treeline/core/internal";
import {
  indexFor,
  type Names,
  type PathOptions,
  scopeAt,
  separatorOf,
  stepAt,
} from "../state/world-names.ts";
import { readSteps, type Separator, startOfSteps } from "../text/step.ts";
import { follow, isEmpty, type Path, requirePath } from "./lookup.ts";
import { namesOf } from "./name.ts";

/** A path that keeps leading to whoever is there. */
export interface PathHandle {
  /**
   * Who is found at the path now. While no name in the world has changed, a read costs one comparison; of a path with a
   * step `#12`, whose place may change without one, it costs a look-up.
   */
  readonly entity: Entity | undefined;
}

/** What it knows is private, so that printing one does not print the world. */
class KeptPath implements PathHandle {
  readonly #world: World;
  readonly #names: Names;
  readonly #path: Path;
  readonly #from: Entity | undefined;
  readonly #separator: Separator;
  /** No step is an index: who is found changes with names alone. */
  readonly #isNamed: boolean;
  #version = -1;
  #found: Entity | undefined = undefined;

  constructor(world: World, at: Path, options: PathOptions | undefined) {
    const names = namesOf(world);
    const separator = separatorOf(names, options?.separator);
    const given = options?.from ?? scopeOf(world);
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
 * Keeps a path, to be looked up again and again: `gun.entity` is what `lookup` would answer, after renames, moves and
 * deaths too.
 *
 * @param options as for `lookup`: `from`, `separator`; what the world's separator is later does not matter. Once `from`
 *   is dead, nobody is found, unless the path has a leading separator.
 * @throws TreelineError `bad-path` and `dead-entity` as `lookup` does.
 *
 * @example
 * const gun = path(world, "Ship::Turret::Gun");
 * if (gun.entity !== undefined) fire(world, gun.entity);
 */
export function path(world: World, at: Path, options?: PathOptions): PathHandle {
  return new KeptPath(world, at, options);
}

/**
 * The path of an entity from its root, as `lookup` reads it: names, escaped, joined by the separator. A step without a
 * name is `#` and the entity's index, which leads back only while that entity lives: do not store it.
 *
 * The path leads back, but where the world allows several siblings of one name: through a later one it leads to the
 * first, and what is there below. So does the path through a root that is called like somebody's alias.
 *
 * Cost: one step per ancestor.
 *
 * @param options `from`: the path from that entity, empty for itself; for who does not live below it, the path from the
 *   root with a leading separator. So it does inside `withScope`. `separator`: the world's by default.
 * @throws TreelineError `dead-entity` if the entity or `from` is not alive; `bad-path` for what cannot separate.
 */
export function pathOf(world: World, entity: Entity, options?: PathOptions): string {
  requireAlive(world, entity);
  const names = namesOf(world);
  const separator = separatorOf(names, options?.separator);
  const from = options?.from;
  if (from !== undefined) requireAlive(world, from);
  const end = indexFor(from);
  const { text } = separator;
  const index = indexOf(entity);
  if (index === end) return "";
  let path = stepAt(names, index, separator);
  let at = scopeAt(world, names, index);
  while (at !== end && at !== 0) {
    path = stepAt(names, at, separator) + text + path;
    at = scopeAt(world, names, at);
  }
  const isRelative = at === end && (end !== 0 || scopeOf(world) === undefined);
  return isRelative ? path : text + path;
}
