import { type Entity, isAlive, type World } from "@treeline/core";
import { handleOf, indexOf, requireAlive, scopeOf } from "@treeline/core/internal";
import { type Names, type PathOptions, separatorOf } from "../book/names.ts";
import type { Separator } from "../text/separator.ts";
import { readSteps, startOfSteps } from "../text/step.ts";
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

/** What a handle knows. */
interface KeptPath {
  readonly world: World;
  readonly names: Names;
  readonly path: Path;
  readonly from: Entity | undefined;
  readonly separator: Separator;
  /** No step is an index: who is found changes with names alone. */
  readonly isNamed: boolean;
  version: number;
  found: Entity | undefined;
}

interface Handle extends PathHandle {
  readonly kept: KeptPath;
}

/** What handles inherit: so that reads meet one kind of object, and printing one does not print the world. */
const HANDLE = {
  get entity(): Entity | undefined {
    return current((this as unknown as Handle).kept);
  },
};

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
  const names = namesOf(world);
  const separator = separatorOf(names, options?.separator);
  const given = options?.from ?? scopeOf(world);
  if (given !== undefined) requireAlive(world, given);
  const isSelf = isEmpty(at) && options?.from !== undefined;
  if (!isSelf) requirePath(at);
  const start = typeof at === "string" ? startOfSteps(at, separator, given === undefined) : 0;
  const steps = isSelf ? [] : typeof at === "string" ? readSteps(at, separator, start) : at;
  const kept: KeptPath = {
    world,
    names,
    path: typeof at === "string" ? at : [...at],
    from: start === 0 ? given : undefined,
    separator,
    isNamed: !isSelf && steps.every((step) => typeof step === "string"),
    version: -1,
    found: undefined,
  };
  return Object.defineProperty(Object.create(HANDLE), "kept", { value: kept });
}

function current(kept: KeptPath): Entity | undefined {
  const { book, aliases } = kept.names;
  const version = aliases === undefined ? book.version : book.version + aliases.version;
  if (version === kept.version && kept.isNamed) return kept.found;
  kept.found = find(kept);
  kept.version = version;
  return kept.found;
}

function find({ world, names, path: at, from, separator }: KeptPath): Entity | undefined {
  if (from !== undefined && !isAlive(world, from)) return undefined;
  if (at.length === 0) return from;
  const index = follow(world, names, at, from === undefined ? 0 : indexOf(from), separator);
  return index === 0 ? undefined : handleOf(world, index);
}
