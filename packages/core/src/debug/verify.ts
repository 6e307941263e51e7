import { CHILD_OF, ChildOf, DisabledTree, Hidden, OrderedChildren, Parent } from "../id/builtins.ts";
import { PAIR_DISABLES, PAIR_EXCLUSIVE, PAIR_HANGS } from "../id/definition.ts";
import { findPair, firstPairOf } from "../id/pair-book.ts";
import { pairOfRelation } from "../records/pair-records.ts";
import {
  countInList,
  firstInList,
  GENERATION,
  isListed,
  KIN,
  LAST,
  LIST,
  looseCountOf,
  loosePairOf,
  nextInList,
  PREVIOUS,
} from "../records/sibling-links.ts";
import { hasDefinition } from "../storage/shape.ts";
import { linkGeneration } from "../world/change/pair.ts";
import { hasPairAt, pairsAt, pairsOfTable, parentPairAt, settleDepths } from "../world/state/targets.ts";
import { hasBitAt, shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { verifyShapes } from "./verify-shapes.ts";

/**
 * Walks everything in a world and names the laws of `docs/laws.md` that are broken, with what breaks them. Depths
 * that wait to be refreshed are refreshed first, as any reader would. Cost: the whole world; for tests and hunts.
 *
 * @returns one text per finding, beginning with the law's number; empty for a healthy world.
 */
export function verify(world: World): string[] {
  settleDepths(world);
  return [
    ...verifyEntities(world),
    ...verifyShapes(world),
    ...verifyPairs(world),
    ...verifyFamilies(world),
    ...verifyOrders(world),
    ...world.laws.flatMap((law) => law(world)),
  ];
}

/**
 * L1: a living entity is in exactly one row, and its entity record says which; but for newborns in limbo, while commands
 * wait.
 */
function* verifyEntities({ graph, entities, limbo, hasQueued }: World): Iterable<string> {
  const { tables, shapes } = graph;
  let alive = 0;
  let unborn = 0;
  for (let index = 1; index < entities.length; index++) {
    const table = entities.table[index]!;
    if (table === 0) continue;
    alive++;
    if (table === limbo) {
      unborn++;
      if (!hasQueued) yield `L1: e${index} is in limbo, and nothing waits`;
      continue;
    }
    const row = entities.row[index]!;
    const shape = shapes[tables.shape[table] ?? -1];
    if (shape === undefined) yield `L1: e${index} is recorded in t${table}, which does not exist`;
    else if (row < 0 || row >= tables.count[table]!)
      yield `L1: e${index} is recorded in row ${row} of t${table}`;
    else if (shape.lanes.i32[tables.first[table]! + row] !== index)
      yield `L1: row ${row} of t${table} does not hold e${index}`;
  }
  if (alive !== entities.alive) yield `L1: ${alive} entities have a table, ${entities.alive} are counted`;
  const rows = shapes.reduce((sum, shape) => sum + shape.rows, 0);
  if (rows + unborn !== alive) yield `L1: ${rows} rows for ${alive - unborn} living entities`;
}

/** L5, L7, L8, L10, L17: pairs have living targets, acyclic relations end at roots, depths add up, no pair is idle. */
function* verifyPairs(world: World): Iterable<string> {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  let alive = 0;
  for (let pair = 1; pair < pairs.length; pair++) {
    const relation = pairs.relation[pair]!;
    if (relation === 0) continue;
    alive++;
    const target = pairs.target[pair]!;
    if (entities.table[target] === 0) yield `L5: pair ${-pair} has the dead target e${target}`;
    if (records.tables[pair] === 0 && looseCountOf(graph.links, pair) === 0)
      yield `L10: pair ${-pair} has neither a table nor a loose child`;
    const main = records.main[pair]!;
    if (main !== 0 && pairsOfTable(graph, main).join() !== `${pair}`)
      yield `L4: pair ${-pair} finds t${main}, which has another type`;
    let listed = 0;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const place = node - tables.nodes[table]!;
      if (records.nodePair[node] !== pair || place < 0 || place >= tables.pairs[table]!)
        yield `L4: pair ${-pair} lists t${table}, whose type does not have it`;
      listed++;
    }
    if (listed !== records.tables[pair])
      yield `L4: pair ${-pair} lists ${listed} tables of ${records.tables[pair]}`;
    let found = firstPairOf(pairs, target);
    while (found !== 0 && found !== pair) found = pairs.nextOfTarget[found]!;
    if (found === 0) yield `L10: pair ${-pair} is not found by its target e${target}`;
    if ((pairs.traits[pair]! & PAIR_HANGS) !== 0) yield* verifyDepth(world, pair, relation);
    const isNoted = (pairs.traits[pair]! & PAIR_DISABLES) !== 0;
    if (isNoted !== (relation === CHILD_OF && disables(world, target)))
      yield `L17: pair ${-pair} is wrong about whether its sources are hidden`;
  }
  if (alive !== pairs.alive) yield `L10: ${alive} pairs in use, ${pairs.alive} are counted`;
}

/** L7 and L8 for one pair of an acyclic relation: its record hangs below that of its target's own pair. */
function* verifyDepth(world: World, pair: number, relation: number): Iterable<string> {
  const { pairs, records, tables } = world.graph;
  const pairAbove = (below: number): number => {
    const target = pairs.target[below]!;
    if (relation === CHILD_OF) return parentPairAt(world, target);
    return pairOfRelation(records, tables, pairs.relation, world.entities.table[target]!, relation);
  };
  let at = pair;
  for (let steps = 0; at !== 0 && steps <= pairs.length; steps++) at = pairAbove(at);
  const above = pairAbove(pair);
  const depth = above === 0 ? 1 : records.depth[above]! + 1;
  if (at !== 0) yield `L7: following pair ${-pair} never ends at a root`;
  else if (records.above[pair] !== above)
    yield `L8: pair ${-pair} hangs below ${-records.above[pair]!}, not ${-above}`;
  else if (records.depth[pair] !== depth)
    yield `L8: pair ${-pair} has depth ${records.depth[pair]}, not ${depth}`;
}

