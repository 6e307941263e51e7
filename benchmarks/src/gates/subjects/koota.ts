/** What koota does beside one gate: `get` of a component as an object. */
import {
  createOnlyWorld,
  Position,
  placesOf,
  spawnMoving,
} from "../../comparison/contestants/koota/world.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { type Order, turnsOf } from "./stage.ts";

export function getting(count: number, order: Order): Subject {
  const world = createOnlyWorld();
  const entities = Array.from({ length: count }, (_, at) => spawnMoving(world, at));
  const inTurn = Array.from(turnsOf(count, order), (at) => entities[at]!);
  let total = 0;
  return {
    run: () => {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += inTurn[at]!.get(Position)!.x;
      total += sum;
    },
    checksum: () => placesOf(world, entities) + total,
  };
}
