import { shapeWithout } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { ChildOf, Parent } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { loseOrder } from "./adding-order.ts";
import { bitTagsAt, hasBitAt, turnBit } from "./bit-tags.ts";
import { changeType } from "./change-type.ts";
import { unwantPair, wantPairsOf } from "./destination.ts";
import { foresee, hasListeners, tellAll } from "./facts.ts";
import { withFollowers } from "./followers.ts";
import {
  askHooks,
  type Change,
  keptChanges,
  NO_CHANGES,
  tellRemovedOne,
  tellReplaced,
  tellWritten,
  tellWrittenAlone,
} from "./hook-calls.ts";
import { enqueue, enterVisit, insideVisit, leaveVisit, mustQueue, whileChanging } from "./lock.ts";
import { followTarget } from "./pair.ts";
import { requireAlive } from "./require.ts";
import { parentPairAt } from "./targets.ts";
import { type Asked, askedPairsAt, definitionOf, type Question, questionOf } from "./terms.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

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
    queueRemoval(world, entity, question);
  } else removeAsked(world, indexOf(entity), question);
}

function queueRemoval(world: World, entity: Entity, question: Question): void {
  enqueue(world, indexOf(entity), () => {
    if (isLiving(world.entities, entity)) removeAsked(world, indexOf(entity), question);
  });
}

/** Takes what is asked for off the entity at an index, if it is there. */
export function removeAsked(world: World, index: number, question: Question): void {
  const { definition } = question;
  if (definition.kind !== "relation") removeComponent(world, index, definition);
  else removePairs(world, index, askedPairsAt(world, index, question));
}

function removeComponent(world: World, index: number, definition: Definition): void {
  if (definition.storage === "bits") {
    removeBit(world, index, definition);
    return;
  }
  const { graph, entities } = world;
  const shape = shapeAt(world, index);
  const goal = shapeWithout(graph, shape, definition);
  if (goal === shape) return;
  const from = entities.table[index]!;
  const to = roomyTableFor(graph, goal, shape.hasPairs ? wantPairsOf(world, from) : 0, 1, from);
  const loose = loosePairOf(graph.links, index);
  if (hasListeners(world)) removeLoudly(world, index, definition, to, loose);
  else if (definition.hooks === undefined) changeType(world, index, to, loose);
  else removeHooked(world, index, definition, to, loose);
}

/** A tag that is stored as bits: nothing moves. */
function removeBit(world: World, index: number, definition: Definition): void {
  if (!hasBitAt(world, index, definition)) return;
  if (!hasListeners(world)) {
    turnBit(world, index, definition, false);
    return;
  }
  const table = world.entities.table[index]!;
  insideVisit(world, () =>
    whileChanging(world, () => {
      const tags = bitTagsAt(world, index).filter((tag) => tag !== definition);
      tellAll(
        world,
        foresee(world, index, table, table, loosePairOf(world.graph.links, index), tags).removed,
      );
      turnBit(world, index, definition, false);
    }),
  );
}

/** Nobody listens, but hooks are told. */
function removeHooked(
  world: World,
  index: number,
  definition: Definition,
  to: TableNumber,
  loose: PairNumber,
): void {
  enterVisit(world);
  world.changes++;
  try {
    tellRemovedOne(world, index, definition);
    changeType(world, index, to, loose);
  } finally {
    world.changes--;
    leaveVisit(world, true);
  }
}

function removeLoudly(
  world: World,
  index: number,
  definition: Definition,
  to: TableNumber,
  loose: PairNumber,
): void {
  insideVisit(world, () =>
    withFollowers(world, index, to, loose, () =>
      whileChanging(world, () => {
        tellAll(world, foresee(world, index, world.entities.table[index]!, to, loose).removed);
        if (definition.hooks !== undefined) tellRemovedOne(world, index, definition);
        changeType(world, index, to, loose);
      }),
    ),
  );
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
  const parentPair = parentPairAt(world, index);
  if (lost.length === 1 && lost[0] === parentPair && !hasListeners(world)) {
    if (shapeAt(world, index).hooked.length === 0) orphanQuietly(world, index, parentPair);
    else orphanHooked(world, index, parentPair, asked ?? askForRoot(world, index));
    return;
  }
  const isOrphaned = parentPair !== 0 && lost.includes(parentPair);
  const changes = isOrphaned ? (asked ?? askForRoot(world, index)) : NO_CHANGES;
  removeMany(world, index, lost, isOrphaned, changes);
}

