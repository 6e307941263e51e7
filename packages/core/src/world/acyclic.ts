import { TreelineError } from "../base/error.ts";
import type { Definition } from "../id/definition.ts";
import { findPair } from "../id/pair-book.ts";
import { handleAt } from "../records/entity-index.ts";
import { textOf } from "./require.ts";
import { pairAt } from "./targets.ts";
import type { World } from "./world.ts";

/** How many steps of a cycle a message spells out. */
const STEPS_SHOWN = 8;

/**
 * Refuses a pair that would close a circle. Cost: the steps from the target to its root, and nothing for a source
 * that is not a target itself.
 *
 * @throws TreelineError `cycle`, naming the chain.
 */
export function requireNoCycle(world: World, relation: Definition, source: number, target: number): void {
  if (source !== target) {
    const { pairs } = world.graph;
    if (findPair(pairs, relation.id, source) === 0) return;
    let at = target;
    for (;;) {
      const pair = pairAt(world, at, relation);
      if (pair === 0) return;
      at = pairs.target[pair]!;
      if (at === source) break;
    }
  }
  throw new TreelineError("cycle", cycleText(world, relation, source, target));
}

function cycleText(world: World, relation: Definition, source: number, target: number): string {
  const name = (index: number): string => textOf(world, handleAt(world.entities, index));
  if (source === target) return `${name(source)} cannot have itself as target of ${relation.name}`;
  const chain = [name(target)];
  let at = target;
  while (at !== source && chain.length < STEPS_SHOWN) {
    at = world.graph.pairs.target[pairAt(world, at, relation)]!;
    chain.push(name(at));
  }
  if (at !== source) chain.push("...", name(source));
  return (
    `${name(target)} lies below ${name(source)} already (${relation.name}: ${chain.join(" -> ")}), ` +
    `so ${name(source)} cannot go below it; move ${name(target)} elsewhere first`
  );
}
