import { type Entity, get, TreelineError, type World } from "@treeline/core";
import { escapeName, lookup, Name } from "@treeline/names";
import { children } from "@treeline/query";
import { SceneError } from "../text/scene-error.ts";
import { counted, grouped, quoted } from "../text/text.ts";

/** A path that leads to an entity. */
export interface Found {
  readonly path: string;
  readonly entity: Entity;
}

/** A path that leads nowhere. */
export interface Missing {
  readonly path: string;
  readonly entity: undefined;
  /** The longest part of the path that leads somewhere; `undefined` if not even its first name does. */
  readonly nearest: string | undefined;
  /** The first names that could stand next, in order. */
  readonly nextNames: readonly string[];
  /** How many names could stand next. */
  readonly nextCount: number;
}

const NAMES_SHOWN = 5;

/**
 * Looks the path up; if it leads nowhere, finds out how far it goes.
 *
 * @throws SceneError if the path is not well formed.
 */
export function findPath(world: World, path: string): Found | Missing {
  const entity = lookupOrRefuse(world, path);
  if (entity !== undefined) return { path, entity };

  const prefixes = stepEnds(path).map((end) => path.slice(0, end));
  const nearest = prefixes.reverse().find((prefix) => lookup(world, prefix) !== undefined);
  const below = children(world, nearest === undefined ? undefined : lookup(world, nearest));
  const nextNames = below.slice(0, NAMES_SHOWN).map((child) => get(world, child, Name) ?? "");
  return { path, entity: undefined, nearest, nextNames, nextCount: below.length };
}

/** Says in plain words that nothing was found, and what there is instead; the names as a path would hold them. */
export function notFoundLines({ path, nearest, nextNames, nextCount }: Missing): string[] {
  const lines = [`${quoted(path)} leads nowhere`];
  if (nextCount === 0) {
    lines.push(
      nearest === undefined ? "the world is empty" : `${quoted(nearest)} is there; below it: nothing`,
    );
    return lines;
  }
  const places = counted(nextCount, "entity", "entities");
  lines.push(
    nearest === undefined
      ? `at the top: ${places}`
      : `${quoted(nearest)} is there; right below it: ${places}`,
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

/** Where the path could be cut: before every "::" whose colons are not escaped, but not before a leading one. */
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
