import { type Definition, has, type Pair, type World } from "@treeline/core";
import { handleAt, pairsAt, type Question } from "@treeline/core/internal";

/**
 * The index of the nearest ancestor that has something, or 0. Of several targets, the line of the one that has the lowest
 * index is followed to its end before that of the next. Cost: the ancestors up to there.
 */
export function holderAbove(world: World, index: number, relation: Definition, what: Question): number {
  const waiting = [...targetsAt(world, index, relation)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (hasAt(world, at, what)) return at;
    waiting.push(...targetsAt(world, at, relation));
  }
  return 0;
}

/** Indexes, the lowest last. */
function targetsAt(world: World, index: number, relation: Definition): number[] {
  const { pairs } = world.graph;
  return pairsAt(world, index, relation)
    .map((pair) => pairs.target[pair]!)
    .sort((one, other) => other - one);
}

/** Has the entity at an index what a question means? */
export function hasAt(world: World, index: number, what: Question): boolean {
  return has(world, handleAt(world.entities, index), what as unknown as Pair);
}

/** Steps on the longest way from the entity at an index to a root. Cost: all that lies above it. */
export function longestWayUp(
  world: World,
  index: number,
  relation: Definition,
  known: Map<number, number>,
): number {
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
