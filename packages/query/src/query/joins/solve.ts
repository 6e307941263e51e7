// How free variables are found: always by the constraint with fewest branches (`searchOn`, `costOf`); tests joins of bound variables (`joinsHold`).
import { Any, ChildOf, type Definition, type World } from "@treeline/core";
import type { ArchetypeView, PairId, TableId } from "@treeline/core/internal";
import {
  ANY,
  allArchetypes,
  archetypesOfDefinition,
  archetypeViewAt,
  Life,
  Parent,
  pairCursor,
  rowAt,
  slotsOf,
  tableAt,
} from "@treeline/core/internal";
import {
  costOfPair,
  endOfAlike,
  hasAt,
  hasStored,
  includesParents,
  indexIfAlive,
} from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import { namesTarget } from "../../term/plan.ts";
import { currentBatches } from "../batches/batches.ts";
import {
  createIntervals,
  HEAD,
  JOINED,
  ROWS,
  type RowIntervals,
  startInterval,
} from "../lists/row-intervals.ts";
import { collectRows, isShorter } from "../rows/candidates.ts";
import { addSubjects } from "../rows/subjects.ts";
import { climb, noteSources } from "../rows/with-ancestors.ts";
import { engine, type IterationState } from "../state/iteration-state.ts";
import { matchedArchetypes, type Query } from "../state/query-state.ts";

/** Lists matches with their variables and ancestors, which are looked up one by one. Tests must still be evaluated. */
export function listJoined(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, plan } = query;
  if (plan.watched.length > 0) noteSources(query, currentBatches(world, plan.traversals, plan.pathsKey));
  solveInto(query, state, intervals);
  if (plan.traversals.length > 0) climb(query, state, intervals);
}

/** With all variables bound: do the joins hold that are not about the matches themselves? */
export function joinsHold(state: IterationState): boolean {
  const { world, query, variables } = state;
  const { joins } = query.plan;
  if (variables.includes(0)) return false; // bound to an entity that is not alive
  for (let at = 0; at < joins.length; at++) {
    const { subject, definition, target } = joins[at]!;
    if (subject === 0) continue;
    const index = indexIfAlive(world, state.targetOf(subject));
    if (index === 0 || !hasAt(world, index, definition, state.targetOf(target))) return false;
  }
  return true;
}

/** The state of the search: what is known at the current step. */
interface Search {
  readonly query: Query;
  readonly world: World;
  readonly intervals: RowIntervals;
  readonly self: End;
  readonly variables: readonly End[];
  readonly constraints: readonly JoinConstraint[];
  /** A constraint is about parents of the matches. */
  readonly readsParents: boolean;
  /** A constraint is about pairs of the matches that may be sparse: rows differ one by one. */
  readonly isByRow: boolean;
  /** The archetype of the current rows. No constraint distinguishes these rows. */
  archetype: ArchetypeView;
  /** The first match ends the search. */
  readonly isOnce: boolean;
  /** A stack of rows to iterate at each step, table by table; those of the last step are at the end. */
  readonly rowStack: RowIntervals;
  /** All rows that match if no constraint is about them; undefined until they are needed. */
  allRows: RowIntervals | undefined;
}

/**
 * Adds the matches of a query with variables: intervals of rows that share the values of the variables, whose entity indexes
 * follow the head. Each combination of a row and values of the variables comes once.
 *
 * The search starts from what is known, that is given entities and bound variables, and continues to their targets or to the
 * subjects of their pairs, always with the constraint that has the fewest branches; only if nothing is known, it starts from the
 * rarest required definition. So a query for the siblings of an entity costs as much as the siblings, whatever the order of
 * terms. Adjacent rows are one match as long as no constraint distinguishes them.
 *
 * The order depends on the history of the world: it is the order of those steps, with targets as tables have them, subjects as
 * pairs list them; all rows of a definition by archetype, in order of founding.
 *
 * @param state has begun with the query: it has the bindings of variables.
 * @param index if not 0, only this entity may match, whose archetype does; and one match is enough, unless tests follow.
 */
