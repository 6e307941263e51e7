import { createWorld, type Entity, type SpawnTerm, spawn, type World } from "@treeline/core";
import { monitor, type QueryTerm, query } from "../../../src/index.ts";

/** What most tests of monitors begin with; set anew by `setStage`. */
export let world: World;
/** "+ship" and "-ship": what `watch` has seen. */
export let told: string[];
/** How tests call entities; those without a name are "new". */
let names: Map<Entity, string>;

export function setStage(): void {
  world = createWorld();
  told = [];
  names = new Map();
}

export function born(name: string, ...terms: SpawnTerm[]): Entity {
  const entity = spawn(world, ...terms);
  names.set(entity, name);
  return entity;
}

export function nameOf(entity: Entity): string {
  return names.get(entity) ?? "new";
}

export function watch(...terms: QueryTerm[]): () => void {
  return monitor(query(world, ...terms), {
    entered: (entity) => told.push(`+${nameOf(entity)}`),
    left: (entity) => told.push(`-${nameOf(entity)}`),
  });
}

/** What was told since the last look. */
export function news(): string[] {
  return told.splice(0);
}
