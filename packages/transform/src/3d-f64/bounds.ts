// `Bounds3D`, `WorldBounds3D`, `updateBounds`, `boundsOf` in 64 bits.
import { array, component, type Entity, f64, type SchemaComponent, type World } from "@treeline/core";
import { freshBoxOf } from "../box/box-of.ts";
import { type BoxSpace, type BoxState, boxState } from "../box/box-state.ts";
import { updateBoxes } from "../box/update-boxes.ts";
import { emptyMax, emptyMin } from "../math/box.ts";
import { placeBox } from "../math/box3.ts";
import { type List, space } from "./components.ts";

/** As `Bounds3D` of `@treeline/transform/3d`, in numbers of 64 bits. */
export const Bounds3D: SchemaComponent<{ readonly min: List; readonly max: List }> =
  /* @__PURE__ */ component("Bounds3D", {
    min: /* @__PURE__ */ array(f64, 3),
    max: /* @__PURE__ */ array(f64, 3),
  });

/** As `WorldBounds3D` of `@treeline/transform/3d`, in numbers of 64 bits. */
export const WorldBounds3D: SchemaComponent<{ readonly min: List; readonly max: List }> =
  /* @__PURE__ */ component("WorldBounds3D", {
    min: /* @__PURE__ */ array(f64, 3, /* @__PURE__ */ emptyMin(3)),
    max: /* @__PURE__ */ array(f64, 3, /* @__PURE__ */ emptyMax(3)),
  });

const boxSpace: BoxSpace = {
  space,
  local: Bounds3D,
  box: WorldBounds3D,
  axes: 3,
  place: placeBox,
  List: Float64Array,
};

/** The boxes of a world in 3D, in 64 bits. */
const boxes: (world: World) => BoxState = /* @__PURE__ */ boxState(boxSpace);

/**
 * As `updateBounds` of `@treeline/transform/3d`: returns how many boxes it has computed. 88 bytes for each entity of the world.
 *
 * @cost as `updateBounds` of `@treeline/transform/3d`.
 */
export function updateBounds(world: World): number {
  return updateBoxes(boxes(world));
}

/**
 * As `boundsOf` of `@treeline/transform/3d`.
 *
 * @cost as `boundsOf` of `@treeline/transform/3d`.
 * @throws TreelineError `dead-entity`.
 */
export function boundsOf(
  world: World,
  entity: Entity,
  into: Float64Array = new Float64Array(6),
): Float64Array {
  return freshBoxOf(world, boxSpace, entity, into);
}
