import { Any, ChildOf, type Definition, type World } from "@treeline/core";
import type { ArchetypeView, PairId, TableId } from "@treeline/core/internal";
import {
  ANY,
  allArchetypes,
  archetypesOfDefinition,
  Life,
  Parent,
  pairsOf,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import {
  archetypeHas,
  costOfPair,
  hasAt,
  hasStored,
  includesValueParents,
  indexIfAlive,
  pairIn,
} from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import { namesTarget } from "../../term/plan.ts";
import { currentBatches } from "../batches/batches.ts";
import { createIntervals, HEAD, JOINED, type RowIntervals, startInterval } from "../lists/row-intervals.ts";
import { collectRows, isShorter } from "../rows/candidates.ts";
import { addSubjects, addTables } from "../rows/subjects.ts";
import { climb, noteSources } from "../rows/with-ancestors.ts";
import type { IterationState } from "../state/iteration-state.ts";
import { matchedArchetypes, type Query } from "../state/query-state.ts";

/** Answers with what the variables stand for in each, and with ancestors, which are looked up one by one. Tests are still to be asked. */
export function listJoined(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, plan } = query;
  if (plan.watched.length > 0) noteSources(query, currentBatches(world, plan.traversals, plan.pathsKey));
  solveInto(query, state, intervals);
  if (plan.traversals.length > 0) climb(query, state, intervals);
}

/** With all variables set: does what is asked of others than those who are visited hold? */
export function joinsHold(state: IterationState): boolean {
  const { world, query, variables } = state;
  const { joins } = query.plan;
  if (variables.includes(0)) return false; // set to somebody dead
  for (let at = 0; at < joins.length; at++) {
    const { subject, definition, target } = joins[at]!;
    if (subject === 0) continue;
    const index = indexIfAlive(world, state.targetOf(subject));
    if (index === 0 || !hasAt(world, index, definition, state.targetOf(target))) return false;
  }
  return true;
}

/** What is known on the way to one answer. */
interface Search {
  readonly query: Query;
  readonly world: World;
  readonly intervals: RowIntervals;
  readonly self: End;
  readonly variables: readonly End[];
  readonly constraints: readonly JoinConstraint[];
  /** Something is asked about parents of those who are visited: loose ones of one table differ. */
  readonly readsParents: boolean;
  /** The archetype of those who are visited. All conditions treat them alike. */
  archetype: ArchetypeView;
  /** Rows that are gone through at each step, table by table; the last step's stand behind the others. */
  readonly paths: RowIntervals;
  /** All rows that answer if nothing is asked of them that names another one; undefined until they are needed. */
  everybody: RowIntervals | undefined;
}

/**
 * Adds the answers of a query with variables: spans of rows that share what the variables stand for, by their entity
 * indexes behind the head. Each pair of a row and what the variables stand for comes once.
 *
 * It goes on from what is known: from given entities and variables that are set, to their targets or to the sources of
 * their pairs, always on the way that branches least; only if nothing is known, from the rarest definition that is asked
 * for. So the siblings of somebody cost the siblings, whatever the order of terms. Rows of one table are one answer as
 * long as nothing tells them apart.
 *
 * The order follows from what the world has been through: in the order of those steps, targets as tables have them,
 * sources as pairs list their tables, then loose ones as siblings; all rows of a definition by archetype, in order of founding.
 *
 * @param scene has begun with the query: it knows what variables that are set stand for.
 */
export function solveInto(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, bound } = query;
  // Set to somebody dead: nobody answers.
  if (bound.some((handle, place) => handle !== 0 && state.variables[place] === 0)) return;
  const self = new End();
  const variables = bound.map((_, place) => new End().bindTo(world, state.variables[place]!));
  const constraints = constraintsOf(query, self, variables);
  if (constraints === undefined) return;
  goOn({
    query,
    world,
    intervals,
    self,
    variables,
    constraints,
    readsParents: constraints.some(
      ({ subject, definition }) => subject === self && includesValueParents(definition),
    ),
    archetype: allArchetypes(world)[0]!,
    paths: createIntervals(HEAD, false),
    everybody: undefined,
  });
}

