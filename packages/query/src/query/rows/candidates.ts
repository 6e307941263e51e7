// Where a search for rows starts: the pair with the fewest rows or all archetypes (`collectRows`, `isShorter`; `FEW` steps are never compared).
import { Any, type Definition } from "@treeline/core";
import { ANY, type ArchetypeView, allArchetypes, runsOf } from "@treeline/core/internal";
import { candidatesFor, evaluateAll, MAYBE, NO } from "../../match/evaluate.ts";
import { costOfPair, endOfAlike, hasAt, includesParents, indexIfAlive } from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import { namesTarget } from "../../term/plan.ts";
import {
  addInterval,
  createIntervals,
  emptied,
  HEAD,
  ROWS,
  type RowIntervals,
  sortRows,
} from "../lists/row-intervals.ts";
import { engine, type IterationState } from "../state/iteration-state.ts";
import { matchedArchetypes, type Query } from "../state/query-state.ts";
import { addSubjects } from "./subjects.ts";

/** Up to this number of steps, no cheaper plan is searched for. */
const FEW = 16;

/**
 * Lists rows that may match by what they have: archetypes in order of founding, rows ascending. Tests that archetypes do not
 * decide must still be evaluated.
 */
export function listRowsOf(query: Query, state: IterationState, intervals: RowIntervals): void {
  if (hasTargets(query)) collectRows(query, intervals);
  else if (engine.collectBelow?.(query, state, intervals) === true) return;
  else if (query.plan.tests.length === 0 || engine.collectEither?.(query, intervals) !== true) {
    const archetypes = matchedArchetypes(query);
    for (let at = 0; at < archetypes.length; at++) listRuns(query, state, intervals, archetypes[at]!);
  } else state.isOpen = true;
}

/** Does a clause name an entity, or a bound variable? */
export function hasTargets({ plan, targets }: Query): boolean {
  const { targeted } = plan;
  for (let at = 0; at < targeted.length; at++) if (targets[targeted[at]!] !== ANY) return true;
  return false;
}

/** Lists all rows of an archetype, if some of them may match. */
export function listRuns(
  query: Query,
  state: IterationState,
  intervals: RowIntervals,
  archetype: ArchetypeView,
): void {
  const { cut } = query.plan;
  const { rows, bits } = archetype;
  if (rows === 0 || (bits?.shareOf(cut) ?? cut.bare) === NO) return;
  if (mayMatch(query, state, archetype)) addRuns(intervals, archetype);
}

/** Evaluates tests for all rows of an archetype, with the archetypes of sources in the state. */
export function mayMatch({ plan }: Query, state: IterationState, archetype: ArchetypeView): boolean {
  state.archetype = archetype;
  state.index = 0;
  const truth = evaluateAll(plan.tests, archetype, state);
  if (truth === MAYBE) state.isOpen = true;
  return truth !== NO;
}

function addRuns(intervals: RowIntervals, archetype: ArchetypeView): void {
  if (archetype.rows === 0) return;
  const { bounds, length } = runsOf(archetype);
  for (let at = 0; at < length; at += 2)
    addInterval(intervals, archetype, bounds[at]!, bounds[at + 1]!, ROWS);
}

/**
 * Lists the rows that match all clauses, some of which name a target, each once, as whole runs; tests are not evaluated. It
 * allocates nothing, except where rows of an excluded pair are removed from many.
 *
 * It starts from the subjects of the rarest required pair, or from the rows of all archetypes that
 * match if these take fewer steps; the other pairs are tested row by row, adjacent rows with the same pairs together. Rows
 * with an excluded pair are removed, where these are fewer than all remaining ones.
 */
export function collectRows(query: Query, intervals: RowIntervals): void {
  const { world, plan, targets } = query;
  const { clauses, targeted } = plan;
  const { merges } = intervals;
  let lead = -1;
  let steps = Number.POSITIVE_INFINITY;
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    const { operator, definition } = clauses[place]!;
    if (operator !== "with" || targets[place] === ANY) continue;
    const cost = costOf(query, definition, targets[place]!);
    if (cost === 0) return;
    if (cost >= steps) continue;
    steps = cost;
    lead = place;
  }
  intervals.merges = true;
  if (lead >= 0 && !isShorter(query, steps)) {
    addSubjectsOf(query, intervals, clauses[lead]!.definition, targets[lead]!);
    sortRows(world, intervals);
  } else {
    lead = -1;
    steps = 0;
    for (const archetype of matchedArchetypes(query)) {
      addRuns(intervals, archetype);
      steps += archetype.rows;
    }
  }
  for (let at = 0; at < targeted.length; at++) {
    const place = targeted[at]!;
    if (place === lead || targets[place] === ANY) continue;
    const { operator, definition } = clauses[place]!;
    const cost = operator === "not" ? costOf(query, definition, targets[place]!) : steps;
    if (cost >= steps) filterByTarget(query, intervals, place);
    else if (cost > 0) engine.excludeTarget!(query, intervals, place);
  }
  intervals.merges = merges;
}

