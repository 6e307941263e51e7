// `Local2D`, `World2D`, and their defaults.
import {
  array,
  component,
  type Field,
  f32,
  type NumberKind,
  type SchemaComponent,
  type World,
} from "@treeline/core";
import { IDENTITY, invert, multiply, partsOf, placeParts, withTurns } from "../math/affine2.ts";
import { type Space, type SpaceState, spaceState } from "../space/space.ts";

/** A field with a list of numbers in 32 bits. */
export type List = Field<Float32Array, Float32Array, ArrayLike<number>>;

/**
 * The transform of an entity in the world: six numbers a b c d e f, as `setTransform` of a canvas takes them. `propagate` computes it for
 * entities that also have `Local2D`. An entity without it is where you put it: nothing above it moves it, and what is below it follows.
 * An entity without `World2D` passes on that of its nearest ancestor.
 */
export const World2D: SchemaComponent<{ readonly matrix: List }> = /* @__PURE__ */ component("World2D", {
  matrix: /* @__PURE__ */ array(f32, 6, IDENTITY),
});

/**
 * The transform of an entity relative to its nearest ancestor with `World2D`: it is scaled first, then rotated by `angle`, in radians
 * from x to y, then moved.
 *
 * @example
 * const turret = spawn(world, Local2D({ position: [0, 8] }), ChildOf(tank));
 */
export const Local2D: SchemaComponent<{
  readonly position: List;
  readonly angle: NumberKind<number, Float32Array>;
  readonly scale: List;
}> = /* @__PURE__ */ component(
  "Local2D",
  {
    position: /* @__PURE__ */ array(f32, 2),
    angle: f32,
    scale: /* @__PURE__ */ array(f32, 2, [1, 1]),
  },
  { requires: [World2D] },
);

/** What the transforms in 2D are, for all that works in any number of dimensions. */
export const space: Space = {
  locals: [{ component: Local2D, place: placeParts, valueFor: partsOf, remember: withTurns }],
  world: World2D,
  identity: IDENTITY,
  multiply,
  invert,
};

/** The transforms of a world in 2D. */
export const flat: (world: World) => SpaceState = /* @__PURE__ */ spaceState(space);
