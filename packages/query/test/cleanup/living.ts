import { type Entity, isAlive } from "@treeline/core";
import { world } from "../stage.ts";

/** Which of them live in the world of the stage. */
export function living(...entities: Entity[]): boolean[] {
  return entities.map((one) => isAlive(world, one));
}
