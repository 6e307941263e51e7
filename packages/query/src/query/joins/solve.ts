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
import { createSpans, HEAD, JOINED, type Spans, startSpan } from "../lists/spans.ts";
import { climb, noteHolders } from "../rows/above.ts";
import { collectRows, isShorter } from "../rows/collect.ts";
import { addSubjects, addTables } from "../rows/sources.ts";
import { matchedArchetypes, type Query } from "../state/query-state.ts";
import type { Scene } from "../state/scene.ts";

/** Answers with what the variables stand for in each, and with ancestors, which are looked up one by one. Tests are still to be asked. */
export function gatherJoined(query: Query, scene: Scene, spans: Spans): void {
  const { world, plan } = query;
  if (plan.watched.length > 0) noteHolders(query, currentBatches(world, plan.traversals, plan.waysKey));
  solveInto(query, scene, spans);
  if (plan.traversals.length > 0) climb(query, scene, spans);
}

/** With all variables set: does what is asked of others than those who are visited hold? */
export function bondsHold(scene: Scene): boolean {
  const { world, query, variables } = scene;
  const { bonds } = query.plan;
  if (variables.includes(0)) return false; // set to somebody dead
  for (let at = 0; at < bonds.length; at++) {
    const { subject, definition, target } = bonds[at]!;
    if (subject === 0) continue;
    const index = indexIfAlive(world, scene.targetOf(subject));
    if (index === 0 || !hasAt(world, index, definition, scene.targetOf(target))) return false;
  }
  return true;
}

