import { shapeWith } from "../../graph/graph.ts";
import { roomyTableFor } from "../../graph/table-graph.ts";
import { ChildOf, Parent, Stands } from "../../id/builtins.ts";
import type { Definition, Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import { hasDefinition, NEEDS_OBSERVERS, type Shape } from "../../storage/shape.ts";
import type { PairNumber } from "../../storage/table.ts";
import { bringChanges } from "../change/bring.ts";
import { changeEntity } from "../change/change-entity.ts";
import {
  bitTagsOf,
  definitionOfTerm,
  isParental,
  liveTerms,
  type PlainTerm,
  plainTerms,
  type SpawnTerm,
  targetOfTerm,
  unwantPair,
  valueOfTerm,
  wantPair,
  wantPairsOf,
} from "../change/destination.ts";
import { destroyWithTarget } from "../change/free-entity.ts";
import { askHooks, givenChange, keptChanges } from "../change/hook-calls.ts";
import { moveEntity, tidyLeft } from "../change/move-entity.ts";
import { ensurePair, followTarget } from "../change/pair.ts";
import { checkTerms, gatherTerms, keptTerms, requireDifferent, writeTerms } from "../change/spawn-plan.ts";
import { hasBitAt, turnBit } from "../state/bit-tags.ts";
import { OBSERVES_ADDED, OBSERVES_REMOVED, OBSERVES_SET, observedOf } from "../state/event-list.ts";
import { requireNoCycle, requireRoomAt } from "../state/limits.ts";
import { enqueue, mustQueue } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { type Change, type Goal, NO_CHANGES, NO_TAGS } from "../state/plans.ts";
import { requireAlive } from "../state/require.ts";
import { pairAt, parentAt, tableHasPair } from "../state/targets.ts";
import { readValue, rowAt, shapeAt, wholeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { moveByValue, requireParent, setParent, shapeForParent } from "./reparent.ts";

/**
 * Adds components, tags and pairs in one move. Of an exclusive relation the pair is replaced: with ChildOf that is a
 * reparent, and everything below the entity goes along without moving. What is there already stays; a value that is
 * given is written all the same.
 *
 * Cost of a reparent: one row, the steps from the new parent to its root if the entity has children, and one record
 * per inner node below it when depths are next looked at. With Parent no row moves.
 *
 * @throws TreelineError `dead-entity` if the entity or a target is not alive; `cycle` if an acyclic relation would close
 *   a circle; `full` if a target takes no more sources; `bad-term` for what cannot be added or is given twice;
 *   `bad-value`; `refused` for a parent of a builtin; `visiting` in a strict world inside a visit, else it waits for the
 *   end of that; and what a `check` hook throws, such as `name-taken`. Nothing has changed then.
 */
export function add(world: World, entity: Entity, ...terms: SpawnTerm[]): void {
  const only = terms[0] as Term | null | undefined;
  if (terms.length !== 1) addList(world, entity, listOf(terms));
  else if (typeof only !== "object" || only === null) addList(world, entity, [terms[0]!]);
  else addOnly(world, entity, only.definition, only.target, only.value);
}

/** V8 never makes lists and terms that go no further than `add`, where it builds that into its caller. */
function listOf(terms: readonly SpawnTerm[]): readonly SpawnTerm[] {
  const list: SpawnTerm[] = [];
  for (let at = 0; at < terms.length; at++) list.push(terms[at]!);
  return list;
}

/** The everyday reparent by itself. */
function addOnly(world: World, entity: Entity, definition: Definition, target: number, value: unknown): void {
  if (value === undefined && world.visits === 0 && (definition === ChildOf || definition === Parent)) {
    const { entities } = world;
    if (definition === Parent && moveByValue(world, entity, target)) return;
    if (isLiving(entities, entity) && isLiving(entities, target)) {
      setParent(world, indexOf(entity), indexOf(target), definition === Parent);
      return;
    }
  }
  addList(world, entity, [{ definition, target, value } as Term as SpawnTerm]);
}

function addList(world: World, entity: Entity, terms: readonly SpawnTerm[]): void {
  const given = plainTerms(world, terms);
  requireAlive(world, entity);
  checkTerms(given);
  gatherTerms(world, given);
  if (given.length > 1) requireDifferent(given);
  if (world.visits !== 0 && mustQueue(world)) {
    const kept = keptTerms(world, given);
    enqueue(world, indexOf(entity), () => addLater(world, entity, kept));
  } else addNow(world, indexOf(entity), given);
}

/** What was deferred. An entity that was destroyed meanwhile gets nothing. */
function addLater(world: World, entity: Entity, terms: readonly PlainTerm[]): void {
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  const live = liveTerms(world, terms);
  if (live === undefined) destroyWithTarget(world, index);
  else if (live.length > 0) {
    gatherTerms(world, live);
    addNow(world, index, live);
  }
}

/** @param terms what `gatherTerms` has read last. */
function addNow(world: World, index: number, terms: readonly PlainTerm[]): void {
  if (terms.length === 1) {
    const term = terms[0]!;
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation") {
      const observed = observedOf(world.events, definition) & (OBSERVES_ADDED | OBSERVES_SET);
      if (observed === 0 && definition.storage === "bits") {
        turnBit(world, index, definition, true);
        return;
      }
      if (observed === 0 && definition.hooks === undefined && !isReacting(definition)) {
        addPlain(world, index, terms);
        return;
      }
    } else if (isParental(definition)) {
      setParent(world, index, indexOf(targetOfTerm(term) as Entity), definition === Parent);
      return;
    } else if (definition.exclusive && definition.holds === "nothing" && !definition.symmetric) {
      const observed = observedOf(world.events, definition) & (OBSERVES_ADDED | OBSERVES_REMOVED);
      if (observed === 0) {
        setTarget(world, index, definition, indexOf(targetOfTerm(term) as Entity));
        return;
      }
    }
  } else if (arePlain(world, terms)) {
    addPlain(world, index, terms);
    return;
  }
  addSeveral(world, index, terms);
}

/** Do these components and tags concern nothing else? */
function arePlain({ events }: World, terms: readonly PlainTerm[]): boolean {
  for (let at = 0; at < terms.length; at++) {
    const definition = definitionOfTerm(terms[at]!);
    if (definition.kind === "relation" || definition.storage === "bits" || definition.hooks !== undefined)
      return false;
    if (isReacting(definition) || (observedOf(events, definition) & (OBSERVES_ADDED | OBSERVES_SET)) !== 0)
      return false;
  }
  return true;
}

/** Does core itself do something when an entity gets it? */
function isReacting({ id }: Definition): boolean {
  return id <= Stands.id;
}

/** Components and tags that concern nothing else: plan, room, move. */
function addPlain(world: World, index: number, terms: readonly PlainTerm[]): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const was = graph.shapes[graph.tables.shape[from]!]!;
  let shape = was;
  let hasValues = false;
  for (let at = 0; at < terms.length; at++) {
    shape = shapeWith(graph, shape, definitionOfTerm(terms[at]!));
    if (valueOfTerm(terms[at]!) !== undefined) hasValues = true;
  }
  if (shape !== was) {
    const count = was.hasPairs ? wantPairsOf(world, from) : 0;
    moveEntity(world, index, roomyTableFor(graph, shape, count, 1, from));
    tidyLeft(world, from);
  }
  if (hasValues) writeTerms(world, shape, terms, entities.table[index]!, rowAt(world, index));
}

