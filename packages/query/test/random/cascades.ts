import { ChildOf, type Entity, has, parentOf, set, spawn, type World } from "@treeline/core";
import { stats } from "@treeline/core/debug";
import { cascade, each, eachBatch, query } from "../../src/index.ts";
import { checkBatches } from "./batch-positions.ts";
import { depthIn, type Local, Mark, Placed, sourceIn, type Twin } from "./twin.ts";

/** Spawns an entity whose values contain its number. */
export function place(
  world: World,
  parent: Entity | undefined,
  ...what: readonly (typeof Local | typeof Placed)[]
): Entity {
  const entity = parent === undefined ? spawn(world, Mark) : spawn(world, Mark, ChildOf(parent));
  set(world, entity, Mark, { of: entity });
  for (const one of what) set(world, entity, one, { of: entity });
  return entity;
}

/** The source of the value that each entity gets from above, in the order of iteration. */
export function sourcesInBatches(
  world: World,
  what: typeof Local | typeof Placed,
): [entity: Entity, source: number | undefined][] {
  const received: [Entity, number | undefined][] = [];
  each(query(world, cascade(what)), (above, entity) => {
    received.push([entity, above?.of]);
  });
  return received;
}

/** The nearest ancestor with the component, by walking up. */
export function sourceAbove(
  world: World,
  entity: Entity,
  what: typeof Local | typeof Placed,
): Entity | undefined {
  let at = parentOf(world, entity);
  while (at !== undefined && !has(world, at, what)) at = parentOf(world, at);
  return at;
}

/** Entities that get another source than a walk up finds, or come before their parent, or twice. */
export function wrongSources(world: World, what: typeof Local | typeof Placed): string[] {
  const wrong: string[] = [];
  const before = new Set<Entity>();
  for (const [entity, source] of sourcesInBatches(world, what)) {
    const parent = parentOf(world, entity);
    if (before.has(entity)) wrong.push(`${entity} comes twice`);
    if (parent !== undefined && !before.has(parent)) wrong.push(`${entity} comes before its parent`);
    if (source !== sourceAbove(world, entity, what)) wrong.push(`${entity} gets the value of ${source}`);
    before.add(entity);
  }
  if (before.size !== stats(world).entities) wrong.push(`${before.size} of ${stats(world).entities} come`);
  return wrong;
}

/** Where `eachBatch` and the twin disagree about the entities with a Mark. */
export function wrongBatches(twin: Twin, what: typeof Local | typeof Placed): string[] {
  const { world, living } = twin;
  const wrong: string[] = [];
  const before = new Set<Entity>();
  checkBatches(query(world, Mark, cascade(what)), wrong, (entity, batch, at) => {
    const { parent } = living.get(entity)!;
    if (before.has(entity)) wrong.push(`${entity} comes twice`);
    if (parent !== undefined && !before.has(parent)) wrong.push(`${entity} comes before its parent`);
    if (batch.depth !== depthIn(twin, entity)) wrong.push(`${entity} comes at depth ${batch.depth}`);
    before.add(entity);
    const source = sourceIn(twin, entity, what);
    if (batch.hasParents !== (source !== undefined)) wrong.push(`hasParents of ${entity}`);
    if (!batch.hasParents) return;
    const above = batch.parentRows[at]!;
    const signs = [batch.parentColumns(Mark).of[above], batch.parentColumns(what).of[above]];
    if (signs[0] !== source || signs[1] !== source) wrong.push(`${entity} gets the value of ${signs}`);
  });
  if (before.size !== living.size) wrong.push(`${before.size} of ${living.size} come`);
  return wrong;
}

/** [depth, rows] of each batch that has parents. */
export function layers(world: World): [depth: number, rows: number][] {
  const found: [number, number][] = [];
  eachBatch(query(world, cascade(Placed)), ({ hasParents, depth, from, to }) => {
    if (hasParents) found.push([depth, to - from]);
  });
  return found;
}
