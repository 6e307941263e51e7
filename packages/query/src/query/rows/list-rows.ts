// Which rows an iteration goes through (`listRows`); filters them by tests, skips blocks without changes.
import { BLOCK_BITS, inherits, knownEntityOf, runsOf, slotsOf, trackOf } from "@treeline/core/internal";
import { sourceAbove } from "../../match/ancestors.ts";
import { evaluateAll, kindIn, MAYBE, YES } from "../../match/evaluate.ts";
import { differsByRow, hasAt, indexIfAlive } from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import type { FixedSource, Plan, Test } from "../../term/plan.ts";
import { addPart, cutByPairs, drop, ROWS, type RowIntervals, startInterval } from "../lists/row-intervals.ts";
import { engine, type IterationState, turnToEntity, upPathOf } from "../state/iteration-state.ts";
import { matchedArchetypes, type Query } from "../state/query-state.ts";
import { hasTargets, listRowsOf } from "./candidates.ts";
import { listDirect } from "./subjects.ts";

/**
 * Lists the rows of an iteration that begins now, in its order. No callback has been called yet, so neither callbacks nor `bind`
 * during the iteration change the list.
 */
export function listRows(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, plan, part } = query;
  intervals.length = 0;
  if (plan.isPlain && part === undefined) {
    state.query = query;
    listAll(query, intervals);
    return;
  }
  if (plan.direct >= 0 && listDirect(query, state, intervals)) {
    state.beginBound(query);
    if (part !== undefined) engine.sortRows!(query, state, intervals);
    return;
  }
  state.begin(query);
  const isDirect = plan.direct >= 0 && query.targets[plan.direct]! > 0; // its subjects are all the matches
  const joins = !isDirect && plan.joins.length > 0 && mustSolve(query);
  const isEmpty =
    (plan.fixedSources.length > 0 && engine.hasFalseFixedSource!(query, state)) ||
    (plan.joins.length > 0 && !isDirect && !joins && !engine.joinsHold!(state));
  state.isOpen = joins || hasTargets(query);
  // A query for changes of ancestors notes sources also if nothing matches: the present ones are read then.
  if (!isEmpty || plan.watched.length > 0) {
    if (joins && (plan.freePath === undefined || query.bound[0] !== 0))
      engine.listJoined!(query, state, intervals);
    else if (joins || plan.traversals.length > 0) engine.listBatched!(query, state, intervals);
    else listRowsOf(query, state, intervals);
  }
  if (isEmpty) intervals.length = 0;
  if (!intervals.merges) cutByPairs(world, intervals, state.batches?.rowLists.rows);
  if (state.isOpen && plan.tests.length > 0 && intervals.length > 0) filterIntervals(query, state, intervals);
  // What batches and orders keep does not depend on bits, so a change of one makes nothing stale.
  slotsOf(world).cutRows?.(world, plan, intervals, state);
  if (part !== undefined || plan.isSorted) engine.sortRows!(query, state, intervals);
}

/** Lists all rows of the matching archetypes. */
function listAll(query: Query, intervals: RowIntervals): void {
  const archetypes = matchedArchetypes(query);
  for (let place = 0; place < archetypes.length; place++) {
    const archetype = archetypes[place]!;
    if (archetype.rows === 0) continue;
    const { bounds, length } = runsOf(archetype, query.plan.cut);
    for (let at = 0; at < length; at += 2)
      startInterval(intervals, archetype.number, bounds[at]!, bounds[at + 1]!, ROWS);
  }
}

/** Are there variables to be found? Bound variables are targets like others. */
export function mustSolve(query: Query): boolean {
  const { joins } = query.plan;
  for (let at = 0; at < query.bound.length; at++) if (query.bound[at] === 0) return true;
  for (let at = 0; at < joins.length; at++)
    if (joins[at]!.subject === 0 && joins[at]!.clause < 0) return true;
  return false;
}

// ---- fixed sources: installed by terms about those ---------------------------------------------------------------------

