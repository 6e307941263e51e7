import { TreelineError } from "../base/error.ts";
import { dropTablesOf } from "../graph/table-graph.ts";
import type { Entity } from "../id/entity.ts";
import { indexOf } from "../id/entity.ts";
import { firstPairOf, isTarget } from "../id/pair-book.ts";
import { giveIndex, handleAt, isLiving } from "../records/entity-index.ts";
import { note, TARGET_MOVED } from "../storage/journal.ts";
import { NOBODY, takeRow } from "../storage/rows.ts";
import { tellRemoved } from "./hooks.ts";
import { tidyLeft } from "./move-entity.ts";
import { requireNoVisit, textOf } from "./require.ts";
import { eachTableOf } from "./targets.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * The death of one entity that nothing points at. A dead entity is left alone. To destroy an entity with everything
 * below it, use `destroy` of the query package.
 *
 * @throws TreelineError `visiting` inside a visit; `still-a-target` if an entity has a pair with it as target.
 */
export function release(world: World, entity: Entity): void {
  requireNoVisit(world);
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  requireNoSources(world, index);

  const shape = shapeAt(world, index);
  if (shape.hooked.length > 0) tellRemoved(world, index, shape.hooked);
  buryEntity(world, index);
}

function requireNoSources(world: World, index: number): void {
  const { graph, entities } = world;
  for (let pair = firstPairOf(graph.pairs, index); pair !== 0; pair = graph.pairs.nextOfTarget[pair]!) {
    eachTableOf(graph.records, pair, (table) => {
      const count = graph.tables.count[table]!;
      if (count === 0 || (count === 1 && entities.table[index] === table)) return;
      throw new TreelineError(
        "still-a-target",
        `${textOf(world, handleAt(entities, index))} is the target of other entities; remove those pairs first, ` +
          "or use destroy",
      );
    });
  }
}

/** Takes an entity that nothing points at out of its table and ends its life; hooks have been told. */
export function buryEntity(world: World, index: number): void {
  const { graph, entities } = world;
  const { tables, shapes } = graph;
  const table = entities.table[index]!;
  const row = entities.row[index]!;
  const moved = takeRow(world.rows, shapes[tables.shape[table]!]!, table, row);
  if (moved !== NOBODY) {
    entities.row[moved] = row;
    if (graph.journal.reading && isTarget(graph.pairs, moved)) note(graph.journal, TARGET_MOVED, moved);
  }
  giveIndex(entities, index);
  if (isTarget(graph.pairs, index)) dropPairsOf(world, index);
  tidyLeft(world, table);
}

/** A target dies: the tables of its pairs are empty and go, and the pairs with them. */
export function dropPairsOf(world: World, index: number): void {
  const { graph } = world;
  for (let pair = firstPairOf(graph.pairs, index); pair !== 0; pair = firstPairOf(graph.pairs, index)) {
    dropTablesOf(graph, pair);
  }
}