/** The steps to go through all subjects of a pair; 0 if the target is not alive. */
export function costOf({ world }: Query, definition: Definition, handle: number): number {
  const target = indexIfAlive(world, handle);
  return target === 0 ? 0 : costOfPair(world, definition, target);
}

/** Adds the rows of those subjects. */
function addSubjectsOf(query: Query, intervals: RowIntervals, definition: Definition, handle: number): void {
  const target = indexIfAlive(query.world, handle);
  if (target !== 0) addSubjects(query, intervals, definition, target, false);
}

/** Does it take fewer steps to go through all archetypes that match, with tests of clauses with targets? */
export function isShorter(query: Query, steps: number): boolean {
  if (steps <= FEW) return false;
  const { world, plan, matches } = query;
  if (!matches.of && candidatesFor(world, plan).length >= steps) return false;
  const archetypes = matchedArchetypes(query);
  let sum = 0;
  for (let at = 0; at < archetypes.length && sum < steps; at++) sum += archetypes[at]!.rows;
  return sum < steps;
}

/** Keeps the rows that match one more clause with a target, tested once for adjacent rows with the same pairs. */
function filterByTarget({ world, plan, targets }: Query, intervals: RowIntervals, place: number): void {
  const { operator, definition } = plan.clauses[place]!;
  const target = targets[place]!;
  const { stride, length } = intervals;
  const numbers = emptied(intervals);
  const isOfRows = definition.storage !== "table" || definition.reflexive || definition === Any;
  const readsParents = includesParents(definition);
  for (let at = 0; at < length; at += stride) {
    const archetype = allArchetypes(world)[numbers[at]!]!;
    const { i32 } = archetype.lanes;
    const end = numbers[at + 2]!;
    for (let row = numbers[at + 1]!; row < end; ) {
      const next = isOfRows ? row + 1 : endOfAlike(world, archetype, row, end, readsParents);
      if (hasAt(world, i32[row]!, definition, target) === (operator === "with"))
        addInterval(intervals, archetype, row, next, ROWS);
      row = next;
    }
  }
}

// ---- installed by terms ------------------------------------------------------------------------------------------------

/** Removes the subjects of a pair that a clause excludes from rows, which are in order. */
export function excludeTarget(query: Query, intervals: RowIntervals, place: number): void {
  const { world, plan, targets } = query;
  const archetypes = allArchetypes(world);
  const others = createIntervals(HEAD);
  addSubjectsOf(query, others, plan.clauses[place]!.definition, targets[place]!);
  sortRows(world, others);
  const { stride, length } = intervals;
  let other = 0;
  const numbers = emptied(intervals);
  for (let at = 0; at < length; at += stride) {
    const archetype = archetypes[numbers[at]!]!;
    const to = numbers[at + 2]!;
    let from = numbers[at + 1]!;
    for (; other < others.length; other += others.stride) {
      const first = others.numbers[other + 1]!;
      const behind = archetypes[others.numbers[other]!]!.place - archetype.place;
      if (behind > 0 || (behind === 0 && first >= to)) break;
      if (behind < 0) continue;
      if (from < first) addInterval(intervals, archetype, from, first, ROWS);
      from = Math.max(from, others.numbers[other + 2]!);
      if (from >= to) break;
    }
    if (from < to) addInterval(intervals, archetype, from, to, ROWS);
  }
}

/**
 * Lists the subjects of any of several pairs with targets, if a test requires that; tests must still be evaluated.
 *
 * @returns false, and nothing is listed, if no test does, or if it takes fewer steps to go through archetypes.
 */
export function collectEither(query: Query, intervals: RowIntervals): boolean {
  const { world, plan } = query;
  for (const test of plan.tests) {
    if (test.kind !== "any") continue;
    const pairs = test.of.flatMap((one) =>
      one.kind === "has" && namesTarget(one) && !isVariable(one.target) ? [one] : [],
    );
    if (pairs.length < test.of.length) continue;
    let cost = 0;
    for (const { definition, target } of pairs) cost += costOf(query, definition, target);
    if (isShorter(query, cost)) return false;
    const { merges } = intervals;
    intervals.merges = true;
    for (const { definition, target } of pairs) addSubjectsOf(query, intervals, definition, target);
    sortRows(world, intervals);
    intervals.merges = merges;
    return true;
  }
  return false;
}
