import { performance } from "node:perf_hooks";
import { add, ChildOf, createWorld, type Entity, get, spawn, type World } from "@treeline/core";
import { configureNames, ensurePath, Name } from "@treeline/names";
import type { Listing } from "../formats/listing.ts";
import type { NodePlan } from "../formats/node-plan.ts";
import { counted, quoted } from "../text/text.ts";
import { File, Kind, Size } from "./components.ts";

/** A world with a tree in it, whose paths are written with "/". */
export interface FileTree {
  readonly world: World;
  /** One per path of a list or folder, one per node of a scene or robot, in that order. */
  readonly entities: readonly Entity[];
  readonly notes: readonly string[];
  /** How long the entities and their names took, in milliseconds. */
  readonly growing: number;
}

/** Grows a file tree: every step of every path becomes one entity, however many paths lead through it. */
export function growListing({ entries, notes }: Listing): FileTree {
  const world = createWorld();
  configureNames(world, { separator: "/" });
  const before = performance.now();
  const entities = entries.map(({ path }) => ensurePath(world, literalPath(path)));
  const growing = performance.now() - before;

  for (const [at, { kind, bytes }] of entries.entries()) {
    const entity = entities[at]!;
    if (kind === "directory") continue;
    if (kind !== "file") add(world, entity, Kind(kind));
    else if (bytes === undefined) add(world, entity, File);
    else add(world, entity, File, Size({ bytes }));
  }
  return { world, entities, notes, growing };
}

/**
 * Grows the nodes of a scene or robot. Where siblings share a name, the first keeps it and the next get a number, as
 * Godot itself would do it.
 */
export function growNodes({ nodes, notes }: NodePlan): FileTree {
  const world = createWorld();
  configureNames(world, { separator: "/", collisions: "suffix" });
  const before = performance.now();
  const entities: Entity[] = [];
  for (const { name, parent, kind } of nodes) {
    const terms = [Name(name), Kind(kind)];
    if (parent !== -1) terms.push(ChildOf(entities[parent]!));
    entities.push(spawn(world, ...terms));
  }
  const growing = performance.now() - before;

  const renamed = entities
    .map((entity) => get(world, entity, Name)!)
    .filter((name, at) => name !== nodes[at]!.name);
  if (renamed.length === 0) return { world, entities, notes, growing };
  const names = counted(renamed.length, "name repeats that of a sibling", "names repeat that of a sibling");
  return { world, entities, notes: [...notes, `${names}, told apart as in ${quoted(renamed[0]!)}`], growing };
}

/** A path whose names mean just what they say. Nearly none holds what a path reads in another way. */
export function literalPath(path: string): string | readonly string[] {
  return /[\\#]/.test(path) ? path.split("/") : path;
}
