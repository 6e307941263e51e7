import { Any, ChildOf, type Definition, Parent, type World } from "@treeline/core";
import {
  ANY,
  hasBit,
  indexOf,
  isLiving,
  loosePairOf,
  PAIR_HIDDEN,
  type TableNumber,
} from "@treeline/core/internal";
import { shapeHas } from "./shape-has.ts";

/**
 * Has the entity at an index a component, tag or pair, as core's `has` means it? Makes nothing.
 *
 * Cost: a look at its shape; for a pair with a target also the pairs of its table.
 *
 * @param target of a pair: a handle, or ANY; the dead are nobody's target.
 */
export function hasAt(world: World, index: number, definition: Definition, target: number): boolean {
  const { graph, entities } = world;
  const table = entities.table[index]!;
  if (definition.storage === "bits") {
    const shape = graph.shapes[graph.tables.shape[table]!]!;
    return hasBit(shape, definition, graph.tables.first[table]! + entities.row[index]!);
  }
  if (definition.kind !== "relation" || target === ANY) {
    return shapeHas(graph.shapes[graph.tables.shape[table]!]!, definition);
  }
  if (!isLiving(entities, target)) return false;
  const wanted = indexOf(target);
  if (definition.reflexive && wanted === index) return true;
  if (definition === ChildOf || definition === Parent || definition === Any) {
    const loose = loosePairOf(graph.links, index);
    if (loose !== 0 && graph.pairs.target[loose] === wanted) return true;
    if (definition === Parent) return false;
  }
  return pointsAt(world, table, definition, wanted);
}

/** Has a table a pair of the relation, or of any, with the target at an index? Entities used as tags are no pairs of any. */
function pointsAt({ graph }: World, table: TableNumber, definition: Definition, target: number): boolean {
  const { tables, records, pairs } = graph;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.target[pair] !== target) continue;
    if (
      definition === Any ? (pairs.traits[pair]! & PAIR_HIDDEN) === 0 : pairs.relation[pair] === definition.id
    )
      return true;
  }
  return false;
}
