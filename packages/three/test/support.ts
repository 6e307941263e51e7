import type { Entity, World } from "@treeline/core";
import { createWorld, spawn, tag } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { Local3D, World3D } from "@treeline/transform/3d";
import { type Object3D, Scene } from "three";
import { expect } from "vitest";
import { attachScene, type ObjectKind, objectOf, updateScene } from "../src/index.ts";

export const Ship = tag("Ship");
export const Lamp = tag("Lamp");

/** A world with a scene, and what was made and disposed. */
export function stage(make: () => Object3D): {
  readonly world: World;
  readonly scene: Scene;
  readonly made: Object3D[];
  readonly disposed: Object3D[];
} {
  const world = createWorld();
  const scene = new Scene();
  const made: Object3D[] = [];
  const disposed: Object3D[] = [];
  const kind: ObjectKind = {
    with: Ship,
    local: true,
    make: () => {
      const object = make();
      made.push(object);
      return object;
    },
    dispose: (object) => disposed.push(object),
  };
  attachScene(world, scene, [kind]);
  return { world, scene, made, disposed };
}

/** A ship at a place along x. */
export function spawnShip(world: World, x: number, ...terms: Parameters<typeof spawn>[1][]): Entity {
  return spawn(world, Local3D({ position: [x, 0, 0] }), World3D, Ship, ...terms);
}

/** Where an object is along x, after an update of the scene. */
export function placeOf(world: World, entity: Entity): number {
  updateScene(world);
  return objectOf(world, entity)!.matrixWorld.elements[12]!;
}

export function expectSound(world: World): void {
  expect(verify(world)).toEqual([]);
}
