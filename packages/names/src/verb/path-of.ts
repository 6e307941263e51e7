import type { Entity, World } from "@treeline/core";
import { indexOf, requireAlive, scopeOf } from "@treeline/core/internal";
import { type PathOptions, scopeAt, separatorOf, stepAt } from "../book/names.ts";
import { namesOf } from "./name.ts";

/**
 * The path of an entity from its root, as `lookup` reads it: names, escaped, joined by the separator. A step without a
 * name is `#` and the entity's index, which leads back only while that entity lives: do not store it.
 *
 * The path leads back, but where the world allows several siblings of one name: through a later one it leads to the
 * first, and what is there below. So does the path through a root that is called like somebody's alias.
 *
 * Cost: one step per ancestor.
 *
 * @param options `from`: the path from that entity, empty for itself; for who does not live below it, the path from the
 *   root with a leading separator. So it does inside `withScope`. `separator`: the world's by default.
 * @throws TreelineError `dead-entity` if the entity or `from` is not alive; `bad-path` for what cannot separate.
 */
export function pathOf(world: World, entity: Entity, options?: PathOptions): string {
  requireAlive(world, entity);
  const names = namesOf(world);
  const separator = separatorOf(names, options?.separator);
  const from = options?.from;
  if (from !== undefined) requireAlive(world, from);
  const end = from === undefined ? 0 : indexOf(from);
  const { text } = separator;
  const index = indexOf(entity);
  if (index === end) return "";
  let path = stepAt(names, index, separator);
  let at = scopeAt(world, names, index);
  while (at !== end && at !== 0) {
    path = stepAt(names, at, separator) + text + path;
    at = scopeAt(world, names, at);
  }
  const isRelative = at === end && (end !== 0 || scopeOf(world) === undefined);
  return isRelative ? path : text + path;
}
