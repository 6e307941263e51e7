import { shapeWith } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import type { Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { isTarget } from "../id/pair-book.ts";
import { renewOrder } from "../records/entity-index.ts";
import { hasDefinition } from "../storage/shape.ts";
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
  writeTermValues,
} from "./destination.ts";
import { askHooks, type Change, keptChanges, tellWritten } from "./hooks.ts";
import { moveEntity, tidyLeft } from "./move-entity.ts";
import { ensurePair, followTarget } from "./pair.ts";
import { requireAlive, requireNoVisit } from "./require.ts";
import { pairAt, parentAt, tableHasPair } from "./targets.ts";
import { shapeAt, wholeValue } from "./values.ts";
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
  const changes = hasHooks(world, index, terms) ? askForAddition(world, entity, terms) : NO_CHANGES;

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
  const to = roomyTableFor(graph, shape, count, 1, from);

  // ... and only then change.
  if (to !== from) {
    const reparented = graph.tables.parentPair[from] !== graph.tables.parentPair[to];
    moveEntity(world, index, to);
    if (reparented) renewOrder(entities, index);
    for (const term of terms) follow(world, index, term);
    tidyLeft(world, from);
  }
  writeTermValues(world, shape, index, terms);
  if (changes.length > 0) tellWritten(world, index, changes);
}

const NO_CHANGES: readonly Change[] = [];

function hasHooks(world: World, index: number, terms: readonly SpawnTerm[]): boolean {
  return (
    shapeAt(world, index).hooked.length > 0 ||
    terms.some((term) => definitionOfTerm(term).hooks !== undefined)
  );
}

function askForAddition(world: World, entity: Entity, terms: readonly SpawnTerm[]): readonly Change[] {
  const index = indexOf(entity);
  const now = parentAt(world, index);
  const reparent = terms.find((term) => definitionOfTerm(term).id === CHILD_OF);
  const parent = reparent === undefined ? now : (targetOfTerm(reparent) as Entity);
  const changes = changesBy(world, index, terms, parent !== now);
  askHooks(world, entity, changes, parent);
  return changes;
}

/** One pair, without data, of an exclusive relation: the everyday reparent, which has a short way of its own. */
function isLink(term: SpawnTerm): boolean {
  if (typeof term === "function") return false;
  const definition = (term as Term | undefined)?.definition;
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
  const changes = isReparent && shape.hooked.length > 0 ? keptChanges(world, shape, index) : NO_CHANGES;
  if (changes.length > 0) askHooks(world, entity, changes, term.target as Entity);

  // ... find the destination ...
  const pair = ensurePair(world, definition, target);
  let count = wantPairsOf(world, from);
  if (old !== 0) count = unwantPair(world, old, count);
  count = wantPair(world, pair, count);
  const to = roomyTableFor(graph, old === 0 ? shapeWith(graph, shape, definition) : shape, count, 1, from);

  // ... and only then change.
  moveEntity(world, index, to);
  if (isReparent) renewOrder(entities, index);
  if (definition.acyclic && isTarget(graph.pairs, index)) followTarget(world, definition, index, pair);
  tidyLeft(world, from);
  if (changes.length > 0) tellWritten(world, index, changes);
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

/**
 * What hooks are asked about: values that are written, and, if the parent changes, those that are kept.
 */
function changesBy(
  world: World,
  index: number,
  terms: readonly SpawnTerm[],
  parentChanges: boolean,
): Change[] {
  const changes: Change[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.hooks === undefined || !isWritten(world, index, term)) continue;
    changes.push({ definition, value: wholeValue(world, index, definition, valueOfTerm(term)) });
  }
  if (!parentChanges) return changes;
  const kept = keptChanges(world, shapeAt(world, index), index);
  return [
    ...changes,
    ...kept.filter((one) => !changes.some(({ definition }) => definition === one.definition)),
  ];
}

/** A term without value on something that is there already changes nothing. */
function isWritten(world: World, index: number, term: SpawnTerm): boolean {
  if (valueOfTerm(term) !== undefined) return true;
  return !hasDefinition(shapeAt(world, index), definitionOfTerm(term));
}
