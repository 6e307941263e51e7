import { createWorld, type Entity, type SpawnTerm, spawn, type World } from "@treeline/core";
import { monitor, type QueryTerm, query } from "../../../src/index.ts";

/** The set-up of most tests of monitors; created by `setWatchedWorld`. */
export let world: World;
/** "+ship" and "-ship": what `watch` has recorded. */
export let reported: string[];
/** How tests call entities; those without a name are "new". */
let names: Map<Entity, string>;

export function setWatchedWorld(): void {
  world = createWorld();
  reported = [];
  names = new Map();
}

export function spawnNamed(name: string, ...terms: SpawnTerm[]): Entity {
  const entity = spawn(world, ...terms);
  names.set(entity, name);
  return entity;
}

export function nameOf(entity: Entity): string {
  return names.get(entity) ?? "new";
}

export function watch(...terms: QueryTerm[]): () => void {
  return monitor(query(world, ...terms), {
    entered: (entity) => reported.push(`+${nameOf(entity)}`),
    left: (entity) => reported.push(`-${nameOf(entity)}`),
  });
}

/** What was reported since the last call. */
export function takeReports(): string[] {
  return reported.splice(0);
}
