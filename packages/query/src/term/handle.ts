import type { Entity, World } from "@treeline/core";
import { requireAlive } from "@treeline/core/internal";

/** For questions: nobody has a pair with the dead. @throws TreelineError `dead-entity` for what can be no handle at all. */
export function requireHandle(world: World, entity: number): void {
  if (!Number.isSafeInteger(entity) || entity <= 0) requireAlive(world, entity as Entity);
}
