import { createWorld, type Entity, type SpawnTerm, spawn, type World } from "@treeline/core";
import { monitor } from "../../../src/query/ask/monitor.ts";
import { query } from "../../../src/query/ask/query.ts";
import type { QueryTerm } from "../../../src/term/operators.ts";

/** A world whose monitors write down "+ship" and "-ship". */
export interface Watching {
  readonly world: World;
  readonly told: string[];
  readonly names: Map<Entity, string>;
}

export function startWatching(): Watching {
  return { world: createWorld(), told: [], names: new Map() };
}

export function bornIn({ world, names }: Watching, name: string, ...terms: SpawnTerm[]): Entity {
  const entity = spawn(world, ...terms);
  names.set(entity, name);
  return entity;
}

export function nameIn({ names }: Watching, entity: Entity): string {
  return names.get(entity) ?? "new";
}

export function watchIn(watching: Watching, ...terms: QueryTerm[]): () => void {
  return monitor(query(watching.world, ...terms), {
    entered: (entity) => watching.told.push(`+${nameIn(watching, entity)}`),
    left: (entity) => watching.told.push(`-${nameIn(watching, entity)}`),
  });
}
