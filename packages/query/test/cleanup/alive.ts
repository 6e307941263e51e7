import { type Entity, isAlive } from "@treeline/core";
import { world } from "../test-world.ts";

/** The entities among them that are alive in the test's world. */
export function living(...entities: Entity[]): boolean[] {
  return entities.map((one) => isAlive(world, one));
}
