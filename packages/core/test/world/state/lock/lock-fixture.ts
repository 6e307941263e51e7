import { createWorld, type Entity, spawn, type World } from "../../../../src/index.ts";
import { component, withHooks } from "../../../defining.ts";
import { ChildOf, Position } from "../../../definitions.ts";

/** Refuses the value "bad". */
export const Refuser = withHooks(component<string>("Refuser"), {
  check: (_, __, value) => {
    if (value === "bad") throw new Error("refused");
  },
});

/** A ship with a child, which has a Position. */
export function start(strict = false): { world: World; ship: Entity; one: Entity } {
  const world = createWorld({ strict });
  const ship = spawn(world);
  return { world, ship, one: spawn(world, Position({ x: 1 }), ChildOf(ship)) };
}
