import { buryTable } from "../graph/free-table.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { giveIndex } from "../records/entity-index.ts";
import type { Shape } from "../storage/shape.ts";
import { hasListeners } from "../world/facts.ts";
import { buryRow } from "../world/release.ts";
import { shapeAt } from "../world/values.ts";
import type { World } from "../world/world.ts";

/** Larger families are worth a whole reach. */
const FEW = 16;

/**
 * The everyday death of a parent: nothing points at it but few children, which have one type and are no targets
 * themselves, and nobody is told.
 *
 * @returns how many died; 0 if it is not as simple as that, and nothing has changed.
 */
export function buryWithLeaves(world: World, index: number): number {
  const { graph, entities, orders, standsFor } = world;
  const { pairs, records, tables, shapes, links } = graph;
  if (links.used || orders.size > 0 || standsFor.size > 0 || hasListeners(world)) return 0;
  const pair = firstPairOf(pairs, index);
  const table = records.main[pair]!;
  if (table === 0 || records.tables[pair] !== 1) return 0;
  if (pairs.relation[pair] !== CHILD_OF || pairs.nextOfTarget[pair] !== 0) return 0;
  const count = tables.count[table]!;
  const shape = shapes[tables.shape[table]!]!;
  if (count === 0 || count > FEW || !isQuiet(shape) || !isQuiet(shapeAt(world, index))) return 0;
  const { i32 } = shape.lanes;
  const first = tables.first[table]!;
  const end = first + count;
  for (let row = first; row < end; row++) if (isTarget(pairs, i32[row]!)) return 0;

  for (let row = first; row < end; row++) giveIndex(entities, i32[row]!);
  buryTable(graph, shape, table);
  buryRow(world, index);
  return count + 1;
}

function isQuiet({ hooked, isSpecial, isSymmetric }: Shape): boolean {
  return hooked.length === 0 && !isSpecial && !isSymmetric;
}
