import { TreelineError } from "../base/error.ts";
import { grownInt32 } from "../base/growing.ts";
import { shapeWith } from "../graph/edges.ts";
import {
  Any,
  type Component,
  type Definition,
  type Pair,
  type Tag,
  type Term,
  type ValueTerm,
} from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { indexOf } from "../id/entity.ts";
import type { Shape } from "../storage/shape.ts";
import type { TableNumber } from "../storage/table.ts";
import { ensurePair } from "./pair.ts";
import { requireAlive } from "./require.ts";
import { checkValue, columnAt, rowAt, writeValue } from "./values.ts";
import type { World } from "./world.ts";

/** What `spawn` and `add` take: a component or tag, a component with its value, or a pair. */
export type SpawnTerm = Component | Tag | ValueTerm | Pair<unknown, unknown, unknown>;

export function definitionOfTerm(term: SpawnTerm): Definition {
  return typeof term === "function" ? (term as Definition) : (term as Term).definition;
}

export function valueOfTerm(term: SpawnTerm): unknown {
  return typeof term === "function" ? undefined : (term as Term).value;
}

export function targetOfTerm(term: SpawnTerm): number {
  return typeof term === "function" ? 0 : (term as Term).target;
}

/**
 * Refuses a term that cannot be added to anything: no definition, a relation without target, a wildcard, a dead
 * target, a value that does not fit.
 */
export function checkTerm(world: World, term: SpawnTerm): void {
  const definition = term && (definitionOfTerm(term) as Definition | undefined);
  if (definition?.kind === undefined) {
    throw new TreelineError(
      "bad-term",
      `${String(term)} is no component, tag or pair; use Position(), Frozen, ChildOf(e)`,
    );
  }
  if (definition.kind === "relation") {
    if (typeof term === "function") {
      throw new TreelineError("bad-term", `${definition.name} needs a target: ${definition.name}(entity)`);
    }
    if (targetOfTerm(term) === Any) {
      throw new TreelineError(
        "bad-term",
        `${definition.name}(Any) is for questions; add ${definition.name}(entity)`,
      );
    }
    requireAlive(world, targetOfTerm(term) as Entity);
  }
  if (typeof term !== "function") checkValue(definition, valueOfTerm(term));
}

export function refuseTwice(definition: Definition): never {
  throw new TreelineError("bad-term", `${definition.name} is given twice in one call; give it once`);
}

/** Puts a pair number into the sorted first `count` of `graph.wanted`. @returns the new count. */
export function wantPair(world: World, pair: number, count: number): number {
  const { graph } = world;
  graph.wanted = grownInt32(graph.wanted, count + 1);
  const { wanted } = graph;
  let at = count;
  while (at > 0 && wanted[at - 1]! > pair) at--;
  if (at > 0 && wanted[at - 1] === pair) return count;
  for (let place = count; place > at; place--) wanted[place] = wanted[place - 1]!;
  wanted[at] = pair;
  return count + 1;
}

/** Takes a pair number out of the sorted first `count` of `graph.wanted`, if it is there. */
export function unwantPair(world: World, pair: number, count: number): number {
  const { wanted } = world.graph;
  for (let at = 0; at < count; at++) {
    if (wanted[at] !== pair) continue;
    for (let place = at + 1; place < count; place++) wanted[place - 1] = wanted[place]!;
    return count - 1;
  }
  return count;
}

/** Starts `graph.wanted` with the pairs of a table. @returns how many. */
export function wantPairsOf(world: World, table: TableNumber): number {
  const { graph } = world;
  const first = graph.tables.nodes[table]!;
  const count = graph.tables.pairs[table]!;
  graph.wanted = grownInt32(graph.wanted, count + 1);
  for (let place = 0; place < count; place++) graph.wanted[place] = graph.records.nodePair[first + place]!;
  return count;
}

/** The shape of a new entity with these terms. The terms have been checked one by one. */
export function shapeOfTerms(world: World, terms: readonly SpawnTerm[]): Shape {
  const { graph } = world;
  let shape = graph.root;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    const next = shapeWith(graph, shape, definition);
    if (next === shape && (definition.kind !== "relation" || definition.exclusive)) refuseTwice(definition);
    if (definition.kind === "relation" && (next === shape || definition.holds !== "nothing"))
      checkPair(terms, term);
    shape = next;
  }
  return shape;
}

/** The shape does not tell whether it is the same pair that is given twice, or another target. */
function checkPair(terms: readonly SpawnTerm[], term: SpawnTerm): void {
  const definition = definitionOfTerm(term);
  const same = terms.filter(
    (other) =>
      definitionOfTerm(other) === definition &&
      (definition.exclusive || targetOfTerm(other) === targetOfTerm(term)),
  );
  if (same.length > 1) refuseTwice(definition);
}

/** Writes the values that terms carry into the row of an entity that has all of them. */
export function writeTermValues(
  world: World,
  shape: Shape,
  index: number,
  terms: readonly SpawnTerm[],
): void {
  for (const term of terms) {
    const value = valueOfTerm(term);
    if (value === undefined) continue;
    const column = columnAt(world, index, definitionOfTerm(term), targetOfTerm(term));
    if (column !== undefined) writeValue(shape.lanes, column, rowAt(world, index), value);
  }
}

/** Interns the pairs among the terms into `graph.wanted`. @returns how many there are. */
export function wantPairsOfTerms(world: World, terms: readonly SpawnTerm[]): number {
  let count = 0;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation") continue;
    count = wantPair(world, ensurePair(world, definition, indexOf(targetOfTerm(term))), count);
  }
  return count;
}