/** Takes the condition that branches least, and goes on for each way in which it can hold. As deep as there are conditions. */
function goOn(search: Search): void {
  const { query, world, self } = search;
  let best: JoinConstraint | undefined;
  let least = Number.POSITIVE_INFINITY;
  let needsSelf = false;
  for (const constraint of search.constraints) {
    if (constraint.isDone) continue;
    if (constraint.subject === self && self.end === 0 && !constraint.isNot) needsSelf = true;
    const cost = costOf(search, constraint);
    if (cost < least) {
      best = constraint;
      least = cost;
      if (cost === 0) break;
    }
  }
  if (needsSelf && isShorter(query, least, query.plan.byRow)) eachOf(search, self, matchedArchetypes(query));
  else if (best === undefined) match(search);
  else {
    const { subject, target } = best;
    const isOpen = target !== undefined && target.end === 0;
    if (subject.end === 0 && (target === undefined || isOpen)) {
      eachOf(search, subject, archetypesOfSubjects(world, best));
      return;
    }
    best.isDone = true;
    if (subject.end === 0) eachSubject(search, best, target!.index);
    else if (isOpen) eachTarget(search, best, target);
    else check(search, best);
    best.isDone = false;
  }
}

// ---- conditions --------------------------------------------------------------------------------------------------

/**
 * Half of a condition, shared by all that name it: a variable, a given entity, or those who are visited. What is known of
 * these are rows of one table, with one loose pair; of the others one entity.
 */
class End {
  /** Of a variable or given entity; 0 while it has to be found, and of those who are visited. */
  index = 0;
  table: TableId = 0;
  /** The rows `first .. end`; end is 0 while nothing is known. */
  first = 0;
  end = 0;
  valuePair: PairId = 0;

  /** From now on it is this entity; 0 for nobody. One without a row counts as one row. */
  bindTo(world: World, index: number): End {
    this.index = index;
    this.table = index === 0 ? 0 : tableAt(world, index);
    this.first = this.table === 0 ? 0 : rowAt(world, index);
    this.end = index === 0 ? 0 : this.first + 1;
    this.valuePair = index === 0 ? 0 : pairsOf(world).valueAt(index);
    return this;
  }
}

/** Something that must hold, or must not: a component, tag or pair of who is visited, of a variable or of a given entity. */
interface JoinConstraint {
  readonly subject: End;
  readonly definition: Definition;
  /** Undefined for components, tags, and pairs with any target. */
  readonly target: End | undefined;
  /** Those who are visited must not have it. */
  readonly isNot: boolean;
  /** What is known by now makes sure that it holds. */
  isDone: boolean;
  /** The archetypes that sources may have, and their rows; undefined until somebody asks. */
  archetypes: readonly ArchetypeView[] | undefined;
  rows: number;
}

/**
 * All conditions of a query that archetypes do not tell: its bonds, and clauses with a target, but for those that ask archetypes
 * for a bond. Undefined if one of them asks for the dead, with whom nobody has a pair.
 */
function constraintsOf(query: Query, self: End, variables: readonly End[]): JoinConstraint[] | undefined {
  const { plan, targets, world } = query;
  const found: JoinConstraint[] = [];
  let namesDestroyed = false;
  const endOf = (handle: number): End => {
    if (isVariable(handle)) return variables[plan.variables.indexOf(handle)]!;
    const index = indexIfAlive(world, handle);
    namesDestroyed ||= index === 0;
    return new End().bindTo(world, index);
  };
  const add = (subject: End, definition: Definition, target: End | undefined, isNot: boolean): void => {
    found.push({ subject, definition, target, isNot, isDone: false, archetypes: undefined, rows: 0 });
  };
  for (const { subject, definition, target } of plan.joins) {
    const from = subject === 0 ? self : endOf(subject);
    add(from, definition, namesTarget({ definition, target }) ? endOf(target) : undefined, false);
  }
  for (const [at, { operator, definition, named }] of plan.clauses.entries()) {
    const isNot = operator === "not";
    if (!named || operator === "maybe" || (isNot && indexIfAlive(world, targets[at]!) === 0)) continue;
    add(self, definition, endOf(targets[at]!), isNot);
  }
  return namesDestroyed ? undefined : found;
}