export function solveInto(query: Query, state: IterationState, intervals: RowIntervals, index = 0): void {
  const { world, bound } = query;
  // Nothing matches with an entity that is not alive.
  if (bound.some((handle, place) => handle !== 0 && state.variables[place] === 0)) return;
  const self = new End().bindTo(world, index);
  const variables = bound.map((_, place) => new End().bindTo(world, state.variables[place]!));
  const constraints = constraintsOf(query, self, variables);
  if (constraints === undefined) return;
  searchOn({
    query,
    world,
    intervals,
    self,
    variables,
    constraints,
    readsParents: constraints.some(
      ({ subject, definition, above }) => subject === self && includesParents(above ?? definition),
    ),
    isByRow: constraints.some(
      ({ subject, definition }) => subject === self && (definition.store !== undefined || definition === Any),
    ),
    archetype: index === 0 ? allArchetypes(world)[0]! : archetypeViewAt(world, index),
    isOnce: index !== 0 && query.plan.tests.length === 0,
    rowStack: createIntervals(HEAD, false),
    allRows: undefined,
  });
}

/** Continues with each branch of the constraint that has the fewest. The recursion is as deep as there are constraints. */
function searchOn(search: Search): void {
  const { query, world, self } = search;
  let best: JoinConstraint | undefined;
  let least = Number.POSITIVE_INFINITY;
  let needsSelf = false;
  if (search.isOnce && search.intervals.length > 0) return;
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
  if (needsSelf && isShorter(query, least)) eachOf(search, self, matchedArchetypes(query));
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

// ---- constraints -------------------------------------------------------------------------------------------------

/**
 * One end of a constraint, shared by all constraints that name it: a variable, a given entity, or the matches themselves. The
 * matches are known as adjacent rows with the same pairs; the others as one entity.
 */
class End {
  /** Of a variable or given entity; 0 while it must be found, and for the matches themselves. */
  index = 0;
  table: TableId = 0;
  /** The rows `first .. end`; `end` is 0 while nothing is known. */
  first = 0;
  end = 0;
  /** The pair of the parent. */
  parent: PairId = 0;

  /** Binds it to an entity; 0 unbinds it. An entity without a row counts as one row. */
  bindTo(world: World, index: number): End {
    this.index = index;
    this.table = index === 0 ? 0 : tableAt(world, index);
    this.first = this.table === 0 ? 0 : rowAt(world, index);
    this.end = index === 0 ? 0 : this.first + 1;
    this.parent = index === 0 ? 0 : pairCursor(world).parentAt(index);
    return this;
  }
}

/** A component, tag or pair that a match, a variable or a given entity must have, or must not have. */
interface JoinConstraint {
  readonly subject: End;
  readonly definition: Definition;
  /** Undefined for components, tags, and pairs with any target. */
  readonly target: End | undefined;
  /** The matches must not have it. */
  readonly isNot: boolean;
  /** If set, an ancestor along this relation must have it; with `isSelf`, or the subject itself. */
  readonly above: Definition | undefined;
  readonly isSelf: boolean;
  /** What is known implies that it holds. */
  isDone: boolean;
  /** The archetypes that subjects may have, and their rows; undefined until they are needed. */
  archetypes: readonly ArchetypeView[] | undefined;
  rows: number;
}

/**
 * All constraints of a query that archetypes do not decide: its joins, and clauses with a target, except the clauses that joins
 * have for archetypes. Undefined if one names an entity that is not alive: no entity has a pair with it.
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
  const add = (
    subject: End,
    definition: Definition,
    target: End | undefined,
    isNot: boolean,
    above?: Definition,
    isSelf = false,
  ): void => {
    found.push({
      subject,
      definition,
      target,
      isNot,
      above,
      isSelf,
      isDone: false,
      archetypes: undefined,
      rows: 0,
    });
  };
  for (const { subject, definition, target, above, self: isSelf } of plan.joins) {
    const from = subject === 0 ? self : endOf(subject);
    const end = namesTarget({ definition, target }) ? endOf(target) : undefined;
    add(from, definition, end, false, above, isSelf);
  }
  for (const [at, { operator, definition, named }] of plan.clauses.entries()) {
    const isNot = operator === "not";
    if (!named || operator === "maybe" || (isNot && indexIfAlive(world, targets[at]!) === 0)) continue;
    add(self, definition, endOf(targets[at]!), isNot);
  }
  return namesDestroyed ? undefined : found;
}

/** The archetypes of all possible subjects of a constraint. They are listed once. */
function archetypesOfSubjects(world: World, constraint: JoinConstraint): readonly ArchetypeView[] {
  if (constraint.archetypes !== undefined) return constraint.archetypes;
  const { definition, target } = constraint;
  const isUnlimited = definition.storage !== "table" || (definition.reflexive && target !== undefined);
  let archetypes = archetypesOfDefinition(world, isUnlimited || definition === Any ? Life : definition);
  if (definition === ChildOf) archetypes = [...archetypes, ...archetypesOfDefinition(world, Parent)];
  constraint.archetypes = archetypes;
  for (const { rows } of archetypes) constraint.rows += rows;
  return archetypes;
}

/** The supposed number of targets that ancestors have. */
const ANCESTORS = 8;

/** The approximate number of branches; 0 if nothing must be found; infinite if the matches must be known first. */
function costOf(search: Search, constraint: JoinConstraint): number {
  const { world, self } = search;
  const { subject, definition, target, isNot, above } = constraint;
  const isOpen = target !== undefined && target.end === 0;
  if (subject.end > 0) {
    if (!isOpen) return 0;
    if (above !== undefined) return ANCESTORS;
    if (definition.exclusive) return 1;
    return (
      (definition.reflexive ? subject.end - subject.first : 0) + countTargets(search, subject, definition)
    );
  }
  if (subject === self && (isOpen || isNot || above !== undefined)) return Number.POSITIVE_INFINITY;
  if (target !== undefined && !isOpen) {
    return costOfPair(world, definition, target.index);
  }
  archetypesOfSubjects(world, constraint);
  return constraint.rows;
}

/** How many targets of a relation the entity or rows have. */
function countTargets(search: Search, subject: End, definition: Definition): number {
  const { table, parent } = subject;
  const pairs = pairCursor(search.world);
  let count = sparseTargets(search, subject, definition).length;
  if (parent !== 0 && includesParents(definition)) count++;
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === definition.id) count++;
  return count;
}

