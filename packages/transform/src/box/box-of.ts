// The box of this moment (`freshBoxOf`), in 64 bits.
import type { Entity, Numbers, World } from "@treeline/core";
import { type ArchetypeView, indexOf, requireAlive, SubjectCursor } from "@treeline/core/internal";
import { type Corners, unite } from "../math/box.ts";
import { eachChildRows } from "../space/tree.ts";
import { columnsAt, freshMatrix, hasComponent, rowOf } from "../space/world-of.ts";
import type { BoxSpace } from "./box-state.ts";

/**
 * Computes the box of a subtree from the boxes and the local transforms at and above them, in 64 bits.
 *
 * @returns `into`: the least numbers, then the greatest ones, not negated.
 * @throws TreelineError `dead-entity`.
 */
export function freshBoxOf(
  world: World,
  boxSpace: BoxSpace,
  entity: Entity,
  into: Float64Array,
): Float64Array {
  requireAlive(world, entity);
  const { space, local, axes, place } = boxSpace;
  const size = axes * 2;
  const cursors = { world, subjects: new SubjectCursor(world) };
  const matrix = space.identity.slice();
  const box: Numbers = new Float64Array(size);
  const stack: number[] = [indexOf(entity)];
  const onRows = ({ lanes }: ArchetypeView, first: number, end: number): void => {
    for (let row = first; row < end; row++) stack.push(lanes.i32[row]!);
  };
  into.fill(Number.POSITIVE_INFINITY);
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (hasComponent(world, index, local)) {
      freshMatrix(world, space, index, hasComponent(world, index, space.world), matrix);
      place(columnsAt(world, index, local) as Corners, rowOf(world, index), matrix, 0, box, 0);
      unite(into, 0, box, 0, size);
    }
    eachChildRows(cursors, index, onRows);
  }
  for (let side = axes; side < size; side++) into[side] = 0 - into[side]!;
  return into;
}
