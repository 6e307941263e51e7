// Spawns the planned entities, parents first, and packs them (`buildScene`); components of a transform (`transformTerms`).
import { ChildOf, createWorld, type Entity, Name, pack, type SpawnTerm, spawn, type World } from "treeline";
import { Local3D, Matrix3D, World3D } from "treeline/transform/3d";
import type { GltfNode } from "../gltf/gltf-node.ts";
import type { Plan } from "./plan.ts";

/** A world with the nodes of a file. */
export interface Scene {
  readonly world: World;
  /** One per planned entity, in the plan's order. */
  readonly entities: readonly Entity[];
}

/** Spawns the planned entities in a new world, parents first, and packs their rows by depth. */
export function buildScene(plan: Plan): Scene {
  const world = createWorld();
  const entities: Entity[] = [];
  for (const { name, parent, node } of plan.entities) {
    const terms = [Name(name), ...transformTerms(node)];
    if (parent !== -1) terms.push(ChildOf(entities[parent]!));
    entities.push(spawn(world, ...terms));
  }
  pack(world);
  return { world, entities };
}

/**
 * The components for a node's transform. The entity of a scene has none, so nodes directly below it have no world
 * matrix above, like roots.
 */
export function transformTerms(node: GltfNode | undefined): SpawnTerm[] {
  if (node === undefined) return [];
  const { transform } = node;
  if (transform.kind === "matrix") return [Matrix3D({ matrix: transform.matrix }), World3D];
  const { translation, rotation, scale } = transform;
  return [Local3D({ position: translation, rotation, scale }), World3D];
}
