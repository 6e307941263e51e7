import type { Definition, World } from "@treeline/core";
import { type PairNumber, pairAt, pairsAt, settleDepths } from "@treeline/core/internal";
import { hasAt } from "./has-at.ts";

/** So many steps up are taken without a look at what was passed before. */
const NEAR = 8;

/** Pair -> index of the nearest holder above those who have it, or 0; for pairs far up. Good while nothing changes. */
export type Passed = Map<PairNumber, number>;

/**
 * The index of the nearest ancestor that has something, or 0. Of several targets, the line of the one that has the lowest
 * index is followed to its end before that of the next.
 *
 * Cost: the ancestors up to there; with `passed`, along an exclusive relation, those not passed before, and a few.
 *
 * @param target of a pair that is looked for; else 0.
 * @param passed for the same question; what is passed is added.
 */
export function holderAbove(
  world: World,
  index: number,
  relation: Definition,
  definition: Definition,
  target: number,
  passed?: Passed,
): number {
  if (!relation.keepsDepth) return holderOnLines(world, index, relation, definition, target);
  const { pairs, records } = world.graph;
  let steps = 0;
  for (let pair = pairAt(world, index, relation); pair !== 0; pair = records.above[pair]!) {
    if (passed !== undefined && steps++ === NEAR) return farHolder(world, pair, definition, target, passed);
    const above = pairs.target[pair]!;
    if (hasAt(world, above, definition, target)) return above;
  }
  return 0;
}

function farHolder(
  world: World,
  pair: PairNumber,
  definition: Definition,
  target: number,
  passed: Passed,
): number {
  const { pairs, records } = world.graph;
  let holder = 0;
  let end = pair;
  for (; end !== 0 && holder === 0; end = records.above[end]!) {
    const known = passed.get(end);
    if (known !== undefined) {
      holder = known;
      break;
    }
    const above = pairs.target[end]!;
    if (hasAt(world, above, definition, target)) holder = above;
  }
  for (let at = pair; at !== end; at = records.above[at]!) passed.set(at, holder);
  return holder;
}

/** Along a relation with many targets. */
function holderOnLines(
  world: World,
  index: number,
  relation: Definition,
  definition: Definition,
  target: number,
): number {
  const waiting = targetsAt(world, index, relation);
  if (waiting.length === 0) return 0;
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (hasAt(world, at, definition, target)) return at;
    for (const above of targetsAt(world, at, relation)) waiting.push(above);
  }
  return 0;
}

/** Indexes, the lowest last. A fresh list. */
function targetsAt(world: World, index: number, relation: Definition): number[] {
  const { pairs } = world.graph;
  return pairsAt(world, index, relation)
    .map((pair) => pairs.target[pair]!)
    .sort((one, other) => other - one);
}

/**
 * Steps on the longest way from the entity at an index to a root. Cost: of an exclusive relation next to nothing; else
 * all that lies above it.
 *
 * @param known depths by entity index, of relations with many targets; what is found is added.
 */
export function longestWayUp(
  world: World,
  index: number,
  relation: Definition,
  known: Map<number, number>,
): number {
  if (relation.keepsDepth) {
    const { records } = world.graph;
    if (records.staleList.length > 0) settleDepths(world);
    const pair = pairAt(world, index, relation);
    return pair === 0 ? 0 : records.depth[pair]!;
  }
  const waiting = [index];
  while (waiting.length > 0) {
    const at = waiting.at(-1)!;
    let depth = 0;
    let isReady = true;
    for (const target of targetsAt(world, at, relation)) {
      const above = known.get(target);
      if (above === undefined) {
        isReady = false;
        waiting.push(target);
      } else depth = Math.max(depth, above + 1);
    }
    if (!isReady) continue;
    known.set(at, depth);
    waiting.pop();
  }
  return known.get(index)!;
}
