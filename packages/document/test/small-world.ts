import {
  bits,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  relation,
  sparse,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { Name } from "@treeline/names";

export const Position = component("Position", { x: f32, y: f32 });
export const Lit = tag("Lit", { storage: bits });
export const Target = component("Target", { x: 0 }, { storage: sparse });
export const Likes = relation("Likes");
export const Aims = relation("Aims", { exclusive: true, storage: sparse });

/**
 *     Ship   Position 1, 2
 *       Gun  Position 3, 4
 */
export function smallWorld(): { world: World; ship: Entity; gun: Entity } {
  const world = createWorld();
  const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }));
  const gun = spawn(world, Name("Gun"), ChildOf(ship), Position({ x: 3, y: 4 }));
  return { world, ship, gun };
}

/** The code of the error that a call throws; errors of others themselves, and `undefined` if it throws none. */
export function codeOf(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}
