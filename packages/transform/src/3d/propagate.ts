// `propagate` in 3D.
import type { World } from "@treeline/core";
import { update } from "../space/update.ts";
import { solid } from "./components.ts";

/**
 * Brings `World3D` up to date: computes it for each entity that has moved since the last call, has another parent, or was spawned, and for
 * everything below them, parents first; for nothing else. Call it once a frame, before what reads `World3D`. The first call computes all,
 * and so does the first one after a restore.
 *
 * Disabled entities count. What `each` and `rows` write is seen, numbers of arrays included; what loops write into columns is seen only
 * if they declare it: `writes: [Local3D]`. Rows that are computed
 * count as changed: `changed(World3D)` finds them.
 *
 * @cost if nothing has moved, a look at each archetype; else a multiplication for each matrix, and if much has moved, a read of
 *   each row. Eight bytes for each row and definition to remember what has changed.
 * @returns how many matrices it has computed.
 *
 * @example
 * set(world, tank, Local3D, { position: [4, 0, 0] });
 * propagate(world);
 * const { matrix } = get(world, turret, World3D)!;
 */
export function propagate(world: World): number {
  return update(solid(world));
}
