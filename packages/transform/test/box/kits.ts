import type { Component, Entity, Numbers, SpawnTerm, World } from "@treeline/core";
import { children } from "@treeline/query";
import * as flat from "../../src/2d.ts";
import * as solid from "../../src/3d.ts";
import * as large from "../../src/3d-f64.ts";
import { type Dice, randomLocal } from "../support.ts";

export interface Box {
  readonly min: Numbers;
  readonly max: Numbers;
}

/** What tests do with boxes in any number of dimensions. */
export interface Kit {
  readonly name: string;
  readonly axes: number;
  readonly Local: Component;
  readonly Placed: Component;
  readonly Bounds: Component<unknown, Box>;
  readonly WorldBounds: Component<unknown, Box>;
  readonly propagate: (world: World) => number;
  readonly updateBounds: (world: World) => number;
  readonly worldOf: (world: World, entity: Entity) => Float64Array;
  readonly boundsOf: (world: World, entity: Entity) => Float64Array;
  /** Values of the local transform. */
  readonly randomLocal: (dice: Dice) => object;
  /** A local transform that only moves. */
  readonly at: (...position: number[]) => SpawnTerm;
}

const narrow: Kit = {
  name: "3D",
  axes: 3,
  Local: solid.Local3D as unknown as Component,
  Placed: solid.World3D as unknown as Component,
  Bounds: solid.Bounds3D as never,
  WorldBounds: solid.WorldBounds3D as never,
  propagate: solid.propagate,
  updateBounds: solid.updateBounds,
  worldOf: solid.worldOf,
  boundsOf: solid.boundsOf,
  randomLocal,
  at: (...position) => solid.Local3D({ position }),
};

export const KITS: readonly Kit[] = [
  narrow,
  {
    ...narrow,
    name: "3D in 64 bits",
    Local: large.Local3D as unknown as Component,
    Placed: large.World3D as unknown as Component,
    Bounds: large.Bounds3D as never,
    WorldBounds: large.WorldBounds3D as never,
    propagate: large.propagate,
    updateBounds: large.updateBounds,
    worldOf: large.worldOf,
    boundsOf: large.boundsOf,
    at: (...position) => large.Local3D({ position }),
  },
  {
    ...narrow,
    name: "2D",
    axes: 2,
    Local: flat.Local2D as unknown as Component,
    Placed: flat.World2D as unknown as Component,
    Bounds: flat.Bounds2D as never,
    WorldBounds: flat.WorldBounds2D as never,
    propagate: flat.propagate,
    updateBounds: flat.updateBounds,
    worldOf: flat.worldOf,
    boundsOf: flat.boundsOf,
    randomLocal: (dice) => ({
      position: [dice.between(-3, 3), dice.between(-3, 3)],
      angle: dice.between(-4, 4),
      scale: [dice.between(0.7, 1.3), dice.between(-1.3, 1.3)],
    }),
    at: (...position) => flat.Local2D({ position: position.slice(0, 2) }),
  },
];

export function descendants(world: World, entity: Entity): Entity[] {
  const found = [entity];
  for (let at = 0; at < found.length; at++) found.push(...children(world, found[at]!));
  return found;
}
