import { grownInt32 } from "../base/growing.ts";
import type { PairNumber } from "../storage/table.ts";
import type { PairRecords } from "./pair-records.ts";

/**
 * Hangs a record below another (0: makes it a root of the tree). Depths at and below it are right again after
 * `refreshDepths`.
 */
export function hangBelow(records: PairRecords, pair: PairNumber, above: PairNumber): void {
  unhang(records, pair);
  records.above[pair] = above;
  if (above !== 0) {
    const head = records.firstBelow[above]!;
    records.beside[pair] = head;
    records.before[pair] = 0;
    if (head !== 0) records.before[head] = pair;
    records.firstBelow[above] = pair;
  }
  markStale(records, pair);
}

/** Takes a record out of the tree; what hangs below it must have moved before. */
export function unhang(records: PairRecords, pair: PairNumber): void {
  const above = records.above[pair]!;
  if (above === 0) return;
  const before = records.before[pair]!;
  const after = records.beside[pair]!;
  if (before === 0) records.firstBelow[above] = after;
  else records.beside[before] = after;
  if (after !== 0) records.before[after] = before;
  records.above[pair] = 0;
  records.beside[pair] = 0;
  records.before[pair] = 0;
}

function depthBelow(records: PairRecords, above: PairNumber): number {
  return above === 0 ? 1 : records.depth[above]! + 1;
}

/** A record without records below is set right at once, if nothing above can be wrong; others wait in the list. */
function markStale(records: PairRecords, pair: PairNumber): void {
  if (records.staleList.length === 0 && records.firstBelow[pair] === 0) {
    records.depth[pair] = depthBelow(records, records.above[pair]!);
    return;
  }
  if (records.isStale[pair] === 1) return;
  records.isStale[pair] = 1;
  records.staleList.push(pair);
}

/**
 * Sets all depths right, by an iterative walk over the records below stale ones. Between stale records every depth is
 * one more than the depth above, so a stale record that moved to an equal depth needs no walk.
 *
 * Stale records above others are done first: the ways up are walked once, with a note at each record passed whether
 * a stale one lies at or above it. Cost: the records below the topmost stale ones, and the ways up from stale ones.
 *
 * @param changed is told of each pair whose depth is another now.
 */
export function refreshDepths(records: PairRecords, changed: (pair: PairNumber) => void): void {
  const { staleList } = records;
  if (staleList.length === 0) return;
  records.seenInRound = grownInt32(records.seenInRound, records.firstNode.length);
  const round = ++records.round;
  const { seenInRound } = records;
  const way: PairNumber[] = [];

  for (const stale of staleList) {
    way.length = 0;
    for (let at = stale; at !== 0 && seenInRound[at] !== round; at = records.above[at]!) {
      seenInRound[at] = round;
      way.push(at);
    }
    for (let step = way.length - 1; step >= 0; step--) {
      const pair = way[step]!;
      if (records.isStale[pair] === 1) refreshBelow(records, pair, changed);
    }
  }
  staleList.length = 0;
}

/** Corrects one stale record, and all below it if its depth changes; every record met is no longer stale. */
function refreshBelow(records: PairRecords, top: PairNumber, changed: (pair: PairNumber) => void): void {
  records.isStale[top] = 0;
  const depth = depthBelow(records, records.above[top]!);
  if (records.depth[top] === depth) return;
  records.depth[top] = depth;
  changed(top);

  let pair = records.firstBelow[top]!;
  while (pair !== 0) {
    const right = depthBelow(records, records.above[pair]!);
    records.isStale[pair] = 0;
    if (records.depth[pair] !== right) {
      records.depth[pair] = right;
      changed(pair);
    }
    let next = records.firstBelow[pair]!;
    while (next === 0 && pair !== top) {
      next = records.beside[pair]!;
      if (next === 0) pair = records.above[pair]!;
      if (pair === top) break;
    }
    if (next === 0) return;
    pair = next;
  }
}
