import { ChildOf, createWorld, type Entity, pack, spawn, type Term, type World } from "@treeline/core";
import { Name } from "@treeline/names";
import type { GltfNode } from "../gltf/gltf-node.ts";
import { Local, LocalMatrix, WorldMatrix } from "./components.ts";
import type { Plan } from "./plan.ts";

/** A world with a file's nodes in it. */
export interface Scene {
  readonly world: World;
  /** One per planned entity, in the plan's order. */
  readonly entities: readonly Entity[];
}

const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Fills a new world with the planned entities, parents first, and lays their rows out by depth. */
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
 * The components a node's place asks for. An entity that stands for a scene has none: what is below it has no
 * world matrix above and counts as a root.
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
