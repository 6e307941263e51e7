import { performance } from "node:perf_hooks";
import { lookup, pathOf } from "@treeline/names";
import type { FileTree } from "./grow.ts";

/** How long it took, in milliseconds, to go from entities to paths and back. */
export interface PathTimes {
  readonly asking: number;
  readonly lookingUp: number;
  /** How many paths led to the entity they were asked of. */
  readonly resolved: number;
}

/** Asks every entity for its path, and looks every path up. */
export function measurePaths({ world, entities }: FileTree): PathTimes {
  const start = performance.now();
  const paths = entities.map((entity) => pathOf(world, entity));
  const between = performance.now();
  const found = paths.map((path) => lookup(world, path));
  const end = performance.now();
  return {
    asking: between - start,
    lookingUp: end - between,
    resolved: found.filter((entity, at) => entity === entities[at]).length,
  };
}
