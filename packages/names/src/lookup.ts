import type { Entity, World } from "@treeline/core";
import { handleAt, indexOf, isLiving, parentIndexAt, requireAlive } from "@treeline/core/internal";
import { bookOf } from "./name.ts";
import { findName, findPart, type NameBook } from "./name-book.ts";
import {
  indexInStep,
  readStep,
  requirePath,
  SEPARATOR,
  type Step,
  startOfSteps,
  unescapedStep,
} from "./path.ts";

/**
 * Finds the entity at `path`, without creating anything.
 *
 * A path is names joined by `::`, read from the roots, or from the children of `from` if given; a leading `::` means
 * the roots in any case. Within a step a backslash makes the next character literal: `\:` is a colon, `\\` a
 * backslash; `escapeName` writes them. A step `#12` is the entity without a name that `pathOf` calls so.
 *
 * Cost: one probe per step; children are never scanned.
 *
 * @returns the entity, or `undefined` if any step is missing.
 * @throws TreelineError `bad-path` if a step is empty or the path ends with a lone backslash; `dead-entity` if `from`
 *   is not alive.
 *
 * @example
 * const seat = lookup(world, "Ship::Cockpit::Seat");
 * const same = lookup(world, "Seat", { from: cockpit });
 */
export function lookup(
  world: World,
  path: string,
  options?: { readonly from?: Entity | undefined },
): Entity | undefined {
  requirePath(path);
  const from = options?.from;
  if (from !== undefined) requireAlive(world, from);
  const book = bookOf(world);
  const { step } = book;
  let start = startOfSteps(path);
  let index = from === undefined || start !== 0 ? 0 : indexOf(from);
  for (;;) {
    readStep(path, start, step);
    const { end, hash } = step;
    index = step.isSpecial
      ? findSpecial(world, book, index, path, start, end)
      : findPart(book, index, path, start, end, hash);
    start = end + SEPARATOR.length;
    if (end === path.length) return index === 0 ? undefined : handleAt(world.entities, index);
    if (index === 0) return nobody(path, start, step);
  }
}

function findSpecial(
  world: World,
  book: NameBook,
  scope: number,
  path: string,
  start: number,
  end: number,
): number {
  const index = indexInStep(path, start, end);
  if (index < 0) return findName(book, scope, unescapedStep(path, start, end));
  const isThere = isLiving(world.entities, handleAt(world.entities, index));
  return isThere && parentIndexAt(world, index) === scope ? index : 0;
}

/** A bad path is bad whoever lives in the world: the steps behind a missing one are read as well. */
function nobody(path: string, start: number, step: Step): undefined {
  for (let at = start; ; at = step.end + SEPARATOR.length) {
    readStep(path, at, step);
    if (step.end === path.length) return undefined;
  }
}