/** The archetypes of all who may be sources of a condition. They are listed once. */
function archetypesOfSubjects(world: World, constraint: JoinConstraint): readonly ArchetypeView[] {
  if (constraint.archetypes !== undefined) return constraint.archetypes;
  const { definition, target } = constraint;
  const isAnybody = definition.storage === "bits" || (definition.reflexive && target !== undefined);
  let archetypes = archetypesOfDefinition(world, isAnybody || definition === Any ? Life : definition);
  if (definition === Any) archetypes = archetypes.filter((archetype) => archetypeHas(archetype, definition));
  if (definition === ChildOf) archetypes = [...archetypes, ...archetypesOfDefinition(world, Parent)];
  constraint.archetypes = archetypes;
  for (const { rows } of archetypes) constraint.rows += rows;
  return archetypes;
}

/** About how many ways there are; 0 if nothing has to be found; infinite if it has to be known first who is visited. */
function costOf(search: Search, constraint: JoinConstraint): number {
  const { query, world, self, readsParents } = search;
  const { subject, definition, target, isNot } = constraint;
  const isOpen = target !== undefined && target.end === 0;
  if (subject.end > 0) {
    if (!isOpen) return 0;
    if (definition.exclusive) return 1;
    return (
      (definition.reflexive ? subject.end - subject.first : 0) + countTargets(world, subject, definition)
    );
  }
  if (subject === self && (isOpen || isNot)) return Number.POSITIVE_INFINITY;
  if (target !== undefined && !isOpen) {
    const byRow = readsParents ? "value" : "never";
    return costOfPair(world, query.cursors, definition, target.index, subject === self ? byRow : "always");
  }
  archetypesOfSubjects(world, constraint);
  return constraint.rows;
}

/** How many targets of a relation somebody has. */
function countTargets(world: World, { table, valuePair }: End, definition: Definition): number {
  const pairs = pairsOf(world);
  let count = valuePair !== 0 && includesValueParents(definition) ? 1 : 0;
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === definition.id) count++;
  return count;
}

// ---- ways in which a condition can hold --------------------------------------------------------------------------

/** Both ends are known: goes on with those for whom it holds. A target has a reflexive pair with itself. */
function check(search: Search, { subject, definition, target, isNot }: JoinConstraint): void {
  const { world } = search;
  const { index, table, valuePair, first, end } = subject;
  const holds =
    target === undefined
      ? hasAt(world, index, definition, ANY)
      : hasStored(world, table, valuePair, definition, target.index);
  const isAmong =
    !holds &&
    target !== undefined &&
    definition.reflexive &&
    (table === 0 ? index === target.index : table === target.table) &&
    target.first >= first &&
    target.first < end;
  if (!isAmong) {
    if (holds !== isNot) goOn(search);
  } else if (!isNot) goOnWith(search, subject, target.first, target.first + 1);
  else {
    goOnWith(search, subject, first, target.first);
    goOnWith(search, subject, target.first + 1, end);
  }
}

/** Of those rows, these alone. */
function goOnWith(search: Search, subject: End, from: number, to: number): void {
  if (from === to) return;
  const { first, end } = subject;
  subject.first = from;
  subject.end = to;
  goOn(search);
  subject.first = first;
  subject.end = end;
}

function eachTarget(search: Search, { subject, definition }: JoinConstraint, target: End): void {
  const { world } = search;
  const { table, valuePair } = subject;
  const pairs = pairsOf(world);
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++)) {
    if (pairs.relation(pair) !== definition.id) continue;
    target.bindTo(world, pairs.target(pair));
    goOn(search);
    if (definition.exclusive) break;
  }
  if (valuePair !== 0 && includesValueParents(definition)) {
    target.bindTo(world, pairs.target(valuePair));
    goOn(search);
  }
  // Everybody has a pair of a reflexive relation with themselves, unless it is stored, and came with the others.
  for (let row = subject.first; definition.reflexive && row < subject.end; row++) {
    const index = subject.index || search.archetype.lanes.i32[row]!;
    if (pairIn(world, table, definition, index) !== 0) continue;
    target.bindTo(world, index);
    goOnWith(search, subject, row, row + 1);
  }
  target.bindTo(world, 0);
}

