import { ChildOf, DisabledTree, OrderedChildren } from "../id/builtins.ts";
import { isTarget } from "../id/pair-book.ts";
import { renewOrder } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import { LOOSE_MOVED, note, TARGET_MOVED } from "../storage/journal.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { disableBelow, disableDifferently, settleDisabled } from "./disabled.ts";
import { listChildren, prepareList, relink, unlistChildren } from "./family.ts";
import { withFollowers } from "./followers.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { followTarget } from "./pair.ts";
import { bondsAt, mirrorBonds } from "./symmetric.ts";
import type { World } from "./world.ts";

/**
 * Makes an entity what was found for it: moves its row, and lets everything follow that hangs on its parent and on the
 * builtins it has. Nothing is asked or told.
 *
 * @param to its new table; room in it has been made.
 * @param loose (ChildOf, parent) if its parent will be stored as a value, else 0.
 * @param place of a new parent: the index of the child that it will stand before; 0 for the end.
 */
export function changeType(world: World, index: number, to: TableNumber, loose: PairNumber, place = 0): void {
  const { graph, entities } = world;
  const { tables, links } = graph;
  const from = entities.table[index]!;
  const before = tables.parentPair[from]! + loosePairOf(links, index);
  const after = tables.parentPair[to]! + loose;
  const was = graph.shapes[tables.shape[from]!]!;
  const is = graph.shapes[tables.shape[to]!]!;
  if (before === after && was.isSimple && is.isSimple && to !== from) {
    // The everyday case: nothing hangs on the change.
    moveEntity(world, index, to);
    tidyLeft(world, from);
    return;
  }
  if (was.isSymmetric || is.isSymmetric) changeRoomily(world, index, to, loose, place);
  else changeNow(world, index, to, loose, place);
}

/** Others may follow: room for all of them comes first. */
function changeRoomily(world: World, index: number, to: TableNumber, loose: PairNumber, place: number): void {
  withFollowers(world, index, to, loose, () => changeNow(world, index, to, loose, place));
}

function changeNow(world: World, index: number, to: TableNumber, loose: PairNumber, place: number): void {
  const { graph, entities } = world;
  const { tables, links } = graph;
  const from = entities.table[index]!;
  const before = tables.parentPair[from]! + loosePairOf(links, index);
  const after = tables.parentPair[to]! + loose;
  const was = graph.shapes[tables.shape[from]!]!;
  const is = graph.shapes[tables.shape[to]!]!;
  const hasLists = links.used || loose !== 0;
  const isOtherwise = before !== after && disableDifferently(world, before, after);
  const bonds = was.isSymmetric || is.isSymmetric ? bondsAt(world, index, was) : undefined;
  if (hasLists) prepareList(world, after, loose !== 0);

  if (to !== from) moveEntity(world, index, to);
  if (hasLists) relink(world, index, { before, after, place }, loose !== 0);
  if (before !== after) {
    renewOrder(entities, index);
    if (isTarget(graph.pairs, index)) followTarget(world, ChildOf, index, after);
    if (to === from && graph.journal.reading) noteLooseMove(world, index);
  }
  if (to !== from) tidyLeft(world, from);
  if (was !== is && (was.isSpecial || is.isSpecial)) react(world, index, was, is);
  if (isOtherwise) settleDisabled(world, index, after);
  if (bonds !== undefined) mirrorBonds(world, index, bonds);
}

/** A loose child changed its parent without leaving its row. */
export function noteLooseMove({ graph }: World, index: number): void {
  note(graph.journal, LOOSE_MOVED, index);
  if (isTarget(graph.pairs, index)) note(graph.journal, TARGET_MOVED, index);
}

/** What core itself does when an entity gets or loses a builtin. Shape 0, that of nothing, has none. */
export function react(world: World, index: number, was: Shape, is: Shape): void {
  const hadList = hasDefinition(was, OrderedChildren);
  const hasList = hasDefinition(is, OrderedChildren);
  if (hasList && !hadList) listChildren(world, index);
  if (hadList && !hasList) unlistChildren(world, index);
  if (hasDefinition(was, DisabledTree) !== hasDefinition(is, DisabledTree)) disableBelow(world, index);
}
