import type { World } from "@treeline/core";
import { firstPairOf, isTarget, PAIR_DELETES, sortByOrder } from "@treeline/core/internal";
import type { Reach } from "./reach.ts";

/**
 * The dying in the order of death: depth-first, children before parents, siblings in order; along all relations that
 * delete. An entity that is reached twice, or by a cycle, dies where it is reached first.
 */
export function inDyingOrder(world: World, reach: Reach): number[] {
  const order: number[] = [];
  const entered = new Set<number>([reach.root]);
  /** Way from the root down: an entity and those of its sources that are still to come, the next one last. */
  const way: { index: number; waiting: number[] }[] = [
    { index: reach.root, waiting: sourcesOf(world, reach.root) },
  ];
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const next = step.waiting.pop();
    if (next === undefined) {
      order.push(step.index);
      way.pop();
    } else if (!entered.has(next)) {
      entered.add(next);
      way.push({ index: next, waiting: sourcesOf(world, next) });
    }
  }
  return order;
}

/** The sources of all relations that delete, last sibling first. */
function sourcesOf(world: World, index: number): number[] {
  const { pairs, records, tables, shapes } = world.graph;
  if (!isTarget(pairs, index)) return [];
  const found: number[] = [];
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if ((pairs.traits[pair]! & PAIR_DELETES) === 0) continue;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const first = tables.first[table]!;
      const { i32 } = shapes[tables.shape[table]!]!.lanes;
      for (let row = first; row < first + tables.count[table]!; row++) found.push(i32[row]!);
    }
  }
  return [...sortByOrder(Int32Array.from(new Set(found)), world.entities.order)].reverse();
}
