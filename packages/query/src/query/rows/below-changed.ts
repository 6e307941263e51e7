// What is below changed entities (`findBelow`), and which rows then may match (`collectBelow`).
import { type Relation, targetsOf, type World } from "@treeline/core";
import {
  type ArchetypeView,
  allArchetypes,
  archetypeViewAt,
  BLOCK_BITS,
  handleOf,
  indexOf,
  inherits,
  pairCursor,
  rowAt,
  runsOf,
  sizesOf,
  tableAt,
  trackOf,
} from "@treeline/core/internal";
import { Below, evaluateChanged, kindIn, MatchContext, NO, YES } from "../../match/evaluate.ts";
import { subjectsIn } from "../../match/pairs.ts";
import type { ChangedBelowTest, ChangedTest, Test } from "../../term/plan.ts";
import { addInterval, ROWS, type RowIntervals, sortRows } from "../lists/row-intervals.ts";
import type { IterationState } from "../state/iteration-state.ts";
import { isMatchOf, matchedArchetypes, type Query } from "../state/query-state.ts";
import { isShorter } from "./candidates.ts";

// Installed by `below`.

/**
 * Finds all entities below those that changed since the query last read changes, for each such term.
 *
 * @cost a look at each archetype, the blocks of rows with unread changes, and everything below the entities that changed, once.
 */
export function findBelow(state: IterationState): void {
  const { world, query, below } = state;
  const { leaves } = query.plan;
  for (let at = 0; at < leaves.length; at++) {
    const test = leaves[at]!;
    if (test.kind !== "changed below") continue;
    const found = (below[test.place] ??= new Below());
    found.begin(sizesOf(world).entities);
    const { since, began } = state;
    const context = Object.assign(new MatchContext(world), { since, began });
    eachUnread(context, test.what, allArchetypes(world), (index) => addBelow(world, test, found, index));
    for (let at = 0; at < found.length; at++) addBelow(world, test, found, found.indexes[at]!);
    if (state.enabled === undefined) continue;
    for (const [index, since] of state.enabled)
      if (isBelowChange(state, test, index, since)) found.add(index);
  }
}

/**
 * Did something above an entity change since a tick?
 *
 * @cost a walk up.
 */
function isBelowChange(
  { world, began }: IterationState,
  { what, relation }: ChangedBelowTest,
  index: number,
  since: number,
): boolean {
  const context = Object.assign(new MatchContext(world), { since, began });
  const seen = new Set([index]);
  for (const one of seen) {
    for (const target of targetsOf(world, handleOf(world, one), relation as Relation)) {
      const above = indexOf(target);
      context.index = above;
      context.row = rowAt(world, above);
      if (evaluateChanged(what, archetypeViewAt(world, above), context) === YES) return true;
      seen.add(above);
    }
  }
  return false;
}

/** Adds what is directly below an entity, in both storages of parents. */
function addBelow(world: World, { relation }: ChangedBelowTest, found: Below, index: number): void {
  const pair = pairCursor(world).find(relation, index);
  if (pair === 0 || !found.enter(index)) return;
  const subjects = subjectsIn(world);
  for (subjects.ofPair(pair); subjects.next(); ) found.add(subjects.index);
}

/** Calls back with the index and row of each entity of some archetypes for which a test of changes holds. */
function eachUnread(
  context: MatchContext,
  test: ChangedTest,
  archetypes: readonly ArchetypeView[],
  call: (index: number, archetype: ArchetypeView, row: number) => void,
): void {
  const { since, began } = context;
  for (const archetype of archetypes) {
    context.archetype = archetype;
    context.index = 0;
    if (archetype.rows === 0 || evaluateChanged(test, archetype, context) === NO) continue;
    const kind = kindIn(archetype, test.definition, test.track);
    // What rows inherit is not written in them.
    const blocks = inherits(archetype, test.definition)
      ? undefined
      : trackOf(archetype, test.definition, kind)!.blocks;
    const from = kind === "removed" ? Math.max(since, began) : since;
    const { bounds, length } = runsOf(archetype);
    const { i32 } = archetype.lanes;
    for (let run = 0; run < length; run += 2)
      for (let row = bounds[run]!; row < bounds[run + 1]!; row++) {
        if (blocks !== undefined && blocks[row >> BLOCK_BITS]! <= from) {
          row |= (1 << BLOCK_BITS) - 1; // the last row of its block
          continue;
        }
        context.index = i32[row]!;
        context.row = row;
        if (evaluateChanged(test, archetype, context) === YES) call(i32[row]!, archetype, row);
      }
  }
}

/**
 * Lists the rows that changed, or are below what changed, if a test requires that; tests must still be evaluated.
 *
 * @returns false, and nothing is listed, if no test does, or if it takes fewer steps to go through archetypes.
 */
export function collectBelow(query: Query, state: IterationState, intervals: RowIntervals): boolean {
  const { world, plan } = query;
  if (plan.leaves.every(({ kind }) => kind !== "changed below")) return false;
  for (const test of plan.tests) {
    const changes = changesIn(test);
    if (changes === undefined || changes.every(({ kind }) => kind === "changed")) continue;
    let cost = 0;
    for (const one of changes) if (one.kind === "changed below") cost += state.below[one.place]!.length;
    if (isShorter(query, cost)) return false;
    const { merges } = intervals;
    intervals.merges = true;
    const add = (_: number, archetype: ArchetypeView, row: number): void => {
      addInterval(intervals, archetype, row, row + 1, ROWS);
    };
    for (const one of changes) {
      if (one.kind === "changed") {
        const { since, began, enabled } = state;
        const context = Object.assign(new MatchContext(world), { since, began, enabled });
        eachUnread(context, one, matchedArchetypes(query), add);
        continue;
      }
      const { indexes, length } = state.below[one.place]!;
      for (let at = 0; at < length; at++) {
        const index = indexes[at]!;
        const archetype = archetypeViewAt(world, index);
        if (tableAt(world, index) !== 0 && isMatchOf(query, archetype))
          add(index, archetype, rowAt(world, index));
      }
    }
    sortRows(world, intervals);
    intervals.merges = merges;
    state.isOpen = true;
    return true;
  }
  return false;
}

/** The alternatives of a test, if all of them are changes; else undefined. */
function changesIn(test: Test): (ChangedTest | ChangedBelowTest)[] | undefined {
  if (test.kind === "changed" || test.kind === "changed below") return [test];
  if (test.kind !== "any") return undefined;
  const parts = test.of.map(changesIn);
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part!);
}
