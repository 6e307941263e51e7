import { shapeWithout } from "../../graph/graph.ts";
import { roomyTableFor } from "../../graph/table-graph.ts";
import { ChildOf, Parent } from "../../id/builtins.ts";
import { isTarget } from "../../id/pair-book.ts";
import type { PairNumber } from "../../storage/table.ts";
import type { Change } from "../state/plans.ts";
import { loseOrder, pairAt, pairsAt, parentPairAt, tableHasPair } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { changeEntity, goalOf } from "./change-entity.ts";
import { unwantPair, wantPairsOf } from "./destination.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { followTarget } from "./pair.ts";

/**
 * Takes a pair off an entity, since its target is destroyed: no hook is asked whether it may go. Of a symmetric pair the other
 * side is destroyed as well, or has its own turn. Not for parents. Inside a visit.
 */
export function losePair(world: World, index: number, pair: PairNumber): void {
  const { graph } = world;
  const from = world.entities.table[index]!;
  if (!tableHasPair(world, from, pair)) return;
  const was = shapeAt(world, index);
  const id = graph.pairs.relation[pair]!;
  const relation = was.definitions.find((definition) => definition.id === id)!;
  // An archetype has a relation once, or, if its pairs carry values, once for each of them.
  const isLess = relation.holds !== "nothing" || pairsAt(world, index, relation).length === 1;
  const shape = isLess ? shapeWithout(graph, was, relation) : was;
  const to = roomyTableFor(graph, shape, unwantPair(world, pair, wantPairsOf(world, from)), 1, from);
  world.slots.announce?.(world, index, to);
  loseOrder(world, index, [pair]);
  moveEntity(world, index, to);
  tidyLeft(world, from);
  if (relation.keepsDepth && isTarget(graph.pairs, index))
    followTarget(world, relation, index, pairAt(world, index, relation));
}

/** Takes its parent off a child, which becomes a root, after hooks have been asked. @param calls what they have let through. */
export function loseParent(world: World, index: number, calls: readonly Change[]): void {
  const was = shapeAt(world, index);
  const root = shapeWithout(world.graph, was, was.isLoose ? Parent : ChildOf);
  const count = wantPairsOf(world, world.entities.table[index]!);
  const goal = goalOf(root, unwantPair(world, parentPairAt(world, index), count), 0);
  changeEntity(world, index, goal, undefined, calls);
}