// ---- branches of a constraint ------------------------------------------------------------------------------------

/** Both ends are known: continues with those for which it holds. A target has a reflexive pair with itself. */
function check(search: Search, constraint: JoinConstraint): void {
  const { world } = search;
  const { subject, definition, target, isNot, above } = constraint;
  const { index, table, first, end } = subject;
  if (above !== undefined) {
    if (engine.targetsAbove!(world, ownOf(search, subject), constraint).has(target!.index)) searchOn(search);
    return;
  }
  const holds =
    target === undefined
      ? hasAt(world, index, definition, ANY)
      : hasStored(world, ownOf(search, subject), definition, target.index);
  const hasItself =
    !holds &&
    target !== undefined &&
    definition.reflexive &&
    (table === 0 ? index === target.index : table === target.table) &&
    target.first >= first &&
    target.first < end;
  if (!hasItself) {
    if (holds !== isNot) searchOn(search);
  } else if (!isNot) searchOnWith(search, subject, target.first, target.first + 1);
  else {
    searchOnWith(search, subject, first, target.first);
    searchOnWith(search, subject, target.first + 1, end);
  }
}

/** Continues with only some of the current rows. */
function searchOnWith(search: Search, subject: End, from: number, to: number): void {
  if (from === to) return;
  const { first, end } = subject;
  subject.first = from;
  subject.end = to;
  searchOn(search);
  subject.first = first;
  subject.end = end;
}

/** The index of the entity at an end, or of the first of the current rows, which share their ancestors then. */
function ownOf({ archetype }: Search, { index, first }: End): number {
  return index || archetype.lanes.i32[first]!;
}

/** The targets of a sparse relation that an end has, which is one entity then. */
function sparseTargets(search: Search, subject: End, relation: Definition): readonly number[] {
  const { world } = search;
  return slotsOf(world).sparsePairs?.targetsAt(world, ownOf(search, subject), relation) ?? [];
}

