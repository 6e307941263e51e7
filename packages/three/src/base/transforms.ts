// Which transforms a scene shows (`Transforms`): those in 32 bits, unless a user names others.
import type { Component, Entity, Numbers, SpawnTerm, World } from "@treeline/core";
import { Local3D, Matrix3D, propagate, setWorld, World3D } from "@treeline/transform/3d";
import { refuse } from "./refuse.ts";

/** The columns of `Local3D`. */
export interface Parts {
  readonly position: Numbers;
  readonly rotation: Numbers;
  readonly scale: Numbers;
}

/** The transforms that a scene shows: `@treeline/transform/3d`, or `@treeline/transform/3d-f64` as a whole. */
export interface Transforms {
  readonly Local3D: Component<Parts, Parts, object> & ((parts: object) => SpawnTerm);
  readonly Matrix3D: Component;
  readonly World3D: Component<{ readonly matrix: Numbers }, { readonly matrix: Numbers }, object>;
  readonly propagate: (world: World) => number;
  readonly setWorld: (world: World, entity: Entity, matrix: ArrayLike<number>) => void;
}

const NARROW: Transforms = { Local3D, Matrix3D, World3D, propagate, setWorld };

/** Those in 32 bits, unless options name others. @throws TreelineError `bad-value`. */
export function transformsIn({
  transforms = NARROW,
}: {
  readonly transforms?: Transforms | undefined;
}): Transforms {
  if (typeof transforms?.propagate !== "function")
    refuse('the transforms are a whole module: import * as large from "@treeline/transform/3d-f64"');
  return transforms;
}
