import { Any, ChildOf, type Definition, type World } from "@treeline/core";
import {
  ANY,
  type Archetype,
  archetypesWith,
  Life,
  type PairId,
  Parent,
  pairsOf,
  type TableId,
  tableAt,
} from "@treeline/core/internal";
import { costOfPair, hasAt, hasStored, indexIfAlive, seesLoose, shapeHas } from "../../match/pairs.ts";
import { namesTarget } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import type { Query } from "../state/query-state.ts";

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
  shapes: readonly Archetype[] | undefined;
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
  const { plan, targets, world } = query;
  const found: Condition[] = [];
  for (const { source, definition, target } of plan.bonds) {
    const from = source === 0 ? undefined : endOf(query, variables, source);
    const named = namesTarget({ definition, target }) ? endOf(query, variables, target) : undefined;
    if (from?.index === -1 || named?.index === -1) return undefined;
    found.push(conditionOf(from, definition, named));
  }
  for (const [at, { operator, definition, named }] of plan.clauses.entries()) {
    if (operator !== "with" || !named) continue;
    const index = indexIfAlive(world, targets[at]!);
    if (index === 0) return undefined;
    found.push(conditionOf(undefined, definition, { index }));
  }
  return found;
}

/** The index of the end of a dead entity is -1. */
function endOf({ world, plan }: Query, variables: readonly End[], handle: number): End {
  if (isVariable(handle)) return variables[plan.variables.indexOf(handle)]!;
  return { index: indexIfAlive(world, handle) || -1 };
}

function conditionOf(source: End | undefined, definition: Definition, target: End | undefined): Condition {
  return { source, definition, target, isDone: false, shapes: undefined, rows: 0 };
}

/** Nobody has a pair with the dead: what excludes them excludes nobody. */
export function exclusionsOf({ world, plan, targets }: Query): Exclusion[] {
  return plan.clauses.flatMap(({ operator, definition, named }, at) => {
    const target = operator === "not" && named ? indexIfAlive(world, targets[at]!) : 0;
    return target === 0 ? [] : [{ definition, target }];
  });
}

/** The shapes of all who may be sources of a condition. They are listed once. */
export function shapesOfSources(world: World, condition: Condition): readonly Archetype[] {
  if (condition.shapes !== undefined) return condition.shapes;
  const { definition, target } = condition;
  let shapes: readonly Archetype[];
  if (definition.storage === "bits" || (definition.reflexive && target !== undefined))
    shapes = archetypesWith(world, Life);
  else if (definition === Any)
    shapes = archetypesWith(world, Life).filter((shape) => shapeHas(shape, definition));
  else if (definition === ChildOf)
    shapes = [...archetypesWith(world, ChildOf), ...archetypesWith(world, Parent)];
  else shapes = archetypesWith(world, definition);
  condition.shapes = shapes;
  for (const { rows } of shapes) condition.rows += rows;
  return shapes;
}

/** Does a condition hold whose source is no one who is visited, and both ends of which are known? */
export function holds(world: World, { source, definition, target }: Condition): boolean {
  const { index } = source!;
  if (target === undefined) return hasAt(world, index, definition, ANY);
  if (definition.reflexive && index === target.index) return true;
  const loose = pairsOf(world).valueAt(index);
  return hasStored(world, tableAt(world, index), loose, definition, target.index);
}

/** What is known of those who are visited: rows of one table, with one loose pair. Table 0: nothing yet. */
export interface Visited {
  table: TableId;
  first: number;
  end: number;
  loose: PairId;
  /** Something is asked about parents: loose ones of one table differ. */
  readonly asksParents: boolean;
}

/** About how many ways there are; 0 if nothing has to be found; infinite if it has to be known first who is visited. */
export function costOf({ world, cursors }: Query, visited: Visited, condition: Condition): number {
  const { source, definition, target } = condition;
  const isOpen = target !== undefined && target.index === 0;
  if (source === undefined) {
    if (!isOpen) {
      if (visited.table !== 0) return 0;
      return costOfPair(world, cursors, definition, target!.index, visited.asksParents ? "loose" : "never");
    }
    if (visited.table === 0) return Number.POSITIVE_INFINITY;
    if (definition.exclusive) return 1;
    const selves = definition.reflexive ? visited.end - visited.first : 0;
    return selves + countTargets(world, visited.table, visited.loose, definition);
  }
  if (source.index !== 0) {
    if (!isOpen) return 0;
    if (definition.exclusive) return 1;
    const loose = pairsOf(world).valueAt(source.index);
    const selves = definition.reflexive ? 1 : 0;
    return selves + countTargets(world, tableAt(world, source.index), loose, definition);
  }
  if (target !== undefined && !isOpen) return costOfPair(world, cursors, definition, target.index, "always");
  shapesOfSources(world, condition);
  return condition.rows;
}

/** How many targets of a relation rows of a table have. */
function countTargets(world: World, table: TableId, loose: PairId, definition: Definition): number {
  const pairs = pairsOf(world);
  let count = loose !== 0 && seesLoose(definition) ? 1 : 0;
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === definition.id) count++;
  return count;
}