/** What is known on the way to one answer. */
interface Search {
  readonly query: Query;
  readonly world: World;
  readonly spans: Spans;
  readonly visited: End;
  readonly variables: readonly End[];
  readonly conditions: readonly Condition[];
  /** Something is asked about parents of those who are visited: loose ones of one table differ. */
  readonly asksParents: boolean;
  /** The archetype of those who are visited. All conditions treat them alike. */
  archetype: ArchetypeView;
  /** Rows that are gone through at each step, table by table; the last step's stand behind the others. */
  readonly ways: Spans;
  /** All rows that answer if nothing is asked of them that names another one; undefined until they are needed. */
  everybody: Spans | undefined;
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
export function solveInto(query: Query, scene: Scene, spans: Spans): void {
  const { world, bound } = query;
  // Set to somebody dead: nobody answers.
  if (bound.some((handle, place) => handle !== 0 && scene.variables[place] === 0)) return;
  const visited = new End();
  const variables = bound.map((_, place) => new End().standFor(world, scene.variables[place]!));
  const conditions = conditionsOf(query, visited, variables);
  if (conditions === undefined) return;
  goOn({
    query,
    world,
    spans,
    visited,
    variables,
    conditions,
    asksParents: conditions.some(
      ({ subject, definition }) => subject === visited && includesValueParents(definition),
    ),
    archetype: allArchetypes(world)[0]!,
    ways: createSpans(HEAD, false),
    everybody: undefined,
  });
}

/** Takes the condition that branches least, and goes on for each way in which it can hold. As deep as there are conditions. */
function goOn(search: Search): void {
  const { query, world, visited } = search;
  let best: Condition | undefined;
  let least = Number.POSITIVE_INFINITY;
  let asksVisited = false;
  for (const condition of search.conditions) {
    if (condition.isDone) continue;
    if (condition.subject === visited && visited.end === 0 && !condition.isNot) asksVisited = true;
    const cost = costOf(search, condition);
    if (cost < least) {
      best = condition;
      least = cost;
      if (cost === 0) break;
    }
  }
  if (asksVisited && isShorter(query, least, query.plan.byRow))
    eachOf(search, visited, matchedArchetypes(query));
  else if (best === undefined) answer(search);
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
  standFor(world: World, index: number): End {
    this.index = index;
    this.table = index === 0 ? 0 : tableAt(world, index);
    this.first = this.table === 0 ? 0 : rowAt(world, index);
    this.end = index === 0 ? 0 : this.first + 1;
    this.valuePair = index === 0 ? 0 : pairsOf(world).valueAt(index);
    return this;
  }
}

/** Something that must hold, or must not: a component, tag or pair of who is visited, of a variable or of a given entity. */
interface Condition {
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
function conditionsOf(query: Query, visited: End, variables: readonly End[]): Condition[] | undefined {
  const { plan, targets, world } = query;
  const found: Condition[] = [];
  let asksForDead = false;
  const endOf = (handle: number): End => {
    if (isVariable(handle)) return variables[plan.variables.indexOf(handle)]!;
    const index = indexIfAlive(world, handle);
    asksForDead ||= index === 0;
    return new End().standFor(world, index);
  };
  const add = (subject: End, definition: Definition, target: End | undefined, isNot: boolean): void => {
    found.push({ subject, definition, target, isNot, isDone: false, archetypes: undefined, rows: 0 });
  };
  for (const { subject, definition, target } of plan.bonds) {
    const from = subject === 0 ? visited : endOf(subject);
    add(from, definition, namesTarget({ definition, target }) ? endOf(target) : undefined, false);
  }
  for (const [at, { operator, definition, named }] of plan.clauses.entries()) {
    const isNot = operator === "not";
    if (!named || operator === "maybe" || (isNot && indexIfAlive(world, targets[at]!) === 0)) continue;
    add(visited, definition, endOf(targets[at]!), isNot);
  }
  return asksForDead ? undefined : found;
}

/** The archetypes of all who may be sources of a condition. They are listed once. */
function archetypesOfSubjects(world: World, condition: Condition): readonly ArchetypeView[] {
  if (condition.archetypes !== undefined) return condition.archetypes;
  const { definition, target } = condition;
  const isAnybody = definition.storage === "bits" || (definition.reflexive && target !== undefined);
  let archetypes = archetypesOfDefinition(world, isAnybody || definition === Any ? Life : definition);
  if (definition === Any) archetypes = archetypes.filter((archetype) => archetypeHas(archetype, definition));
  if (definition === ChildOf) archetypes = [...archetypes, ...archetypesOfDefinition(world, Parent)];
  condition.archetypes = archetypes;
  for (const { rows } of archetypes) condition.rows += rows;
  return archetypes;
}

/** About how many ways there are; 0 if nothing has to be found; infinite if it has to be known first who is visited. */
function costOf(search: Search, condition: Condition): number {
  const { query, world, visited, asksParents } = search;
  const { subject, definition, target, isNot } = condition;
  const isOpen = target !== undefined && target.end === 0;
  if (subject.end > 0) {
    if (!isOpen) return 0;
    if (definition.exclusive) return 1;
    return (
      (definition.reflexive ? subject.end - subject.first : 0) + countTargets(world, subject, definition)
    );
  }
  if (subject === visited && (isOpen || isNot)) return Number.POSITIVE_INFINITY;
  if (target !== undefined && !isOpen) {
    const byRow = asksParents ? "loose" : "never";
    return costOfPair(world, query.cursors, definition, target.index, subject === visited ? byRow : "always");
  }
  archetypesOfSubjects(world, condition);
  return condition.rows;
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
function check(search: Search, { subject, definition, target, isNot }: Condition): void {
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

function eachTarget(search: Search, { subject, definition }: Condition, target: End): void {
  const { world } = search;
  const { table, valuePair } = subject;
  const pairs = pairsOf(world);
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++)) {
    if (pairs.relation(pair) !== definition.id) continue;
    target.standFor(world, pairs.target(pair));
    goOn(search);
    if (definition.exclusive) break;
  }
  if (valuePair !== 0 && includesValueParents(definition)) {
    target.standFor(world, pairs.target(valuePair));
    goOn(search);
  }
  // Everybody has a pair of a reflexive relation with themselves, unless it is stored, and came with the others.
  for (let row = subject.first; definition.reflexive && row < subject.end; row++) {
    const index = subject.index || search.archetype.lanes.i32[row]!;
    if (pairIn(world, table, definition, index) !== 0) continue;
    target.standFor(world, index);
    goOnWith(search, subject, row, row + 1);
  }
  target.standFor(world, 0);
}

/** All who have the pair: rows of tables, children who store it as a value, or the target itself; each once. */
function eachSubject(search: Search, { subject, definition }: Condition, target: number): void {
  const { query, world, ways, visited } = search;
  const { length } = ways;
  addSubjects(query, ways, definition, target, subject !== visited);
  goThrough(search, subject, length);
  if (subject === visited || !definition.reflexive || tableAt(world, target) !== 0) return;
  subject.standFor(world, target); // alive, but without a row
  goOn(search);
  subject.standFor(world, 0);
}

/** All rows of archetypes that answer, or that may have what a condition asks of its source. */
function eachOf(search: Search, subject: End, archetypes: readonly ArchetypeView[]): void {
  const { query, ways } = search;
  const { length } = ways;
  for (const archetype of archetypes) addTables(query, ways, archetype);
  goThrough(search, subject, length);
}

/** Goes on with each of the rows that were listed last, and takes them off the list. */
function goThrough(search: Search, subject: End, start: number): void {
  const { world, ways, visited } = search;
  const { length, stride } = ways;
  for (let at = start; at < length; at += stride) {
    const { numbers } = ways; // which may have grown
    const archetype = allArchetypes(world)[numbers[at]!]!;
    const end = numbers[at + 2]!;
    if (subject === visited) {
      visitTable(search, archetype, numbers[at + 1]!, end);
      continue;
    }
    for (let row = numbers[at + 1]!; row < end; row++) {
      subject.standFor(world, archetype.lanes.i32[row]!);
      goOn(search);
    }
  }
  subject.standFor(world, 0);
  ways.length = start;
}

/** Rows of one table, those with one loose pair together if that matters. */
function visitTable(search: Search, archetype: ArchetypeView, first: number, end: number): void {
  const { world, visited, asksParents } = search;
  const { i32 } = archetype.lanes;
  const pairs = pairsOf(world);
  const isByParent = asksParents && archetype.hasValueParent;
  search.archetype = archetype;
  for (let row = first; row < end; ) {
    const valuePair = isByParent ? pairs.valueAt(i32[row]!) : 0;
    let next = isByParent ? row + 1 : end;
    while (next < end && pairs.valueAt(i32[next]!) === valuePair) next++;
    visited.table = tableAt(world, i32[row]!);
    visited.valuePair = valuePair;
    goOnWith(search, visited, row, next);
    row = next;
  }
}

// ---- answers -----------------------------------------------------------------------------------------------------

function answer(search: Search): void {
  const { query, visited } = search;
  if (visited.end > 0) {
    addAnswer(search, search.archetype.number, visited.first, visited.end);
    return;
  }
  if (search.everybody === undefined) {
    search.everybody = createSpans(HEAD);
    collectRows(query, search.everybody);
  }
  const { numbers, length, stride } = search.everybody;
  for (let at = 0; at < length; at += stride)
    addAnswer(search, numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
}

/** Rows that follow on the last ones, with the same variables, become part of them, unless tables have to be told apart. */
function addAnswer({ query, spans, variables }: Search, archetype: number, from: number, to: number): void {
  const { numbers, length, stride } = spans;
  const last = length - stride;
  let follows =
    last >= 0 && numbers[last] === archetype && numbers[last + 2] === from && !query.plan.readsPairs;
  for (let place = 0; follows && place < variables.length; place++)
    follows = numbers[last + HEAD + place] === variables[place]!.index;
  if (follows) numbers[last + 2] = to;
  else {
    const at = startSpan(spans, archetype, from, to, JOINED) + HEAD;
    for (let place = 0; place < variables.length; place++)
      spans.numbers[at + place] = variables[place]!.index;
  }
}
