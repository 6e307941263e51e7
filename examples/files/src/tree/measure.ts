// How long composing all paths and looking them up takes (`measurePaths`).
import { performance } from "node:perf_hooks";
import { lookup, pathOf } from "treeline";
import type { FileTree } from "./grow.ts";

/** Times, in milliseconds, to compose the paths of all entities and to look them up. */
export interface PathTimes {
  readonly composing: number;
  readonly lookingUp: number;
  /** The number of paths that resolve to their entity. */
  readonly resolved: number;
}

/** Composes the path of every entity, and looks every path up. */
export function measurePaths({ world, entities }: FileTree): PathTimes {
  const start = performance.now();
  const paths = entities.map((entity) => pathOf(world, entity));
  const between = performance.now();
  const found = paths.map((path) => lookup(world, path));
  const end = performance.now();
  return {
    composing: between - start,
    lookingUp: end - between,
    resolved: found.filter((entity, at) => entity === entities[at]).length,
  };
}
