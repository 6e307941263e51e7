import { component, createWorld, type Entity, f32, type SpawnTerm, spawn, type World } from "@treeline/core";
import { type AboveEvent, type ObserveAboveOptions, observeAbove } from "../../src/index.ts";

export const Team = component("Team", { number: f32 });

/** What tests of these listeners begin with; set anew by `setStage`. */
export let world: World;
/** What `hear` was told since the last look. */
export let told: string[];
/** How tests call entities; those without a name are "new". */
export let names: Map<Entity, string>;

export function setStage(): void {
  world = createWorld();
  names = new Map();
  told = [];
}

export function born(name: string, ...terms: SpawnTerm[]): Entity {
  const entity = spawn(world, ...terms);
  names.set(entity, name);
  return entity;
}

export const SIGNS = { added: "+", removed: "-", set: "=" } as const;

/** "+seat of ship": ship is the holder of seat from now on. */
export function textOf({ kind, entity, source }: AboveEvent): string {
  return `${SIGNS[kind]}${names.get(entity) ?? "new"} of ${names.get(source) ?? "new"}`;
}

export function hear(options?: ObserveAboveOptions): () => void {
  return observeAbove(world, Team, (event) => told.push(textOf(event)), options);
}

/** What was told since the last look. */
export function news(): string[] {
  return told.splice(0);
}
