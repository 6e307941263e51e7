import type { World } from "@treeline/core";
import { grownInt32, type TableNumber } from "@treeline/core/internal";
import { type Owners, owns } from "./owners.ts";

/**
 * What is found along a relation with many targets, whose pairs keep no depth and hang below no single other: by table,
 * since all rows of one have the same targets. Good for one round.
 */
export interface Lines {
  /** By table: the index of the nearest holder, 0 if there is none; and the longest way up, 0 without targets. */
  holder: Int32Array<ArrayBuffer>;
  depth: Int32Array<ArrayBuffer>;
  /** By table: the round in which it was settled. */
  settled: Int32Array<ArrayBuffer>;
  round: number;
}

export function createLines(): Lines {
  const none = new Int32Array(0);
  return { holder: none, depth: none, settled: none, round: 0 };
}

/** Forgets what was found so far. */
export function beginLines({ graph }: World, lines: Lines): void {
  const { length } = graph.tables;
  lines.holder = grownInt32(lines.holder, length);
  lines.depth = grownInt32(lines.depth, length);
  lines.settled = grownInt32(lines.settled, length);
  lines.round++;
}

/**
 * Finds holder and depth of a table's rows, and of all that they lead to. Of several targets the line of the one with the
 * lowest index is followed to its end before the next. Cost: each pair that it leads to, once in a round.
 */
export function settleLines(
  world: World,
  lines: Lines,
  owners: Owners,
  relation: number,
  table: TableNumber,
): void {
  const { settled, round } = lines;
  if (settled[table] === round) return;
  const waiting = [table];
  for (let at = waiting.at(-1); at !== undefined; at = waiting.at(-1)) {
    if (settled[at] !== round) {
      const targets = targetsIn(world, at, relation);
      const before = waiting.length;
      for (const target of targets) {
        const above = world.entities.table[target]!;
        if (settled[above] !== round) waiting.push(above);
      }
      if (waiting.length > before) continue;
      settleTable(world, lines, owners, at, targets);
    }
    waiting.pop();
  }
}

/** All that its targets lead to has been settled. */
function settleTable(
  world: World,
  lines: Lines,
  owners: Owners,
  table: TableNumber,
  targets: readonly number[],
): void {
  let holder = 0;
  let depth = 0;
  for (const target of targets) {
    const above = world.entities.table[target]!;
    depth = Math.max(depth, lines.depth[above]! + 1);
    if (holder === 0) holder = owns(world, owners, target) ? target : lines.holder[above]!;
  }
  lines.holder[table] = holder;
  lines.depth[table] = depth;
  lines.settled[table] = lines.round;
}

/** Entity indexes, lowest first. A fresh list. */
function targetsIn({ graph }: World, table: TableNumber, relation: number): number[] {
  const { tables, records, pairs } = graph;
  const found: number[] = [];
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] === relation) found.push(pairs.target[pair]!);
  }
  return found.length < 2 ? found : found.sort((one, other) => one - other);
}