/** One pair, which concerns nothing else, of an exclusive relation: plan, room, move. */
function setTarget(world: World, index: number, relation: Definition, target: number): void {
  const { graph, entities } = world;
  const old = pairAt(world, index, relation);
  if (old !== 0 && graph.pairs.target[old] === target) return;
  if (relation.acyclic) requireNoCycle(world, relation, index, target);
  if (relation.maxSources > 0) requireRoomAt(world, relation, index, target);
  const from = entities.table[index]!;
  const was = graph.shapes[graph.tables.shape[from]!]!;
  const pair = ensurePair(world, relation, target);
  let count = wantPairsOf(world, from);
  if (old !== 0) count = unwantPair(world, old, count);
  count = wantPair(world, pair, count);
  const shape = old === 0 ? shapeWith(graph, was, relation) : was;
  moveEntity(world, index, roomyTableFor(graph, shape, count, 1, from));
  tidyLeft(world, from);
  if (relation.keepsDepth) followTarget(world, relation, index, pair);
}

function addSeveral(world: World, index: number, terms: readonly PlainTerm[]): void {
  // Check everything ...
  const was = shapeAt(world, index);
  let isNothingNew = true;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind === "relation")
      requirePlace(world, index, definition, indexOf(targetOfTerm(term) as Entity));
    if (
      definition.kind === "relation" ||
      valueOfTerm(term) !== undefined ||
      !isThere(world, index, was, definition)
    )
      isNothingNew = false;
  }
  if (isNothingNew) return;
  bringChanges(world.slots);
  if (was.hooked.length > 0 || terms.some((term) => definitionOfTerm(term).hooks !== undefined)) {
    const kept = keptTerms(world, terms);
    const calls = askForAddition(world, index, kept);
    changeEntity(world, index, goalOfTerms(world, index, kept), kept, calls);
    return;
  }
  const goal = goalOfTerms(world, index, terms);
  const needs = needsOf(world, was) | needsOf(world, goal.shape);
  changeEntity(world, index, goal, (needs & NEEDS_OBSERVERS) === 0 ? terms : keptTerms(world, terms));
}