/** All who have the pair: rows of tables, children who store it as a value, or the target itself; each once. */
function eachSubject(search: Search, { subject, definition }: JoinConstraint, target: number): void {
  const { query, world, paths, self } = search;
  const { length } = paths;
  addSubjects(query, paths, definition, target, subject !== self);
  goThrough(search, subject, length);
  if (subject === self || !definition.reflexive || tableAt(world, target) !== 0) return;
  subject.bindTo(world, target); // alive, but without a row
  goOn(search);
  subject.bindTo(world, 0);
}

/** All rows of archetypes that answer, or that may have what a condition asks of its source. */
function eachOf(search: Search, subject: End, archetypes: readonly ArchetypeView[]): void {
  const { query, paths } = search;
  const { length } = paths;
  for (const archetype of archetypes) addTables(query, paths, archetype);
  goThrough(search, subject, length);
}

/** Goes on with each of the rows that were listed last, and takes them off the list. */
function goThrough(search: Search, subject: End, start: number): void {
  const { world, paths, self } = search;
  const { length, stride } = paths;
  for (let at = start; at < length; at += stride) {
    const { numbers } = paths; // which may have grown
    const archetype = allArchetypes(world)[numbers[at]!]!;
    const end = numbers[at + 2]!;
    if (subject === self) {
      iterateTable(search, archetype, numbers[at + 1]!, end);
      continue;
    }
    for (let row = numbers[at + 1]!; row < end; row++) {
      subject.bindTo(world, archetype.lanes.i32[row]!);
      goOn(search);
    }
  }
  subject.bindTo(world, 0);
  paths.length = start;
}

/** Rows of one table, those with one loose pair together if that matters. */
function iterateTable(search: Search, archetype: ArchetypeView, first: number, end: number): void {
  const { world, self, readsParents } = search;
  const { i32 } = archetype.lanes;
  const pairs = pairsOf(world);
  const isByParent = readsParents && archetype.hasValueParent;
  search.archetype = archetype;
  for (let row = first; row < end; ) {
    const valuePair = isByParent ? pairs.valueAt(i32[row]!) : 0;
    let next = isByParent ? row + 1 : end;
    while (next < end && pairs.valueAt(i32[next]!) === valuePair) next++;
    self.table = tableAt(world, i32[row]!);
    self.valuePair = valuePair;
    goOnWith(search, self, row, next);
    row = next;
  }
}

// ---- answers -----------------------------------------------------------------------------------------------------

function match(search: Search): void {
  const { query, self } = search;
  if (self.end > 0) {
    addMatch(search, search.archetype.number, self.first, self.end);
    return;
  }
  if (search.everybody === undefined) {
    search.everybody = createIntervals(HEAD);
    collectRows(query, search.everybody);
  }
  const { numbers, length, stride } = search.everybody;
  for (let at = 0; at < length; at += stride)
    addMatch(search, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
}

/** Rows that follow on the last ones, with the same variables, become part of them, unless tables have to be told apart. */
function addMatch(
  { query, intervals, variables }: Search,
  archetype: number,
  from: number,
  to: number,
): void {
  const { numbers, length, stride } = intervals;
  const last = length - stride;
  let follows =
    last >= 0 && numbers[last] === archetype && numbers[last + 2] === from && !query.plan.readsPairs;
  for (let place = 0; follows && place < variables.length; place++)
    follows = numbers[last + HEAD + place] === variables[place]!.index;
  if (follows) numbers[last + 2] = to;
  else {
    const at = startInterval(intervals, archetype, from, to, JOINED) + HEAD;
    for (let place = 0; place < variables.length; place++)
      intervals.numbers[at + place] = variables[place]!.index;
  }
}
