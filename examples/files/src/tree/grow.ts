// Creates the entities with their names (`growListing` by paths, `growNodes` by parents; numbers equal sibling names).
import { performance } from "node:perf_hooks";
import {
  add,
  ChildOf,
  configureNames,
  createWorld,
  type Entity,
  ensurePath,
  get,
  Name,
  spawn,
  type World,
} from "treeline";
import type { Listing } from "../formats/listing.ts";
import type { NodePlan } from "../formats/node-plan.ts";
import { counted, quoted } from "../text/text.ts";
import { File, Kind, Size } from "./components.ts";

/** A world with a tree; its paths use the separator "/". */
export interface FileTree {
  readonly world: World;
  /** One per path of a list or folder, one per node of a scene or robot, in that order. */
  readonly entities: readonly Entity[];
  readonly notes: readonly string[];
  /** The time to create the entities with their names, in milliseconds. */
  readonly growing: number;
}

/** Creates a file tree: each step becomes one entity, even if several paths contain it. */
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
 * Creates the nodes of a scene or robot. If siblings have the same name, the first keeps it and the next get a number, as in
 * Godot.
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
  return { world, entities, notes: [...notes, `${names}, numbered as in ${quoted(renamed[0]!)}`], growing };
}

/** A path in which all names are literal; a list if a name contains a character with a special meaning, which is rare. */
export function literalPath(path: string): string | readonly string[] {
  return /[\\#]/.test(path) ? path.split("/") : path;
}
