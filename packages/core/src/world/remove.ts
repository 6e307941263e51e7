import { shapeWithout } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { ChildOf, Parent } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { loseOrder } from "./adding-order.ts";
import { changeType } from "./change-type.ts";
import { unwantPair, wantPairsOf } from "./destination.ts";
import { foresee, hasListeners, tellAll } from "./facts.ts";
import { askHooks, keptChanges, NO_CHANGES, tellRemoved, tellWritten } from "./hooks.ts";
import { enqueue, insideVisit, mustQueue } from "./lock.ts";
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
  const { graph, entities } = world;
  const shape = shapeAt(world, index);
  const goal = shapeWithout(graph, shape, definition);
  if (goal === shape) return;
  const from = entities.table[index]!;
  const to = roomyTableFor(graph, goal, shape.hasPairs ? wantPairsOf(world, from) : 0, 1, from);
  const loose = loosePairOf(graph.links, index);
  if (definition.hooks === undefined && !hasListeners(world)) {
    changeType(world, index, to, loose);
    return;
  }
  removeLoudly(world, index, definition, to, loose);
}

function removeLoudly(
  world: World,
  index: number,
  definition: Definition,
  to: TableNumber,
  loose: PairNumber,
): void {
  insideVisit(world, () => {
    tellAll(world, foresee(world, index, world.entities.table[index]!, to, loose).removed);
    if (definition.hooks !== undefined) tellRemoved(world, index, [definition]);
    changeType(world, index, to, loose);
  });
}

/** Who is in on it when pairs go: hooks are asked and told, and listeners told; or they are only told. */
type Manner = "ask" | "tell";

/** Takes pairs off an entity that has them; (ChildOf, parent) whichever way the parent is stored. */
export function removePairs(
  world: World,
  index: number,
  lost: readonly PairNumber[],
  manner: Manner = "ask",
): void {
  if (lost.length === 0) return;
  if (lost.length === 1 && lost[0] === parentPairAt(world, index)) {
    if (shapeAt(world, index).hooked.length === 0 && !hasListeners(world)) {
      orphanQuietly(world, index, lost[0]!);
      return;
    }
  }
  removeMany(world, index, lost, manner);
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

function removeMany(world: World, index: number, lost: readonly PairNumber[], manner: Manner): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const shape = shapeAt(world, index);
  const parentPair = parentPairAt(world, index);
  const isOrphaned = parentPair !== 0 && lost.includes(parentPair);
  const changes = isOrphaned && shape.hooked.length > 0 ? keptChanges(world, shape, index) : NO_CHANGES;
  if (changes.length > 0 && manner === "ask") askHooks(world, handleAt(entities, index), changes, undefined);

  const { count, relations } = loseFromWanted(world, index, lost);
  let goal = shape;
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
  if (changes.length === 0 && !hasListeners(world)) {
    change();
    return;
  }
  insideVisit(world, () => {
    tellAll(world, foresee(world, index, from, to, loose).removed);
    change();
    tellWritten(world, index, changes);
  });
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
