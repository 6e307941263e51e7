import { ChildOf, createWorld, type Entity, spawn, type World } from "@treeline/core";
import { Changes, indexOf } from "@treeline/core/internal";
import {
  chunkOf,
  fitEntities,
  positionOf,
  refreshOrder,
  sourceArchetypeOf,
} from "../../../src/query/batches/chunks.ts";
import { endRound, Files, fileEntity } from "../../../src/query/batches/filing.ts";
import { along } from "../../random/path-world.ts";
import { Placed } from "../../random/twin.ts";

/** The set-up of tests of filing; created by `setFilingWorld`. Nothing is filed yet. */
export let world: World;
export let files: Files;
export let ship: Entity;
export let station: Entity;

export function setFilingWorld(): void {
  world = createWorld();
  files = new Files(world, [along(world, ChildOf, Placed)]);
  [ship, station] = [spawn(world, Placed), spawn(world, Placed)];
}

/** Begins a round: depths are right, nothing is known of former rounds, and every entity has notes. */
export function beginRound(world: World, files: Files): void {
  new Changes(world).settleDepths();
  fitEntities(files.rowLists.chunks, world.entities.length);
  endRound(files);
}

/** Files entities in a round of their own. */
export function fileAll(world: World, files: Files, entities: readonly Entity[]): void {
  beginRound(world, files);
  for (const entity of entities) fileEntity(world, files, indexOf(entity));
}

/** The depth and the indexes of the sources of a filed entity, 0 for none; undefined if it is not filed. */
export function filedAt(
  world: World,
  { list, rowLists }: Files,
  entity: Entity,
): [depth: number, ...sources: number[]] | undefined {
  const { chunks, sourceRows } = rowLists;
  const chunk = chunkOf(chunks, indexOf(entity));
  if (chunk === 0) return undefined;
  const position = positionOf(chunks, indexOf(entity));
  const sources = list.map((_, path) => {
    const archetype = sourceArchetypeOf(chunks, chunk, path);
    if (archetype === -1) return 0;
    return world.graph.archetypes[archetype]!.lanes.i32[sourceRows[path]![position]!]!;
  });
  return [chunks.depth[chunk]!, ...sources];
}

/** "index of the entity < index of the source" by position, as rows say, for all chunks in order of depth. */
export function filed(world: World, { rowLists }: Files): string[] {
  const { chunks, rows, sourceRows } = rowLists;
  const { archetypes } = world.graph;
  refreshOrder(chunks);
  return [...chunks.order.subarray(0, chunks.alive)].flatMap((chunk) => {
    const start = chunks.start[chunk]!;
    const own = archetypes[chunks.archetype[chunk]!]!.lanes.i32;
    const above = archetypes[chunks.source[chunk]!]?.lanes.i32;
    return Array.from(
      { length: chunks.rows[chunk]! },
      (_, at) => `${own[rows[start + at]!]} < ${above?.[sourceRows[0]![start + at]!]}`,
    );
  });
}

/** What `filed` has of some entities below a source. */
export function below(entities: readonly Entity[], source: Entity): string[] {
  return entities.map((one) => `${indexOf(one)} < ${indexOf(source)}`);
}
