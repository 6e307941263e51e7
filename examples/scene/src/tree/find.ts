// Finds an entity by path, or the longest part that exists (`findPath`), with what is there instead (`notFoundLines`).
import {
  children,
  type Entity,
  escapeName,
  get,
  lookup,
  Name,
  roots,
  TreelineError,
  type World,
} from "treeline";
import { SceneError } from "../text/scene-error.ts";
import { counted, grouped, quoted } from "../text/text.ts";

/** A path of an entity. */
export interface Found {
  readonly path: string;
  readonly entity: Entity;
}

/** A path without an entity. */
export interface Missing {
  readonly path: string;
  readonly entity: undefined;
  /** The longest beginning of the path that exists; `undefined` if its first name does not exist. */
  readonly nearest: string | undefined;
  /** The first of the names that exist below it, in order. */
  readonly nextNames: readonly string[];
  /** The number of names that exist below it. */
  readonly nextCount: number;
}

const NAMES_SHOWN = 5;

/**
 * Looks a path up; if there is no entity, finds the longest part of the path that exists.
 *
 * @throws SceneError if the path is not well formed.
 */
export function findPath(world: World, path: string): Found | Missing {
  const entity = lookupOrRefuse(world, path);
  if (entity !== undefined) return { path, entity };

  const prefixes = stepEnds(path).map((end) => path.slice(0, end));
  const nearest = prefixes.reverse().find((prefix) => lookup(world, prefix) !== undefined);
  const above = nearest === undefined ? undefined : lookup(world, nearest);
  const below = above === undefined ? roots(world) : children(world, above);
  const nextNames = below.slice(0, NAMES_SHOWN).map((child) => get(world, child, Name) ?? "");
  return { path, entity: undefined, nearest, nextNames, nextCount: below.length };
}

/** Reports that nothing was found, and what exists instead, with names escaped as in a path. */
export function notFoundLines({ path, nearest, nextNames, nextCount }: Missing): string[] {
  const lines = [`${quoted(path)} does not exist`];
  if (nextCount === 0) {
    lines.push(nearest === undefined ? "the world is empty" : `${quoted(nearest)} exists; below it: nothing`);
    return lines;
  }
  const places = counted(nextCount, "entity", "entities");
  lines.push(
    nearest === undefined
      ? `at the top level: ${places}`
      : `${quoted(nearest)} exists; directly below it: ${places}`,
  );
  for (const name of nextNames) lines.push(`  ${escapeName(name)}`);
  if (nextCount > nextNames.length) lines.push(`  … ${grouped(nextCount - nextNames.length)} more`);
  return lines;
}

function lookupOrRefuse(world: World, path: string): Entity | undefined {
  try {
    return lookup(world, path);
  } catch (error) {
    if (error instanceof TreelineError) throw new SceneError(`--find ${quoted(path)}: ${error.message}`);
    throw error;
  }
}

/** Positions at which the path can be cut: before each "::" that is not escaped, except a leading one. */
function stepEnds(path: string): number[] {
  const ends: number[] = [];
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "\\") at += 1;
    else if (path.startsWith("::", at)) {
      if (at > 0) ends.push(at);
      at += 1;
    }
  }
  return ends;
}
