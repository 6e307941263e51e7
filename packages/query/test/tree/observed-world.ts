import { component, createWorld, type Entity, f32, type SpawnTerm, spawn, type World } from "@treeline/core";
import { type AboveEvent, type ObserveAboveOptions, observeAbove } from "../../src/index.ts";

export const Team = component("Team", { number: f32 });

/** The set-up of tests of these observers; created by `setObservedWorld`. */
export let world: World;
/** What `observe` recorded since the last call of `reported`. */
export let reported: string[];
/** How tests call entities; those without a name are "new". */
export let names: Map<Entity, string>;

export function setObservedWorld(): void {
  world = createWorld();
  names = new Map();
  reported = [];
}

export function spawnNamed(name: string, ...terms: SpawnTerm[]): Entity {
  const entity = spawn(world, ...terms);
  names.set(entity, name);
  return entity;
}

export const SIGNS = { added: "+", removed: "-", set: "=" } as const;

/** "+seat of ship": ship is the source of seat from now on. */
export function textOf({ kind, entity, source }: AboveEvent): string {
  return `${SIGNS[kind]}${names.get(entity) ?? "new"} of ${names.get(source) ?? "new"}`;
}

export function observeTeam(options?: ObserveAboveOptions): () => void {
  return observeAbove(world, Team, (event) => reported.push(textOf(event)), options);
}

/** What was reported since the last call. */
export function takeReports(): string[] {
  return reported.splice(0);
}