function isThere(world: World, index: number, shape: Shape, definition: Definition): boolean {
  return definition.storage === "bits"
    ? hasBitAt(world, index, definition)
    : hasDefinition(shape, definition);
}

/** @throws TreelineError `cycle`, `full` or `refused`. */
export function requirePlace(world: World, index: number, definition: Definition, to: number): void {
  if (isParental(definition)) requireParent(world, index, shapeAt(world, index), to);
  else if (definition.acyclic) requireNoCycle(world, definition, index, to);
  if (definition.maxSources > 0) requireRoomAt(world, definition, index, to);
}

function goalOfTerms(world: World, index: number, terms: readonly PlainTerm[]): Goal {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  let shape = shapeAt(world, index);
  let valuePair = loosePairOf(graph.links, index);
  let count = wantPairsOf(world, from);
  const added: PairNumber[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation") {
      shape = shapeWith(graph, shape, definition);
      continue;
    }
    const pair = ensurePair(world, definition, indexOf(targetOfTerm(term) as Entity));
    if (isParental(definition)) {
      const old = graph.tables.parentPair[from]!;
      if (old !== 0) count = unwantPair(world, old, count);
      shape = shapeForParent(world, shape, definition === Parent);
      valuePair = definition === Parent ? pair : 0;
      if (valuePair === 0) count = wantPair(world, pair, count);
      continue;
    }
    if (tableHasPair(world, from, pair)) continue;
    const old = definition.exclusive ? pairAt(world, index, definition) : 0;
    if (old === 0) shape = shapeWith(graph, shape, definition);
    else count = unwantPair(world, old, count);
    count = wantPair(world, pair, count);
    if (!definition.exclusive) added.push(pair);
  }
  return { shape, count, valuePair, place: 0, added, tagged: bitTagsOf(terms), untagged: NO_TAGS };
}

/** Asks hooks about values that are written, and, if the parent changes, about those that are kept. */
function askForAddition(world: World, index: number, terms: readonly PlainTerm[]): readonly Change[] {
  const now = parentAt(world, index);
  const reparenting = terms.find((term) => isParental(definitionOfTerm(term)));
  const parent = reparenting === undefined ? now : (targetOfTerm(reparenting) as Entity);
  const shape = shapeAt(world, index);
  const calls: Change[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    const value = valueOfTerm(term);
    // A term without value on something that is there already changes nothing.
    if (definition.hooks === undefined || (value === undefined && hasDefinition(shape, definition))) continue;
    const whole = wholeValue(world, index, definition, value);
    calls.push(givenChange(definition, whole, readValue(world, index, definition)));
  }
  if (parent !== now) {
    for (const kept of keptChanges(world, shape, index)) {
      if (!calls.some(({ definition }) => definition === kept.definition)) calls.push(kept);
    }
  }
  if (calls.length === 0) return NO_CHANGES;
  askHooks(world, handleAt(world.entities, index), calls, parent);
  return calls;
}
