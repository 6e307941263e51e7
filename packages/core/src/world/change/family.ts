import { closeIfIdle } from "../../graph/table-graph.ts";
import { CHILD_OF } from "../../id/builtins.ts";
import { generationOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-book.ts";
import { handleAt, sortByOrder } from "../../records/entity-index.ts";
import {
  appendLoose,
  CONCERNS_MORE,
  closeList,
  firstInList,
  isListed,
  linkBefore,
  looseCountOf,
  loosen,
  loosePairOf,
  nextInList,
  openList,
  tighten,
  unlink,
} from "../../records/sibling-links.ts";
import { LOOSE_MOVED, note } from "../../storage/journal.ts";
import { NEEDS_BUILTIN, NEEDS_HOOKS, type Shape } from "../../storage/shape.ts";
import type { PairNumber } from "../../storage/table.ts";
import { parentPairAt, sourceIndexes } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";

/** From now on the children of a parent stand in a list, in their present order. Cost: sorting them, once. */
export function ensureListed(world: World, pair: PairNumber): void {
  const { links, records } = world.graph;
  if (isListed(links, pair)) return;
  if (records.tables[pair] === 0) openList(links, pair);
  else listPresent(world, pair);
}

/** Lists the children that an entity has, by age. */
export function listPresent(world: World, pair: PairNumber): void {
  const { graph, entities } = world;
  const present = sortByOrder(sourceIndexes(world, pair), entities.order);
  openList(graph.links, pair);
  for (const index of present) linkBefore(graph.links, pair, index, 0);
}

/** Puts an entity that has just got its row, with its parent stored by value, at the end of the list. */
export function linkLast(world: World, pair: PairNumber, index: number): void {
  const { links, journal } = world.graph;
  appendLoose(links, pair, index, linkGeneration(world, index));
  if (journal.reading) note(journal, LOOSE_MOVED, index);
}

/** OrderedChildren was put on an entity: its children, now and later, stand in a list. */
export function listChildren(world: World, index: number): void {
  const pair = findPair(world.graph.pairs, CHILD_OF, index);
  if (pair !== 0) ensureListed(world, pair);
}

/**
 * OrderedChildren was taken off: the list ends, unless a child needs it, or it alone knows the order. For order numbers
 * tell more than the order of siblings: they stay as they are.
 */
export function unlistChildren(world: World, index: number): void {
  const { graph, entities } = world;
  const { links } = graph;
  const pair = findPair(graph.pairs, CHILD_OF, index);
  if (pair === 0 || !isListed(links, pair) || looseCountOf(links, pair) > 0) return;
  const { order } = entities;
  for (let child = firstInList(links, pair), last = 0; child !== 0; child = nextInList(links, child)) {
    if (order[child]! < last) return;
    last = order[child]!;
  }
  closeList(links, pair);
}

/** What the links of an entity that stores its parent by value know of it: its generation, and whether more is concerned. */
export function linkGeneration(world: World, index: number): number {
  const generation = generationOf(handleAt(world.entities, index));
  return concernsMore(shapeAt(world, index)) ? generation + CONCERNS_MORE : generation;
}

/** Does a change of the parent of an entity of this archetype concern more than links? */
export function concernsMore({ fixedNeeds }: Shape): boolean {
  return (fixedNeeds & (NEEDS_HOOKS | NEEDS_BUILTIN)) !== 0;
}

/** Of a reparent: the pairs of the parents, and the index of the child to stand before; 0 for none, and for the end. */
interface Reparent {
  readonly before: PairNumber;
  readonly after: PairNumber;
  readonly place: number;
}

/** After an entity got another parent, or another storage for it: lists follow. */
export function relink(
  world: World,
  index: number,
  { before, after, place }: Reparent,
  isLoose: boolean,
): void {
  const { graph } = world;
  const { links } = graph;
  const wasLoose = loosePairOf(links, index) !== 0;
  if (wasLoose) tighten(links, index);
  if (before !== after) {
    if (before !== 0 && isListed(links, before)) unlink(links, before, index);
    if (after !== 0 && isListed(links, after)) linkBefore(links, after, index, place);
  }
  if (isLoose) loosen(links, after, index, linkGeneration(world, index));
  if (wasLoose && before !== after) closeIfIdle(graph, before);
}

/** An entity dies: its place in its parent's list goes. */
export function leaveFamily(world: World, index: number): void {
  const { links } = world.graph;
  const pair = parentPairAt(world, index);
  if (pair === 0 || !isListed(links, pair)) return;
  const wasLoose = loosePairOf(links, index) !== 0;
  if (wasLoose) tighten(links, index);
  unlink(links, pair, index);
  if (wasLoose) closeIfIdle(world.graph, pair);
}
