import type { Entity, World } from "@treeline/core";
import { indexOf, parentIndexAt, requireAlive } from "@treeline/core/internal";
import { bookOf } from "./name.ts";
import { stepAt } from "./name-book.ts";
import { SEPARATOR } from "./path.ts";

/**
 * The path of an entity from its root, as `lookup` reads it: names, escaped, joined by `::`. A step without a name is
 * `#` and the entity's index, which leads back only while that entity lives: do not store it.
 *
 * Cost: one step per ancestor.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function pathOf(world: World, entity: Entity): string {
  requireAlive(world, entity);
  const book = bookOf(world);
  const steps: string[] = [];
  for (let at = indexOf(entity); at !== 0; at = parentIndexAt(world, at)) steps.push(stepAt(book, at));
  return steps.reverse().join(SEPARATOR);
}