function eachTarget(search: Search, constraint: JoinConstraint, target: End): void {
  const { world } = search;
  const { subject, definition, above } = constraint;
  if (above !== undefined) {
    for (const one of engine.targetsAbove!(world, ownOf(search, subject), constraint)) {
      target.bindTo(world, one);
      searchOn(search);
    }
    target.bindTo(world, 0);
    return;
  }
  const { table } = subject;
  const parent = parentFor(search, subject, definition);
  const pairs = pairCursor(world);
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++)) {
    if (pairs.relation(pair) !== definition.id) continue;
    target.bindTo(world, pairs.target(pair));
    searchOn(search);
    if (definition.exclusive) break;
  }
  if (parent !== 0) {
    target.bindTo(world, pairs.target(parent));
    searchOn(search);
  }
  for (const one of sparseTargets(search, subject, definition)) {
    target.bindTo(world, one);
    searchOn(search);
  }
  // Every entity has a pair of a reflexive relation with itself; a stored one came with the others.
  for (let row = subject.first; definition.reflexive && row < subject.end; row++) {
    const index = subject.index || search.archetype.lanes.i32[row]!;
    if (hasStored(world, index, definition, index)) continue;
    target.bindTo(world, index);
    searchOnWith(search, subject, row, row + 1);
  }
  target.bindTo(world, 0);
}

/** The pair of the parent of an end, if a relation means it. */
function parentFor({ world, archetype }: Search, { index, parent }: End, definition: Definition): PairId {
  if (parent === 0 || !includesParents(definition)) return 0;
  if (definition !== Parent) return parent;
  return (index === 0 ? archetype : archetypeViewAt(world, index)).hasValueParent ? parent : 0;
}

/** All subjects of the pair, or the target itself; each once. */
function eachSubject(search: Search, { subject, definition }: JoinConstraint, target: number): void {
  const { query, world, rowStack, self } = search;
  const { length } = rowStack;
  addSubjects(query, rowStack, definition, target, subject !== self);
  eachListed(search, subject, length);
  if (subject === self || !definition.reflexive || tableAt(world, target) !== 0) return;
  subject.bindTo(world, target); // alive, but without a row
  searchOn(search);
  subject.bindTo(world, 0);
}

/** All rows of archetypes that match, or that may be subjects of a constraint. */
function eachOf(search: Search, subject: End, archetypes: readonly ArchetypeView[]): void {
  const { rowStack } = search;
  const { length } = rowStack;
  for (const archetype of archetypes)
    if (archetype.rows > 0) startInterval(rowStack, archetype.number, 0, archetype.rows, ROWS);
  eachListed(search, subject, length);
}

/** Continues with each of the rows that were listed last, and removes them from the list. */
function eachListed(search: Search, subject: End, start: number): void {
  const { world, rowStack, self } = search;
  const { length, stride } = rowStack;
  for (let at = start; at < length; at += stride) {
    const { numbers } = rowStack; // which may have grown
    const archetype = allArchetypes(world)[numbers[at]!]!;
    const end = numbers[at + 2]!;
    if (subject === self) {
      iterateAlike(search, archetype, numbers[at + 1]!, end);
      continue;
    }
    for (let row = numbers[at + 1]!; row < end; row++) {
      subject.bindTo(world, archetype.lanes.i32[row]!);
      searchOn(search);
    }
  }
  subject.bindTo(world, 0);
  rowStack.length = start;
}

/** Adjacent rows with the same pairs together, if parents matter with the same parent. */
function iterateAlike(search: Search, archetype: ArchetypeView, first: number, end: number): void {
  const { world, self, readsParents, isByRow } = search;
  const { i32 } = archetype.lanes;
  search.archetype = archetype;
  for (let row = first; row < end; ) {
    const next = isByRow ? row + 1 : endOfAlike(world, archetype, row, end, readsParents);
    self.table = tableAt(world, i32[row]!);
    self.parent = pairCursor(world).parentAt(i32[row]!);
    searchOnWith(search, self, row, next);
    row = next;
  }
}

// ---- matches -----------------------------------------------------------------------------------------------------

function match(search: Search): void {
  const { query, self } = search;
  if (self.end > 0) {
    addMatch(search, search.archetype.number, self.first, self.end);
    return;
  }
  if (search.allRows === undefined) {
    search.allRows = createIntervals(HEAD);
    collectRows(query, search.allRows);
  }
  const { numbers, length, stride } = search.allRows;
  for (let at = 0; at < length; at += stride)
    addMatch(search, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
}

/** Rows that are adjacent to the last ones, with the same variables, are merged with them, unless tables must stay separate. */
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
