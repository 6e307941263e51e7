// Rows of a pair's subjects (`addSubjects`); the short way if they are all the matches (`listDirect`), by archetypes if these have few rows.
import { Any, type Definition } from "@treeline/core";
import type { ArchetypeView, PairId, SubjectCursor } from "@treeline/core/internal";
import {
  allArchetypes,
  archetypeViewAt,
  ChildOf,
  grownInt32,
  Parent,
  pairCursor,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import { NO, type Truth, YES } from "../../match/evaluate.ts";
import { firstPairTo, hasStored, indexIfAlive, nextPair, subjectsIn } from "../../match/pairs.ts";
import { addInterval, OWN_LIST, ROWS, type RowIntervals, startInterval } from "../lists/row-intervals.ts";
import type { IterationState } from "../state/iteration-state.ts";
import { isMatchOf, matchedArchetypes, type Query } from "../state/query-state.ts";

/**
 * Adds all rows with a pair that a relation means, with the target at an index, adjacent subjects together, then that of the target
 * itself, if the relation is reflexive. Each row is listed once. It allocates nothing.
 *
 * @param isForAll includes rows of archetypes that do not match the query.
 */
export function addSubjects(
  query: Query,
  intervals: RowIntervals,
  definition: Definition,
  target: number,
  isForAll: boolean,
): void {
  const { world } = query;
  const subjects = subjectsIn(world);
  const isAny = definition === Any;
  let pair = nextPair(world, definition, target);
  for (; pair !== 0; pair = nextPair(world, definition, target, pair)) {
    subjects.ofPair(pair, definition, isAny);
    while (isAny ? subjects.next() : subjects.nextRows()) {
      if (!isAny) {
        addRows(query, intervals, subjects.archetype, subjects.first, subjects.end, isForAll);
        continue;
      }
      // An entity with several pairs with the target is listed for the first one; those of sparse stores come after all others.
      const { index } = subjects;
      const first = firstPairTo(world, index, target);
      if (first !== 0 && first !== pair) continue;
      const row = rowAt(world, index);
      addRows(query, intervals, archetypeViewAt(world, index), row, row + 1, isForAll);
    }
  }
  if (!definition.reflexive || tableAt(world, target) === 0 || hasStored(world, target, definition, target))
    return;
  const first = rowAt(world, target);
  addRows(query, intervals, archetypeViewAt(world, target), first, first + 1, isForAll);
}

function addRows(
  query: Query,
  intervals: RowIntervals,
  archetype: ArchetypeView,
  first: number,
  end: number,
  isForAll: boolean,
): void {
  if (isForAll || isMatchOf(query, archetype)) addInterval(intervals, archetype, first, end, ROWS);
}

/**
 * Lists the matches of a query that only requires a pair with one target: of each archetype as one interval, of rows or of places in a
 * list; archetypes in order of founding, and subjects in their order, children as siblings.
 *
 * @cost the subjects; of children of one parent no more than four times the rows of the archetypes that match.
 * @returns false, and nothing is listed, if the target is not known, or if values of pairs are read.
 */
export function listDirect(query: Query, state: IterationState, intervals: RowIntervals): boolean {
  const { world, plan, targets } = query;
  const { definition } = plan.clauses[plan.direct]!;
  const target = targets[plan.direct]!;
  if (target <= 0 || plan.readsPairs) return false;
  const pairs = pairCursor(world);
  const index = indexIfAlive(world, target);
  const pair = index === 0 ? 0 : pairs.find(definition, index);
  if (pair === 0) return true;
  const subjects = subjectsIn(world);
  const isOfChildren = definition === ChildOf || definition === Parent;
  subjects.ofPair(pair, definition);
  if (isOfChildren) {
    // Children that store their parent in both ways are of several archetypes.
    if (subjects.findAlike(false)) {
      addAlike(query, state, intervals, subjects);
      return true;
    }
    const count = pairs.count(pair);
    if (count > SMALL && rowsThatMatch(query) * 4 < count) {
      listByArchetype(query, state, intervals, pair);
      return true;
    }
    if (subjects.findAlike(true)) {
      addAlike(query, state, intervals, subjects);
      return true;
    }
  }
  state.own = grownInt32(state.own, pairs.count(pair));
  listMixed(query, state, intervals);
  return true;
}

/** Adds the children of a parent, if they match, after `findAlike`. */
function addAlike(
  query: Query,
  state: IterationState,
  intervals: RowIntervals,
  subjects: SubjectCursor,
): void {
  const { archetype, first, end, count } = subjects;
  const share = shareOf(query, archetype);
  if (share === NO) return;
  if (share === YES && end > 0) {
    startInterval(intervals, archetype.number, first, end, ROWS);
    return;
  }
  const own = grownInt32(state.own, count);
  state.own = own;
  addLeft(query, intervals, archetype, own, 0, subjects.listRows(own), share);
}

/** Lists of at most so many children are always read as a whole. */
const SMALL = 256;

/** How many rows the archetypes that match have. */
function rowsThatMatch(query: Query): number {
  let rows = 0;
  for (const archetype of matchedArchetypes(query)) rows += archetype.rows;
  return rows;
}

/** The same for a parent that has far more children than the archetypes that match have rows. @cost these rows. */
function listByArchetype(query: Query, state: IterationState, intervals: RowIntervals, pair: PairId): void {
  const pairs = pairCursor(query.world);
  const { definition } = query.plan.clauses[query.plan.direct]!;
  const own = grownInt32(state.own, rowsThatMatch(query));
  state.own = own;
  let start = 0;
  for (const archetype of matchedArchetypes(query)) {
    const { i32 } = archetype.lanes;
    let end = start;
    let isSorted = true;
    for (let row = 0; row < archetype.rows; row++) {
      if (pairs.parentAt(i32[row]!, definition) !== pair) continue;
      if (end > start && pairs.place(i32[own[end - 1]!]!) > pairs.place(i32[row]!)) isSorted = false;
      own[end++] = row;
    }
    if (!isSorted)
      own.subarray(start, end).sort((one, other) => pairs.place(i32[one]!) - pairs.place(i32[other]!));
    if (end > start) addListed(query, intervals, archetype, own, start, end);
    start = end;
  }
}

/** The same for subjects of several archetypes, which are counted first. */
function listMixed(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, plan, targets } = query;
  const { definition } = plan.clauses[plan.direct]!;
  const subjects = subjectsIn(world);
  const pair = pairCursor(world).find(definition, indexIfAlive(world, targets[plan.direct]!));
  const archetypes = allArchetypes(world);
  const { own } = state;
  state.ends = grownInt32(state.ends, archetypes.length);
  const { ends } = state;
  const found: number[] = [];
  for (subjects.ofPair(pair, definition); subjects.nextRows(); ) {
    const { number } = subjects.archetype;
    if (ends[number] === 0) found.push(number);
    ends[number]! += subjects.end - subjects.first;
  }
  found.sort((one, other) => archetypes[one]!.place - archetypes[other]!.place);
  let start = 0;
  for (const number of found) {
    const count = ends[number]!;
    ends[number] = start;
    start += count;
  }
  for (subjects.ofPair(pair, definition); subjects.nextRows(); ) {
    const { number } = subjects.archetype;
    for (let row = subjects.first; row < subjects.end; row++) own[ends[number]!++] = row;
  }
  start = 0;
  for (const number of found) {
    const end = ends[number]!;
    addListed(query, intervals, archetypes[number]!, own, start, end);
    start = end;
    ends[number] = 0;
  }
}

