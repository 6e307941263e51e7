import type { World } from "@treeline/core";
import { cascade, eachBatch, eachRun, type Query, query } from "@treeline/query";
import { Local, LocalMatrix, WorldMatrix } from "./components.ts";

/** The two queries that compute all matrices; created once, iterated in every frame. */
export interface Placement {
  /** Nodes whose local matrix is computed from translation, rotation and scale. */
  readonly locals: Query;
  /** All nodes, parents first, each with the nearest world matrix above it. */
  readonly worlds: Query;
}

export function preparePlacement(world: World): Placement {
  return {
    locals: query(world, Local, LocalMatrix),
    worlds: query(world, LocalMatrix, WorldMatrix, cascade(WorldMatrix)),
  };
}

/** Recomputes every world matrix. */
export function placeNodes(placement: Placement): void {
  composeLocals(placement.locals);
  cascadeWorlds(placement.worlds);
}

/** Local matrix = translation x rotation x scale. */
function composeLocals(locals: Query): void {
  eachRun(locals, (run) => {
    const { translation, rotation, scale } = run.columns(Local);
    const { m } = run.columns(LocalMatrix);
    for (let row = run.first; row < run.end; row++) {
      const three = row * 3;
      const four = row * 4;
      const to = row * 16;
      const x = rotation[four]!;
      const y = rotation[four + 1]!;
      const z = rotation[four + 2]!;
      const w = rotation[four + 3]!;
      const sx = scale[three]!;
      const sy = scale[three + 1]!;
      const sz = scale[three + 2]!;

      m[to] = (1 - 2 * (y * y + z * z)) * sx;
      m[to + 1] = 2 * (x * y + w * z) * sx;
      m[to + 2] = 2 * (x * z - w * y) * sx;
      m[to + 3] = 0;
      m[to + 4] = 2 * (x * y - w * z) * sy;
      m[to + 5] = (1 - 2 * (x * x + z * z)) * sy;
      m[to + 6] = 2 * (y * z + w * x) * sy;
      m[to + 7] = 0;
      m[to + 8] = 2 * (x * z + w * y) * sz;
      m[to + 9] = 2 * (y * z - w * x) * sz;
      m[to + 10] = (1 - 2 * (x * x + y * y)) * sz;
      m[to + 11] = 0;
      m[to + 12] = translation[three]!;
      m[to + 13] = translation[three + 1]!;
      m[to + 14] = translation[three + 2]!;
      m[to + 15] = 1;
    }
  });
}

/** World matrix = world matrix above x local matrix, shallow nodes first. */
function cascadeWorlds(worlds: Query): void {
  eachBatch(worlds, (batch) => {
    const local = batch.columns(LocalMatrix).m;
    const world = batch.columns(WorldMatrix).m;
    const { rows, from, to } = batch;
    if (!batch.hasParents) {
      for (let at = from; at < to; at++) {
        const own = rows[at]! * 16;
        for (let cell = own; cell < own + 16; cell++) world[cell] = local[cell]!;
      }
      return;
    }

    const above = batch.parentColumns(WorldMatrix).m;
    const { parentRows } = batch;
    for (let at = from; at < to; at++) {
      const own = rows[at]! * 16;
      const parent = parentRows[at]! * 16;
      // Column by column: each column of the product needs one column of the local matrix and all of the parent.
      for (let column = own; column < own + 16; column += 4) {
        const x = local[column]!;
        const y = local[column + 1]!;
        const z = local[column + 2]!;
        const w = local[column + 3]!;
        world[column] =
          above[parent]! * x + above[parent + 4]! * y + above[parent + 8]! * z + above[parent + 12]! * w;
        world[column + 1] =
          above[parent + 1]! * x + above[parent + 5]! * y + above[parent + 9]! * z + above[parent + 13]! * w;
        world[column + 2] =
          above[parent + 2]! * x + above[parent + 6]! * y + above[parent + 10]! * z + above[parent + 14]! * w;
        world[column + 3] =
          above[parent + 3]! * x + above[parent + 7]! * y + above[parent + 11]! * z + above[parent + 15]! * w;
      }
    }
  });
}
