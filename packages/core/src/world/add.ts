import { TreelineError } from "../base/error.ts";
import { shapeWith, shapeWithout } from "../graph/edges.ts";
import { tableFor } from "../graph/table-graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import {
  Any,
  type AnyPair,
  type Component,
  type Definition,
  type Pair,
  type Tag,
  type Term,
} from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { isLiving, renewOrder } from "../records/entity-index.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import { requireNoCycle } from "./acyclic.ts";
import {
  checkTerm,
  definitionOfTerm,
  refuseTwice,
  type SpawnTerm,
  targetOfTerm,
  unwantPair,
  valueOfTerm,
  wantPair,
  wantPairsOf,
} from "./destination.ts";
import { checkKept, hooksOf, tellKept } from "./hooks.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { ensurePair, followTarget } from "./pair.ts";
import { requireAlive, requireNoVisit } from "./require.ts";
import { pairAt, parentAt, tableHasPair } from "./targets.ts";
import { columnAt, definitionOf, readValue, rowAt, shapeAt, writeValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Adds components, tags and pairs in one move. Of an exclusive relation the pair is replaced: with ChildOf that is a
 * reparent, and everything below the entity goes along without moving. What is there already stays; a value that is
 * given is written all the same.
 *
 * Cost of a reparent: one row, the steps from the new parent to its root if the entity has children, and one record
 * per inner node below it when depths are next looked at.
 *
 * @throws TreelineError `visiting` inside a visit; `dead-entity` if the entity or a target is not alive; `cycle` if an
 *   acyclic relation would close a circle; `bad-term` for what cannot be added or is given twice; `bad-value`; and
 *   what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function add(world: World, entity: Entity, ...terms: SpawnTerm[]): void {
  if (terms.length === 1 && isLink(terms[0]!)) {
    retarget(world, entity, terms[0] as Term);
    return;
  }

  // Check everything ...
  requireNoVisit(world);
  requireAlive(world, entity);
  const index = indexOf(entity);
  for (let at = 0; at < terms.length; at++) checkAddition(world, index, terms, at);
  if (hasHooks(world, index, terms)) askHooks(world, entity, terms);

  // ... find the destination ...
  const { graph, entities } = world;
  const from = entities.table[index]!;
  let shape = shapeAt(world, index);
  let count = wantPairsOf(world, from);
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation") {
      shape = shapeWith(graph, shape, definition);
      continue;
    }
    const pair = ensurePair(world, definition, indexOf(targetOfTerm(term)));
    if (tableHasPair(world, from, pair)) continue;
    const old = definition.exclusive ? pairAt(world, index, definition) : 0;
    if (old === 0) shape = shapeWith(graph, shape, definition);
    else count = unwantPair(world, old, count);
    count = wantPair(world, pair, count);
  }
  const to = tableFor(graph, shape, count);

  // ... and only then change.
  if (to !== from) {
    const reparented = graph.tables.parentPair[from] !== graph.tables.parentPair[to];
    moveEntity(world, index, to);
    if (reparented) renewOrder(entities, index);
    for (const term of terms) follow(world, index, term);
    tidyLeft(world, from);
  }
  writeValues(world, shape, index, terms);
  if (shape.hooked.length > 0) tellChanged(world, shape, index, terms);
}

/** One pair, without data, of an exclusive relation: the everyday reparent, which has a short way of its own. */
function isLink(term: SpawnTerm): boolean {
  if (typeof term === "function") return false;
  const { definition } = term as Term;
  return definition?.exclusive === true && definition.holds === "nothing";
}

function retarget(world: World, entity: Entity, term: Term): void {
  // Check everything ...
  requireNoVisit(world);
  requireAlive(world, entity);
  checkTerm(world, term);
  const { definition } = term;
  const { graph, entities } = world;
  const index = indexOf(entity);
  const target = indexOf(term.target);
  const from = entities.table[index]!;
  const isReparent = definition.id === CHILD_OF;
  const old = isReparent ? graph.tables.parentPair[from]! : pairAt(world, index, definition);
  if (old !== 0 && graph.pairs.target[old] === target) return;
  if (definition.acyclic) requireNoCycle(world, definition, index, target);
  const shape = graph.shapes[graph.tables.shape[from]!]!;
  const isTold = isReparent && shape.hooked.length > 0;
  if (isTold) checkKept(world, shape, index, term.target as Entity);

  // ... find the destination ...
  const pair = ensurePair(world, definition, target);
  let count = wantPairsOf(world, from);
  if (old !== 0) count = unwantPair(world, old, count);
  count = wantPair(world, pair, count);
  const to = tableFor(graph, old === 0 ? shapeWith(graph, shape, definition) : shape, count);

  // ... and only then change.
  moveEntity(world, index, to);
  if (isReparent) renewOrder(entities, index);
  if (definition.acyclic && isTarget(graph.pairs, index)) followTarget(world, definition, index, pair);
  tidyLeft(world, from);
  if (isTold) tellKept(world, shape, index);
}

function follow(world: World, index: number, term: SpawnTerm): void {
  const definition = definitionOfTerm(term);
  if (definition.acyclic) followTarget(world, definition, index, pairAt(world, index, definition));
}

function checkAddition(world: World, index: number, terms: readonly SpawnTerm[], at: number): void {
  const term = terms[at]!;
  checkTerm(world, term);
  const definition = definitionOfTerm(term);
  for (let other = 0; other < at; other++) {
    if (definitionOfTerm(terms[other]!) !== definition) continue;
    if (
      definition.kind !== "relation" ||
      definition.exclusive ||
      targetOfTerm(terms[other]!) === targetOfTerm(term)
    ) {
      refuseTwice(definition);
    }
  }
  if (definition.acyclic) requireNoCycle(world, definition, index, indexOf(targetOfTerm(term)));
}

