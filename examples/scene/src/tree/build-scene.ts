import { ChildOf, createWorld, type Entity, pack, spawn, type Term, type World } from "@treeline/core";
import { Name } from "@treeline/names";
import type { GltfNode } from "../gltf/gltf-node.ts";
import { Local, LocalMatrix, WorldMatrix } from "./components.ts";
import type { Plan } from "./plan.ts";

/** A world with the nodes of a file. */
export interface Scene {
  readonly world: World;
  /** One per planned entity, in the plan's order. */
  readonly entities: readonly Entity[];
}

const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

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
export function transformTerms(node: GltfNode | undefined): Term[] {
  if (node === undefined) return [];
  const { transform } = node;
  if (transform.kind === "matrix")
    return [LocalMatrix({ m: transform.matrix }), WorldMatrix({ m: IDENTITY })];
  const { translation, rotation, scale } = transform;
  return [
    Local({ translation, rotation, scale }),
    LocalMatrix({ m: IDENTITY }),
    WorldMatrix({ m: IDENTITY }),
  ];
}
