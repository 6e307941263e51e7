// `Bounds3D`, `WorldBounds3D`, `updateBounds`, `boundsOf` in 3D.
import { array, component, type Entity, f32, type SchemaComponent, type World } from "@treeline/core";
import { freshBoxOf } from "../box/box-of.ts";
import { type BoxSpace, type BoxState, boxState } from "../box/box-state.ts";
import { updateBoxes } from "../box/update-boxes.ts";
import { emptyMax, emptyMin } from "../math/box.ts";
import { placeBox } from "../math/box3.ts";
import { type List, space } from "./components.ts";

/**
 * The box of an entity itself, in its own space: the least and the greatest x y z. It moves, turns and scales with the world transform of
 * the entity, or else with that of its nearest ancestor. Without values it is a point; if `min` is greater than `max` along an axis, it is
 * empty. The numbers must be finite; while those of a transform are not, the box is nowhere, and empty in the world.
 *
 * @example
 * const crate = spawn(world, Local3D, World3D, Bounds3D({ min: [-1, -1, -1], max: [1, 1, 1] }), ChildOf(ship));
 */
export const Bounds3D: SchemaComponent<{ readonly min: List; readonly max: List }> =
  /* @__PURE__ */ component("Bounds3D", {
    min: /* @__PURE__ */ array(f32, 3),
    max: /* @__PURE__ */ array(f32, 3),
  });

/**
 * The box, along the axes of the world, around an entity and all below it: around all `Bounds3D` there. `updateBounds` computes it. If
 * there are none, the box is empty: `min` is +Infinity and `max` -Infinity, so that it overlaps nothing.
 *
 * Give it to entities whose subtrees you cull, pick or select. Boxes are made of the boxes in them: with one on each group, a change costs
 * one group at each level; with one on the root alone, it may cost all entities.
 */
export const WorldBounds3D: SchemaComponent<{ readonly min: List; readonly max: List }> =
  /* @__PURE__ */ component("WorldBounds3D", {
    min: /* @__PURE__ */ array(f32, 3, /* @__PURE__ */ emptyMin(3)),
    max: /* @__PURE__ */ array(f32, 3, /* @__PURE__ */ emptyMax(3)),
  });

const boxSpace: BoxSpace = {
  space,
  local: Bounds3D,
  box: WorldBounds3D,
  axes: 3,
  place: placeBox,
  List: Float32Array,
};

/** The boxes of a world in 3D. */
const boxes: (world: World) => BoxState = /* @__PURE__ */ boxState(boxSpace);

/**
 * Brings `WorldBounds3D` up to date: computes it where something has changed since the last call, in the entity or below it: if a box
 * there moved, is another one, has another parent, came or went; for nothing else. Call it once a frame after `propagate`, whose `World3D`
 * it reads. The first call computes all, and so does the first one after a restore.
 *
 * Disabled entities count. What loops write into columns is seen only if they declare it: `writes: [Bounds3D]`. Boxes that are other ones
 * than before count as changed: `changed(WorldBounds3D)` finds them. What a program writes into `WorldBounds3D` is replaced.
 *
 * @cost if nothing has changed, a look at each archetype; else a box for each entity that moved, and for each box around it a
 *   comparison or, if it may have become smaller, a look at all boxes directly in it. If entities came, left, or changed their
 *   components, a look at each entity as well, two nanoseconds each. A box of an entity without `World3D` costs a look at its
 *   ancestors whenever something has moved. 64 bytes for each entity of the world, and eight for each row and definition to
 *   remember what has changed.
 * @returns how many boxes it has computed.
 *
 * @example
 * propagate(world);
 * updateBounds(world);
 * const { min, max } = get(world, ship, WorldBounds3D)!;
 */
export function updateBounds(world: World): number {
  return updateBoxes(boxes(world));
}

/**
 * The box around an entity and all below it at this moment, whether or not `propagate` and `updateBounds` were called since something
 * moved: six numbers, the least and the greatest x y z in the world, computed in 64 bits. The entity needs no `WorldBounds3D`. If there
 * are no boxes, the numbers are +Infinity and -Infinity.
 *
 * @cost a look at all entities below it, and for each with a box as `worldOf`.
 * @param into where to write it; by default a new array.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 *
 * @example
 * const [left, bottom, near, right, top, far] = boundsOf(world, ship);
 */
export function boundsOf(
  world: World,
  entity: Entity,
  into: Float64Array = new Float64Array(6),
): Float64Array {
  return freshBoxOf(world, boxSpace, entity, into);
}
