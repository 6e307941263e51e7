import type { Entity } from "../id/entity.ts";
import { nextStateNumber, type World } from "../world/state/world.ts";

/** What a package may add to a world when it makes its state there. */
export interface Extension {
  /** What `verify` asks besides core's own laws; for checked builds. */
  readonly laws: ((world: World) => string[])[];
  /** How messages call an entity. */
  textOf: (world: World, entity: Entity) => string;
}

/**
 * A state that a package keeps in every world: the function that gives it, and makes it when it is first asked for.
 *
 *   const deskOf = worldState(createDesk);
 */
export function worldState<State>(
  create: (world: World, extension: Extension) => State,
): (world: World) => State {
  const number = nextStateNumber();
  return (world) => {
    let state = world.states[number] as State | undefined;
    if (state === undefined) {
      state = create(world, world);
      world.states[number] = state;
    }
    return state;
  };
}