/** The index of the entity that now has what is required of a fixed source; 0 if there is none. */
export function findFixedSource(state: IterationState, fixed: FixedSource, place: number): number {
  const { world, query } = state;
  const { source, definition, relation, self } = fixed;
  const handle = source === 0 ? (knownEntityOf(world, definition) ?? 0) : state.targetOf(source);
  const index = indexIfAlive(world, handle);
  if (index === 0) return 0;
  const target = state.targetOf(fixed.target);
  if ((relation === undefined || self) && hasAt(world, index, definition, target)) return index;
  if (relation === undefined) return 0;
  const path = { relation, what: { definition, target } };
  return sourceAbove(world, index, upPathOf(state, query.plan.traversals.length + place, path));
}

/** Does something required of a fixed source not hold, so that nothing matches? */
export function hasFalseFixedSource({ plan }: Query, { found }: IterationState): boolean {
  const { fixedSources, tests } = plan;
  return tests.some(
    (test) => test.kind === "on" && found[test.fixed] === 0 && !isVariable(fixedSources[test.fixed]!.source),
  );
}

// Each of these adds what it keeps of the intervals after them, and drops them in the end.

/** Keeps the positions that pass all tests; they match the clauses already. */
export function filterIntervals(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { tests, isWatching } = query.plan;
  const { stride, length } = intervals;
  for (let at = 0; at < length; at += stride) {
    state.turnTo(intervals, at);
    state.index = 0;
    const truth = evaluateAll(tests, state.archetype, state);
    if (truth === YES) addPart(intervals, at, state.from, state.to, intervals.length);
    else if (truth !== MAYBE) continue;
    else if (isWatching && state.rows === undefined) engine.filterUnread!(query, state, intervals, at);
    else filterEach(query, state, intervals, at);
  }
  drop(intervals, 0, length);
}

/** Can the result differ between rows of one archetype? */
export function needRows({ leaves }: Plan): boolean {
  for (const { kind, definition } of leaves)
    if (kind.startsWith("changed") || (kind !== "on" && differsByRow(definition))) return true;
  return false;
}

/** Evaluates tests position by position, or once if the result is the same for all of them. */
function filterEach({ plan }: Query, state: IterationState, intervals: RowIntervals, at: number): void {
  const { archetype, to } = state;
  const { length } = intervals;
  const isByRow = state.rows !== undefined || needRows(plan);
  for (let place = state.from; place < to; ) {
    turnToEntity(state, place);
    const next = isByRow ? place + 1 : to;
    if (evaluateAll(plan.tests, archetype, state) === YES) addPart(intervals, at, place, next, length);
    place = next;
  }
}

/** The same for tests of changes: blocks without unread changes are skipped. */
export function filterUnread(
  { plan }: Query,
  state: IterationState,
  intervals: RowIntervals,
  at: number,
): void {
  const { tests } = plan;
  const { archetype, since, to, enabled } = state;
  const { length } = intervals;
  // If a test requires an unread change, ticks alone rule out most rows.
  const gain = tests.find((test) => test.kind === "changed" && test.track !== "removed");
  const ticks =
    gain?.kind === "changed" && enabled === undefined && !inherits(archetype, gain.definition)
      ? trackOf(archetype, gain.definition, gain.track)?.rows
      : undefined;
  for (let row = state.from; row < to; ) {
    const block = row >> BLOCK_BITS;
    const stop = Math.min(to, (block + 1) << BLOCK_BITS);
    if (isOld(tests, state, block)) row = stop;
    for (; row < stop; row++) {
      if (ticks !== undefined && ticks[row]! <= since) continue;
      turnToEntity(state, row);
      if (evaluateAll(tests, archetype, state) === YES) addPart(intervals, at, row, row + 1, length);
    }
  }
}

/** Does a block of rows have no unread changes for one of the tests? */
function isOld(tests: readonly Test[], { archetype, since }: IterationState, block: number): boolean {
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind !== "changed" || inherits(archetype, test.definition)) continue; // ticks of others count as well
    const kind = kindIn(archetype, test.definition, test.track);
    const track = trackOf(archetype, test.definition, kind);
    if (track === undefined || track.blocks[block]! <= since) return true;
  }
  return false;
}