/** What is below the entity at an index is hidden. */
function disables(world: World, index: number): boolean {
  return hasDefinition(shapeAt(world, index), DisabledTree) || hasBitAt(world, index, Hidden);
}

/** L6, L16, L17, L19: lists of children and the links in them, who is hidden, and both sides of symmetric pairs. */
function* verifyFamilies(world: World): Iterable<string> {
  const { graph, entities } = world;
  const { links, pairs } = graph;
  const listOf = new Map<number, number>(); // entity index -> the pair in whose list it was met
  for (let pair = 1; pair < links.lists.length / LIST; pair++) yield* verifyList(world, pair, listOf);
  for (let index = 1; index < links.kin.length / KIN; index++) {
    if (listOf.has(index)) continue;
    if (nextInList(links, index) !== 0 || links.kin[index * KIN + PREVIOUS] !== 0)
      yield `L16: e${index} stands in no list and has neighbours`;
    if (loosePairOf(links, index) !== 0) yield `L16: e${index} is loose and stands in no list`;
  }
  for (let index = 1; index < entities.length; index++) {
    if (entities.table[index] === 0) continue;
    const shape = shapeAt(world, index);
    const loose = loosePairOf(links, index);
    if (shape.isLoose !== (loose !== 0))
      yield `L16: e${index} has the loose pair ${-loose}; its shape says otherwise`;
    if (shape.isLoose && hasDefinition(shape, ChildOf))
      yield `L6: e${index} has ${Parent.name} and ${ChildOf.name}`;
    if (loose !== 0 && links.kin[index * KIN + GENERATION] !== linkGeneration(world, index))
      yield `L16: the links of e${index} are wrong about its generation`;
    if (loose !== 0 && pairs.relation[loose] !== CHILD_OF)
      yield `L16: the loose pair ${-loose} of e${index} is none`;
    const pair = parentPairAt(world, index);
    if (isListed(links, pair) && listOf.get(index) !== pair)
      yield `L16: the list of pair ${-pair} lacks e${index}`;
    const own = findPair(pairs, CHILD_OF, index);
    if (hasDefinition(shape, OrderedChildren) && own !== 0 && !isListed(links, own))
      yield `L16: e${index} has ${OrderedChildren.name} and no list`;
    const isBelow = pair !== 0 && disables(world, pairs.target[pair]!);
    if (hasBitAt(world, index, Hidden) !== isBelow)
      yield `L17: e${index} is ${isBelow ? "not hidden below" : "hidden and not below"} a ${DisabledTree.name}`;
    for (const relation of shape.definitions.filter(({ symmetric }) => symmetric)) {
      const back = findPair(pairs, relation.id, index);
      const others = pairsAt(world, index, relation).map((one) => pairs.target[one]!);
      const stranger = others.find((other) => back === 0 || !hasPairAt(world, other, back));
      if (stranger !== undefined)
        yield `L19: e${index} has ${relation.name} with e${stranger}, which does not have it with e${index}`;
    }
  }
}

/** L16: a list holds exactly the sources of its pair, each once, and is right about neighbours and counts. */
function* verifyList(world: World, pair: number, listOf: Map<number, number>): Iterable<string> {
  const { links, pairs } = world.graph;
  const first = firstInList(links, pair);
  const [wanted, wantedLoose] = [countInList(links, pair), looseCountOf(links, pair)];
  if (isListed(links, pair) ? pairs.relation[pair] !== CHILD_OF : first !== 0)
    yield `L16: pair ${-pair} has a list and is no parent's, or children and no list`;
  let [before, count, loose] = [0, 0, 0];
  for (let index = first; index !== 0; index = nextInList(links, index)) {
    if (listOf.has(index)) {
      yield `L16: e${index} stands twice in lists, at last in that of pair ${-pair}`;
      return;
    }
    listOf.set(index, pair);
    if (parentPairAt(world, index) !== pair)
      yield `L16: e${index} stands in the list of pair ${-pair}, which it does not have`;
    if (links.kin[index * KIN + PREVIOUS] !== before)
      yield `L16: e${index} is wrong about who stands before it`;
    if (loosePairOf(links, index) !== 0) loose++;
    count++;
    before = index;
  }
  if (links.lists[pair * LIST + LAST] !== before)
    yield `L16: the list of pair ${-pair} is wrong about its end`;
  if (wanted !== count || wantedLoose !== loose)
    yield `L16: the list of pair ${-pair} counts ${wanted} children and ${wantedLoose} loose ones; there are ${count} and ${loose}`;
}

/** L18: a kept order of adding holds exactly the pairs of an entity that are of relations with many targets. */
function* verifyOrders({ graph, entities, orders }: World): Iterable<string> {
  for (const [index, order] of orders) {
    const table = entities.table[index]!;
    const many = pairsOfTable(graph, table).filter(
      (pair) => (graph.pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0,
    );
    if (table === 0) yield `L18: an order is kept for e${index}, which is dead`;
    else if (order.toSorted((one, other) => one - other).join() !== many.join())
      yield `L18: the order kept for e${index} is [${order}], its pairs are [${many}]`;
  }
}
