import { shapeWith, shapeWithout } from "../../graph/graph.ts";
import { roomyTableFor } from "../../graph/table-graph.ts";
import { isInternal, Parent, Stands } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import type { PairNumber } from "../../storage/table.ts";
import { changeEntity, goalOf } from "../change/change-entity.ts";
import { unwantPair, wantPairsOf } from "../change/destination.ts";
import { loseParent } from "../change/lose-pair.ts";
import { moveEntity, tidyLeft } from "../change/move-entity.ts";
import { bitTagsAt, hasBitAt, turnBit } from "../state/bit-tags.ts";
import { OBSERVES_REMOVED, observedOf } from "../state/event-list.ts";
import { enqueue, mustQueue } from "../state/lock.ts";
import { type Change, NO_CHANGES } from "../state/plans.ts";
import { requireAlive } from "../state/require.ts";
import { parentPairAt } from "../state/targets.ts";
import { type Asked, askedPairsAt, definitionOf, type Question, questionOf } from "../state/terms.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";

/**
 * Takes a component, tag or pair off an entity; with wildcards all pairs they mean: `ChildOf(Any)` makes a root of a
 * child, `Any(ship)` takes off whatever points at ship, `Any(Any)` all pairs. What is not there is no error.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for what is no component, tag, pair or
 *   entity; `visiting` in a strict world inside a visit, else it waits for the end of that; and what a `check` hook throws
 *   when the parent changes. Nothing has changed then.
 */
export function remove(world: World, entity: Entity, what: Asked): void {
  requireAlive(world, entity);
  if (world.visits === 0 && typeof what === "function") {
    const definition = definitionOf(what as Definition);
    if (definition.kind !== "relation") {
      removeComponent(world, indexOf(entity), definition);
      return;
    }
  }
  const question = questionOf(world, what);
  if (world.visits !== 0 && mustQueue(world)) {
    enqueue(world, indexOf(entity), () => {
      if (isLiving(world.entities, entity)) removeAsked(world, indexOf(entity), question);
    });
  } else removeAsked(world, indexOf(entity), question);
}

/** Takes what is asked for off the entity at an index, if it is there. */
export function removeAsked(world: World, index: number, question: Question): void {
  const { definition } = question;
  if (definition.kind !== "relation") removeComponent(world, index, definition);
  else removePairs(world, index, askedPairsAt(world, index, question));
}

function removeComponent(world: World, index: number, definition: Definition): void {
  if (definition.storage === "bits") {
    removeTag(world, index, definition);
    return;
  }
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const was = graph.shapes[graph.tables.shape[from]!]!;
  const shape = shapeWithout(graph, was, definition);
  if (shape === was) return;
  const count = was.hasPairs ? wantPairsOf(world, from) : 0;
  const observed = observedOf(world.events, definition) & OBSERVES_REMOVED;
  if (observed !== 0 || definition.hooks !== undefined || definition.id <= Stands.id) {
    changeEntity(world, index, goalOf(shape, count, loosePairOf(graph.links, index)));
    return;
  }
  moveEntity(world, index, roomyTableFor(graph, shape, count, 1, from));
  tidyLeft(world, from);
}

/** A tag that is stored as bits: nothing moves. */
function removeTag(world: World, index: number, tag: Definition): void {
  if (!hasBitAt(world, index, tag)) return;
  if ((observedOf(world.events, tag) & OBSERVES_REMOVED) === 0) {
    turnBit(world, index, tag, false);
    return;
  }
  const count = wantPairsOf(world, world.entities.table[index]!);
  const valuePair = loosePairOf(world.graph.links, index);
  changeEntity(world, index, goalOf(shapeAt(world, index), count, valuePair, [tag]));
}

/**
 * Takes pairs off an entity that has them; (ChildOf, parent) whichever way the parent is stored.
 *
 * @param asked what hooks have let through, if they were asked before.
 */
export function removePairs(
  world: World,
  index: number,
  lost: readonly PairNumber[],
  asked?: readonly Change[],
): void {
  if (lost.length === 0) return;
  const { graph, entities } = world;
  const parentPair = parentPairAt(world, index);
  const isOrphaned = parentPair !== 0 && lost.includes(parentPair);
  const calls = isOrphaned ? (asked ?? askForRoot(world, index)) : NO_CHANGES;
  if (isOrphaned && lost.length === 1) {
    loseParent(world, index, calls);
    return;
  }
  let count = wantPairsOf(world, entities.table[index]!);
  for (const pair of lost) count = unwantPair(world, pair, count);
  let shape = shapeAt(world, index);
  for (const relation of lostRelations(world, index, lost, count))
    shape = shapeWithout(graph, shape, relation);
  const valuePair = isOrphaned ? 0 : loosePairOf(graph.links, index);
  changeEntity(world, index, goalOf(shape, count, valuePair), undefined, calls);
}

/** Asks hooks of an entity that is about to become a root. */
function askForRoot(world: World, index: number): readonly Change[] {
  if (shapeAt(world, index).hooked.length === 0) return NO_CHANGES;
  return world.slots.changes!.askForParent(world, index, undefined);
}

/**
 * Each relation as often as the archetype loses it: once with its last pair, or once for each pair with data.
 *
 * @param count how many pairs are left, in `graph.wanted`.
 */
function lostRelations(
  { graph, entities }: World,
  index: number,
  lost: readonly PairNumber[],
  count: number,
): Definition[] {
  const { pairs, links, tables, shapes, wanted } = graph;
  const { definitions, isLoose } = shapes[tables.shape[entities.table[index]!]!]!;
  const relations: Definition[] = [];
  for (const pair of lost) {
    if (isLoose && loosePairOf(links, index) === pair) {
      relations.push(Parent);
      continue;
    }
    const id = pairs.relation[pair]!;
    const relation = definitions.find((definition) => definition.id === id)!;
    if (relation.holds === "nothing") {
      const isLeft = wanted.subarray(0, count).some((one) => pairs.relation[one] === id);
      if (isLeft || relations.includes(relation)) continue;
    }
    relations.push(relation);
  }
  return relations;
}

/**
 * Takes everything off an entity: components, tags, pairs, its parent and its name. It stays alive, its handle stays
 * good, and its children stay its children.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `visiting` in a strict world inside a visit, else it
 *   waits for the end of that.
 */
export function clear(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (world.visits !== 0 && mustQueue(world)) {
    enqueue(world, indexOf(entity), () => {
      if (isLiving(world.entities, entity)) clearNow(world, indexOf(entity));
    });
  } else clearNow(world, indexOf(entity));
}

function clearNow(world: World, index: number): void {
  const { graph } = world;
  const was = shapeAt(world, index);
  let bare = graph.root;
  for (const definition of was.definitions) {
    if (isInternal(definition)) bare = shapeWith(graph, bare, definition);
  }
  const tags = bitTagsAt(world, index);
  if (bare !== was || tags.length > 0) changeEntity(world, index, goalOf(bare, 0, 0, tags));
}
