import { closeIfIdle } from "../graph/table-graph.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { handleOf, indexOf } from "../id/entity.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { isLiving, renewOrder } from "../records/entity-index.ts";
import { GENERATION, KIN, looseCountOf, moveLink, PAIR } from "../records/sibling-links.ts";
import type { PairNumber } from "../storage/table.ts";
import { requireNoCycle } from "./acyclic.ts";
import { noteLooseMove } from "./change-type.ts";
import { disableDifferently, disablesBelow, isDisabling } from "./disabled.ts";
import { hasListeners } from "./facts.ts";
import { ensureListed } from "./family.ts";
import { ensurePair, followTarget } from "./pair.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * The short way of a child that stores its parent as a value to the end of another family: no row moves, and nobody is
 * asked or told. In random order its time is that of cache misses, so it looks at nothing but links: these know the
 * child's generation.
 *
 * @returns false if it is not that simple: nothing has changed then, and whatever is wrong is still to be refused.
 * @throws TreelineError `cycle`.
 */
export function moveLoose(world: World, child: number, parent: number): boolean {
  const { graph, entities } = world;
  const { links, pairs } = graph;
  const { kin } = links;
  if (typeof child !== "number") return false;
  const index = indexOf(child);
  const at = index * KIN;
  if (at >= kin.length) return false;
  const from = kin[at + PAIR]!;
  if (from === 0 || handleOf(index, kin[at + GENERATION]!) !== child || !isLiving(entities, parent))
    return false;
  const target = indexOf(parent);
  const known = findPair(pairs, CHILD_OF, target);
  if (from === known) return true;
  if (hasListeners(world) || world.standsFor.size > 0) return false;
  if (known === 0 ? isOtherwise(world, from, target) : disableDifferently(world, from, known)) return false;
  if (graph.hasHooks && shapeAt(world, index).hooked.length > 0) return false;

  const isAbove = isTarget(pairs, index);
  if (isAbove || index === target) requireNoCycle(world, ChildOf, index, target);
  const to = known === 0 ? ensurePair(world, ChildOf, target) : known;
  ensureListed(world, to);
  moveLink(links, from, index, to);
  renewOrder(entities, index);
  if (isAbove) followTarget(world, ChildOf, index, to);
  if (looseCountOf(links, from) === 0) closeIfIdle(graph, from);
  if (graph.journal.reading) noteLooseMove(world, index);
  return true;
}

/** Does an entity without children disable what is below it, otherwise than a parent does? */
function isOtherwise(world: World, pair: PairNumber, target: number): boolean {
  return disablesBelow(world, target) !== isDisabling(world, pair);
}
