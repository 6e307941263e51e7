import type { Entity } from "@treeline/core";
import { type Batch, eachBatch, type Query } from "../../src/index.ts";
import { Mark } from "./twin.ts";

/**
 * Calls `check` at each position of the batches of a query, in order of iteration. Adds to `wrong` batches that are not in order of
 * depth, and rows whose Mark is not that of their entity.
 */
export function checkBatches(
  tested: Query,
  wrong: string[],
  check: (entity: Entity, batch: Batch, at: number) => void,
): void {
  let depth = 0;
  eachBatch(tested, (batch) => {
    const { of } = batch.columns(Mark);
    if (batch.depth < depth) wrong.push(`depth ${batch.depth} after ${depth}`);
    depth = batch.depth;
    for (let at = batch.from; at < batch.to; at++) {
      const row = batch.rows[at]!;
      const entity = batch.entityAt(row);
      if (of[row] !== entity) wrong.push(`row ${row} is not of ${entity}`);
      check(entity, batch, at);
    }
  });
}
