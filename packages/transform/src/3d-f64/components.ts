// `Local3D`, `Matrix3D`, `World3D` in 64 bits; the space that they make of that in 32 bits.
import { array, component, type Field, f64, type SchemaComponent, type World } from "@treeline/core";
import { space as narrow } from "../3d/components.ts";
import { IDENTITY } from "../math/affine3.ts";
import { type Space, type SpaceState, spaceState } from "../space/space.ts";

/** A field with a list of numbers in 64 bits. */
export type List = Field<Float64Array, Float64Array, ArrayLike<number>>;

/** As `World3D` of `@treeline/transform/3d`, in numbers of 64 bits. */
export const World3D: SchemaComponent<{ readonly matrix: List }> = /* @__PURE__ */ component("World3D", {
  matrix: /* @__PURE__ */ array(f64, 16, IDENTITY),
});

/**
 * As `Local3D` of `@treeline/transform/3d`, in numbers of 64 bits.
 *
 * @example
 * const moon = spawn(world, Local3D({ position: [384_400_000, 0, 0] }), ChildOf(earth));
 */
export const Local3D: SchemaComponent<{
  readonly position: List;
  readonly rotation: List;
  readonly scale: List;
}> = /* @__PURE__ */ component(
  "Local3D",
  {
    position: /* @__PURE__ */ array(f64, 3),
    rotation: /* @__PURE__ */ array(f64, 4, [0, 0, 0, 1]),
    scale: /* @__PURE__ */ array(f64, 3, [1, 1, 1]),
  },
  { requires: [World3D] },
);

/** As `Matrix3D` of `@treeline/transform/3d`, in numbers of 64 bits. */
export const Matrix3D: SchemaComponent<{ readonly matrix: List }> = /* @__PURE__ */ component(
  "Matrix3D",
  {
    matrix: /* @__PURE__ */ array(f64, 16, IDENTITY),
  },
  { requires: [World3D] },
);

/** The same as in 32 bits, with other components. */
export const space: Space = /* @__PURE__ */ (() => {
  const [parts, matrix] = narrow.locals;
  return {
    ...narrow,
    locals: [
      { ...parts!, component: Local3D },
      { ...matrix!, component: Matrix3D },
    ],
    world: World3D,
  };
})();

/** The transforms of a world in 3D, in 64 bits. */
export const large: (world: World) => SpaceState = /* @__PURE__ */ spaceState(space);
