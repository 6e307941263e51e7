// `Local3D`, `Matrix3D`, `World3D`, and their defaults.
import { array, component, type Field, f32, type SchemaComponent, type World } from "@treeline/core";
import { IDENTITY, invert, multiply, partsOf, placeMatrix, placeParts } from "../math/affine3.ts";
import { type Space, type SpaceState, spaceState } from "../space/space.ts";

/** A field with a list of numbers in 32 bits. */
export type List = Field<Float32Array, Float32Array, ArrayLike<number>>;

/**
 * The transform of an entity in the world: 16 numbers, column by column, as in glTF and WebGL. `propagate` computes it for entities that
 * also have `Local3D` or `Matrix3D`. An entity without them is where you put it: nothing above it moves it, and what is below it
 * follows. An entity without `World3D` passes on that of its nearest ancestor.
 */
export const World3D: SchemaComponent<{ readonly matrix: List }> = /* @__PURE__ */ component("World3D", {
  matrix: /* @__PURE__ */ array(f32, 16, IDENTITY),
});

/**
 * The transform of an entity relative to its nearest ancestor with `World3D`, as parts: it is scaled first, then rotated, then moved.
 * `rotation` is a quaternion x y z w, and is used as it is: keep its length at 1.
 *
 * @example
 * const turret = spawn(world, Local3D({ position: [0, 2, 0] }), ChildOf(tank));
 */
export const Local3D: SchemaComponent<{
  readonly position: List;
  readonly rotation: List;
  readonly scale: List;
}> = /* @__PURE__ */ component(
  "Local3D",
  {
    position: /* @__PURE__ */ array(f32, 3),
    rotation: /* @__PURE__ */ array(f32, 4, [0, 0, 0, 1]),
    scale: /* @__PURE__ */ array(f32, 3, [1, 1, 1]),
  },
  { requires: [World3D] },
);

/**
 * The same as a matrix of 16 numbers, column by column, for entities that are given as matrices; it may shear. The last row counts as
 * 0 0 0 1. An entity that has `Local3D` as well is placed by `Local3D`.
 */
export const Matrix3D: SchemaComponent<{ readonly matrix: List }> = /* @__PURE__ */ component(
  "Matrix3D",
  {
    matrix: /* @__PURE__ */ array(f32, 16, IDENTITY),
  },
  { requires: [World3D] },
);

/** What the transforms in 3D are, for all that works in any number of dimensions. */
export const space: Space = {
  locals: [
    { component: Local3D, place: placeParts, valueFor: partsOf },
    { component: Matrix3D, place: placeMatrix, valueFor: (matrix) => ({ matrix: [...matrix] }) },
  ],
  world: World3D,
  identity: IDENTITY,
  multiply,
  invert,
};

/** The transforms of a world in 3D. */
export const solid: (world: World) => SpaceState = /* @__PURE__ */ spaceState(space);
