import { Any, ChildOf, type Definition, Parent, type World } from "@treeline/core";
import {
  ANY,
  CHILD_OF,
  countInList,
  findPair,
  firstPairOf,
  hasDefinition,
  Is,
  indexOf,
  isLiving,
  Life,
  looseCountOf,
  loosePairOf,
  PAIR_HIDDEN,
  type PairNumber,
  type Shape,
  shapeAt,
  type TableNumber,
} from "@treeline/core/internal";
import type { ByRow } from "../term/plan.ts";

// What has a component, tag or pair, and which pairs a relation and a target mean: `ChildOf` covers both storages of parents,
// `Parent` the one by value, `Any` all relations but that of entities used as tags.

/** So many tables of a pair are looked at to guess how many rows the others have. */
const SAMPLE = 8;

// ---- archetypes, tables and entities -----------------------------------------------------------------------------

/** Has the archetype the component or tag, or a pair of the relation? All have Life. */
export function shapeHas(shape: Shape, definition: Definition): boolean {
  if (definition === ChildOf) return shape.isLoose || hasDefinition(shape, ChildOf);
  if (definition === Any) return shape.definitions.some((one) => one.kind === "relation" && one !== Is);
  return definition === Life || hasDefinition(shape, definition);
}

/** Does it matter to the relation what parents are stored as values? */
export function seesLoose(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent || definition === Any;
}

/** Can rows of one table of an archetype differ in having a pair with a given target? */
export function tellsRowsApart(definition: Definition, { isLoose }: Shape): boolean {
  return definition.reflexive || (isLoose && seesLoose(definition));
}

/** The first pair in a table's type that is meant by a relation, or `Any`, with the target at an index; or 0. */
export function pairIn(
  { graph }: World,
  table: TableNumber,
  definition: Definition,
  target: number,
): PairNumber {
  const { tables, records, pairs } = graph;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.target[pair] !== target) continue;
    const isMeant =
      definition === Any ? (pairs.traits[pair]! & PAIR_HIDDEN) === 0 : pairs.relation[pair] === definition.id;
    if (isMeant) return pair;
  }
  return 0;
}

/** Do rows of a table have the pair, in their type or as their loose pair? Reflexive relations are not seen to. */
export function hasStored(
  world: World,
  table: TableNumber,
  loose: PairNumber,
  definition: Definition,
  target: number,
): boolean {
  if (loose !== 0 && seesLoose(definition) && world.graph.pairs.target[loose] === target) return true;
  return definition !== Parent && pairIn(world, table, definition, target) !== 0;
}

/**
 * Has the entity at an index a component, tag or pair, as core's `has` means it? Makes nothing.
 *
 * Cost: a look at its archetype; for a pair with a target also the pairs of its table.
 *
 * @param target of a pair: a handle, or ANY; the dead are nobody's target.
 */
export function hasAt(world: World, index: number, definition: Definition, target: number): boolean {
  if (definition.kind !== "relation" || target === ANY) return shapeHas(shapeAt(world, index), definition);
  if (!isLiving(world.entities, target)) return false;
  const wanted = indexOf(target);
  if (definition.reflexive && wanted === index) return true;
  const loose = seesLoose(definition) ? loosePairOf(world.graph.links, index) : 0;
  return hasStored(world, world.entities.table[index]!, loose, definition, wanted);
}

// ---- pairs with a target -----------------------------------------------------------------------------------------

/** The first pair that is meant by a relation, or `Any`, with the target at an index; go on with `pairAfter`. 0 for none. */
export function firstPair({ graph }: World, definition: Definition, target: number): PairNumber {
  const { pairs } = graph;
  if (definition === Any) return firstShown(pairs, firstPairOf(pairs, target));
  return findPair(pairs, definition === Parent ? CHILD_OF : definition.id, target);
}

export function pairAfter({ graph }: World, definition: Definition, pair: PairNumber): PairNumber {
  return definition === Any ? firstShown(graph.pairs, graph.pairs.nextOfTarget[pair]!) : 0;
}

/** That pair, or the first after it of the same target which wildcards see. */
function firstShown({ traits, nextOfTarget }: World["graph"]["pairs"], pair: PairNumber): PairNumber {
  let at = pair;
  while (at !== 0 && (traits[at]! & PAIR_HIDDEN) !== 0) at = nextOfTarget[at]!;
  return at;
}

/** How many entities that are meant store the pair as a value. */
export function countLoose({ graph }: World, definition: Definition, pair: PairNumber): number {
  const isParental = seesLoose(definition) && graph.pairs.relation[pair] === CHILD_OF;
  return isParental ? looseCountOf(graph.links, pair) : 0;
}

/** Steps it takes to go through all who have a pair with the target at an index; 0 if there is nobody. */
export function costOfPair(world: World, definition: Definition, target: number, byRow: ByRow): number {
  let cost = definition.reflexive ? 1 : 0;
  for (
    let pair = firstPair(world, definition, target);
    pair !== 0;
    pair = pairAfter(world, definition, pair)
  ) {
    if (definition !== Parent) cost += costOfTables(world, pair, byRow);
    if (countLoose(world, definition, pair) > 0) cost += countInList(world.graph.links, pair);
  }
  return cost;
}

function costOfTables({ graph }: World, pair: PairNumber, byRow: ByRow): number {
  const { records, tables, shapes } = graph;
  const count = records.tables[pair]!;
  if (byRow === "never" || count === 0) return count;
  let sum = 0;
  let looked = 0;
  for (let node = records.firstNode[pair]!; node !== 0 && looked < SAMPLE; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const isApart = byRow === "always" || shapes[tables.shape[table]!]!.isLoose;
    sum += isApart ? tables.count[table]! : 1;
    looked++;
  }
  return (sum * count) / looked;
}