/** Asks hooks of an entity that is about to become a root. */
function askForRoot(world: World, index: number): readonly Change[] {
  const shape = shapeAt(world, index);
  if (shape.hooked.length === 0) return NO_CHANGES;
  const changes = keptChanges(world, shape, index);
  askHooks(world, handleAt(world.entities, index), changes, undefined);
  return changes;
}

/** Makes a root of a child that nobody is told of. */
function orphanQuietly(world: World, index: number, pair: PairNumber): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const shape = graph.shapes[graph.tables.shape[from]!]!;
  const count = unwantPair(world, pair, wantPairsOf(world, from));
  const goal = shapeWithout(graph, shape, shape.isLoose ? Parent : ChildOf);
  changeType(world, index, roomyTableFor(graph, goal, count, 1, from), 0);
}

/** The same, while nobody listens but hooks are told. */
function orphanHooked(world: World, index: number, pair: PairNumber, changes: readonly Change[]): void {
  orphanQuietly(world, index, pair);
  tellWrittenAlone(world, index, changes);
}

function removeMany(
  world: World,
  index: number,
  lost: readonly PairNumber[],
  isOrphaned: boolean,
  changes: readonly Change[],
): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const { count, relations } = loseFromWanted(world, index, lost);
  let goal = shapeAt(world, index);
  for (const relation of relations) goal = shapeWithout(graph, goal, relation);
  const to = roomyTableFor(graph, goal, count, 1, from);
  const loose = isOrphaned ? 0 : loosePairOf(graph.links, index);
  const change = (): void => {
    loseOrder(world, index, lost);
    changeType(world, index, to, loose);
    for (const relation of relations) {
      if (relation.keepsDepth && relation !== ChildOf && relation !== Parent)
        followTarget(world, relation, index, 0);
    }
  };
  if (!hasListeners(world)) {
    withFollowers(world, index, to, loose, change);
    if (changes.length > 0) tellWrittenAlone(world, index, changes);
    return;
  }
  insideVisit(world, () =>
    withFollowers(world, index, to, loose, () => {
      whileChanging(world, () => {
        tellAll(world, foresee(world, index, from, to, loose).removed);
        change();
        tellWritten(world, index, changes);
      });
      tellReplaced(world, index, changes);
    }),
  );
}

/**
 * Puts what is left of an entity's pairs into `graph.wanted`.
 *
 * @returns how many there are, and each relation as often as its shape loses it: once with its last pair, or once for
 *   each pair with data.
 */
function loseFromWanted(
  world: World,
  index: number,
  lost: readonly PairNumber[],
): { readonly count: number; readonly relations: readonly Definition[] } {
  const { pairs, links } = world.graph;
  const { definitions, isLoose } = shapeAt(world, index);
  const relations: Definition[] = [];
  let count = wantPairsOf(world, world.entities.table[index]!);
  for (const pair of lost) count = unwantPair(world, pair, count);
  for (const pair of lost) {
    if (isLoose && loosePairOf(links, index) === pair) {
      relations.push(Parent);
      continue;
    }
    const id = pairs.relation[pair]!;
    const relation = definitions.find((definition) => definition.id === id)!;
    if (relation.holds === "nothing" && (relations.includes(relation) || isWanted(world, id, count)))
      continue;
    relations.push(relation);
  }
  return { count, relations };
}

/** Is there a pair of a relation among the first `count` of `graph.wanted`? */
function isWanted({ graph }: World, relation: number, count: number): boolean {
  for (let at = 0; at < count; at++) if (graph.pairs.relation[graph.wanted[at]!] === relation) return true;
  return false;
}
