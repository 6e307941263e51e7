import { type Definition, type Entity, TreelineError, type World } from "@treeline/core";
import {
  buryEntity,
  dropPairsOf,
  giveIndex,
  handleAt,
  hooksOf,
  indexOf,
  isLiving,
  isTarget,
  type PairNumber,
  removePairs,
  requireNoVisit,
  type Shape,
  shapeAt,
  takeAllRows,
  tellRemoved,
  textOf,
} from "@treeline/core/internal";
import { inDyingOrder } from "./dying-order.ts";
import { eachSurvivor, isReached, type Reach, reachFrom, refusingSource } from "./reach.ts";

/**
 * The death of an entity and of all that dies with it: everything below it, and what other relations with
 * `onTargetDeath: "delete"` reach. Children die before their parents, siblings in order, each entity once. Pairs of
 * survivors that point at the dead are removed. A dead entity is left alone.
 *
 * Where nobody listens, whole tables die at once and the order cannot be seen. Cost: the dying rows and tables;
 * iterative, whatever the depth.
 *
 * @throws TreelineError `visiting` inside a visit; `refused` if a survivor holds one of the dying by a relation with
 *   `onTargetDeath: "refuse"`. Nothing has changed then.
 */
export function destroy(world: World, entity: Entity): void {
  requireNoVisit(world);
  if (!isLiving(world.entities, entity)) return;
  const reach = reachFrom(world, indexOf(entity));
  if (reach.foreign.length > 0) loosenSurvivors(world, reach);

  if (needsOrder(world, reach)) buryInOrder(world, reach);
  else buryInBulk(world, reach);
}

/** Refuses the death, or takes the pairs that point at the dying off everybody who lives on. */
function loosenSurvivors(world: World, reach: Reach): void {
  const refusing = refusingSource(world, reach);
  if (refusing !== undefined) throw new TreelineError("refused", refusalText(world, refusing));

  const { pairs } = world.graph;
  for (const pair of [...reach.foreign]) {
    const target = handleAt(world.entities, pairs.target[pair]!);
    const loose: number[] = [];
    eachSurvivor(world, reach, pair, (source) => loose.push(source));
    for (const source of loose) removePairs(world, source, relationOf(world, source, pair), target);
  }
}

function refusalText(world: World, { source, pair }: { source: number; pair: PairNumber }): string {
  const target = textOf(world, handleAt(world.entities, world.graph.pairs.target[pair]!));
  const { name } = relationOf(world, source, pair);
  const holder = textOf(world, handleAt(world.entities, source));
  return `${holder} holds ${target} by ${name}, which refuses its death; remove that pair first`;
}

function relationOf(world: World, source: number, pair: PairNumber): Definition {
  const id = world.graph.pairs.relation[pair]!;
  return shapeAt(world, source).definitions.find((definition) => definition.id === id)!;
}

/** Somebody who cares for order listens to a death among those reached. */
function needsOrder(world: World, reach: Reach): boolean {
  if (!reach.isHeard) return false;
  const { tables, shapes } = world.graph;
  if (listensInOrder(shapeAt(world, reach.root))) return true;
  for (let at = 0; at < reach.length; at++) {
    const shape = shapes[tables.shape[reach.tables[at]!]!]!;
    if (shape.hooked.length > 0 && listensInOrder(shape)) return true;
  }
  return false;
}

function listensInOrder(shape: Shape): boolean {
  return shape.hooked.some((definition) => {
    const { removed, anyOrder = false } = hooksOf(definition);
    return removed !== undefined && !anyOrder;
  });
}

/** Table by table, deepest first. */
function buryInBulk(world: World, reach: Reach): void {
  const { graph, entities } = world;
  const { tables, shapes } = graph;
  const rootDiesApart = !isReached(reach, entities.table[reach.root]!);
  if (reach.isHeard) tellAll(world, reach, rootDiesApart ? shapeAt(world, reach.root) : undefined);

  for (let at = reach.length - 1; at >= 0; at--) {
    const table = reach.tables[at]!;
    const shape = shapes[tables.shape[table]!]!;
    const { i32 } = shape.lanes;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) giveIndex(entities, i32[row]!);
    takeAllRows(world.rows, shape, table);
  }
  if (rootDiesApart) buryEntity(world, reach.root);
  for (let at = reach.targetCount - 1; at >= 0; at--) {
    if (isTarget(graph.pairs, reach.targets[at]!)) dropPairsOf(world, reach.targets[at]!);
  }
}

/** Tells the hooks that do not care for order, while everything is still there. */
function tellAll(world: World, reach: Reach, rootShape: Shape | undefined): void {
  const { tables, shapes } = world.graph;
  for (let at = reach.length - 1; at >= 0; at--) {
    const table = reach.tables[at]!;
    const shape = shapes[tables.shape[table]!]!;
    if (shape.hooked.length === 0) continue;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) tellRemoved(world, shape.lanes.i32[row]!, shape.hooked);
  }
  if (rootShape !== undefined && rootShape.hooked.length > 0)
    tellRemoved(world, reach.root, rootShape.hooked);
}

/** Entity by entity: children before parents, siblings in order; each finds its ancestors alive. */
function buryInOrder(world: World, reach: Reach): void {
  for (const index of inDyingOrder(world, reach)) {
    const shape = shapeAt(world, index);
    if (shape.hooked.length > 0) tellRemoved(world, index, shape.hooked);
    if (isTarget(world.graph.pairs, index)) loosenCycle(world, index);
    buryEntity(world, index);
  }
}

/** In a cycle of deleting relations, somebody who dies later still points here: that pair goes first. */
function loosenCycle(world: World, index: number): void {
  const { graph, entities } = world;
  const target = handleAt(entities, index);
  const sources = new Set<number>();
  const { pairs, records, tables, shapes } = graph;
  for (let pair = pairs.firstOfTarget[index]!; pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const first = tables.first[table]!;
      const { i32 } = shapes[tables.shape[table]!]!.lanes;
      for (let row = first; row < first + tables.count[table]!; row++) sources.add(i32[row]!);
    }
  }
  for (const source of sources) {
    for (const definition of new Set(shapeAt(world, source).definitions)) {
      if (definition.kind === "relation") removePairs(world, source, definition, target, true);
    }
  }
}