function hasHooks(world: World, index: number, terms: readonly SpawnTerm[]): boolean {
  return (
    shapeAt(world, index).hooked.length > 0 ||
    terms.some((term) => definitionOfTerm(term).hooks !== undefined)
  );
}

/** New values are checked with the parent that the entity will have; kept ones only if the parent changes. */
function askHooks(world: World, entity: Entity, terms: readonly SpawnTerm[]): void {
  const index = indexOf(entity);
  const now = parentAt(world, index);
  const reparent = terms.find((term) => definitionOfTerm(term).id === CHILD_OF);
  const parent = reparent === undefined ? now : (targetOfTerm(reparent) as Entity);
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (isWritten(world, index, term)) hooksOf(definition).check?.(world, entity, valueOfTerm(term), parent);
  }
  if (parent === now) return;
  for (const definition of shapeAt(world, index).hooked) {
    if (terms.some((term) => definitionOfTerm(term) === definition && valueOfTerm(term) !== undefined))
      continue;
    hooksOf(definition).check?.(world, entity, readValue(world, index, definition), parent);
  }
}

/** A term without value on something that is there already changes nothing. */
function isWritten(world: World, index: number, term: SpawnTerm): boolean {
  return (
    valueOfTerm(term) !== undefined ||
    columnAt(world, index, definitionOfTerm(term), targetOfTerm(term)) === undefined
  );
}

function writeValues(world: World, shape: Shape, index: number, terms: readonly SpawnTerm[]): void {
  for (const term of terms) {
    const value = valueOfTerm(term);
    if (value === undefined) continue;
    const column = columnAt(world, index, definitionOfTerm(term), targetOfTerm(term));
    if (column !== undefined) writeValue(shape.lanes, column, rowAt(world, index), value);
  }
}

function tellChanged(world: World, shape: Shape, index: number, terms: readonly SpawnTerm[]): void {
  const reparented = terms.some((term) => definitionOfTerm(term).id === CHILD_OF);
  if (reparented || terms.some((term) => definitionOfTerm(term).hooks !== undefined))
    tellKept(world, shape, index);
}

/**
 * Takes a component, tag or pair off an entity; with `ChildOf(Any)` all pairs of the relation, which makes a root of
 * a child. What is not there is no error.
 *
 * @throws TreelineError `visiting` inside a visit; `dead-entity` if the entity is not alive; and what a `check` hook
 *   throws when the parent changes. Nothing has changed then.
 */
export function remove(
  world: World,
  entity: Entity,
  what: Component | Tag | Pair<unknown, unknown, unknown> | AnyPair,
): void {
  requireNoVisit(world);
  requireAlive(world, entity);
  const definition = definitionOf(what) as Definition | undefined;
  if (definition?.kind === undefined) {
    throw new TreelineError("bad-term", `${String(what)} is no component, tag or pair`);
  }
  const index = indexOf(entity);
  if (definition.kind !== "relation") removeComponent(world, index, entity, definition);
  else if (typeof what === "function") {
    throw new TreelineError(
      "bad-term",
      `${definition.name} needs a target: ${definition.name}(entity) or (Any)`,
    );
  } else removePairs(world, index, definition, (what as Term).target);
}

function removeComponent(world: World, index: number, entity: Entity, definition: Definition): void {
  const { graph, entities } = world;
  const shape = shapeAt(world, index);
  if (!hasDefinition(shape, definition)) return;
  if (definition.hooks !== undefined) {
    const { removed } = hooksOf(definition);
    removed?.(world, entity, readValue(world, index, definition), parentAt(world, index));
  }
  const from = entities.table[index]!;
  const smaller = shapeWithout(graph, shape, definition);
  moveEntity(world, index, tableFor(graph, smaller, wantPairsOf(world, from)));
  tidyLeft(world, from);
}

/**
 * Takes one pair off, or all pairs of the relation.
 *
 * @param isDying of an entity that is about to die: no hook is asked or told.
 */
export function removePairs(
  world: World,
  index: number,
  definition: Definition,
  target: number,
  isDying = false,
): void {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  const from = entities.table[index]!;
  if (target !== Any && !isLiving(entities, target)) return;
  const only = target === Any ? 0 : findPair(pairs, definition.id, indexOf(target));
  if (target !== Any && (only === 0 || !tableHasPair(world, from, only))) return;
  let shape = shapeAt(world, index);
  if (!hasDefinition(shape, definition)) return;
  const isReparent = definition.id === CHILD_OF;
  const isTold = isReparent && shape.hooked.length > 0 && !isDying;
  if (isTold) checkKept(world, shape, index, undefined);

  let count = wantPairsOf(world, from);
  let left = 0;
  const first = tables.nodes[from]!;
  const end = first + tables.pairs[from]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] !== definition.id) continue;
    if (only !== 0 && pair !== only) {
      left++;
      continue;
    }
    count = unwantPair(world, pair, count);
    if (definition.holds !== "nothing") shape = shapeWithout(graph, shape, definition);
  }
  if (definition.holds === "nothing" && left === 0) shape = shapeWithout(graph, shape, definition);

  moveEntity(world, index, tableFor(graph, shape, count));
  if (isReparent) renewOrder(entities, index);
  if (definition.acyclic) followTarget(world, definition, index, 0);
  tidyLeft(world, from);
  if (isTold) tellKept(world, shape, index);
}
