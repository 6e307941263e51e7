import { type Entity, isAlive, type World } from "../../src/index.ts";
import { indexOf } from "../handles.ts";
import { deferCommand, destroyAll, mustDefer } from "../internal.ts";

/** As in the query package, for several at once. */
export function destroy(world: World, ...entities: Entity[]): number {
  const destroyOne = (): number =>
    destroyAll(
      world,
      entities.filter((one) => isAlive(world, one)).map((one) => indexOf(one)),
    );
  if (!mustDefer(world)) return destroyOne();
  deferCommand(world, 0, destroyOne);
  return 0;
}
