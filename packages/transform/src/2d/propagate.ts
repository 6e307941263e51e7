// `propagate` in 2D.
import type { World } from "@treeline/core";
import { update } from "../space/update.ts";
import { flat } from "./components.ts";

/**
 * Brings `World2D` up to date: computes it for each entity that has moved since the last call, has another parent, or was spawned, and for
 * everything below them, parents first; for nothing else. Call it once a frame, before what reads `World2D`. The first call computes all,
 * and so does the first one after a restore.
 *
 * Disabled entities count. What `each` and `rows` write is seen, numbers of arrays included; what loops write into columns is seen only
 * if they declare it: `writes: [Local2D]`. Rows that are computed
 * count as changed: `changed(World2D)` finds them. Sines and cosines are computed only where the angle is another one.
 *
 * @cost if nothing has moved, a look at each archetype; else a multiplication for each matrix, and if much has moved, a read of
 *   each row. Eight bytes for each row and definition to remember what has changed, and 24 for the angle.
 * @returns how many matrices it has computed.
 *
 * @example
 * set(world, tank, Local2D, { angle: Math.PI / 2 });
 * propagate(world);
 * const { matrix } = get(world, turret, World2D)!;
 */
export function propagate(world: World): number {
  return update(flat(world));
}
