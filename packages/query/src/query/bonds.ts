import { Any, ChildOf, type Definition, Parent, type World } from "@treeline/core";
import {
  ANY,
  CHILD_OF,
  findPair,
  firstPairOf,
  indexOf,
  isLiving,
  looseCountOf,
  loosePairOf,
  PAIR_HIDDEN,
  type PairNumber,
  type Shape,
  shapesWith,
  type TableNumber,
} from "@treeline/core/internal";
import { hasAt } from "../match/has-at.ts";
import { shapeHas } from "../match/shape-has.ts";
import { namesTarget } from "../term/plan.ts";
import { isVariable } from "../term/variable.ts";
import type { Query } from "./query-state.ts";

/** Half of a condition: a variable, shared by all that name it, or a given entity. */
export interface End {
  /** Of the entity; 0 while it has to be found. */
  index: number;
}

/** Something that must hold: a component, tag or pair of who is visited, of a variable or of a given entity. */
export interface Condition {
  /** Undefined for those who are visited. */
  readonly source: End | undefined;
  readonly definition: Definition;
  /** Undefined for components, tags, and pairs with any target. */
  readonly target: End | undefined;
  /** What is known by now makes sure that it holds. */
  isDone: boolean;
  /** The shapes that sources may have, and their rows; undefined until somebody asks. */
  shapes: readonly Shape[] | undefined;
  rows: number;
}

/** A pair that those who are visited must not have. */
export interface Exclusion {
  readonly definition: Definition;
  /** The index of its target. */
  readonly target: number;
}

/**
 * All conditions of a query that shapes do not tell: its bonds, and clauses with a target, but for those that ask shapes
 * for a bond. Undefined if one of them asks for the dead.
 */
export function conditionsOf(query: Query, variables: readonly End[]): Condition[] | undefined {
  const { plan, clauses, world } = query;
  const found: Condition[] = [];
  for (const { source, definition, target } of plan.bonds) {
    const from = source === 0 ? undefined : endOf(query, variables, source);
    const named = namesTarget({ definition, target }) ? endOf(query, variables, target) : undefined;
    if (from?.index === -1 || named?.index === -1) return undefined;
    found.push(conditionOf(from, definition, named));
  }
  for (let at = 0; at < clauses.length; at++) {
    const clause = clauses[at]!;
    if (clause.operator !== "with" || !namesTarget(clause)) continue;
    if (plan.bonds.some((bond) => bond.clause === at)) continue;
    if (!isLiving(world.entities, clause.target)) return undefined;
    found.push(conditionOf(undefined, clause.definition, { index: indexOf(clause.target) }));
  }
  return found;
}

/** The index of the end of a dead entity is -1. */
function endOf({ world, plan }: Query, variables: readonly End[], handle: number): End {
  if (isVariable(handle)) return variables[plan.variables.indexOf(handle)]!;
  return { index: isLiving(world.entities, handle) ? indexOf(handle) : -1 };
}

function conditionOf(source: End | undefined, definition: Definition, target: End | undefined): Condition {
  return { source, definition, target, isDone: false, shapes: undefined, rows: 0 };
}

/** Nobody has a pair with the dead: what excludes them excludes nobody. */
export function exclusionsOf({ world, clauses }: Query): Exclusion[] {
  return clauses
    .filter((clause) => clause.operator === "not" && namesTarget(clause))
    .filter(({ target }) => isLiving(world.entities, target))
    .map(({ definition, target }) => ({ definition, target: indexOf(target) }));
}

/** Does it matter to the relation what parents are stored as values? */
export function seesLoose(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent || definition === Any;
}

/** The shapes of all who may be sources of a condition. They are listed once. */
export function shapesOfSources({ graph }: World, condition: Condition): readonly Shape[] {
  if (condition.shapes !== undefined) return condition.shapes;
  const { definition, target } = condition;
  let shapes: readonly Shape[];
  if (definition.storage === "bits" || (definition.reflexive && target !== undefined)) shapes = graph.founded;
  else if (definition === Any) shapes = graph.founded.filter((shape) => shapeHas(shape, definition));
  else if (definition === ChildOf) shapes = [...shapesWith(graph, ChildOf), ...shapesWith(graph, Parent)];
  else shapes = shapesWith(graph, definition);
  condition.shapes = shapes;
  for (const { rows } of shapes) condition.rows += rows;
  return shapes;
}

// ---- pairs of a source -------------------------------------------------------------------------------------------

/** The first of a table's pairs that is meant by a relation, or Any, with a target; or 0. */
export function pairIn(
  { graph }: World,
  table: TableNumber,
  definition: Definition,
  target: number,
): PairNumber {
  const { tables, records, pairs } = graph;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.target[pair] !== target) continue;
    if (
      definition === Any ? (pairs.traits[pair]! & PAIR_HIDDEN) === 0 : pairs.relation[pair] === definition.id
    )
      return pair;
  }
  return 0;
}

/** Do rows of a table have the pair, in their type or as their loose pair? Reflexive relations are not seen to. */
export function hasStored(
  world: World,
  table: TableNumber,
  loose: PairNumber,
  definition: Definition,
  target: number,
): boolean {
  if (loose !== 0 && seesLoose(definition) && world.graph.pairs.target[loose] === target) return true;
  return pairIn(world, table, definition, target) !== 0;
}

/** Does a condition hold whose source is no one who is visited, and both ends of which are known? */
export function holds(world: World, { source, definition, target }: Condition): boolean {
  const { index } = source!;
  if (target === undefined) return hasAt(world, index, definition, ANY);
  if (definition.reflexive && index === target.index) return true;
  const loose = loosePairOf(world.graph.links, index);
  return hasStored(world, world.entities.table[index]!, loose, definition, target.index);
}

/** How many targets of a relation rows of a table have. */
export function countTargets(
  { graph }: World,
  table: TableNumber,
  loose: PairNumber,
  definition: Definition,
): number {
  const { tables, records, pairs } = graph;
  let count = loose !== 0 && seesLoose(definition) ? 1 : 0;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    if (pairs.relation[records.nodePair[node]!] === definition.id) count++;
  }
  return count;
}

// ---- pairs with a target -----------------------------------------------------------------------------------------

/** The first pair that is meant by a relation, or Any, with a target; go on with `pairAfter`. 0 if nobody has one. */
export function firstPair({ graph }: World, definition: Definition, target: number): PairNumber {
  const { pairs } = graph;
  if (definition === Any) return firstShown(pairs, firstPairOf(pairs, target));
  return findPair(pairs, definition === Parent ? CHILD_OF : definition.id, target);
}

export function pairAfter({ graph }: World, definition: Definition, pair: PairNumber): PairNumber {
  return definition === Any ? firstShown(graph.pairs, graph.pairs.nextOfTarget[pair]!) : 0;
}

/** That pair, or the first after it of the same target which wildcards see. */
function firstShown({ traits, nextOfTarget }: World["graph"]["pairs"], pair: PairNumber): PairNumber {
  let at = pair;
  while (at !== 0 && (traits[at]! & PAIR_HIDDEN) !== 0) at = nextOfTarget[at]!;
  return at;
}

/** Does the list of this pair hold loose sources that are meant? */
export function hasLoose({ graph }: World, definition: Definition, pair: PairNumber): boolean {
  return (
    seesLoose(definition) && graph.pairs.relation[pair] === CHILD_OF && looseCountOf(graph.links, pair) > 0
  );
}
