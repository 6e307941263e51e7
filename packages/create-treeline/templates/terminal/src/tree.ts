import { children, component, createWorld, type Entity, get, Name, type SpawnTerm, spawn } from "treeline";

export const Mass = component("Mass", { kg: 0 });
export const world = createWorld();

export const add = (name: string, kg: number, ...more: SpawnTerm[]) =>
  spawn(world, Name(name), Mass({ kg }), ...more);

/** The mass of an entity with all below it. */
export function massOf(entity: Entity): number {
  const own = get(world, entity, Mass)?.kg ?? 0;
  return children(world, entity).reduce((sum, child) => sum + massOf(child), own);
}

export function draw(entity: Entity, indent = ""): void {
  console.log(`${indent}${get(world, entity, Name)}, ${massOf(entity)} kg`);
  for (const child of children(world, entity)) draw(child, `${indent}  `);
}
