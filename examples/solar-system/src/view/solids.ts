// What is seen from nearby: globes, rings, boxes (`solids`).
import {
  BoxGeometry,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  RingGeometry,
  SphereGeometry,
} from "three";
import { type Entity, get, type World } from "treeline";
import type { ObjectKind } from "treeline/three";
import { Body, Hull, Landmark, Look, Rings } from "../model/bodies.ts";

/** Kinds for `attachScene`: what is seen from nearby. Their sizes are true, so most are less than a pixel from elsewhere. */
export function solids(world: World, sun: Entity): ObjectKind[] {
  return [
    { with: Hull, make: (craft) => craftOf(world, craft), dispose },
    { with: Landmark, make: (body) => globeOf(world, body, body === sun), dispose },
  ];
}

function dispose(object: Object3D): void {
  (object as Mesh).geometry.dispose();
}

function globeOf(world: World, body: Entity, shines: boolean): Mesh {
  const { color } = get(world, body, Look)!;
  const globe = new SphereGeometry(get(world, body, Body)!.radius, 64, 32).rotateX(Math.PI / 2); // poles at z
  const mesh = new Mesh(
    globe,
    shines ? new MeshBasicMaterial({ color }) : new MeshLambertMaterial({ color }),
  );
  const rings = get(world, body, Rings);
  if (rings !== undefined) {
    const material = new MeshBasicMaterial({ color, side: DoubleSide, transparent: true, opacity: 0.5 });
    mesh.add(new Mesh(new RingGeometry(rings.inner, rings.outer, 96), material));
  }
  return mesh;
}

function craftOf(world: World, craft: Entity): Mesh {
  const { x, y, z } = get(world, craft, Hull)!;
  const { color } = get(world, craft, Look)!;
  const material = new MeshLambertMaterial({ color, emissive: color, emissiveIntensity: 0.4 });
  return new Mesh(new BoxGeometry(x, y, z), material);
}
