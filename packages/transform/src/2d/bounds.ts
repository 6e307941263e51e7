// `Bounds2D`, `WorldBounds2D`, `updateBounds`, `boundsOf` in 2D.
import { array, component, type Entity, f32, type SchemaComponent, type World } from "@treeline/core";
import { freshBoxOf } from "../box/box-of.ts";
import { type BoxSpace, type BoxState, boxState } from "../box/box-state.ts";
import { updateBoxes } from "../box/update-boxes.ts";
import { emptyMax, emptyMin } from "../math/box.ts";
import { placeBox } from "../math/box2.ts";
import { type List, space } from "./components.ts";

/**
 * The box of an entity itself, in its own space: the least and the greatest x y. It moves, turns and scales with the world transform of
 * the entity, or else with that of its nearest ancestor. Without values it is a point; if `min` is greater than `max` along an axis, it is
 * empty. The numbers must be finite; while those of a transform are not, the box is nowhere, and empty in the world.
 *
 * @example
 * const crate = spawn(world, Local2D, World2D, Bounds2D({ min: [-1, -1], max: [1, 1] }), ChildOf(ship));
 */
export const Bounds2D: SchemaComponent<{ readonly min: List; readonly max: List }> =
  /* @__PURE__ */ component("Bounds2D", {
    min: /* @__PURE__ */ array(f32, 2),
    max: /* @__PURE__ */ array(f32, 2),
  });

/**
 * The box, along the axes of the world, around an entity and all below it: around all `Bounds2D` there. `updateBounds` computes it. If
 * there are none, the box is empty: `min` is +Infinity and `max` -Infinity, so that it overlaps nothing.
 *
 * Give it to entities whose subtrees you cull, pick or select. Boxes are made of the boxes in them: with one on each group, a change costs
 * one group at each level; with one on the root alone, it may cost all entities.
 */
export const WorldBounds2D: SchemaComponent<{ readonly min: List; readonly max: List }> =
  /* @__PURE__ */ component("WorldBounds2D", {
    min: /* @__PURE__ */ array(f32, 2, /* @__PURE__ */ emptyMin(2)),
    max: /* @__PURE__ */ array(f32, 2, /* @__PURE__ */ emptyMax(2)),
  });

const boxSpace: BoxSpace = {
  space,
  local: Bounds2D,
  box: WorldBounds2D,
  axes: 2,
  place: placeBox,
  List: Float32Array,
};

/** The boxes of a world in 2D. */
const boxes: (world: World) => BoxState = /* @__PURE__ */ boxState(boxSpace);

/**
 * Brings `WorldBounds2D` up to date: computes it where something has changed since the last call, in the entity or below it: if a box
 * there moved, is another one, has another parent, came or went; for nothing else. Call it once a frame after `propagate`, whose `World2D`
 * it reads. The first call computes all, and so does the first one after a restore.
 *
 * Disabled entities count. What loops write into columns is seen only if they declare it: `writes: [Bounds2D]`. Boxes that are other ones
 * than before count as changed: `changed(WorldBounds2D)` finds them. What a program writes into `WorldBounds2D` is replaced.
 *
 * @cost if nothing has changed, a look at each archetype; else a box for each entity that moved, and for each box around it a
 *   comparison or, if it may have become smaller, a look at all boxes directly in it. If entities came, left, or changed their
 *   components, a look at each entity as well, two nanoseconds each. A box of an entity without `World2D` costs a look at its
 *   ancestors whenever something has moved. 56 bytes for each entity of the world, and eight for each row and definition to
 *   remember what has changed.
 * @returns how many boxes it has computed.
 *
 * @example
 * propagate(world);
 * updateBounds(world);
 * const { min, max } = get(world, ship, WorldBounds2D)!;
 */
export function updateBounds(world: World): number {
  return updateBoxes(boxes(world));
}

/**
 * The box around an entity and all below it at this moment, whether or not `propagate` and `updateBounds` were called since something
 * moved: four numbers, the least and the greatest x y in the world, computed in 64 bits. The entity needs no `WorldBounds2D`. If there are
 * no boxes, the numbers are +Infinity and -Infinity.
 *
 * @cost a look at all entities below it, and for each with a box as `worldOf`.
 * @param into where to write it; by default a new array.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 *
 * @example
 * const [left, top, right, bottom] = boundsOf(world, ship);
 */
export function boundsOf(
  world: World,
  entity: Entity,
  into: Float64Array = new Float64Array(4),
): Float64Array {
  return freshBoxOf(world, boxSpace, entity, into);
}