/** Do all rows of an archetype match, none, or some, by their bits? Tests are not evaluated. */
function shareOf(query: Query, archetype: ArchetypeView): Truth {
  const { cut } = query.plan;
  return isMatchOf(query, archetype) ? (archetype.bits?.shareOf(cut) ?? cut.bare) : NO;
}

/** Adds the rows of an archetype in the places `from .. to` of a list, if it matches, without those that bits leave out. */
function addListed(
  query: Query,
  intervals: RowIntervals,
  archetype: ArchetypeView,
  own: Int32Array,
  from: number,
  to: number,
): void {
  const share = shareOf(query, archetype);
  if (share === NO) return;
  let next = from + 1;
  while (next < to && own[next] === own[next - 1]! + 1) next++;
  if (share === YES && next === to) addInterval(intervals, archetype, own[from]!, own[to - 1]! + 1, ROWS);
  else addLeft(query, intervals, archetype, own, from, to, share);
}

/** The same for an archetype of which some rows match. */
function addLeft(
  { plan }: Query,
  intervals: RowIntervals,
  archetype: ArchetypeView,
  own: Int32Array,
  from: number,
  to: number,
  share: Truth,
): void {
  const { bits } = archetype;
  let end = share === YES ? to : from;
  if (share !== YES)
    for (let at = from; at < to; at++) if (bits!.leaves(plan.cut, own[at]!)) own[end++] = own[at]!;
  if (from < end) addInterval(intervals, archetype, from, end, OWN_LIST);
}
